/** Text in disguise, which a model reads and a person does not: invisible characters, look-alike letters, letters set apart, base64. */

/** Overrides of the reading direction, and runs of tag characters or variation selectors, which can spell an invisible text. */
const UNSEEN = /[\u202d\u202e]|[\u{e0020}-\u{e007e}]{8}|[\u{e0100}-\u{e01ef}]{4}/u;
const INVISIBLE = /[\p{M}\p{Cf}\u115f\u1160\u3164\uffa0]/gu;
/** Letters and digits that look like an English letter, and that letter. */
const LOOKALIKES = new Map(
  Array.from("авсԁеһіјкмнорѕтухαεικνορτυı0134@$", (char, index): [string, string] => [char, "abcdehijkmhopstyxaeikvoptuioieaas".charAt(index)]),
);
const LOOKALIKE = new RegExp(`[${[...LOOKALIKES.keys()].join("")}]`, "gu");
/** Eight letters or more, each alone. */
const SPREAD = /(?<!\p{L})(?:\p{L}[ ._*-]{1,3}){7,}\p{L}(?!\p{L})/gu;
const BASE64 = /[A-Za-z0-9+/]{24,}={0,2}/g;

/** True for a text with an invisible part. */
export function isUnseen(text: string): boolean {
  return UNSEEN.test(text);
}

/** A text without its disguises. */
export interface Readings {
  /** The text folded (see `folded`), what it holds in base64, and the text with its lookalikes as the letters that they look like; each once. */
  texts: string[];
  /** The words that are spelled with letters set apart. */
  spreadWords: string[];
}

export function readings(text: string): Readings {
  const plain = folded(text);
  const spelled = plain.replace(LOOKALIKE, (char) => LOOKALIKES.get(char) ?? char);
  const runs = text.match(BASE64) ?? [];
  const decoded = runs.map((run) => folded(Buffer.from(run, "base64").toString("latin1"))).join("\n");
  const spreadWords = (spelled.match(SPREAD) ?? []).map((run) => run.replace(/\P{L}/gu, ""));
  return { texts: [...new Set([plain, decoded, spelled])], spreadWords };
}

/** In compatibility form and lower case, without accents and invisible characters, white space inside a line as one space. */
function folded(text: string): string {
  return text
    .normalize("NFKD")
    .replace(INVISIBLE, "")
    .toLowerCase()
    .replace(/[^\S\n]+/g, " ");
}
