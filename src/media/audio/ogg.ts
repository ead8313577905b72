/** Ogg (RFC 3533): finds the pages of the first Vorbis or Opus stream of a file and gives them to its decoder one at a time. */
import { OGG_LINKS_MAX, OGG_MAX_CHANNELS, OGG_PACKET_MAX_BYTES, SOUND_ERRORS_MAX } from "../../base/limits.ts";
import { badSound, type ByteReader, hasText, note, type RawSound, type SoundPromise, type SoundWatch, viewOf } from "./decoder.ts";
import { type OggSound, openOpus, openVorbis } from "./ogg-decoders.ts";

const HEADER_BYTES = 27;
/** A page is at most its header, 255 lengths, and 255 times 255 bytes. */
const PAGE_MAX_BYTES = HEADER_BYTES + 255 + 255 * 255;
const FIRST = 2;
const LAST = 4;

interface Page {
  /** With the header. */
  bytes: Uint8Array;
  body: Uint8Array;
  flags: number;
  serial: number;
  /** Granule position: samples of each channel up to the end of its last whole packet, with Opus's pre-skip; -1 if none ends in it. */
  position: number;
  /** Bytes at its end of a packet that continues in the next page; all of its body if no packet ends in it. */
  open: number;
  closes: boolean;
}

/** The next whole page, or null at the end. Bytes between pages are left out. */
function nextPage(reader: ByteReader, watch: SoundWatch): Page | null {
  for (;;) {
    const bytes = reader.peek(PAGE_MAX_BYTES);
    if (!hasText(bytes, 0, "OggS")) {
      if (!findCapture(reader, bytes)) return null;
      note(watch, "parts of the file are damaged and were left out");
      continue;
    }
    const count = bytes[26] ?? 0;
    const lacing = bytes.subarray(HEADER_BYTES, HEADER_BYTES + count);
    const size = HEADER_BYTES + count + lacing.reduce((sum, value) => sum + value, 0);
    if (bytes.length < HEADER_BYTES || bytes.length < size) {
      note(watch, "the file is cut short: what is there was taken in");
      return null;
    }
    const view = viewOf(bytes);
    const lastEnd = lacing.findLastIndex((value) => value < 255);
    const open = lacing.subarray(lastEnd + 1).reduce((sum, value) => sum + value, 0);
    const flags = bytes[5] ?? 0;
    reader.take(size);
    return {
      bytes: bytes.slice(0, size),
      body: bytes.slice(HEADER_BYTES + count, size),
      flags,
      position: Number(view.getBigInt64(6, true)),
      serial: view.getUint32(14, true),
      open,
      closes: lastEnd >= 0,
    };
  }
}

/** Moves to the next "OggS". False at the end of the file. */
function findCapture(reader: ByteReader, bytes: Uint8Array): boolean {
  for (let at = 1; at + 4 <= bytes.length; at++) {
    if (!hasText(bytes, at, "OggS")) continue;
    reader.skip(at);
    return true;
  }
  if (bytes.length < PAGE_MAX_BYTES) return false;
  reader.skip(bytes.length - 3);
  return true;
}

interface Stream {
  codec: "vorbis" | "opus";
  channels: number;
  rate: number;
}

/** The stream that a first page opens, or null if it is neither Vorbis nor Opus. */
function streamOf({ body }: Page): Stream | null {
  if (hasText(body, 0, "\u0001vorbis") && body.length >= 30) {
    return { codec: "vorbis", channels: body[11] ?? 0, rate: viewOf(body).getUint32(12, true) };
  }
  return hasText(body, 0, "OpusHead") && body.length >= 19 ? { codec: "opus", channels: body[9] ?? 0, rate: 48_000 } : null;
}

/** The granule position of the last page in `tail`, the end of the file; null unless the page is of stream `serial`. */
function lastPosition(tail: Uint8Array, serial: number): number | null {
  for (let at = tail.length - HEADER_BYTES; at >= 0; at--) {
    if (!hasText(tail, at, "OggS")) continue;
    const view = viewOf(tail.subarray(at));
    if (view.getUint32(14, true) !== serial) return null;
    const position = view.getBigInt64(6, true);
    return position < 0n ? null : Number(position);
  }
  return null;
}

/**
 * The sound of an Ogg file. Chained streams are decoded one after the other; of multiplexed ones the first that is Vorbis
 * or Opus.
 */
export async function* decodeOgg(reader: ByteReader, watch: SoundWatch, promise: (promised: SoundPromise) => void): AsyncGenerator<RawSound> {
  let links = 0;
  for (let page = nextPage(reader, watch); page !== null; page = nextPage(reader, watch)) {
    const stream = (page.flags & FIRST) === 0 ? null : streamOf(page);
    if (stream === null) continue;
    if (stream.channels < 1 || stream.channels > OGG_MAX_CHANNELS)
      throw badSound(`the Ogg file says it has ${stream.channels} channels: 1 to ${OGG_MAX_CHANNELS} can be read`);
    const samples = links === 0 ? lastPosition(reader.tail(PAGE_MAX_BYTES), page.serial) : null;
    if (samples !== null) promise({ rate: stream.rate, samples });
    if (++links > OGG_LINKS_MAX) throw badSound(`the Ogg file is a chain of more than ${OGG_LINKS_MAX} streams`);
    yield* decodeLink(reader, watch, page, stream);
  }
  if (links === 0) throw badSound("the Ogg file holds neither Vorbis nor Opus sound");
}

/** Decoding begins this long before the wanted time, so that the codec's state has settled by then. */
const LEAD_MS = 1_000;

/** True if `page` ends LEAD_MS or more before the wanted time. Header pages have position 0. */
function isBefore({ position, flags }: Page, rate: number, watch: SoundWatch): boolean {
  const endMs = (position / rate) * 1_000;
  return position > 0 && (flags & LAST) === 0 && endMs < (watch.wantedMs ?? 0) - LEAD_MS;
}

/** One logical stream, from its first page on to its last. */
async function* decodeLink(reader: ByteReader, watch: SoundWatch, first: Page, { codec, rate }: Stream): AsyncGenerator<RawSound> {
  const decoder = await (codec === "vorbis" ? openVorbis() : openOpus());
  let open = 0;
  let errors = 0;
  const counted = ({ errors: found, sampleRate, channelData }: OggSound): RawSound => {
    errors += found.length;
    if (errors > SOUND_ERRORS_MAX) throw badSound("the Ogg file is damaged: too many of its packets cannot be decoded");
    return { rate: sampleRate, channels: channelData };
  };
  try {
    for (let page: Page | null = first; page !== null; page = nextPage(reader, watch)) {
      if (page.serial !== first.serial) continue;
      if (isBefore(page, rate, watch)) {
        watch.begunMs = (page.position / rate) * 1_000;
        continue;
      }
      // The package's parser joins an open packet with the next page even if that page does not say so.
      open = page.closes ? page.open : open + page.open;
      if (open > OGG_PACKET_MAX_BYTES) throw badSound("the Ogg file has a packet without end: it is damaged");
      yield counted(await decoder.decode(page.bytes));
      if (errors > 0) note(watch, "parts of the file are damaged and were left out");
      if ((page.flags & LAST) !== 0) break;
    }
    yield counted(await decoder.flush());
  } finally {
    decoder.free();
  }
}
