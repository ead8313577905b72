/** FLAC: every kind of frame is exact to the bit; a damaged one is left out; a hostile file costs time and memory in proportion. */
import { afterAll, describe, expect, setDefaultTimeout, spyOn, test } from "bun:test";
import type { SoundWatch } from "../../../src/media/audio/decoder.ts";
import { decodeFlac, FLAC_FRAME_MAX_BYTES } from "../../../src/media/audio/flac.ts";
import { ByteReader } from "../../../src/media/audio/decoder.ts";
import { recorded } from "../../support/recorded.ts";
import { faultOf, soundFolder } from "./sound-files.ts";

setDefaultTimeout(60_000);

const folder = await soundFolder();
const { path } = folder;
// libFLAC's package says on the console what it also gives as an error.
const complaints = spyOn(console, "error").mockImplementation(() => {});
afterAll(() => {
  complaints.mockRestore();
  return folder.remove();
});

interface Decoded {
  rate: number;
  channels: number[][];
  notes: string[];
  begunMs: number | undefined;
}

/** The samples as whole numbers of `depth` bits, whatever the decoder yields at once. */
async function flac(bytes: Uint8Array | string, { depth = 16, wantedMs }: { depth?: number; wantedMs?: number } = {}): Promise<Decoded> {
  const name = typeof bytes === "string" ? bytes : path("made.flac");
  if (typeof bytes !== "string") await Bun.write(name, bytes);
  const watch: SoundWatch = { readBytes: 0, notes: [], ...(wantedMs === undefined ? {} : { wantedMs }) };
  const reader = new ByteReader(name, FLAC_FRAME_MAX_BYTES, watch);
  const found: Decoded = { rate: 0, channels: [], notes: watch.notes, begunMs: undefined };
  try {
    for await (const { rate, channels } of decodeFlac(reader, watch, () => {})) {
      found.rate = rate;
      channels.forEach((samples, channel) => {
        found.channels[channel] ??= [];
        for (const sample of samples) found.channels[channel].push(sample * 2 ** (depth - 1));
      });
    }
  } finally {
    reader.close();
  }
  return { ...found, begunMs: watch.begunMs };
}

/** The sum of `bytes` that the format asks for, worked out bit by bit. */
function sum(bytes: number[], width: 8 | 16): number {
  const polynomial = width === 8 ? 0x107 : 0x1_8005;
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte << (width - 8);
    for (let bit = 0; bit < 8; bit++) {
      crc <<= 1;
      if (crc >> width !== 0) crc ^= polynomial;
    }
  }
  return crc;
}

interface Frame {
  channels: number[][];
  depth?: number;
  /** Of the frame, or of its first sample if the sizes vary. */
  number?: number;
  varies?: boolean;
  rateCode?: number;
  depthCode?: number;
  wasted?: number;
}

/** One frame of samples that stand as they are. Numbers below 65,536. */
function frame({ channels, depth = 16, number = 0, varies = false, rateCode = 5, depthCode, wasted = 0 }: Frame): number[] {
  const size = (channels[0]?.length ?? 0) - 1;
  const code = depthCode ?? { 8: 1, 12: 2, 16: 4, 20: 5, 24: 6, 32: 7 }[depth] ?? 0;
  const coded =
    number < 128
      ? [number]
      : number < 2_048
        ? [0xc0 | (number >> 6), 0x80 | (number & 63)]
        : [0xe0 | (number >> 12), 0x80 | ((number >> 6) & 63), 0x80 | (number & 63)];
  const bytes = [0xff, varies ? 0xf9 : 0xf8, 0x70 | rateCode, ((channels.length - 1) << 4) | (code << 1), ...coded, size >> 8, size & 255];
  bytes.push(sum(bytes, 8));
  const bits: number[] = [];
  const write = (value: number, width: number) => {
    for (let bit = width - 1; bit >= 0; bit--) bits.push(Math.floor((value < 0 ? value + 2 ** width : value) / 2 ** bit) & 1);
  };
  for (const samples of channels) {
    write(wasted === 0 ? 2 : 3, 8);
    if (wasted > 0) write(1, wasted);
    for (const sample of samples) write(sample / 2 ** wasted, depth - wasted);
  }
  while (bits.length % 8 !== 0) bits.push(0);
  for (let at = 0; at < bits.length; at += 8) bytes.push(Number.parseInt(bits.slice(at, at + 8).join(""), 2));
  return [...bytes, sum(bytes, 16) >> 8, sum(bytes, 16) & 255];
}

