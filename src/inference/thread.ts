/** Starts an inference Worker and speaks with it. */
import { requireDescriptors } from "../base/descriptors.ts";
import { StartError } from "../base/fault.ts";
import { WORKER_DESCRIPTORS } from "../base/limits.ts";
import type { FromInferenceWorker, InferenceSetup, ToInferenceWorker } from "./messages.ts";
import type { InferenceWorker, InferenceWorkerEvents } from "./pool.ts";
import { returnMemoryWhenIdle } from "../runtime/native.ts";

/** Resolves when the Worker takes work. Errors: StartError with the Worker's own words; Fault `unavailable` when too few descriptors are free. */
export async function startInferenceThread(setup: InferenceSetup, events: InferenceWorkerEvents): Promise<InferenceWorker> {
  requireDescriptors(WORKER_DESCRIPTORS);
  const thread = new Worker(new URL("./inference-worker.ts", import.meta.url).href);
  const send = (message: ToInferenceWorker) => thread.postMessage(message);
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
    const receive = (message: FromInferenceWorker) => {
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
    thread.addEventListener("message", (event: MessageEvent<FromInferenceWorker>) => receive(event.data));
    thread.addEventListener("error", (event) => end(new StartError(event.message)));
    thread.addEventListener("close", () => end(new StartError("the inference thread ended")));
    send({ kind: "setup", setup });
  });
}
