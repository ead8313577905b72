/** What the styles and lists of a WordprocessingML document say of its paragraphs. */
import type { MarkupHandler } from "./markup.ts";

/** Heading levels count from 1; 0 is the document's title. */
export type StyleRole = { role: "heading"; level: number } | { role: "caption" | "code" };

export interface DocxStyles {
  /** By style id, with what a style inherits. */
  roles: ReadonlyMap<string, StyleRole>;
  /** By style id: the list that a style's paragraphs are in. */
  styleLists: ReadonlyMap<string, ListPlace>;
  /** By the number of a list: whether the items of each level are numbered. */
  lists: ReadonlyMap<string, ReadonlySet<number>>;
}

export interface ListPlace {
  list: string;
  level: number;
}

type Read = (handler: MarkupHandler) => void;
type Attributes = Readonly<Record<string, string>>;

/** The level of an outline level's number: 0-8 are headings. Null for body text. */
export function outlineLevel(attributes: Attributes): number | null {
  const value = attributes["w:val"] ?? "";
  return /^[0-8]$/.test(value) ? Number(value) + 1 : null;
}

/** Names of styles are English in every language of Word. */
export function namedRole(name: string): StyleRole | null {
  const level = /^heading ?([1-9])$/i.exec(name)?.[1];
  if (level !== undefined) return { role: "heading", level: Number(level) };
  if (/^title$/i.test(name)) return { role: "heading", level: 0 };
  if (/^caption$/i.test(name)) return { role: "caption" };
  return /^(?:html preformatted|source code|code|macro|macro text)$/i.test(name) ? { role: "code" } : null;
}

export function readStyles(read: Read): Omit<DocxStyles, "lists"> {
  const roles = new Map<string, StyleRole>();
  const styleLists = new Map<string, ListPlace>();
  const parents = new Map<string, string>();
  let style: string | null = null;
  const place = { list: "", level: 0 };
  read({
    open: (name, attributes) => {
      const value = attributes["w:val"] ?? "";
      if (name === "w:style") {
        style = attributes["w:styleId"] ?? null;
        Object.assign(place, { list: "", level: 0 });
      }
      if (style === null) return;
      const role = name === "w:name" ? namedRole(value) : null;
      if (role !== null) roles.set(style, role);
      const level = name === "w:outlineLvl" ? outlineLevel(attributes) : null;
      if (level !== null && !roles.has(style)) roles.set(style, { role: "heading", level });
      if (name === "w:basedOn") parents.set(style, value);
      if (name === "w:ilvl") place.level = Number(value) || 0;
      if (name === "w:numId") place.list = value;
    },
    close: (name) => {
      if (name !== "w:style") return;
      if (style !== null && place.list !== "") styleLists.set(style, { ...place });
      style = null;
    },
    text: () => {},
  });
  for (const id of parents.keys()) inherit(id, parents, roles);
  return { roles, styleLists };
}

/** Styles based on each other more often than this are a loop. */
const PARENTS_MAX = 10;

function inherit(id: string, parents: ReadonlyMap<string, string>, roles: Map<string, StyleRole>): void {
  let parent = parents.get(id);
  for (let step = 0; step < PARENTS_MAX && parent !== undefined && !roles.has(id); step += 1) {
    const role = roles.get(parent);
    // A style made from a heading is one; body text made from the title is not.
    if (role !== undefined && !(role.role === "heading" && role.level === 0)) roles.set(id, role);
    parent = parents.get(parent);
  }
}

/** By the number of a list, the levels whose items are numbered. */
export function readNumbering(read: Read): Map<string, Set<number>> {
  const kinds = new Map<string, Set<number>>();
  const lists = new Map<string, Set<number>>();
  let kind: string | null = null;
  let list: string | null = null;
  let level = 0;
  read({
    open: (name, attributes) => {
      const value = attributes["w:val"] ?? "";
      if (name === "w:abstractNum") {
        kind = attributes["w:abstractNumId"] ?? "";
        kinds.set(kind, new Set());
      } else if (name === "w:lvl") level = Number(attributes["w:ilvl"]) || 0;
      else if (name === "w:numFmt" && kind !== null && !/^(?:bullet|none)$/.test(value)) kinds.get(kind)?.add(level);
      else if (name === "w:num") list = attributes["w:numId"] ?? "";
      else if (name === "w:abstractNumId" && list !== null) lists.set(list, kinds.get(value) ?? new Set());
    },
    close: (name) => {
      if (name === "w:abstractNum") kind = null;
      if (name === "w:num") list = null;
    },
    text: () => {},
  });
  return lists;
}
