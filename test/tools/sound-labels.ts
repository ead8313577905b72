/** Makes models/yamnet/label-vectors.bge-small-en-v1.5.f32: `bun test/tools/sound-labels.ts`. Its hash goes into the manifest. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { silentLog } from "../../src/base/log.ts";
import { SOUND_LABEL_PREFIX } from "../../src/core/search/features.ts";
import { unpackAssets } from "../../src/runtime/assets.ts";
import { createInference } from "../../src/inference/inference.ts";
import { modelManifest } from "../../src/runtime/model-manifest.ts";
import { provideAddons } from "../../src/runtime/native.ts";
import labels from "../../models/yamnet/labels.json";

const paths = await unpackAssets("unused");
provideAddons(paths.addons);
const inference = await createInference({ paths, manifest: modelManifest(), workers: 1, log: silentLog });
const vectors: Float32Array[] = [];
for (const { name } of labels) {
  const [window] = await inference.encoder.encode(SOUND_LABEL_PREFIX + name.toLowerCase(), "query");
  if (window === undefined) throw new Error(`no vector for ${name}`);
  vectors.push(window.vector);
}
await inference.close();
const bytes = Buffer.concat(vectors.map((vector) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)));
writeFileSync(join(import.meta.dir, "../../models/yamnet/label-vectors.bge-small-en-v1.5.f32"), bytes);
process.stdout.write(`${vectors.length} vectors, ${bytes.length} bytes\n`);
process.exit(0);
