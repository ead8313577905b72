import canonicalize from "canonicalize";

/** Canonical JSON (RFC 8785) of a JSON value. */
export function canonicalJson(value: unknown): string {
  const text = canonicalize(value);
  if (text === undefined) throw new Error("value has no JSON form");
  return text;
}

/** SHA-256 of UTF-8 text or bytes: 32 bytes. */
export function sha256(data: string | Uint8Array): Uint8Array {
  return Bun.SHA256.hash(data) as Uint8Array;
}

/** SHA-256 as 64 lower-case hex digits. One call: a hasher object for each short text costs twice as much and more. */
export function sha256Hex(data: string | Uint8Array): string {
  return Bun.SHA256.hash(data, "hex");
}

const BASE32 = "abcdefghijklmnopqrstuvwxyz234567";

/** Base32 (RFC 4648 alphabet, lower case, no padding). */
export function base32(bytes: Uint8Array): string {
  let out = "";
  let bits = 0;
  let value = 0;
  for (const byte of bytes) {
    value = (value << 8) | byte;
    bits += 8;
    while (bits >= 5) {
      bits -= 5;
      out += BASE32[(value >>> bits) & 31];
    }
    value &= (1 << bits) - 1;
  }
  return bits > 0 ? out + BASE32[(value << (5 - bits)) & 31] : out;
}

/** `bytes` random bytes as base64url text. */
export function randomToken(bytes: number): string {
  return Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("base64url");
}
