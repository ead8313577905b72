/** What the open elements of an HTML page mean for what stands in them. */
import type { BlockKind } from "./blocks.ts";
import { count, DIVISIONS, LINES } from "./html-elements.ts";
import type { TableBlocks } from "./table-blocks.ts";

type PlainKind = "term" | "caption" | "row" | "cell" | "head" | "code" | "note" | "label" | "bold" | "link" | "raised";

/** An open element that gives what is inside it a meaning. */
export type Meaning =
  | { kind: "heading"; level: number }
  /** `around`: the depth of the division that it stands in, 0 without one. `line`: it may be a paragraph itself, since it holds no blocks so far. */
  | { kind: "division"; around: number; line: boolean }
  /** `next`: the number of its next item; null where items have a dash. `level`: lists around it, up to a definition or table. */
  | { kind: "list"; next: number | null; level: number }
  /** `mark` is null once its first block is written. */
  | { kind: "item"; mark: string | null; level: number }
  /** `defined`: whether a definition of the terms has begun, and holds something. `linked`: all terms lead to other places of the page. */
  | { kind: "definitions"; terms: string[]; defined: "no" | "empty" | "yes"; linked: boolean }
  /** `leave` ends it in the outline; null without a term. */
  | { kind: "definition"; leave: number | null }
  | { kind: "table"; table: TableBlocks }
  | { [K in PlainKind]: { kind: K } }[PlainKind];
export type Kind = Meaning["kind"];
export type Scope = Meaning & { depth: number };
export type ScopeOf<K extends Kind> = Extract<Meaning, { kind: K }> & { depth: number };

/** The open elements that mean something, each found by its kind at once: a page may nest thousands. */
export class Scopes {
  private readonly open: Scope[] = [];
  private readonly byKind = new Map<Kind, Scope[]>();

  enter(meaning: Meaning, depth: number): void {
    const scope = { ...meaning, depth };
    this.open.push(scope);
    const known = this.byKind.get(scope.kind);
    if (known === undefined) this.byKind.set(scope.kind, [scope]);
    else known.push(scope);
  }

  /** A block begins: a further division, or a part of the one that it stands in. */
  divide(name: string, depth: number): void {
    const around = this.nearest("division");
    if (around !== null) around.line = false;
    if (DIVISIONS.has(name)) this.enter({ kind: "division", around: around?.depth ?? 0, line: LINES.has(name) }, depth);
  }

  /** What the next item of the innermost list is; `value`: the number that it names. */
  nextItem(value: string | undefined): { mark: string; level: number } {
    const list = this.nearest("list");
    const level = list?.level ?? 0;
    if (list === null || list.next === null) return { mark: "- ", level };
    const number = value === undefined ? list.next : count(value, 1_000_000);
    list.next = number + 1;
    return { mark: `${number}. `, level };
  }

  /** Ends what began at `depth` or deeper, the innermost first. */
  *leaveFrom(depth: number): Generator<Scope> {
    for (let last = this.open.at(-1); last !== undefined && last.depth >= depth; last = this.open.at(-1)) {
      this.open.pop();
      this.byKind.get(last.kind)?.pop();
      yield last;
    }
  }

  /** The innermost one of a kind. */
  nearest<K extends Kind>(kind: K): ScopeOf<K> | null {
    return (this.byKind.get(kind)?.at(-1) as ScopeOf<K> | undefined) ?? null;
  }

  /** The depth of the innermost one of these kinds; 0 without one. */
  depthOf(...kinds: Kind[]): number {
    return Math.max(...kinds.map((kind) => this.nearest(kind)?.depth ?? 0));
  }

  /** What stands here is part of something that a heading would break up. */
  get inner(): boolean {
    return this.depthOf("item", "definition", "table", "note") > 0;
  }

  /** The item that a block is one of; none where a definition or table has begun inside it. */
  get item(): ScopeOf<"item"> | null {
    const item = this.nearest("item");
    return item === null || this.depthOf("definition", "table") > item.depth ? null : item;
  }

  /** How deep a list that opens now lies in others, up to a definition or table. */
  get listLevel(): number {
    const around = this.nearest("list");
    return around === null || this.depthOf("definition", "table") > around.depth ? 0 : around.level + 1;
  }
}

/** A block of a list's item: its first one behind the item's mark, all below it indented. */
export function inItem(kind: BlockKind, text: string, { mark, level }: { mark: string | null; level: number }): { kind: BlockKind; text: string } {
  const indent = "  ".repeat(level);
  const lines = text.replaceAll("\n", `\n${indent}  `);
  return kind === "paragraph" ? { kind: "list", text: `${indent}${mark ?? "  "}${lines}` } : { kind, text: `${indent}  ${lines}` };
}
