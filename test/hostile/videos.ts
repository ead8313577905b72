/** Hostile video: boxes that lie, elements without end, and what would have ffmpeg read something else. */
import { be16, be32, bytesOf, cutTo, noise, patched, type Piece, placeOf, repeated } from "./bytes.ts";
import { type HostileFile, refused, taken } from "./case.ts";
import { lure } from "./lure.ts";
import { sample } from "./samples.ts";

const NO_VIDEO = /cannot be read|neither pictures nor sound|cannot be decoded/;
/** Numbers run through the film that is broken here. */
const film = "audio_utterance ocr video_shot";
const less = { notes: /less than it promises/ };

const box = (type: string, body: Piece, claimed?: number) => bytesOf(be32(claimed ?? bytesOf(body).length + 8), type, body);
const FTYP = box("ftyp", bytesOf("isom", be32(512), "isomiso2mp41"));

/** A box with boxes of its type inside, to this depth. */
function tower(type: string, depth: number): Uint8Array {
  const heads = Array.from({ length: depth }, (_, at) => bytesOf(be32((depth - at) * 8), type));
  return bytesOf(...heads);
}

const MP4S: HostileFile[] = [
  ["MP4: header only", "a.mp4", () => FTYP, refused(NO_VIDEO)],
  ["MP4: cut to 10 %", "a.mp4", async () => cutTo(await sample("a.mp4"), 0.1), refused(NO_VIDEO)],
  ["MP4: cut before its index", "a.mp4", async () => cutTo(await sample("a.mp4"), 0.8), refused(NO_VIDEO)],
  ["MP4: fragments, cut to 60 %", "a.mp4", async () => cutTo(await sample("fragments.mp4"), 0.6), taken(film)],
  ["MP4: 100,000 boxes within each other", "a.mp4", () => bytesOf(FTYP, tower("moov", 100_000)), refused(NO_VIDEO)],
  ["MP4: 20,000 tracks within each other", "a.mp4", () => bytesOf(FTYP, tower("trak", 20_000)), refused(NO_VIDEO)],
  ["MP4: a box of 2^63 bytes", "a.mp4", () => bytesOf(FTYP, be32(1), "moov", be32(0x7fffffff), be32(0xffffffff), noise(500)), refused(NO_VIDEO)],
  ["MP4: a box of 4 GiB", "a.mp4", () => bytesOf(FTYP, box("moov", noise(500), 0xffffffff)), refused(NO_VIDEO)],
  ["MP4: a box of no bytes", "a.mp4", () => bytesOf(FTYP, box("moov", box("mvhd", noise(100), 1), 8)), refused(NO_VIDEO)],
  [
    "MP4: a table of 2^32-1 samples",
    "a.mp4",
    async () => {
      const whole = await sample("a.mp4");
      return patched(whole, placeOf(whole, "stsz") + 12, be32(0xffffffff));
    },
    refused(NO_VIDEO),
  ],
  [
    "MP4: a time that goes by 2^32-1 for each picture",
    "a.mp4",
    async () => {
      const whole = await sample("a.mp4");
      return patched(whole, placeOf(whole, "stts") + 16, be32(0x7fffffff));
    },
    taken(film),
  ],
  [
    "MP4: says it is a hundred hours",
    "a.mp4",
    async () => {
      const whole = await sample("a.mp4");
      return patched(whole, placeOf(whole, "mvhd") + 20, be32(360_000_000));
    },
    refused(/longer than 4 hours/),
  ],
  [
    "MP4: a time scale of nothing",
    "a.mp4",
    async () => {
      const whole = await sample("a.mp4");
      return patched(whole, placeOf(whole, "mdhd") + 16, be32(0));
    },
    taken(film),
  ],
  ["MP4: its data are at an address", "a.mp4", () => referring(lure.url("data.mp4")), refused(NO_VIDEO)],
  ["MP4: its data are in another file", "a.mp4", () => referring(lure.fileUrl), refused(NO_VIDEO)],
  [
    "MP4: 100,000 fragments of nothing",
    "a.mp4",
    async () => bytesOf(await sample("fragments.mp4"), repeated(box("moof", box("mfhd", be32(0))), 100_000)),
    taken(film),
  ],
  ["MP4: 100,000 boxes of free space", "a.mp4", () => bytesOf(FTYP, repeated(box("free", []), 100_000)), refused(NO_VIDEO)],
  [
    "MP4: pictures of noise",
    "a.mp4",
    async () => {
      const whole = await sample("a.mp4");
      return patched(whole, placeOf(whole, "mdat") + 4, noise(5_000));
    },
    taken(film),
  ],
];

