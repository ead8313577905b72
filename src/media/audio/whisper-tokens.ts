/** Whisper's tokens as text: a byte-level vocabulary, each character of a token standing for one byte. */

/** Of tokenizer.json. */
export interface TokenizerFile {
  model: { vocab: Record<string, number> };
}

/** The byte of each character: printable ones stand for themselves, the others for 256 and up, in order (GPT-2's table). */
function byteAlphabet(): Map<string, number> {
  const printable = (byte: number) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174;
  const alphabet = new Map<string, number>();
  let next = 256;
  for (let byte = 0; byte < 256; byte++) alphabet.set(String.fromCharCode(printable(byte) ? byte : next++), byte);
  return alphabet;
}

/** Gives what turns ids below `end` into text; other ids are left out. */
export function tokenDecoder({ model }: TokenizerFile, end: number): (ids: readonly number[]) => string {
  const alphabet = byteAlphabet();
  const bytesOf: Uint8Array[] = [];
  for (const [token, id] of Object.entries(model.vocab)) {
    if (id < end) bytesOf[id] = Uint8Array.from(token, (character) => alphabet.get(character) ?? 0x3f);
  }
  return (ids) => {
    const bytes = ids.flatMap((id) => [...(bytesOf[id] ?? [])]);
    // A character cut by the end of a segment becomes U+FFFD, which is dropped.
    return new TextDecoder().decode(Uint8Array.from(bytes)).replaceAll("\uFFFD", "");
  };
}
