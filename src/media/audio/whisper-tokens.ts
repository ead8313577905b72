/** Whisper's tokens as text: a byte-level vocabulary, each character of a token standing for one byte. */
import { Type } from "@sinclair/typebox";
import { Value } from "@sinclair/typebox/value";

const Tokenizer = Type.Object({ model: Type.Object({ vocab: Type.Record(Type.String(), Type.Integer({ minimum: 0 })) }) });

/** The byte of each character: printable ones stand for themselves, the others for 256 and up, in order (GPT-2's table). */
function byteAlphabet(): Map<string, number> {
  const printable = (byte: number) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  const alphabet = new Map<string, number>();
  let next = 256;
  for (let byte = 0; byte < 256; byte++) alphabet.set(String.fromCharCode(printable(byte) ? byte : next++), byte);
  return alphabet;
}

/** `tokenizer`: the content of tokenizer.json. Gives what turns ids below `end` into text; other ids are left out. */
export function tokenDecoder(tokenizer: Uint8Array, end: number): (ids: readonly number[]) => string {
  const json: unknown = JSON.parse(new TextDecoder().decode(tokenizer));
  const { vocab } = Value.Parse(Tokenizer, json).model;
  const alphabet = byteAlphabet();
  const bytesOf: Uint8Array[] = [];
  for (const [token, id] of Object.entries(vocab)) {
    if (id < end) bytesOf[id] = Uint8Array.from(token, (character) => alphabet.get(character) ?? 0x3f);
  }
  return (ids) => {
    const bytes = ids.flatMap((id) => [...(bytesOf[id] ?? [])]);
    // A character cut by the end of a segment becomes U+FFFD, which is dropped.
    return new TextDecoder().decode(Uint8Array.from(bytes)).replaceAll("\uFFFD", "");
  };
}
