/**
 * Log templates in the manner of Drain (He, Zhu, Zheng and Lyu, "Drain: An Online Log Parsing Approach with Fixed Depth
 * Tree", ICWS 2017): a tree by number of words and leading words leads to a few templates, and a line joins the most
 * similar of them. Certain variables (numbers, addresses, ids) are masked before.
 */
import { LOG_LEAF_MAX_TEMPLATES, LOG_LINE_CACHE_MAX, LOG_LINE_MAX_WORDS, LOG_TEMPLATES_MAX, LOG_TREE_MAX_CHILDREN } from "../../base/limits.ts";
import { LruMap } from "../../base/lru.ts";

/** The first words that may be tags: a host, a program, a level, a class. */
const TAGS_MAX_WORDS = 5;
const TAG = /(?:[:\]]|^-)$/;
const PLAIN_WORD = /^[A-Za-z]+[,;]?$/;
/** The share of words that must agree. */
const SIMILARITY_MIN = 0.5;
const VARIABLE = "<*>";
/** Stands for a word that differs between the lines of a template, unlike VARIABLE, which all of them have in this place. */
const OPEN = "\0";
const OPEN_KEY = 0;
/** The key of a word that no template has. */
const UNKNOWN_KEY = -1;

export interface Template {
  /** 0, 1, 2 … by their first lines. */
  id: number;
  words: string[];
  /** Numbers of the words, equal for equal words: a line is compared with many templates, and numbers compare faster than strings. */
  keys: number[];
}

interface Node {
  children: Map<string, Node>;
  templates: Template[];
}

const DIGIT = /\d/;
const LETTERS_AND_SPACE = /^[^\d/\\@:]*$/;
/** Variables in any place, the longer forms first. */
const MASKS = new RegExp(
  [
    String.raw`\b[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}\b`,
    String.raw`\b\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?`,
    String.raw`\b(?:\d{1,3}\.){3}\d{1,3}(?::\d{1,5})?(?:/\d{1,2})?\b`,
    String.raw`(?<![\w:])(?:[0-9a-fA-F]{1,4}:){3,7}[0-9a-fA-F]{1,4}(?![\w:])`,
    String.raw`\b(?:[0-9a-fA-F]{2}[:-]){5}[0-9a-fA-F]{2}\b`,
    String.raw`\b[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+\b`,
    String.raw`\b[a-z][a-z+]{1,10}://[^\s"'<>)\]]+`,
    String.raw`(?<![\w/<])/(?:[\w.@%+~-]+/)+[\w.@%+~-]*`,
    String.raw`\b0[xX][0-9a-fA-F]+\b`,
    String.raw`\b(?=[0-9a-fA-F]*\d)[0-9a-fA-F]{8,}\b`,
    String.raw`(?<![A-Za-z\d])\d+(?:\.\d+)?(?=(?:ns|us|µs|ms|s|m|h|d|[kKMGT]i?B?|B|bytes|%)(?![A-Za-z\d]))`,
    String.raw`(?<![A-Za-z])[+-]?\d+(?:[.,:]\d+)*(?![A-Za-z\d]|[.,:]\d)`,
    String.raw`(?<=[_-])-?\d+(?![A-Za-z\d])`,
    String.raw`(?<=[A-Za-z])\d{3,}(?![A-Za-z\d])`,
  ].join("|"),
  "g",
);

/** A message with its variables masked. */
export function mask(message: string): string {
  return LETTERS_AND_SPACE.test(message) ? message : message.replace(MASKS, VARIABLE);
}

/** The templates of messages that are added in order. Deterministic; at most LOG_TEMPLATES_MAX, and one for the rest. */
export class Drain {
  readonly templates: Template[] = [];
  private readonly root = new Map<number, Node>();
  /** Of the words of templates. */
  private readonly keyOf = new Map([[OPEN, OPEN_KEY]]);
  private readonly templateOf = new LruMap<string, Template>(LOG_LINE_CACHE_MAX);
  private other: Template | null = null;
  /** Messages that were like no template after the limit of templates was reached. */
  crowded = 0;

  /** The template that `message`, a line without its time, belongs to, and the message masked. */
  add(message: string): { template: Template; masked: string } {
    const masked = mask(message);
    const known = this.templateOf.get(masked);
    if (known !== undefined) return { template: known, masked };
    const template = this.place(wordsOf(masked));
    this.templateOf.set(masked, template);
    return { template, masked };
  }

  private place(words: string[]): Template {
    const full = this.templates.length >= LOG_TEMPLATES_MAX;
    const leaf = this.leaf(words, !full);
    const keys = words.map((word) => this.keyOf.get(word) ?? UNKNOWN_KEY);
    const best = leaf === null ? null : nearest(leaf.templates, keys);
    if (best !== null && best.similarity >= SIMILARITY_MIN) {
      merge(best.template, keys);
      return best.template;
    }
    if (!full && leaf !== null && leaf.templates.length < LOG_LEAF_MAX_TEMPLATES) return this.opened(words, leaf);
    this.crowded += 1;
    // Not merged: after many unlike lines the template would be all variables.
    return best?.template ?? this.rest();
  }

