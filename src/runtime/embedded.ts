/**
 * The files inside the executable that can be used from a disk only. Imported in the executable only: uncompiled, Bun
 * refuses to import a `.node` file as a path. A file that is only read (the demo data) is not listed here: its reader
 * imports it with `{ type: "file" }` and opens the path with `Bun.file`, compiled or not.
 */
import tokenizer from "../../models/bge-small-en-v1.5/tokenizer.json" with { type: "file" };
import model from "../../models/bge-small-en-v1.5/model.onnx" with { type: "file" };
import rerankingTokenizer from "../../models/ms-marco-minilm-l12/tokenizer.json" with { type: "file" };
import rerankingModel from "../../models/ms-marco-minilm-l12/model.onnx" with { type: "file" };
import entailmentTokenizer from "../../models/nli-minilm/tokenizer.json" with { type: "file" };
import entailmentModel from "../../models/nli-minilm/model.onnx" with { type: "file" };
import lancedb from "../../node_modules/@lancedb/lancedb-linux-x64-gnu/lancedb.linux-x64-gnu.node" with { type: "file" };
import tantivy from "../../node_modules/@oxdev03/node-tantivy-binding-linux-x64-gnu/node-tantivy-binding.linux-x64-gnu.node" with { type: "file" };
import onnxruntimeLibrary from "../../node_modules/onnxruntime-node/bin/napi-v6/linux/x64/libonnxruntime.so.1" with { type: "file" };
import onnxruntime from "../../node_modules/onnxruntime-node/bin/napi-v6/linux/x64/onnxruntime_binding.node" with { type: "file" };

/** Path inside the executable, by the name that `ASSETS` of assets.ts gives. */
export const EMBEDDED = {
  lancedb,
  tantivy,
  onnxruntime,
  onnxruntimeLibrary,
  model,
  rerankingModel,
  entailmentModel,
  // TypeScript takes these imports for the files' content.
  tokenizer: tokenizer as unknown as string,
  rerankingTokenizer: rerankingTokenizer as unknown as string,
  entailmentTokenizer: entailmentTokenizer as unknown as string,
};
