/** The text encoder: a pool of Workers, each with one single-threaded session of the model. */
import { Fault, StartError } from "../base/fault.ts";
import { SELFTEST_MAX_DIFFERENCE } from "../base/limits.ts";
import type { Log } from "../base/log.ts";
import type { Encoder } from "../domain/ports.ts";
import type { RuntimePaths } from "./assets.ts";
import type { EncoderSetup, FromEncoderWorker, ToEncoderWorker } from "./encoder-messages.ts";
import { EncoderPool, type EncoderWorker, type EncoderWorkerEvents } from "./encoder-pool.ts";
import { type ModelEntry, modelFile } from "./models.ts";
import { returnMemoryWhenIdle } from "./native.ts";

export interface EncoderOptions {
  paths: RuntimePaths;
  manifestEntry: ModelEntry;
  /** Workers at most; one starts at once, the others when work queues, and end when it is done. */
  workers: number;
  log: Log;
}

/**
 * Starts one worker and holds it to the manifest's self-test; the model files are to be verified before.
 * Errors: StartError when the worker does not start or gives other vectors than the manifest.
 */
export async function createEncoder({ paths, manifestEntry, workers, log }: EncoderOptions): Promise<Encoder> {
  const setup: EncoderSetup = {
    addons: paths.addons,
    model: modelFile(paths.models, manifestEntry, "model.onnx"),
    tokenizer: modelFile(paths.models, manifestEntry, "tokenizer.json"),
    dims: manifestEntry.dims,
    maxTokens: manifestEntry.max_tokens,
  };
  const pool = new EncoderPool((events) => startWorker(setup, events), workers, log);
  try {
    await selfTest(pool, manifestEntry);
  } catch (error) {
    await pool.close();
    throw error;
  }
  return {
    info: { model: manifestEntry.name, dims: manifestEntry.dims, maxTokens: manifestEntry.max_tokens },
    encode: (text, priority) => pool.submit(text, priority),
    ready: () => pool.live > 0,
    close: () => pool.close(),
  };
}

async function selfTest(pool: EncoderPool, entry: ModelEntry): Promise<void> {
  for (const { text, vector_first_5 } of entry.selftest) {
    const windows = await pool.submit(text, "query").catch((error: unknown) => {
      throw new StartError(`the encoder ${entry.name} does not start`, { cause: error instanceof Fault ? error.cause : error });
    });
    const vector = windows[0]?.vector;
    const same =
      vector?.length === entry.dims && vector_first_5.every((value, index) => Math.abs(value - (vector[index] ?? 0)) <= SELFTEST_MAX_DIFFERENCE);
    if (!same) throw new StartError(`the encoder ${entry.name} fails its self-test: this machine gives other vectors than the manifest`);
  }
}

/** Resolves when the Worker has loaded the model. Errors: StartError with the Worker's own words. */
function startWorker(setup: EncoderSetup, events: EncoderWorkerEvents): Promise<EncoderWorker> {
  const thread = new Worker(new URL("./encoder-worker.ts", import.meta.url).href);
  const send = (message: ToEncoderWorker) => thread.postMessage(message);
  let state: "starting" | "live" | "ended" = "starting";
  let whenClosed = () => {};

  return new Promise((resolve, reject) => {
    const end = (error: unknown) => {
      if (state === "starting") reject(error);
      if (state === "live") events.died(error);
      state = "ended";
      whenClosed();
    };
    // No inference runs when the thread says so: only then is terminate safe with onnxruntime.
    const close = () =>
      new Promise<void>((done) => {
        whenClosed = () => {
          returnMemoryWhenIdle();
          done();
        };
        if (state === "ended") whenClosed();
        else send({ kind: "close" });
      });
    const receive = (message: FromEncoderWorker) => {
      if (message.kind === "reply") events.replied(message.id, message.outcome);
      else if (message.kind === "started") {
        state = "live";
        resolve({ post: (request) => send({ kind: "request", request }), close });
      } else {
        if (message.kind === "start-failed") reject(new StartError(message.error));
        state = "ended";
        thread.terminate();
        whenClosed();
      }
    };
    thread.addEventListener("message", (event: MessageEvent<FromEncoderWorker>) => receive(event.data));
    thread.addEventListener("error", (event) => end(new StartError(event.message)));
    thread.addEventListener("close", () => end(new StartError("the encoder's thread ended")));
    send({ kind: "setup", setup });
  });
}
