/** Speech that espeak-ng says: the words that are heard, and when. And words that are heard where nobody speaks. */
import { mean, percentile } from "../metrics.ts";
import { percent, table } from "../report.ts";
import type { Stand } from "../stand.ts";
import { lanes } from "../work.ts";
import { chance, normal } from "./chance.ts";
import { type MadeFile, takeIn, type WireUnit } from "./door.ts";
import { exactly, type Part } from "./report.ts";
import { RATE_HZ, wavOf } from "./sounds.ts";
import { things } from "./things.ts";
import { encoded, spoken, type Voice } from "./tools.ts";

const VOICES: readonly Voice[] = [
  { voice: "en-us", speed: 140, pitch: 50 },
  { voice: "en-gb", speed: 155, pitch: 40 },
  { voice: "en-gb-scotland", speed: 130, pitch: 55 },
  { voice: "en-us+f3", speed: 145, pitch: 60 },
  { voice: "en-gb-x-rp+m3", speed: 165, pitch: 45 },
];
const NOISE_DB = 10;
const LEAD_SECONDS = 0.5;
const PAUSE_SECONDS = 5;
/** Sentences of one file with pauses. */
const JOINED = 4;
/** Of the degraded ones, every so manieth sentence is said: each costs a window of the speech model. */
const DEGRADED_STEP = 2;

const SENTENCES = [
  "The captain asked for the weather report before leaving the harbour.",
  "Please send the new drawings to the office by Friday morning.",
  "She found an old key under the carpet in the hall.",
  "The train to the city was late because of heavy snow.",
  "We need more light in the workshop to finish the repair.",
  "He put the blue folder on the table next to the window.",
  "The doctor said that the results will be ready tomorrow.",
  "Nobody knew why the engine stopped in the middle of the night.",
  "My brother plays the piano in a small theatre.",
  "The water level rose by two metres after the storm.",
  "All visitors must sign the book at the main gate.",
  "The red lamp shows that the machine is still running.",
  "They painted the bridge last summer and it looks new.",
  "Can you tell me where the nearest hospital is?",
  "The farmer sold his horses and bought a larger tractor.",
  "A strong wind broke three branches off the tree.",
  "The meeting starts at nine and ends before lunch.",
  "Our teacher told us a story about a lost ship.",
  "The bread is fresh and the coffee is still warm.",
  "Close the valve slowly and wait for the signal.",
  "The price of copper fell again during the last week.",
  "There is a small shop behind the church on the hill.",
  "I have never seen so many birds in one place.",
  "The pilot landed safely although one wheel was damaged.",
  "Keep this door locked when you leave the building.",
  "The children were playing with a ball in the garden.",
  "The report contains a list of every broken part.",
  "He crossed the river in a boat made of wood.",
  "The library opens later on Saturday than on other days.",
  "Turn left at the corner and walk to the market.",
  "The crew changed the oil and cleaned the filters.",
  "It was raining when we arrived at the station.",
  "The museum shows tools that are five thousand years old.",
  "Her letter arrived a month after she came home.",
  "The guard heard a strange noise behind the wall.",
  "We will test the pump again on Monday afternoon.",
  "The mayor opened the new school with a short speech.",
  "Good bearings should not become warmer than the housing.",
  "The cook added salt and pepper to the soup.",
  "They watched the sun go down over the quiet sea.",
] as const;

/** Samples of what espeak-ng says, at 16 kHz, with where the voice begins and ends in them, in samples. */
interface Said {
  text: string;
  samples: Float32Array;
  onset: number;
}

/** Louder than this share of the loudest moment is voice. */
const VOICE_SHARE = 0.03;

async function say(text: string, voice: Voice): Promise<Said> {
  const wav = await encoded(await spoken(text, voice), "raw", ["-f", "f32le", "-ac", "1", "-ar", String(RATE_HZ)]);
  const samples = new Float32Array(wav.slice().buffer);
  const peak = samples.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return { text, samples, onset: samples.findIndex((value) => Math.abs(value) > VOICE_SHARE * peak) };
}

/** A file with what is said in it, and when each sentence begins, in ms. */
interface Speech extends MadeFile {
  kind: string;
  texts: string[];
  starts: number[];
  /** Of a file with one sentence. */
  voice: string;
}