/** A file of `frames`. */
function file(frames: number[][], { rate = 16_000, channels = 1, depth = 16, samples = 0 } = {}): Uint8Array {
  const head = new Uint8Array(42);
  head.set(Buffer.from("fLaC\u0080\0\0\u0022\0\u0010\u00ff\u00ff", "latin1"));
  const view = new DataView(head.buffer);
  view.setUint32(18, rate * 4_096 + ((channels - 1) << 9) + ((depth - 1) << 4));
  view.setUint32(22, samples);
  return Buffer.concat([head, ...frames.map((bytes) => Uint8Array.from(bytes))]);
}

/** Samples of every size that `depth` bits can hold, the same each time. */
function samplesOf(depth: number, length = 200, seed = 1): number[] {
  const half = 2 ** (depth - 1);
  const ends = [half - 1, -half, 1, -1, 0, half - 2, 1 - half];
  return Array.from({ length }, (_, at) => ends[at] ?? (Math.round(Math.sin(at * (7 + seed)) * (half - 1)) || 0));
}
/** Three frames of 200 samples, and the samples. */
const three = [1, 2, 3].map((seed) => samplesOf(16, 200, seed));
const threeFrames = three.map((channel, number) => frame({ channels: [channel], number }));

describe("frames", () => {
  test.each([8, 16, 24])("of %d bits are exact", async (depth) => {
    const channel = samplesOf(depth, 4_000);
    const found = await flac(file([frame({ channels: [channel], depth })], { depth }), { depth });
    expect(found).toEqual({ rate: 16_000, channels: [channel], notes: [], begunMs: undefined });
  });

  test("of 32 bits are what a number of 24 can hold of them", async () => {
    const channel = samplesOf(32, 4_000);
    const found = await flac(file([frame({ channels: [channel], depth: 32 })], { depth: 32 }), { depth: 32 });
    expect(found.channels).toEqual([channel.map((value) => Math.fround(value))]);
  });

  test.each([4, 12, 20])("of %d bits are refused, and the fault says what to do", async (depth) => {
    const work = flac(file([frame({ channels: [samplesOf(depth)], depth })], { depth }));
    expect(await faultOf(work)).toBe(`the FLAC file holds samples of ${depth} bits, which cannot be read: save it with 16 or 24 bits`);
  });

  test("leave rate and depth to the metadata, and need not begin at number 0", async () => {
    const frames = three.map((channel, at) => frame({ channels: [channel], number: 1_000 + at, rateCode: 0, depthCode: 0 }));
    const found = await flac(file(frames, { rate: 700_001 }));
    expect(found).toEqual({ rate: 700_001, channels: [three.flat()], notes: [], begunMs: undefined });
  });

  test("have sizes that vary, and wasted bits", async () => {
    const parts = [16, 200, 1, 77].map((length, at) => samplesOf(10, length, at).map((value) => value * 8 || 0));
    let number = 0;
    const frames = parts.map((channel) => {
      const bytes = frame({ channels: [channel], number, varies: true, wasted: 3 });
      number += channel.length;
      return bytes;
    });
    expect(await flac(file(frames))).toEqual({ rate: 16_000, channels: [parts.flat()], notes: [], begunMs: undefined });
  });

  test("have up to eight channels", async () => {
    const channels = Array.from({ length: 8 }, (_, seed) => samplesOf(16, 300, seed));
    expect((await flac(file([frame({ channels })], { channels: 8 }))).channels).toEqual(channels);
  });
});

