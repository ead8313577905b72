/** What the elements of an HTML page are: hidden, navigation, blocks, labels. */

export type Attributes = Readonly<Record<string, string>>;

const setOf = (list: string) => new Set(list.split(/\s+/));

/** Elements whose content is never shown as text. */
const HIDDEN = setOf("script style template noscript noframes noembed iframe object embed applet canvas svg audio video datalist rp");
const HIDING_STYLE = /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i;
/** Elements that end a paragraph where they begin and where they end. */
export const BLOCKS = setOf(
  `address article aside blockquote body caption center dd details dialog div dl dt fieldset figure figcaption footer form h1 h2 h3 h4 h5 h6
  header hr legend li main nav ol optgroup option p pre section select summary table tbody td textarea tfoot th thead tr ul menu dir listing xmp`,
);
/** Blocks that hold others, and part them from what stands outside. */
export const DIVISIONS = setOf("article aside blockquote center details dialog div fieldset figcaption figure form header main section");
/** Divisions that pages use for paragraphs, too. */
export const LINES = setOf("div center");
const HEADING = /^h[1-6]$/;
/** Of a heading by its role that names no level, as WAI-ARIA has it. */
const ROLE_LEVEL = 2;
const LEVEL_MAX = 6;
/** Elements whose text is laid out as it is written. */
export const PREFORMATTED = setOf("pre listing xmp");
export const LISTS = setOf("ul ol menu dir");

export function isHidden(name: string, attributes: Attributes): boolean {
  if (HIDDEN.has(name)) return true;
  // A sign beside the text, like a heading's link to itself; larger elements are so only while a dialog stands before them.
  if (attributes["aria-hidden"] === "true" && (name === "a" || name === "span")) return true;
  // A tab's panel is hidden until somebody chooses its tab.
  if (attributes.hidden !== undefined && attributes.role !== "tabpanel") return true;
  if (name === "dialog" && attributes.open === undefined) return true;
  return HIDING_STYLE.test(attributes.style ?? "");
}

/** 1 to 6; null for what is no heading. */
export function headingLevel(name: string, attributes: Attributes): number | null {
  if (attributes.role?.toLowerCase() === "heading") return count(attributes["aria-level"] ?? `${ROLE_LEVEL}`, LEVEL_MAX);
  return HEADING.test(name) ? Number(name[1]) : null;
}

/** Landmarks of WAI-ARIA and roles of DPUB-ARIA that are no content. */
const NAVIGATION_ROLES = setOf("navigation banner contentinfo search menu menubar doc-toc doc-index doc-pagelist");
/** Names of classes and ids that generators of pages share. `linenos`: the numbers beside code; `viewcode`: Sphinx's links from what it describes to its code, and back. */
const NAVIGATION_NAME =
  /^(?:[\w-]+-)?toc$|^(?:nav(?:bar|header|footer|igation|-panel)?|breadcrumbs?|footer|table-of-contents|linenos|headerlink|viewcode-(?:link|back))$/i;
/** What holds all of a page is no navigation, whatever it is called. */
const ROOTS = setOf("html body main");

/** Navigation, tables of contents, and what stands at the top and foot of every page of a site. */
export function isNavigation(name: string, attributes: Attributes): boolean {
  if (ROOTS.has(name)) return false;
  if (name === "nav" || name === "footer" || NAVIGATION_ROLES.has((attributes.role ?? "").toLowerCase())) return true;
  return NAVIGATION_NAME.test(attributes.id ?? "") || classes(attributes).some((each) => NAVIGATION_NAME.test(each));
}

const LINK_RELATIONS = setOf("next prev previous up start home contents index first last");
/** Keys of next, previous, up and home, as DocBook's and Texinfo's pages have them. */
const LINK_KEYS = setOf("n p u h");

/** A link of the row that leads to the pages before and after. */
export function leadsElsewhere(name: string, { rel = "", accesskey = "" }: Attributes): boolean {
  if (name !== "a") return false;
  return LINK_KEYS.has(accesskey.toLowerCase()) || rel.split(/\s+/).some((relation) => LINK_RELATIONS.has(relation.toLowerCase()));
}

/** A note or warning beside the text: its heading is a label and opens no section. */
export function isNote(name: string, attributes: Attributes): boolean {
  return (
    name === "aside" || classes(attributes).some((each) => /^(?:note|tip|hint|warning|caution|important|danger|admonition(?:block)?)$/i.test(each))
  );
}

/** The title of an example, figure, table or note that follows. */
export function isLabel(name: string, attributes: Attributes): boolean {
  return (
    (name === "p" || name === "div") &&
    classes(attributes).some((each) => /^(?:title|caption|table-title|table-caption|admonition-title)$/i.test(each))
  );
}

function classes(attributes: Attributes): string[] {
  return (attributes.class ?? "").split(/\s+/);
}

/** A heading or term without the sign of a link to itself, and the colon of a definition. */
export function withoutSigns(text: string): string {
  const whole = text.trimEnd();
  const named = whole.endsWith("\u00b6") ? whole.slice(0, -1).trimEnd() : whole;
  return named.replace(/^:\s+/, "");
}

/** A whole number of an attribute, within limits. */
export function count(value: string | undefined, most: number): number {
  return /^\s*\d{1,6}/.test(value ?? "") ? Math.min(most, Math.max(1, Number.parseInt(value ?? "", 10))) : 1;
}

/** The digits and signs that Unicode has raised. */
const RAISED: Readonly<Record<string, string>> = Object.fromEntries(
  Array.from("0123456789+-\u2212=()n", (plain, at) => [plain, "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁼⁽⁾ⁿ"[at] ?? plain]),
);

/** Text of a `sup` raised where all of it can be: 10² is not 102. */
export function raised(text: string): string {
  return /^[\d+\-\u2212=()n]+$/.test(text) ? text.replace(/./gu, (plain) => RAISED[plain] ?? plain) : text;
}