/** The sentences one after the other, `pause` apart. */
function joined(said: readonly Said[], pauseSeconds: number): { samples: Float32Array; starts: number[] } {
  const lead = Math.round(LEAD_SECONDS * RATE_HZ);
  const pause = Math.round(pauseSeconds * RATE_HZ);
  const total = said.reduce((sum, { samples }) => sum + samples.length, 2 * lead + pause * (said.length - 1));
  const out = new Float32Array(total);
  const starts: number[] = [];
  let at = lead;
  for (const { samples, onset } of said) {
    out.set(samples, at);
    starts.push(((at + onset) * 1_000) / RATE_HZ);
    at += samples.length + pause;
  }
  return { samples: out, starts };
}

/** White noise, by the power of the voice while it speaks. */
function noisy(samples: Float32Array, seed: number): Float32Array {
  const next = chance(seed);
  const loud = samples.filter((value) => Math.abs(value) > 0.01);
  const power = mean([...loud].map((value) => value * value));
  const sigma = Math.sqrt(power / 10 ** (NOISE_DB / 10));
  return samples.map((value) => 0.7 * (value + sigma * normal(next)));
}

type Finish = (samples: Float32Array, seed: number) => Promise<{ extension: string; bytes: Uint8Array }>;

const asWav: Finish = async (samples) => ({ extension: "wav", bytes: wavOf(samples) });

const DEGRADED: Record<string, Finish> = {
  [`noise at ${NOISE_DB} dB`]: async (samples, seed) => ({ extension: "wav", bytes: wavOf(noisy(samples, seed)) }),
  "MP3 at 8 kHz": async (samples) => ({ extension: "mp3", bytes: await encoded(wavOf(samples), "mp3", ["-ar", "8000", "-b:a", "16k"]) }),
  "Opus at 16 kbit/s": async (samples) => ({ extension: "opus", bytes: await encoded(wavOf(samples), "opus", ["-c:a", "libopus", "-b:a", "16k"]) }),
};

const CLEAN = "one sentence a file";
const PAUSED = `${JOINED} sentences a file, ${PAUSE_SECONDS} s apart`;

async function fileOf(kind: string, name: string, said: readonly Said[], finish: Finish, seed: number, voice = ""): Promise<Speech> {
  const { samples, starts } = joined(said, PAUSE_SECONDS);
  const { extension, bytes } = await finish(samples, seed);
  return { kind, name: `${name}.${extension}`, bytes, texts: said.map(({ text }) => text), starts, voice };
}

async function makeSpeech(): Promise<Speech[]> {
  const said = await lanes("saying sentences", [...SENTENCES.entries()], ([at, text]) => say(text, VOICES[at % VOICES.length] as Voice));
  const files = said.map((one, at) => fileOf(CLEAN, `clean-${at}`, [one], asWav, at, VOICES[at % VOICES.length]?.voice));
  for (const [number, [kind, finish]] of Object.entries(DEGRADED).entries()) {
    files.push(...said.flatMap((one, at) => (at % DEGRADED_STEP === 0 ? [fileOf(kind, `degraded-${number}-${at}`, [one], finish, at)] : [])));
  }
  for (let at = 0; at < said.length; at += JOINED) files.push(fileOf(PAUSED, `joined-${at}`, said.slice(at, at + JOINED), asWav, at));
  return Promise.all(files);
}

const NUMBERS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/** The model spells as Americans do. */
const AMERICAN: Record<string, string> = { harbour: "harbor", metres: "meters", theatre: "theater" };

