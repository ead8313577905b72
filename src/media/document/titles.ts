/** The title of a document, without what every page of its site has in it. */

const SEPARATOR = /^[\s]*[-–—|:·•»«<>(/]|[-–—|:·•»«<>)/][\s]*$/u;

/**
 * What a page's path begins with, once its first heading is known: the shorter of the two where one is the beginning or
 * end of the other, numbers apart. Null when neither is: the heading then stands under the title.
 */
export function pageTitle(title: string, heading: string): string | null {
  const [whole, part] = [comparable(title), comparable(heading)];
  if (whole === "" || part === "") return null;
  if (whole === part) return heading;
  if (part.startsWith(`${whole} `)) return title;
  const rest = whole.startsWith(part) ? whole.slice(part.length) : whole.endsWith(part) ? whole.slice(0, -part.length) : null;
  return rest !== null && SEPARATOR.test(rest) ? heading : null;
}

function comparable(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .trim()
    .toLowerCase()
    .replace(/^(?:(?:chapter|appendix|part|section) (?:[\da-z]{1,4}\.)*[\da-z]{1,4}|(?:[\da-z]{1,3}\.)*\d{1,3})[.:]? /, "");
}
