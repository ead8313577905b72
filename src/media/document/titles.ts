/** The title of a document, without what every page of its site has in it. */

/** A title has parts, with a sign between them. */
const PART_ENDS = /[-–—|:·•»«<>(/]\s*$/u;
const PART_BEGINS = /^\s*[-–—|:·•»«<>)(/]/u;

/**
 * What a page's path begins with, once its first heading is known: the shorter of the two where the title holds the heading
 * or the heading begins with the title, numbers apart. Null when neither is so: the heading then stands under the title.
 */
export function pageTitle(title: string, heading: string): string | null {
  const [whole, part] = [comparable(title), comparable(heading)];
  if (whole === "" || part === "") return null;
  if (whole === part) return heading;
  if (part.startsWith(`${whole} `)) return title;
  return holds(whole, part) ? heading : null;
}

/** Whether the words are a part of a title, or begin or end it: between other words they are but half a name. */
function holds(title: string, words: string): boolean {
  for (let at = title.indexOf(words); at >= 0; at = title.indexOf(words, at + 1)) {
    const [before, after] = [title.slice(0, at), title.slice(at + words.length)];
    const [begins, ends] = [before === "", after === ""];
    if ((begins || PART_ENDS.test(before)) && (ends || PART_BEGINS.test(after))) return true;
    if ((begins && after.startsWith(" ")) || (ends && before.endsWith(" "))) return true;
  }
  return false;
}

function comparable(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase()
    .replace(/^(?:(?:chapter|appendix|part|section) (?:[\da-z]{1,4}\.)*[\da-z]{1,4}|(?:[\da-z]{1,3}\.)*\d{1,3})[.:]? /, "");
}
