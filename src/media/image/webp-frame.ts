/** Makes a WebP file of the first frame of an animated one: the picture decoder unpacks every frame to read the first. */

/** Chunks begin after "RIFF", the length and "WEBP"; each has a name of four letters and a length. */
const RIFF_HEADER = 12;
const CHUNK_HEADER = 8;
/** Of VP8X: flags (four bytes), then width and height less one (three each). */
const EXTENDED_BYTES = 10;
const FLAG_ANIMATION = 0x02;
const FLAG_ALPHA = 0x10;
/** Of ANMF, before the frame's own chunks: place, size (at byte 6, six bytes as in VP8X), duration, flags. */
const FRAME_HEADER = 16;
const FRAME_SIZE_AT = 6;
/** What a still picture may hold. */
const STILL_CHUNKS = ["ALPH", "VP8 ", "VP8L"];

interface Chunk {
  name: string;
  data: Uint8Array;
  /** With its header, padded to an even length. */
  whole: Uint8Array;
}

/** The first frame of an animation as a file; other and damaged files are given back as they are. */
export function firstWebpFrame(bytes: Uint8Array): Uint8Array {
  const extended = chunks(bytes, RIFF_HEADER).next().value;
  if (extended?.name !== "VP8X" || ((extended.data[0] ?? 0) & FLAG_ANIMATION) === 0) return bytes;
  for (const { name, data } of chunks(bytes, RIFF_HEADER)) {
    if (name === "ANMF" && data.length > FRAME_HEADER) return still(data);
  }
  return bytes;
}

function still(frame: Uint8Array): Uint8Array {
  const parts = [...chunks(frame, FRAME_HEADER)].filter(({ name }) => STILL_CHUNKS.includes(name));
  const size = frame.subarray(FRAME_SIZE_AT, FRAME_SIZE_AT + 6);
  const alpha = parts.some(({ name }) => name === "ALPH") ? FLAG_ALPHA : 0;
  const extended = Buffer.concat([header("VP8X", EXTENDED_BYTES), Uint8Array.of(alpha, 0, 0, 0), size]);
  const body = Buffer.concat([Buffer.from("WEBP"), extended, ...parts.map(({ whole }) => whole)]);
  return Buffer.concat([header("RIFF", body.length), body]);
}

function header(name: string, length: number): Uint8Array {
  const made = Buffer.from(`${name}0000`, "latin1");
  made.writeUInt32LE(length, name.length);
  return made;
}

/** The chunks from `at` on. A chunk longer than the file ends with it. */
function* chunks(bytes: Uint8Array, at: number): Generator<Chunk, undefined> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  for (let from = at; from + CHUNK_HEADER <= bytes.length; ) {
    const length = view.getUint32(from + 4, true);
    const end = from + CHUNK_HEADER + length;
    const name = Buffer.from(bytes.subarray(from, from + 4)).toString("latin1");
    yield { name, data: bytes.subarray(from + CHUNK_HEADER, end), whole: bytes.subarray(from, end + (length % 2)) };
    from = end + (length % 2);
  }
}
