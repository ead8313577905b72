/**
 * The entry of the two Workers of the full text: one is the writer and one the reader. Each has every open index of the
 * process.
 */
import { DamageFault, Fault } from "../../base/fault.ts";
import { machineFault } from "../../base/machine.ts";
import { serve, type ServeOptions, workerTransport } from "../../runtime/rpc.ts";
import { loadTantivy } from "./binding.ts";
import { NOT_AVAILABLE, type StartCalls } from "./engine-worker.ts";
import { Reader } from "./reader.ts";
import { Writer } from "./writer.ts";

declare const self: Worker;

const options: ServeOptions = {
  faultOf(error, method) {
    const cause = error instanceof Error ? error.message : String(error);
    if (method === "open" && machineFault(error) === null) return new DamageFault(NOT_AVAILABLE, cause);
    return new Fault(error instanceof Fault ? error.kind : "unavailable", NOT_AVAILABLE, { cause });
  },
  // A Worker that listens to nothing ends by itself.
  replied(method) {
    if (method === "exit") self.onmessage = null;
  },
};

serve<StartCalls>(
  workerTransport(),
  {
    start(role, addonPath, postingsBytes) {
      const tantivy = loadTantivy(addonPath);
      if (role === "writer") serve<Writer>(workerTransport(), new Writer(tantivy), options);
      else serve<Reader>(workerTransport(), new Reader(tantivy, postingsBytes), options);
    },
  },
  options,
);