describe("what ffmpeg encoded is exact, by the MD5 that stands in the file", () => {
  /** As FLAC sums it up: whole numbers of `depth` bits, little-endian, the channels in turn. */
  function md5(channels: number[][], depth: number): string {
    const [bytes, length] = [depth / 8, channels[0]?.length ?? 0];
    const packed = Buffer.alloc(length * channels.length * bytes);
    for (const [channel, samples] of channels.entries())
      for (const [at, sample] of samples.entries()) packed.writeIntLE(sample, (at * channels.length + channel) * bytes, bytes);
    return new Bun.CryptoHasher("md5").update(packed).digest("hex");
  }
  /** STREAMINFO ends with 16 bytes of it. */
  const promised = async (name: string) => Buffer.from(await Bun.file(name).slice(26, 42).bytes()).toString("hex");

  const ways = ([16, 24] as const).flatMap((depth) => [
    { way: "mid-side", depth, rate: 44_100, channels: 2 },
    { way: "left-side", depth, rate: 44_101, channels: 2 },
    { way: "right-side", depth, rate: 11_025, channels: 2 },
    { way: "fast", depth, rate: 352_800, channels: 1 },
    { way: "six", depth, rate: 48_000, channels: 6 },
  ]);

  test.each(ways)("$way, $depth bits, $rate Hz, $channels channels", async ({ way, depth, rate, channels }) => {
    const name = recorded(`flac/${way}-${depth}.flac`);
    const found = await flac(name, { depth });
    expect([found.rate, found.channels.length, found.notes]).toEqual([rate, channels, []]);
    expect(md5(found.channels, depth)).toBe(await promised(name));
  });
});

describe("around the frames", () => {
  test("tags in front and behind are passed over, other metadata too", async () => {
    const id3 = Buffer.from(`ID3\u0004\0\0\0\0\0\u0014${"\0".repeat(20)}`, "latin1");
    const made = file(threeFrames);
    const comments = Buffer.concat([
      made.subarray(0, 4),
      Uint8Array.of(0),
      made.subarray(5, 42),
      Uint8Array.of(0x84, 0, 0, 5),
      Buffer.from("hello"),
      made.subarray(42),
    ]);
    for (const tail of [`TAG${"x".repeat(125)}`, `APETAGEX${"x".repeat(50)}`]) {
      const { channels, notes } = await flac(Buffer.concat([id3, comments, Buffer.from(tail)]));
      expect({ channels, notes }).toEqual({ channels: [three.flat()], notes: [] });
    }
  });

  test("what is not wanted is not decoded, and it is said where the sound begins", async () => {
    const { channels, begunMs } = await flac(file(threeFrames), { wantedMs: 26 });
    expect({ channels, begunMs }).toEqual({ channels: [[...(three[2] ?? [])]], begunMs: 25 });
    expect((await flac(file(threeFrames), { wantedMs: 12 })).begunMs).toBeUndefined();
  });
});

const DAMAGED = ["parts of the file are damaged or missing and were left out"];

describe("damage", () => {
  const [first = [], second = [], third = []] = threeFrames;
  const around = [...(three[0] ?? []), ...(three[2] ?? [])];
  const changed = (at: number) => second.map((byte, index) => (index === at ? byte ^ 0x10 : byte));
  const noise = (length: number) => Array.from({ length }, (_, at) => Math.imul(at + 1, 0x9e37_79b1) >>> 24);

  test.each([50, second.length - 1])("in a frame at byte %d leaves out that frame", async (at) => {
    const { channels, notes } = await flac(file([first, changed(at), third]));
    expect({ channels, notes }).toEqual({ channels: [around], notes: DAMAGED });
  });

  test("in a header leaves out what cannot be told from it", async () => {
    const { channels, notes } = await flac(file([first, changed(5), third]));
    expect({ channels, notes }).toEqual({ channels: [three[2] ?? []], notes: DAMAGED });
  });

  test("a missing frame is left out: no silence takes its place", async () => {
    expect((await flac(file([first, third]))).channels).toEqual([around]);
  });

  test("of more than the longest frame is passed over", async () => {
    const { channels, notes } = await flac(file([noise(700_000), second, third]));
    expect({ channels, notes }).toEqual({ channels: [[...(three[1] ?? []), ...(three[2] ?? [])]], notes: DAMAGED });
  });

  test.each([1, 2, 7, 9])("ends where a frame is cut by a step of the search, %d bytes before it", async (before) => {
    const { channels } = await flac(file([noise(64 * 1024 + 1 - before), second, third]));
    expect(channels).toEqual([[...(three[1] ?? []), ...(three[2] ?? [])]]);
  });

  test("at the end leaves out the last frame", async () => {
    for (const end of [third.slice(0, 100), third.slice(0, -1)]) {
      const { channels, notes } = await flac(file([first, second, end]));
      expect({ channels, notes }).toEqual({ channels: [[...(three[0] ?? []), ...(three[1] ?? [])]], notes: DAMAGED });
    }
  });

  test("a hundred times is taken, and no more", async () => {
    const pairs = (count: number) => Array.from({ length: count }, () => [changed(50), first]).flat();
    expect((await flac(file(pairs(100)))).channels[0]?.length).toBe(100 * 200);
    expect(await faultOf(flac(file(pairs(101))))).toBe("the FLAC file is damaged: too many of its frames cannot be decoded");
  });
});