/** The film, with the reference to its own data made one to `url`. */
async function referring(url: string): Promise<Uint8Array> {
  const whole = await sample("a.mp4");
  const at = placeOf(whole, "url ");
  // The flag that says "in this file" goes, and the address stands where a part of the name would: the box keeps its size.
  const changed = patched(whole, at + 4, be32(0));
  const index = placeOf(changed, "dref") - 4;
  const reference = box("dref", bytesOf(be32(0), be32(1), box("url ", bytesOf(be32(0), `${url}\0`))));
  return bytesOf(changed.subarray(0, index), reference, changed.subarray(index + 28));
}

const EBML = bytesOf([0x1a, 0x45, 0xdf, 0xa3, 0x8b, 0x42, 0x82, 0x88], "matroska");
const UNKNOWN_SIZE = [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff];
const SEGMENT = [0x18, 0x53, 0x80, 0x67];
const CLUSTER = [0x1f, 0x43, 0xb6, 0x75];

const MKVS: HostileFile[] = [
  ["MKV: header only", "a.mkv", () => EBML, refused(NO_VIDEO)],
  ["MKV: cut to 25 %", "a.mkv", async () => cutTo(await sample("a.mkv"), 0.25), taken(film, less)],
  ["MKV: cut to 60 %", "a.mkv", async () => cutTo(await sample("a.mkv"), 0.6), taken(film, less)],
  ["MKV: of unknown sizes, as it is sent", "a.mkv", () => sample("live.mkv"), taken(film)],
  [
    "MKV: segments of unknown size within each other",
    "a.mkv",
    () => bytesOf(EBML, repeated(bytesOf(SEGMENT, UNKNOWN_SIZE), 50_000)),
    refused(NO_VIDEO),
  ],
  ["MKV: clusters without end", "a.mkv", () => bytesOf(EBML, SEGMENT, UNKNOWN_SIZE, repeated(bytesOf(CLUSTER, [0x80]), 200_000)), refused(NO_VIDEO)],
  [
    "MKV: an element of 2^56 bytes",
    "a.mkv",
    () => bytesOf(EBML, SEGMENT, [0x01, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe], noise(300)),
    refused(NO_VIDEO),
  ],
  [
    "MKV: pictures of 20,000 × 20,000",
    "a.mkv",
    async () => {
      const whole = await sample("raw.mkv");
      const wide = patched(whole, placeOf(whole, "\xb0\x82\x01\x40") + 2, be16(20_000));
      return patched(wide, placeOf(wide, "\xba\x82\x01\x00") + 2, be16(20_000));
    },
    refused(/neither pictures nor sound|at most 40 megapixels/),
  ],
  ["WebM: cut to 30 %", "a.webm", async () => cutTo(await sample("a.webm"), 0.3), taken(film, less)],
  ["WebM: noise behind its header", "a.webm", async () => bytesOf((await sample("a.webm")).subarray(0, 64), noise(100_000)), refused(NO_VIDEO)],
];

const playlist = (url: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:10,\n${url}\n#EXT-X-ENDLIST\n`;

const HEADED_LISTS: HostileFile[] = [
  ["video: a playlist behind the header of a film", "a.mp4", () => bytesOf(FTYP, playlist(lure.url("segment.ts"))), refused(NO_VIDEO)],
  ["video: a playlist behind the header of Matroska", "a.mkv", () => bytesOf(EBML, playlist(lure.url("segment.ts"))), refused(NO_VIDEO)],
];

/** What is given to ffmpeg. */
export const VIDEOS: HostileFile[] = [...MP4S, ...MKVS, ...HEADED_LISTS];

/** Texts by which ffmpeg would be led elsewhere: they are texts here, and ffmpeg never sees them; and films of other formats. */
export const NO_VIDEOS: HostileFile[] = [
  ["video: a playlist named a film", "a.mp4", () => playlist(lure.url("segment.ts")), taken("chunk", { says: ["#EXTM3U"] })],
  ["video: a playlist of files of this machine", "a.mkv", () => playlist(lure.fileUrl), taken("chunk", { says: ["#EXTM3U"] })],
  [
    "video: a list of files to join",
    "a.mp4",
    () => `ffconcat version 1.0\nfile '${lure.file}'\nfile '${lure.url("x.mp4")}'\n`,
    taken("chunk", { says: ["ffconcat"] }),
  ],
  ["video: an AVI", "a.mp4", () => bytesOf("RIFF", be32(99), "AVI LIST", noise(300)), refused(/an AVI video is not taken in/)],
  ["video: a Flash film", "a.mp4", () => bytesOf("FLV\x01", noise(300)), refused(/a Flash video is not taken in/)],
  ["video: a session description", "a.mp4", () => `v=0\nc=IN IP4 ${lure.host}\nm=video 5004 RTP/AVP 96\n`, taken("chunk", { says: ["m=video"] })],
];
