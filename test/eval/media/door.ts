/** Files of the measurements into the service, through its front door, and back out as Units. */
import { sha256Hex } from "../../../src/base/hash.ts";
import type { Locator } from "../../../src/domain/locator.ts";
import type { Modality } from "../../../src/domain/plane.ts";
import type { Stand } from "../stand.ts";
import { lanes } from "../work.ts";

export interface MadeFile {
  name: string;
  bytes: Uint8Array;
}

/** What the measurements read of a Unit on the wire. */
export interface WireUnit {
  unit_id: string;
  doc_id: string;
  modality: Modality;
  text?: string;
  locator?: Locator;
  metadata: Record<string, unknown>;
}

export interface TakenIn {
  scope: string;
  /** Units by the name of their file, in its order. */
  units: ReadonlyMap<string, WireUnit[]>;
}

/** A scope of its own for these files: others in a kept directory get another one. */
export function scopeOf(name: string, files: readonly MadeFile[], beside: string): string {
  const hash = sha256Hex(JSON.stringify([beside, files.map((file) => [file.name, sha256Hex(file.bytes)])]));
  return `eval/${name}-${hash.slice(0, 12)}`;
}

/** Sends files, the name of each as its `doc_id`, and waits until their Units are searchable. `units`: what else lies in the scope, for `POST /v1/ingest`. */
export async function takeIn(stand: Stand, name: string, files: readonly MadeFile[], units: readonly unknown[] = []): Promise<TakenIn> {
  const scope = scopeOf(name, files, JSON.stringify(units));
  if (units.length > 0) await stand.send(scope, "POST", "/v1/ingest", { type: "application/json", content: JSON.stringify({ units }) });
  const taken = await lanes(`${name}: ${files.length} files`, files, async (file) => [file.name, await put(stand, scope, file)] as const);
  return { scope, units: new Map(taken) };
}

/** Sends a file and waits until its Units are searchable; one that a kept directory has is not read again. Returns its id. */
export async function sendFile(stand: Stand, scope: string, { name, bytes }: MadeFile, more: { doc_id?: string } = {}): Promise<string> {
  const parameters = new URLSearchParams({ name, wait: "true", ...more });
  const content = new Uint8Array(bytes);
  const { file_id } = await stand.send(scope, "POST", `/v1/files?${parameters}`, { type: "application/octet-stream", content });
  return file_id as string;
}

async function put(stand: Stand, scope: string, file: MadeFile): Promise<WireUnit[]> {
  const file_id = await sendFile(stand, scope, file, { doc_id: file.name });
  const { units } = await stand.send(scope, "GET", `/v1/files/${file_id}`);
  const read = (unit_id: string) => stand.send(scope, "GET", `/v1/units/${unit_id}`);
  return (await Promise.all((units as string[]).map(read))) as unknown as WireUnit[];
}
