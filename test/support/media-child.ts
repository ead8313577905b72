/**
 * A stand-in for a process of media work that does what a hostile file may make one do. The name of the file says what:
 * `parts N`, `value`, `fault`, `crash`, `killed`, `exit`, `hang`, `hang-later`, `eat`; the argument `mute` never gets ready.
 */
import { Fault } from "../../src/base/fault.ts";
import type { ExtractedPart, Features, SourceFile } from "../../src/domain/media.ts";
import type { MediaCalls } from "../../src/media/sandbox/protocol.ts";
import { parentTransport, serve } from "../../src/runtime/rpc.ts";

const KIB = 1024;
const held: Uint8Array[] = [];
let left = 0;
let part = 0;
let doing = "";

function begin({ name }: SourceFile): void {
  doing = name;
  part = 0;
  left = Number(/\d+/.exec(doing)?.[0] ?? 0);
}

async function go(): Promise<ExtractedPart | null> {
  if (doing === "fault") throw new Fault("bad_request", "the file is wrong", { cause: "because" });
  if (doing === "killed") process.kill(process.pid, "SIGKILL");
  if (doing === "crash") process.kill(process.pid, "SIGSEGV");
  if (doing === "exit") process.exit(0);
  if (doing === "eat") eat();
  if (["killed", "crash", "hang", "eat"].includes(doing) || (doing.startsWith("hang-later") && part > 0)) return new Promise(() => {});
  if (left === 0) return null;
  left -= 1;
  part += 1;
  return { part: part - 1, progress: 0.5, stage: String(process.pid), units: [], notes: [] };
}

/** Touches what it takes, a piece at a time, so that the parent sees it grow. */
function eat(): void {
  held.push(new Uint8Array(16 * KIB * KIB).fill(held.length + 1));
  setTimeout(eat, 5);
}

const calls: Pick<MediaCalls, "setup" | "extract" | "next" | "describe" | "usable"> = {
  setup: () => (process.argv.includes("mute") ? new Promise(() => {}) : undefined),
  extract(file) {
    begin(file);
    return go();
  },
  next: go,
  describe(file) {
    begin(file);
    return (doing === "value" ? Promise.resolve(null) : go()) as Promise<unknown> as Promise<Features>;
  },
  usable: () => true,
};

serve<typeof calls>(parentTransport, calls, { faultOf: (error) => error as Fault });
process.on("disconnect", () => process.exit(0));
