/** Starts an inference Worker and calls it. */
import { requireDescriptors } from "../base/descriptors.ts";
import { Fault, StartError } from "../base/fault.ts";
import { WORKER_DESCRIPTORS } from "../base/limits.ts";
import { returnMemoryWhenIdle } from "../runtime/native.ts";
import { RpcClient, workerTransport } from "../runtime/rpc.ts";
import type { InferenceCalls, InferenceSetup } from "./messages.ts";
import type { InferenceWorker } from "./pool.ts";

/** Resolves when the Worker takes work. `died`: as for StartInferenceWorker. Errors: StartError with the Worker's own words; Fault `unavailable` when too few descriptors are free. */
export async function startInferenceThread(setup: InferenceSetup, died: (error: unknown) => void): Promise<InferenceWorker> {
  requireDescriptors(WORKER_DESCRIPTORS);
  const thread = new Worker(new URL("./inference-worker.ts", import.meta.url).href);
  const rpc = new RpcClient<InferenceCalls>(workerTransport(thread));
  let state: "starting" | "live" | "ended" = "starting";

  const end = (reason: string) => {
    if (state === "live") died(new StartError(reason));
    state = "ended";
    rpc.end(new Fault("unavailable", reason));
  };
  thread.addEventListener("error", (event) => end(event.message));
  thread.addEventListener("close", () => end("the inference thread ended"));
  const close = async () => {
    await rpc.call("drain").catch(() => {});
    // No inference runs now: only then is terminate safe with onnxruntime.
    state = "ended";
    thread.terminate();
    returnMemoryWhenIdle();
  };
  await rpc.call("start", setup).catch((fault: Fault) => {
    state = "ended";
    thread.terminate();
    throw new StartError(fault.message);
  });
  state = "live";
  return {
    // When the thread dies, `died` tells it for all requests.
    post: (request, replied) => void rpc.call("perform", request).then(replied, () => {}),
    close,
  };
}
