/** A file on its way in. */
import type { Received } from "../../domain/port/objects.ts";
import type { Tenant } from "../tenant.ts";
import type { FileFacts } from "./facts.ts";

/**
 * Hands the bytes of a file to the store that it is given, and tells what came with them, of which the groups are checked
 * first. Errors: `bad_request`, `payload_too_large`, those of `store` and `checkGroups`.
 */
export type Receive = (
  store: (chunks: AsyncIterable<Uint8Array>) => Promise<Received>,
  checkGroups: (groups: readonly unknown[]) => void,
) => Promise<{ received: Received; facts: FileFacts }>;

/** Receives a file for `work`; what it does not keep is discarded, whatever happens. */
export async function whileReceived<T>(
  { objects }: Tenant,
  receive: Receive,
  checkGroups: (groups: readonly unknown[]) => void,
  work: (received: Received, facts: FileFacts) => Promise<T>,
): Promise<T> {
  let taken: Received | null = null;
  try {
    const { received, facts } = await receive(async (chunks) => {
      taken = await objects.receive(chunks);
      return taken;
    }, checkGroups);
    return await work(received, facts);
  } finally {
    if (taken !== null) await objects.discard(taken);
  }
}
