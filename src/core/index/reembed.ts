/** Encodes a namespace's texts again after the encoder's model has changed. */
import { REEMBED_BATCH_TEXTS } from "../../base/limits.ts";
import { PLANES } from "../../domain/plane.ts";
import type { Encoder } from "../../domain/port/encoder.ts";
import type { NamespaceStore } from "../../domain/port/store.ts";
import { roundToStored } from "../units/vectors.ts";

/**
 * Encodes every text that has no vectors of the encoder's model, and lets the planes' tables, which hold nothing yet,
 * follow from the outbox. `onProgress` gets the number of texts so far. It may be interrupted anywhere: vectors made so far
 * stay, and those of the former model make the next start go on. Errors: Fault `unavailable`, as Encoder.encode.
 */
export async function reembed(store: NamespaceStore, encoder: Encoder, onProgress: (texts: number) => void): Promise<void> {
  const { namespace, reader } = store;
  const { embeddings } = reader;
  let done = 0;
  for (let texts = await embeddings.missing(REEMBED_BATCH_TEXTS); texts.length > 0; texts = await embeddings.missing(REEMBED_BATCH_TEXTS)) {
    const encoded = await Promise.all(texts.map(({ text }) => encoder.encode(text, "ingest", { tenant: namespace })));
    await store.transact(async (tx) => {
      for (const [index, { hash }] of texts.entries()) await tx.embeddings.put(hash, roundToStored(encoded[index] ?? []));
    });
    done += texts.length;
    onProgress(done);
  }
  // The vectors of the other model go last: while there are some, the next start comes back here.
  for (const plane of PLANES) await store.outbox.again(plane, "all");
  await store.transact((tx) => tx.embeddings.removeForeign());
}
