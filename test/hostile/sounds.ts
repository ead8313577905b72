/** Hostile sound: headers that promise hours, streams without end, and numbers that are none. */
import { SOUND_MAX_MS } from "../../src/base/limits.ts";
import { be32, bytesOf, cutTo, le16, le32, noise, patched, type Piece, placeOf, repeated, streamed } from "./bytes.ts";
import { type HostileFile, refused, taken } from "./case.ts";
import { sample } from "./samples.ts";

const LONGER = /longer than 4 hours/;
const SHORT = /less than half of the sound/;
const FIVE_HOURS = (SOUND_MAX_MS / 1_000) * 1.25;
const heard = "audio_utterance";
const damaged = { notes: /damaged|cut short|less sound/ };

interface WavShape {
  kind?: number;
  channels?: number;
  rate?: number;
  bits?: number;
  frame?: number;
  /** Bytes of sound that the header says there are. */
  claimed?: number;
}

function wavStart({ kind = 1, channels = 1, rate = 16_000, bits = 16, frame = (channels * bits) / 8, claimed = 32_000 }: WavShape): Uint8Array {
  const format = [...le16(kind), ...le16(channels), ...le32(rate), ...le32(rate * frame), ...le16(frame), ...le16(bits)];
  return bytesOf("RIFF", le32(claimed + 36), "WAVEfmt ", le32(16), format, "data", le32(claimed));
}

function wav(shape: WavShape, data: Piece = Buffer.alloc(32_000)): () => Uint8Array {
  return () => bytesOf(wavStart({ claimed: bytesOf(data).length, ...shape }), data);
}

const floats = (values: number[]) => repeated(new Uint8Array(Float32Array.from(values).buffer), 8_000);

const WAVS: HostileFile[] = [
  ["WAV: header only", "a.wav", () => bytesOf("RIFF", le32(36), "WAVE"), refused(/no samples/)],
  ["WAV: no sound", "a.wav", wav({}, []), refused(/no sound|no samples/)],
  ["WAV: cut to 30 %", "a.wav", async () => cutTo(await sample("a.wav"), 0.3), refused(SHORT)],
  ["WAV: cut to 80 %", "a.wav", async () => cutTo(await sample("a.wav"), 0.8), taken(heard, damaged)],
  ["WAV: says it has 4 GiB", "a.wav", wav({ claimed: 0xfffffff0 }), refused(/less than half|longer than/)],
  ["WAV: says nothing of its length", "a.wav", wav({ claimed: 0xffffffff }), taken(heard)],
  ["WAV: no channels", "a.wav", wav({ channels: 0, frame: 2 }), refused(/0 channels/)],
  ["WAV: 65,535 channels", "a.wav", wav({ channels: 65_535, frame: 65_534 }), refused(/65535 channels/)],
  ["WAV: no rate", "a.wav", wav({ rate: 0 }), refused(/0 samples a second/)],
  ["WAV: 4,294,967,295 samples a second", "a.wav", wav({ rate: 0xffffffff }), refused(/4294967295 samples a second/)],
  ["WAV: one sample a second", "a.wav", wav({ rate: 1 }), refused(/1 samples a second/)],
  ["WAV: no bits", "a.wav", wav({ bits: 0, frame: 2 }), refused(/0 bits/)],
  ["WAV: seven bits", "a.wav", wav({ bits: 7, frame: 1 }), refused(/7 bits/)],
  ["WAV: frames of a size that they have not", "a.wav", wav({ frame: 7 }), refused(/contradicts itself/)],
  ["WAV: of a codec that is not read", "a.wav", wav({ kind: 0x55 }), refused(/cannot be read: save it as PCM/)],
  [
    "WAV: floats that are no numbers",
    "a.wav",
    wav({ kind: 3, bits: 32 }, floats([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 1e38])),
    taken(heard),
  ],
  ["WAV: five hours at 1,000 samples a second", "a.wav", wav({ rate: 1_000, bits: 8 }, Buffer.alloc(FIVE_HOURS * 1_000, 128)), refused(LONGER)],
  [
    "WAV: five hours that it says nothing of",
    "a.wav",
    wav({ rate: 1_000, bits: 8, claimed: 0xffffffff }, Buffer.alloc(FIVE_HOURS * 1_000, 128)),
    refused(LONGER),
  ],
  [
    "WAV: 400 MB of four hours and more",
    "a.wav",
    () =>
      streamed(function* () {
        yield wavStart({ rate: 8_000, claimed: 400_000_000 });
        for (let at = 0; at < 400; at += 1) yield Buffer.alloc(1_000_000);
      }),
    refused(LONGER),
  ],
  ["WAV: samples before their format", "a.wav", () => bytesOf("RIFF", le32(99), "WAVEdata", le32(32), noise(32)), refused(/before their format/)],
  [
    "WAV: 100,000 chunks before the sound",
    "a.wav",
    () => bytesOf("RIFF", le32(99), "WAVE", repeated(bytesOf("junk", le32(0)), 100_000), wavStart({}).subarray(12), noise(32_000)),
    refused(/no samples/),
  ],
  [
    "WAV: a chunk of 4 GiB before the sound",
    "a.wav",
    () => bytesOf("RIFF", le32(99), "WAVEjunk", le32(0xffffffff), noise(99)),
    refused(/no samples/),
  ],
  [
    "WAV: more than 4 GiB, it says (RF64)",
    "a.wav",
    () => bytesOf("RF64", le32(0xffffffff), "WAVEds64", le32(28), new Uint8Array(28), wavStart({}).subarray(12), Buffer.alloc(32_000)),
    refused(/RF64/),
  ],
];

