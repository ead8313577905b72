/** The title of a document, without what every page of its site has in it. */

/** A title has parts, with a sign between them. */
const PART_ENDS = /[-–—|:·•»«<>(/]\s*$/u;
const PART_BEGINS = /^\s*[-–—|:·•»«<>)(/]/u;

/**
 * What a page's path begins with, once its first heading is known, where one of the two holds the other, numbers apart: the
 * heading that is a part of the title, since other parts are the site's, else the title, which says all that both say or what
 * the heading only adds to. Null where neither holds the other: the heading then stands under the title.
 */
export function pageTitle(title: string, heading: string): string | null {
  const [whole, part] = [comparable(title), comparable(heading)];
  if (whole === "" || part === "") return null;
  if (isPart(whole, part)) return heading;
  return part.startsWith(`${whole} `) || whole.startsWith(`${part} `) || whole.endsWith(` ${part}`) ? title : null;
}

/** Whether words are a title, or what stands in it between two separators, before the first or behind the last. */
function isPart(title: string, words: string): boolean {
  for (let at = title.indexOf(words); at >= 0; at = title.indexOf(words, at + 1)) {
    const [before, after] = [title.slice(0, at), title.slice(at + words.length)];
    if ((before === "" || PART_ENDS.test(before)) && (after === "" || PART_BEGINS.test(after))) return true;
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
