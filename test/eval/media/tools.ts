/** The programs that sound is made with, and a folder for what they write. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { temporaryDirectory } from "../../support/scratch.ts";
import { DataError } from "../data.ts";

/** Each by the Debian package of its name. */
const TOOLS = ["ffmpeg", "espeak-ng"];

/** Errors: DataError that names what is missing. */
export function checkTools(): void {
  const missing = TOOLS.filter((tool) => Bun.which(tool) === null);
  if (missing.length > 0) throw new DataError(`media needs ${missing.join(" and ")}: apt-get install ${missing.join(" ")}`);
}

const folder = temporaryDirectory();

export function scratch(name: string): string {
  return join(folder, name);
}

async function run(args: readonly string[]): Promise<void> {
  const child = Bun.spawn([...args], { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  const said = await new Response(child.stderr).text();
  if ((await child.exited) !== 0) throw new Error(`${args[0]} failed: ${said}`);
}

/** What ffmpeg makes of a WAV, by options before the output. `extension` names the format. */
export async function encoded(wav: Uint8Array, extension: string, options: readonly string[]): Promise<Uint8Array> {
  const [from, to] = [scratch(`${Bun.randomUUIDv7()}.wav`), scratch(`${Bun.randomUUIDv7()}.${extension}`)];
  await Bun.write(from, wav);
  // Without the flags the file would hold the version of the encoder, and be another file on another machine.
  await run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-i", from, "-fflags", "+bitexact", "-flags:a", "+bitexact", ...options, to]);
  return readFileSync(to);
}

export interface Voice {
  voice: string;
  /** Words a minute. */
  speed: number;
  /** 0-99. */
  pitch: number;
}

/** A WAV of espeak-ng. */
export async function spoken(text: string, { voice, speed, pitch }: Voice): Promise<Uint8Array> {
  const path = scratch(`${Bun.randomUUIDv7()}.wav`);
  await run(["espeak-ng", "-v", voice, "-s", String(speed), "-p", String(pitch), "-w", path, text]);
  return readFileSync(path);
}