/** The first frame of an MP3, with a table that promises this many. */
async function promising(frames: number): Promise<Uint8Array> {
  const whole = await sample("a.mp3");
  return patched(whole, placeOf(whole, "Info") + 4, bytesOf(be32(1), be32(frames)));
}

const MP3S: HostileFile[] = [
  ["MP3: a tag alone", "a.mp3", () => bytesOf("ID3", [4, 0, 0, 0, 0, 0, 0]), refused(/no sound/)],
  [
    "MP3: a tag of 256 MB that is not there",
    "a.mp3",
    async () => bytesOf("ID3", [4, 0, 0, 0x7f, 0x7f, 0x7f, 0x7f], await sample("a.mp3")),
    refused(/no sound/),
  ],
  [
    "MP3: 1,000 tags before each other",
    "a.mp3",
    async () => bytesOf(repeated(bytesOf("ID3", [4, 0, 0, 0, 0, 0, 0]), 1_000), await sample("a.mp3")),
    taken(heard),
  ],
  ["MP3: a table of 2^32-1 frames", "a.mp3", () => promising(0xffffffff), refused(LONGER)],
  ["MP3: a table of ten times what is there", "a.mp3", () => promising(900), refused(SHORT)],
  ["MP3: cut to 30 %", "a.mp3", async () => cutTo(await sample("a.mp3"), 0.3), refused(SHORT)],
  ["MP3: cut to 80 %", "a.mp3", async () => cutTo(await sample("a.mp3"), 0.8), taken(heard, damaged)],
  [
    "MP3: noise in its middle",
    "a.mp3",
    async () => {
      const whole = await sample("a.mp3");
      const half = whole.length >> 1;
      return bytesOf(whole.subarray(0, half), noise(20_000), whole.subarray(half));
    },
    taken(heard, damaged),
  ],
  ["MP3: nothing but beginnings of frames", "a.mp3", () => repeated([0xff, 0xfb, 0x90, 0x64], 500_000), refused(/no sound|damaged|not known/)],
];

/** A FLAC of one channel whose STREAMINFO says these numbers. */
async function flacSaying(at: number, piece: Piece): Promise<Uint8Array> {
  return patched(await sample("a.flac"), at, piece);
}

const FLACS: HostileFile[] = [
  ["FLAC: header only", "a.flac", () => bytesOf("fLaC"), refused(/damaged or cut short/)],
  ["FLAC: 2^36-1 samples", "a.flac", () => flacSaying(21, [0x0f, 0xff, 0xff, 0xff, 0xff]), refused(LONGER)],
  ["FLAC: no rate", "a.flac", () => flacSaying(18, [0, 0, 0]), refused(/samples a second/)],
  [
    "FLAC: a block of metadata of 16 MB that is not there",
    "a.flac",
    () => bytesOf("fLaC", [4, 0xff, 0xff, 0xff], noise(500)),
    refused(/damaged or cut short/),
  ],
  ["FLAC: blocks of metadata without end", "a.flac", () => bytesOf("fLaC", repeated([1, 0, 0, 0], 500_000)), refused(/damaged or cut short/)],
  [
    "FLAC: noise where frames should be",
    "a.flac",
    async () => bytesOf((await sample("a.flac")).subarray(0, 42), noise(300_000)),
    refused(/damaged|less than half|cut short|no sound/),
  ],
  ["FLAC: cut to 30 %", "a.flac", async () => cutTo(await sample("a.flac"), 0.3), refused(/no sound|less than half/)],
  ["FLAC: cut to 80 %", "a.flac", async () => cutTo(await sample("a.flac"), 0.8), taken(heard, damaged)],
];

const OGG_CRC = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit += 1) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  return crc >>> 0;
});

interface PageShape {
  flags?: number;
  position?: Piece;
  serial?: number;
  lacing?: number[];
}

