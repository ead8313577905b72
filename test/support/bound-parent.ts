/** Starts a bound program that would run for ten minutes, says which process it is, and waits to be killed. */
import { readFileSync } from "node:fs";
import { bound } from "../../src/runtime/native.ts";

const { pid } = Bun.spawn(bound("/bin/sleep", ["600"]), { stdin: "ignore", stdout: "ignore", stderr: "ignore", env: {} });
while (readFileSync(`/proc/${pid}/comm`, "utf8").trim() !== "sleep") await Bun.sleep(5);
process.stdout.write(String(pid));
setInterval(() => {}, 60_000);
