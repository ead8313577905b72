/** Every format and rate gives the same sound; what is no sound, damaged or too long gives a fault. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { truncate } from "node:fs/promises";
import { join } from "node:path";
import { SOUND_MAX_MS } from "../../../src/base/limits.ts";
import { decodeSound } from "../../../src/media/audio/decode.ts";
import { Resampler } from "../../../src/media/audio/resample.ts";
import { recorded, recordedBytes } from "../../support/recorded.ts";
import { decoded, faultOf, likeness, soundFolder, sourceFile, wav, wavHeader } from "./sound-files.ts";
import { SEED } from "../../property/seed.ts";

// A test decodes many files: seconds, on a machine that does nothing else.
setDefaultTimeout(60_000);

const folder = await soundFolder();
const { path } = folder;
/** The beginning of a sentence at each rate, as ffmpeg gives it in 16 kHz mono. */
const expected = new Map<number, Float32Array>();
const RATES = [8_000, 22_050, 44_100, 48_000];
const at = (name: string) => path(name);

beforeAll(async () => {
  for (const rate of RATES) {
    const bytes = await recordedBytes(`rates/${rate}-at-16000.wav`);
    expected.set(
      rate,
      Float32Array.from(new Int16Array(bytes.slice(44).buffer), (value) => value / 32_768),
    );
  }
});
afterAll(() => folder.remove());

/** Made of it at `rate`: the same length within 60 ms, and the same sound. */
async function same(file: string, rate: number, likest = 0.99): Promise<void> {
  const { samples, notes } = await decoded(file);
  const reference = expected.get(rate) ?? new Float32Array(0);
  expect(Math.abs(samples.length - reference.length)).toBeLessThan(960);
  expect(likeness(reference.subarray(2_000, 12_000), samples.subarray(2_000, 12_000))).toBeGreaterThan(likest);
  expect(notes).toEqual([]);
}

describe("WAV", () => {
  const kinds = ["pcm_u8", "pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_f32le", "pcm_f64le", "pcm_alaw", "pcm_mulaw"];
  test.each(kinds)("%s, stereo", async (kind) => {
    await same(recorded(`wav/${kind}.wav`), 8_000, kind === "pcm_u8" ? 0.98 : 0.99);
  });

  test.each(RATES)("mono at %d Hz", async (rate) => same(recorded(`rates/${rate}.wav`), rate));

  test("six channels, extensible", async () => {
    await same(recorded("wav/six.wav"), 8_000);
  });

  test("a length that its writer did not know", async () => {
    const bytes = await recordedBytes("rates/44100.wav");
    for (const size of [0, 0xffff_ffff]) {
      const data = new TextDecoder("latin1").decode(bytes.subarray(0, 200)).indexOf("data");
      new DataView(bytes.buffer).setUint32(data + 4, size, true);
      await Bun.write(at("piped.wav"), bytes);
      await same(at("piped.wav"), 44_100);
    }
  });
});

describe("compressed", () => {
  const ways: [string, string, number][] = [
    ["cbr", "mp3", 0.98],
    ["vbr", "mp3", 0.98],
    ["sixteen", "flac", 0.99],
    ["twenty-four", "flac", 0.99],
    ["vorbis", "ogg", 0.97],
    ["opus", "ogg", 0.97],
  ];
  const shapes = [...RATES.map((rate) => ({ rate, channels: 1 })), { rate: 44_100, channels: 2 }];
  const cases = ways.flatMap(([way, extension, likest]) =>
    shapes.map(({ rate, channels }) => ({ name: `${way}-${rate}-${channels}.${extension}`, rate, likest })),
  );

  test.each(cases)("$name", ({ name, rate, likest }) => same(recorded(`packed/${name}`), rate, likest));

  test("an MP3 behind a tag with a picture, and two Ogg streams in a chain", async () => {
    const mp3 = await recordedBytes("packed/cbr-44100-1.mp3");
    const tag = new Uint8Array(10 + 200_000);
    tag.set([0x49, 0x44, 0x33, 4, 0, 0, 0, (200_000 >> 14) & 0x7f, (200_000 >> 7) & 0x7f, 200_000 & 0x7f]);
    await Bun.write(at("tagged.mp3"), Buffer.concat([tag, mp3]));
    await same(at("tagged.mp3"), 44_100, 0.98);

    for (const name of ["speech/said-vorbis.ogg", "speech/said-opus.ogg"]) {
      const one = await recordedBytes(name);
      await Bun.write(at("chain.ogg"), Buffer.concat([one, one]));
      const single = await decoded(recorded(name));
      const { samples } = await decoded(at("chain.ogg"));
      expect(Math.abs(samples.length - 2 * single.samples.length)).toBeLessThan(960);
    }
  });
});