  private opened(words: string[], leaf: Node): Template {
    for (const word of words) if (!this.keyOf.has(word)) this.keyOf.set(word, this.keyOf.size);
    const keys = words.map((word) => this.keyOf.get(word) ?? UNKNOWN_KEY);
    const template = { id: this.templates.length, words, keys };
    this.templates.push(template);
    leaf.templates.push(template);
    return template;
  }

  private rest(): Template {
    if (this.other === null) {
      this.other = { id: this.templates.length, words: [OPEN], keys: [OPEN_KEY] };
      this.templates.push(this.other);
    }
    return this.other;
  }

  /** The node with the templates of lines like `words`. Null when there is none and `grow` is false. */
  private leaf(words: string[], grow: boolean): Node | null {
    let node = this.root.get(words.length);
    if (node === undefined) {
      if (!grow) return null;
      node = { children: new Map(), templates: [] };
      this.root.set(words.length, node);
    }
    for (const word of leadWords(words)) {
      const next: Node | null = child(node, word, grow);
      if (next === null) return null;
      node = next;
    }
    return node;
  }
}

/**
 * The words that lead to a line's templates, after their number: the first word, as in the paper, and the first plain word
 * behind the tags. In a system log the first words are the host and the program, and "Failed password" differs from
 * "Accepted password" behind them. Without tags it is the first word alone: the second is often a name.
 */
function leadWords(words: readonly string[]): string[] {
  const [first] = words;
  if (first === undefined) return [];
  const tags = words.slice(0, TAGS_MAX_WORDS).findLastIndex((word) => TAG.test(word));
  const head = tags === -1 ? undefined : words.find((word, at) => at > tags && PLAIN_WORD.test(word));
  return head === undefined ? [first] : [first, head];
}

/** The child for `word`. Words with digits share the child of variables, as do all others once a node is full. */
function child(node: Node, word: string, grow: boolean): Node | null {
  const key = DIGIT.test(word) || word.includes(VARIABLE) ? VARIABLE : word;
  const own = node.children.get(key);
  if (own !== undefined) return own;
  const room = node.children.size < LOG_TREE_MAX_CHILDREN - 1;
  const shared = room && grow ? undefined : node.children.get(VARIABLE);
  if (shared !== undefined || !grow) return shared ?? null;
  const grown: Node = { children: new Map(), templates: [] };
  node.children.set(room ? key : VARIABLE, grown);
  return grown;
}

function wordsOf(masked: string): string[] {
  const words = masked.split(/\s+/).filter((word) => word !== "");
  return words.length <= LOG_LINE_MAX_WORDS ? words : [...words.slice(0, LOG_LINE_MAX_WORDS - 1), OPEN];
}

/** The template that agrees in most words; of equals the one with more open places, then the first. */
function nearest(templates: readonly Template[], keys: readonly number[]): { template: Template; similarity: number } | null {
  let best: { template: Template; similarity: number; open: number } | null = null;
  for (const template of templates) {
    let same = 0;
    let open = 0;
    for (let at = 0; at < keys.length; at += 1) {
      if (template.keys[at] === OPEN_KEY) open += 1;
      else if (template.keys[at] === keys[at]) same += 1;
    }
    const similarity = keys.length === 0 ? 1 : same / keys.length;
    if (best === null || similarity > best.similarity || (similarity === best.similarity && open > best.open)) best = { template, similarity, open };
  }
  return best;
}

function merge({ words, keys: known }: Template, keys: readonly number[]): void {
  for (let at = 0; at < keys.length; at += 1) {
    if (known[at] === keys[at]) continue;
    words[at] = OPEN;
    known[at] = OPEN_KEY;
  }
}

/** The template's text: `<*>` for each open place, or the value that `filled` has for it. */
export function templateText(template: Template, filled: ReadonlyMap<number, string> = new Map()): string {
  return template.words.map((word, at) => (word === OPEN ? (filled.get(at) ?? VARIABLE) : word)).join(" ");
}

const STATE_WORD = /^[A-Za-z]{3,}[,.;:]?$/;

/**
 * The open places of a template that hold one of two states ("accepted" or "declined"): over all its masked messages, with
 * their counts, one of two plain words, each more than once.
 */
export function statePlaces(template: Template, messages: ReadonlyMap<string, number>): number[] {
  const lines = [...messages].map(([masked, count]) => ({ words: wordsOf(masked), count }));
  return template.words.flatMap((word, at) => {
    if (word !== OPEN) return [];
    const counts = new Map<string, number>();
    for (const { words, count } of lines) counts.set(words[at] ?? "", (counts.get(words[at] ?? "") ?? 0) + count);
    return counts.size === 2 && [...counts].every(([value, count]) => STATE_WORD.test(value) && count > 1) ? [at] : [];
  });
}

/** The words at `places` of a masked message. */
export function valuesAt(masked: string, places: readonly number[]): Map<number, string> {
  const words = wordsOf(masked);
  return new Map(places.map((at) => [at, words[at] ?? ""]));
}
