/** Encodes a namespace's texts again after the encoder's model has changed. */
import { REEMBED_BATCH_TEXTS } from "../../base/limits.ts";
import { PLANES } from "../../domain/plane.ts";
import type { Encoder } from "../../domain/port/encoder.ts";
import type { Catalog } from "../../adapter/sqlite/catalog.ts";
import type { Ledger } from "../../adapter/sqlite/ledger.ts";
import { roundToStored } from "../../adapter/sqlite/vector-codec.ts";

/**
 * Encodes every text that has no vectors of the encoder's model, and lets the planes' tables, which hold nothing yet,
 * follow from the outbox. `onProgress` gets the number of texts so far. It may be interrupted anywhere: vectors made so far
 * stay, and those of the former model make the next start go on. Errors: Fault `unavailable`, as Encoder.encode.
 */
export async function reembed(
  { catalog, ledger }: { catalog: Catalog; ledger: Ledger },
  encoder: Encoder,
  onProgress: (texts: number) => void,
): Promise<void> {
  const { embeddings, outbox, namespace } = catalog;
  let done = 0;
  for (let texts = embeddings.missing(REEMBED_BATCH_TEXTS); texts.length > 0; texts = embeddings.missing(REEMBED_BATCH_TEXTS)) {
    const encoded = await Promise.all(texts.map(({ text }) => encoder.encode(text, "ingest", { tenant: namespace })));
    ledger.transact(() => {
      for (const [index, { hash }] of texts.entries()) embeddings.add(hash, roundToStored(encoded[index] ?? []));
    });
    done += texts.length;
    onProgress(done);
  }
  ledger.transact(() => {
    embeddings.removeForeign();
    for (const plane of PLANES) outbox.reopenAll(plane);
  });
}