describe("the resampler", () => {
  const tone = (hertz: number, rate: number) => Float32Array.from({ length: rate }, (_, n) => Math.sin((2 * Math.PI * hertz * n) / rate));
  const all = (from: number, sound: Float32Array, step = sound.length) => {
    const resampler = new Resampler(from, 16_000);
    const pieces: number[] = [];
    for (let start = 0; start < sound.length; start += step) pieces.push(...resampler.push(sound.subarray(start, start + step)));
    return Float32Array.from([...pieces, ...resampler.end()]);
  };
  const loudness = (sound: Float32Array) => Math.sqrt(sound.subarray(4_000, 12_000).reduce((sum, value) => sum + value * value, 0) / 8_000);

  test.each([8_000, 11_025, 16_000, 22_050, 44_100, 44_101, 48_000, 96_000, 192_000])("keeps a tone from %d Hz, in time and loudness", (rate) => {
    const found = all(rate, tone(1_000, rate));
    expect(found.length).toBe(16_000);
    const wanted = tone(1_000, 16_000);
    for (let n = 4_000; n < 12_000; n++) expect(Math.abs((found[n] ?? 9) - (wanted[n] ?? 0))).toBeLessThan(0.004);
  });

  test("removes what 16 kHz cannot hold", () => {
    for (const hertz of [9_000, 12_000, 20_000]) expect(loudness(all(48_000, tone(hertz, 48_000)))).toBeLessThan(0.001);
  });

  test("gives the same samples whatever the pieces are", () => {
    const whole = all(44_100, tone(440, 44_100));
    for (const step of [1, 37, 1_000, 44_099]) expect(Bun.deepEquals(all(44_100, tone(440, 44_100), step), whole)).toBe(true);
  });
});

async function refusal(name: string, bytes: Uint8Array): Promise<string> {
  await Bun.write(at(name), bytes);
  return faultOf(decoded(at(name)));
}