/** An Ogg page with a checksum that is right. */
function oggPage(body: Piece, { flags = 0, position = new Uint8Array(8), serial = 1, lacing }: PageShape = {}): Uint8Array {
  const { length } = bytesOf(body);
  const segments = lacing ?? [...new Array(Math.floor(length / 255)).fill(255), length % 255];
  const page = Buffer.from(bytesOf("OggS", [0, flags], position, le32(serial), le32(0), le32(0), [segments.length], segments, body));
  let crc = 0;
  for (const byte of page) crc = ((crc << 8) ^ (OGG_CRC[(crc >>> 24) ^ byte] ?? 0)) >>> 0;
  page.writeUInt32LE(crc, 22);
  return page;
}

const FIRST = 2;
const opusHead = (channels: number, family = 0) =>
  bytesOf("OpusHead", [1, channels], le16(0), le32(48_000), le16(0), [family], family === 0 ? [] : [channels, 0, ...new Array(channels).fill(0)]);
const OPUS_TAGS = bytesOf("OpusTags", le32(1), "x", le32(0));
const vorbisHead = (channels: number, rate: number) => bytesOf("\x01vorbis", le32(0), [channels], le32(rate), new Uint8Array(12), [0xb8, 1]);

const OGGS: HostileFile[] = [
  ["Ogg: header only", "a.ogg", () => bytesOf("OggS"), refused(/neither Vorbis nor Opus/)],
  ["Ogg: Vorbis cut to 10 %", "a.ogg", async () => cutTo(await sample("vorbis.ogg"), 0.1), refused(/no sound|damaged|less than half/)],
  ["Ogg: Opus cut to 50 %", "a.ogg", async () => cutTo(await sample("opus.ogg"), 0.5), refused(SHORT)],
  ["Ogg: Vorbis of no channels", "a.ogg", () => oggPage(vorbisHead(0, 44_100), { flags: FIRST }), refused(/0 channels/)],
  ["Ogg: Opus of 255 channels", "a.ogg", () => oggPage(opusHead(255, 1), { flags: FIRST }), refused(/255 channels/)],
  [
    "Ogg: Vorbis of 2^32-1 samples a second",
    "a.ogg",
    () => oggPage(vorbisHead(1, 0xffffffff), { flags: FIRST }),
    refused(/samples a second|longer|no sound|damaged/),
  ],
  [
    "Ogg: a position of 2^63-1",
    "a.ogg",
    async () => {
      const whole = await sample("opus.ogg");
      const last = Buffer.from(whole).lastIndexOf("OggS");
      return patched(whole, last + 6, [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]);
    },
    refused(/longer|damaged/),
  ],
  [
    "Ogg: 1,000 streams one after the other",
    "a.ogg",
    async () => repeated(await sample("opus.ogg"), 1_000),
    refused(/a chain of more than 256 streams/),
  ],
  [
    "Ogg: beginnings of streams without end",
    "a.ogg",
    () => repeated(oggPage(opusHead(1), { flags: FIRST }), 100_000),
    refused(/no sound|chain|damaged/),
  ],
  [
    "Ogg: a packet without end",
    "a.ogg",
    () =>
      bytesOf(
        oggPage(opusHead(1), { flags: FIRST }),
        oggPage(OPUS_TAGS),
        repeated(oggPage(noise(255 * 255), { lacing: new Array(255).fill(255) }), 400),
      ),
    refused(/a packet without end/),
  ],
  [
    "Ogg: Opus packets of noise",
    "a.ogg",
    () => bytesOf(oggPage(opusHead(1), { flags: FIRST }), oggPage(OPUS_TAGS), repeated(oggPage(noise(200)), 5_000)),
    refused(/too many of its packets|no sound/),
  ],
  [
    "Ogg: a book of codes that is noise",
    "a.ogg",
    () =>
      bytesOf(
        oggPage(vorbisHead(1, 44_100), { flags: FIRST }),
        oggPage(bytesOf("\x03vorbis", le32(0), le32(0), [1])),
        oggPage(bytesOf("\x05vorbis", noise(4_000))),
        oggPage(noise(400)),
      ),
    refused(/damaged|no sound/),
  ],
  ["Ogg: neither sound nor Vorbis", "a.ogg", () => oggPage("\x80theora", { flags: FIRST }), refused(/neither Vorbis nor Opus/)],
  [
    "Ogg: pages of nothing",
    "a.ogg",
    () => bytesOf(oggPage(opusHead(1), { flags: FIRST }), repeated(oggPage([], { lacing: [] }), 300_000)),
    refused(/no sound/),
  ],
];

export const SOUNDS: HostileFile[] = [...WAVS, ...MP3S, ...FLACS, ...OGGS];