/** Lower case, without punctuation, small numbers as words. */
export function spokenWords(text: string): string[] {
  const words =
    text
      .toLowerCase()
      .replace(/[’']/g, "")
      .match(/[a-z]+|\d+/g) ?? [];
  return words.map((word) => NUMBERS[Number(word)] ?? word).map((word) => AMERICAN[word] ?? word);
}

/** Words that were changed, left out or put in. */
export function wordErrors(truth: readonly string[], heard: readonly string[]): number {
  let row = heard.map((_, at) => at + 1);
  truth.forEach((word, index) => {
    let [left, corner] = [index + 1, index];
    row = row.map((above, at) => {
      left = Math.min(above + 1, left + 1, corner + (word === heard[at] ? 0 : 1));
      corner = above;
      return left;
    });
  });
  return row.at(-1) ?? truth.length;
}

function segments(units: readonly WireUnit[]): { text: string; startMs: number; confidence: number }[] {
  return units.flatMap(({ modality, text = "", locator, metadata }) =>
    modality === "asr" && locator?.kind === "time_range" ? [{ text, startMs: locator.t_start_ms, confidence: Number(metadata.confidence) }] : [],
  );
}

interface Heard {
  kind: string;
  voice: string;
  name: string;
  truth: string;
  heard: string;
  words: number;
  errors: number;
  /** How much later than each known start the nearest one of a segment is, ms; nothing was heard: none. */
  late: number[];
}

function heardIn({ kind, name, texts, starts, voice }: Speech, units: readonly WireUnit[]): Heard {
  const found = segments(units);
  const [truth, heard] = [texts.join(" "), found.map(({ text }) => text).join(" ")];
  const nearest = (start: number) => found.map(({ startMs }) => startMs - start).reduce((a, b) => (Math.abs(b) < Math.abs(a) ? b : a));
  const late = found.length === 0 ? [] : starts.map(nearest);
  return { kind, voice, name, truth, heard, words: spokenWords(truth).length, errors: wordErrors(spokenWords(truth), spokenWords(heard)), late };
}

function summed(kind: string, own: readonly Heard[]) {
  const words = own.reduce((sum, one) => sum + one.words, 0);
  const errors = own.reduce((sum, one) => sum + one.errors, 0);
  const late = own.flatMap((one) => one.late);
  const off = late.map(Math.abs);
  return {
    kind,
    files: own.length,
    words,
    wer: errors / words,
    medianMs: percentile(off, 50),
    p90Ms: percentile(off, 90),
    lateMs: percentile(late, 50),
  };
}

export async function speech(stand: Stand): Promise<Part> {
  const files = await makeSpeech();
  const { units } = await takeIn(stand, "speech", files);
  const heard = files.map((file) => heardIn(file, units.get(file.name) ?? []));
  const kinds = [CLEAN, ...Object.keys(DEGRADED), PAUSED].map((kind) =>
    summed(
      kind,
      heard.filter((one) => one.kind === kind),
    ),
  );
  const clean = summed(
    CLEAN,
    heard.filter(({ kind }) => kind === CLEAN),
  );
  const times = summed("all", heard);
  const voices = VOICES.map(({ voice }) => ({
    voice,
    ...summed(
      CLEAN,
      heard.filter((one) => one.voice === voice),
    ),
  }));
  const [american] = voices;
  const { sounds, units: thingUnits } = await things(stand);
  const labelOf = (name: string) => sounds.find((sound) => sound.name === name)?.labels[0] ?? name;
  const silent = sounds.filter(({ speech: spoke }) => !spoke);
  const invented = silent.map(({ name }) => {
    const found = segments(thingUnits.get(name) ?? []);
    const said = spokenWords(found.map(({ text }) => text).join(" "));
    return { name, words: said, confidence: Math.max(0, ...found.map(({ confidence }) => confidence)) };
  });
  const confidences = files.flatMap(({ name }) => segments(units.get(name) ?? []).map(({ confidence }) => confidence));
  const words = invented.reduce((sum, one) => sum + one.words.length, 0);
  const liars = invented.filter((one) => one.words.length > 0);
  const told = liars.map(({ name, words: said, confidence }) => `${labelOf(name)} (“${said.join(" ")}”, confidence ${confidence})`).join(", ");
  const surely = `Segments of speech have a confidence of ${percentile(confidences, 1).toFixed(2)} or more, but for one in a hundred.`;
  return {
    title: "Speech",
    text: `${table(
      ["said", "files", "words", "word error rate", "start of a segment off by, median", "p90"],
      kinds.map((one) => [
        one.kind,
        String(one.files),
        String(one.words),
        percent(one.wer),
        `${Math.round(one.medianMs)} ms`,
        `${Math.round(one.p90Ms)} ms`,
      ]),
    )}\nOne sentence a file, by voice: ${voices.map(({ voice, wer }) => `${voice} ${percent(wer)}`).join(", ")}. Segments start ${Math.round(Math.abs(times.lateMs))} ms ${times.lateMs < 0 ? "before" : "after"} the voice, in the median. Words in ${silent.length} sounds without speech: ${words}${told === "" ? "" : `: ${told}`}. ${surely}\n`,
    lines: [
      { measured: "speech, word error rate, five voices", value: percent(clean.wer), card: "" },
      { measured: "speech, word error rate, American voice", value: percent(american?.wer ?? 1), card: "13.65 % (40 other sentences of espeak-ng)" },
      {
        measured: "speech, start of a segment off by, median / p90",
        value: `${Math.round(times.medianMs)} / ${Math.round(times.p90Ms)} ms`,
        card: "",
      },
      {
        measured: `words heard in ${silent.length} sounds without speech`,
        value: String(words),
        card: "without voice activity first: words in 30 of 30",
      },
    ],
    figures: { kinds, voices, invented: liars, confidence: { p1: percentile(confidences, 1), p10: percentile(confidences, 10) }, heard },
    bars: [exactly("words heard where nobody speaks", words, 0)],
  };
}