describe("hostile files", () => {
  /** A frame whose sums are right around content of which libFLAC makes nothing. */
  const hollow = (content: number[]) => {
    const bytes = [...frame({ channels: [[1, 2, 3, 4]] }).slice(0, 8), ...content];
    return [...bytes, sum(bytes, 16) >> 8, sum(bytes, 16) & 255];
  };

  test("frames with right sums around nonsense are left out, and the sound goes on", async () => {
    const good = threeFrames[0] ?? [];
    const kinds = [[0xff, 1, 2], [0x02], [0x7e, 0xff, 0xff, 0xff], Array.from({ length: 5_000 }, () => 0), [0x60, ...Array(20).fill(255)]];
    const { channels, notes } = await flac(file(kinds.flatMap((content) => [hollow(content), good])));
    expect({ channels, notes }).toEqual({ channels: [kinds.flatMap(() => three[0] ?? [])], notes: DAMAGED });
    expect(complaints).toHaveBeenCalled();
  });

  test("what a bad frame does to the memory of a decoder does not reach the frames behind it", async () => {
    const kinds = [[0xff, 1, 2], [0x02], [0x7e, 0xff, 0xff, 0xff]];
    const parts = Array.from({ length: 60 }, (_, at) => samplesOf(16, 16 + ((at * 389) % 3_000), at));
    const frames = parts.flatMap((channel, at) => [...(at % 3 === 0 ? kinds.map(hollow) : []), frame({ channels: [channel] })]);
    expect((await flac(file(frames))).channels).toEqual([parts.flat()]);
  });

  test("a hundred decoders that are left behind take little memory", async () => {
    const before = process.memoryUsage.rss();
    const bad = hollow([0xff, 1, 2]);
    expect((await flac(file(Array.from({ length: 100 }, () => [bad, threeFrames[0] ?? []]).flat()))).channels[0]?.length).toBe(100 * 200);
    expect(process.memoryUsage.rss() - before).toBeLessThan(300_000_000);
  });

  test("bytes that look like the begin of a frame, all of them, take time in proportion", async () => {
    const megabytes = new Uint8Array(8 * 1024 * 1024);
    for (let at = 0; at < megabytes.length; at += 2) megabytes.set([0xff, 0xf8], at);
    const begun = performance.now();
    expect((await flac(Buffer.concat([file([]), megabytes]))).channels).toEqual([]);
    expect((await flac(Buffer.concat([file([threeFrames[0] ?? []]), megabytes]))).channels).toEqual([]);
    expect(performance.now() - begun).toBeLessThan(5_000);
  });

  test("frames within a frame, for libFLAC only, cost it little", async () => {
    // Whole headers of two channels in a file of one, each of a frame of 4,096 samples: its own search takes them.
    const inner = frame({ channels: [Array(4_096).fill(0), Array(4_096).fill(0)] }).slice(0, 8);
    const content = Array.from({ length: 30_000 }, () => [...inner, 2]).flat();
    const begun = performance.now();
    const { notes } = await flac(file(Array.from({ length: 5 }, () => hollow([2, ...content]))));
    expect(notes).toEqual(DAMAGED);
    expect(performance.now() - begun).toBeLessThan(10_000);
  });
});