describe("files that are wrong", () => {
  const NAMES = ["said.wav", "said.mp3", "said.flac", "said-vorbis.ogg", "said-opus.ogg"];
  const whole = async (name: string) =>
    name.endsWith(".wav") ? wav((await decoded(recorded("speech/said.flac"))).samples) : recordedBytes(`speech/${name}`);
  /** The same noise each time. */
  const noise = (length: number, seed: number) => {
    let state = seed;
    return Uint8Array.from({ length }, () => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fff_ffff;
      return state >> 16;
    });
  };

  test("nothing, a magic alone, and garbage behind it", async () => {
    expect(await refusal("empty", new Uint8Array(0))).toBe("the file is empty");
    for (const magic of ["RIFF", "RIFF\0\0\0\0WAVE", "fLaC", "OggS", "ID3", "\u00ff\u00fb"]) {
      const bytes = Uint8Array.from(magic, (letter) => letter.charCodeAt(0));
      expect(await refusal("magic", bytes)).toMatch(/sound|WAV|FLAC|Ogg|short|samples/);
      expect(await refusal("garbage", Buffer.concat([bytes, noise(50_000, 7)]))).toMatch(/sound|WAV|FLAC|Ogg|damaged|samples/);
    }
  });

  test.each(NAMES)("%s without its sound", async (name) => {
    const bytes = await whole(name);
    expect(await refusal("head", bytes.slice(0, name.endsWith(".ogg") ? 60 : 44))).toMatch(/sound|samples|short/);
  });

  test.each(NAMES)("%s cut short: most of it is taken with a note", async (name) => {
    const bytes = await whole(name);
    await Bun.write(at("whole"), bytes);
    const { samples: all } = await decoded(at("whole"));
    await Bun.write(at("cut"), bytes.slice(0, Math.round(bytes.length * 0.8)));
    const { samples, notes } = await decoded(at("cut"));
    expect(samples.length).toBeGreaterThan(all.length * 0.6);
    expect(samples.length).toBeLessThan(all.length);
    expect(notes.length).toBeGreaterThan(0);
  });

  test.each(NAMES)("%s cut to less than half", async (name) => {
    const bytes = await whole(name);
    expect(await refusal("small", bytes.slice(0, Math.round(bytes.length * 0.3)))).toMatch(/less than half/);
  });

  test("damage never is another error than a fault, and gives numbers", async () => {
    for (const name of NAMES) {
      const bytes = await whole(name);
      for (let round = 0; round < 12; round++) {
        const damaged = bytes.slice();
        const places = noise(3 * 40, SEED + round);
        const reach = round % 2 === 0 ? bytes.length : 200;
        for (let at = 0; at < places.length; at += 3) damaged[(((places[at] ?? 0) << 8) | (places[at + 1] ?? 0)) % reach] = places[at + 2] ?? 0;
        await Bun.write(at("damaged"), damaged);
        const found = await decoded(at("damaged")).then(
          ({ samples }) => samples.every((value) => value >= -1 && value <= 1),
          (error: unknown) => faultOf(Promise.reject(error)).then(() => true),
        );
        expect(found).toBe(true);
      }
    }
  });

  test("headers that lie", async () => {
    const sound = new Uint8Array(64_000);
    expect(await refusal("lie", Buffer.concat([wavHeader({ data: 0xffff_ff00 }), sound]))).toMatch(/less than half/);
    for (const rate of [0, 1, 999, 768_001, 0xffff_ffff])
      expect(await refusal("lie", Buffer.concat([wavHeader({ rate, data: 64_000 }), sound]))).toMatch(/samples a second/);
    for (const channels of [0, 33, 65_535])
      expect(await refusal("lie", Buffer.concat([wavHeader({ channels, data: 64_000 }), sound]))).toMatch(/channels|damaged/);
    const flac = await whole("said.flac");
    // STREAMINFO: 20 bits of rate, then channels and depth, then 36 bits of samples.
    flac.set([0x0f, 0xff, 0xff, 0xff, 0xff], 21);
    expect(await refusal("lie", flac)).toMatch(/longer than 4 hours/);
  });

  test("more than four hours: at once, whether the header says it or not", async () => {
    const seconds = SOUND_MAX_MS / 1_000 + 2;
    const size = seconds * 16_000 * 2;
    for (const data of [size, 0xffff_ffff]) {
      await Bun.write(at("long.wav"), wavHeader({ data }));
      await truncate(at("long.wav"), 44 + size);
      const begun = performance.now();
      let samples = 0;
      const all = async () => {
        for await (const piece of decodeSound(sourceFile(at("long.wav")))) samples += piece.length;
      };
      expect(await faultOf(all())).toMatch(/longer than 4 hours/);
      expect(samples).toBe(0);
      expect(performance.now() - begun).toBeLessThan(10_000);
    }
  });

  test("a FLAC file of frames that stand for much more than they are keeps to its memory", async () => {
    const bomb = sourceFile(recorded("flac/bomb.flac"));
    expect(bomb.bytes).toBeLessThan(400_000);
    // In a process of its own, where nothing else has been: the peak of its memory is this file's.
    const script = `
      const { decodeSound } = await import(${JSON.stringify(join(import.meta.dir, "../../../src/media/audio/decode.ts"))});
      let samples = 0;
      for await (const piece of decodeSound(${JSON.stringify(bomb)})) samples += piece.length;
      const [, peak] = /VmHWM:\\s+(\\d+) kB/.exec(await Bun.file("/proc/self/status").text());
      process.stdout.write(JSON.stringify({ samples, peak: peak * 1024 }));`;
    const { samples, peak } = JSON.parse(Bun.spawnSync([process.execPath, "-e", script]).stdout.toString());
    expect(samples).toBe(120 * 16_000);
    // All of it at once is 737 MB, and twice that with what libFLAC makes of it.
    expect(peak).toBeLessThan(500_000_000);
  });
});
