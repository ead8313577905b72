/** One scope with what is to be found by what it shows: drawn pictures and made sounds, beside the Units of the demo. */
import type { Picture } from "../../../src/domain/media.ts";
import type { Stand } from "../stand.ts";
import { DRAWINGS } from "./drawings.ts";
import type { Drawing } from "./pen.ts";
import { type MadeFile, takeIn, type TakenIn } from "./door.ts";
import { SHEET } from "./pen.ts";
import { fileOf, rendered } from "./pixels.ts";
import { type MadeSound, SOUNDS, wavOf } from "./sounds.ts";
import { spoken } from "./tools.ts";
import { demoUnits } from "./words.ts";

const PICTURE_SIDE = 480;
const SPOKEN = "Good morning. This is only a test of the microphone, so there is nothing to worry about.";

export interface DrawnFile extends Omit<Drawing, "content">, MadeFile {
  picture: Picture;
}

export interface SoundFile extends Omit<MadeSound, "samples" | "name">, MadeFile {
  speech: boolean;
}

export interface Things extends TakenIn {
  pictures: DrawnFile[];
  sounds: SoundFile[];
}

async function draw(): Promise<DrawnFile[]> {
  const files: DrawnFile[] = [];
  for (const { content, ...drawing } of DRAWINGS) {
    const picture = await rendered({ content: content(), size: SHEET }, PICTURE_SIDE);
    files.push({ ...drawing, picture, name: `p${files.length}.png`, bytes: fileOf(picture, "png") });
  }
  return files;
}

async function sound(): Promise<SoundFile[]> {
  const made = SOUNDS.map(({ samples, ...one }, at) => ({ ...one, name: `s${at}.wav`, bytes: wavOf(samples()), speech: false }));
  const voice = await spoken(SPOKEN, { voice: "en-us", speed: 140, pitch: 50 });
  const speech = { name: `s${made.length}.wav`, labels: ["Speech"], phrases: ["somebody is talking", "speech"], bytes: voice, speech: true };
  return [...made, speech];
}

const known = new WeakMap<Stand, Promise<Things>>();

async function make(stand: Stand): Promise<Things> {
  const [pictures, sounds] = [await draw(), await sound()];
  const taken = await takeIn(stand, "things", [...pictures, ...sounds], demoUnits());
  return { ...taken, pictures, sounds };
}

/** Made once for a service. The names of the files say nothing. */
export function things(stand: Stand): Promise<Things> {
  const made = known.get(stand) ?? make(stand);
  known.set(stand, made);
  return made;
}
