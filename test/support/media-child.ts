/**
 * A stand-in for a process of media work that does what a hostile file may make one do. The name of the file says what:
 * `parts N`, `value`, `fault`, `crash`, `killed`, `exit`, `hang`, `hang-later`, `eat`; the argument `mute` never gets ready.
 */
import type { FromMedia, MediaTask, ToMedia } from "../../src/media/sandbox/protocol.ts";

const KIB = 1024;
const held: Uint8Array[] = [];
let left = 0;
let part = 0;
let doing = "";

const send = (message: FromMedia) => process.send?.(message);

function begin(id: number, task: MediaTask): void {
  doing = "file" in task ? task.file.name : task.kind;
  part = 0;
  left = Number(/\d+/.exec(doing)?.[0] ?? 0);
  if (doing === "value") send({ kind: "value", id, value: null });
  else go(id);
}

function go(id: number): void {
  if (doing === "fault") send({ kind: "failed", id, fault: "bad_request", retry: "never", detail: "the file is wrong", reason: "because" });
  else if (doing === "killed") process.kill(process.pid, "SIGKILL");
  else if (doing === "crash") process.kill(process.pid, "SIGSEGV");
  else if (doing === "exit") process.exit(0);
  else if (doing === "hang" || (doing.startsWith("hang-later") && part > 0)) return;
  else if (doing === "eat") eat();
  else if (left === 0) send({ kind: "part", id, part: null });
  else {
    left -= 1;
    send({ kind: "part", id, part: { part, progress: 0.5, stage: String(process.pid), units: [], notes: [] } });
    part += 1;
  }
}

/** Touches what it takes, a piece at a time, so that the parent sees it grow. */
function eat(): void {
  held.push(new Uint8Array(16 * KIB * KIB).fill(held.length + 1));
  setTimeout(eat, 5);
}

process.on("message", (message: ToMedia) => {
  if (message.kind === "setup" && !process.argv.includes("mute")) send({ kind: "ready" });
  if (message.kind === "task") begin(message.id, message.task);
  if (message.kind === "next") go(message.id);
});
process.on("disconnect", () => process.exit(0));
