/** The documents of an index in memory, in rows: a document that is replaced or removed leaves a row of no kind behind. */
import { Column } from "../../base/columns.ts";
import { RowTable } from "../../base/row-table.ts";
import { PLANES, type Plane } from "../../domain/plane.ts";
import type { ClassSet } from "../../domain/port/index.ts";
import { PAGE_BYTES, PAGE_ROWS, type Pages, type Ptr, WORD_BYTES } from "./pages.ts";
import type { StoredRecord } from "./record.ts";

/** The kind of a row whose document is gone. */
const GONE = 0;

/** What a query sees of a kind of documents: nothing, or they count in its statistics, or may be found, too. */
export const UNSEEN = 0;
const COUNTED = 1;
const ASKED = 2;

/** The kinds of documents that a query sees, and what there is of them. */
export interface Corpus {
  /** By kind. */
  seen: Uint8Array;
  documents: number;
  /** In terms. */
  averageLength: number;
}

export class Documents {
  readonly uids = new Column();
  readonly versions = new Column();
  /** The kinds of PAGE_ROWS rows each, then their lengths. Documents of one access class and plane are of one kind. */
  readonly pages: Ptr[] = [];
  /** By class and plane. */
  private readonly kindByKey = new Map<number, number>();
  /** By kind: what it is of, and its documents with their length. */
  private readonly keys: number[] = [-1];
  private readonly counts: number[] = [0];
  private readonly totals: number[] = [0];
  /** Of the documents that are there. */
  private readonly table = new RowTable((row) => this.uids.values[row] as number);

  constructor(private readonly memory: Pages) {}

  /** Rows, those of documents that are gone among them. */
  get rows(): number {
    return this.uids.length;
  }

  /** Documents that are there. */
  get live(): number {
    return this.table.size;
  }

  get bytes(): number {
    return this.uids.bytes + this.versions.bytes + this.pages.length * PAGE_BYTES + this.table.bytes;
  }

  /** Adds a document, in place of the one with its uid. Returns its row. */
  add({ uid, version, length, classId, plane }: StoredRecord): number {
    this.remove(uid);
    const kind = this.kind(classId * PLANES.length + PLANES.indexOf(plane));
    const row = this.rows;
    if (row === this.pages.length * PAGE_ROWS) this.pages.push(this.memory.take());
    this.uids.push(uid);
    this.versions.push(version);
    const at = this.kindAt(row);
    this.memory.words[at] = kind;
    this.memory.words[at + PAGE_ROWS] = length;
    this.count(kind, 1, length);
    this.table.set(uid, row);
    return row;
  }

  remove(uid: number): void {
    const row = this.rowOf(uid);
    if (row === null) return;
    const { words } = this.memory;
    const at = this.kindAt(row);
    this.count(words[at] as number, -1, words[at + PAGE_ROWS] as number);
    words[at] = GONE;
    this.table.delete(uid);
  }

  /** Null: there is no such document. */
  rowOf(uid: number): number | null {
    return this.table.rowOf(uid);
  }

  /** What a query sees that asks for these planes in these classes, whose other planes count, too. */
  corpus(classes: ClassSet, planes: readonly Plane[]): Corpus {
    const asked = PLANES.map((plane) => planes.includes(plane));
    const seen = new Uint8Array(this.keys.length);
    const corpus = { seen, documents: 0, averageLength: 0 };
    let total = 0;
    const see = (kind: number) => {
      seen[kind] = asked[(this.keys[kind] as number) % PLANES.length] ? ASKED : COUNTED;
      corpus.documents += this.counts[kind] as number;
      total += this.totals[kind] as number;
    };
    if (classes === null) for (let kind = GONE + 1; kind < this.keys.length; kind += 1) see(kind);
    else for (const kind of this.kindsOf(classes)) see(kind);
    if (corpus.documents > 0) corpus.averageLength = total / corpus.documents;
    return corpus;
  }

  /** Gives its pages back: nothing can be done with it any more. */
  release(): void {
    this.memory.give(this.pages);
  }

  /** The kind of a row; GONE when its document is. */
  kindOf(row: number): number {
    return this.memory.words[this.kindAt(row)] as number;
  }

  /** Where the kind of a row stands, in words. */
  private kindAt(row: number): number {
    return (this.pages[Math.floor(row / PAGE_ROWS)] as Ptr) / WORD_BYTES + (row % PAGE_ROWS);
  }

  private *kindsOf(classes: readonly number[]): Generator<number> {
    for (const classId of classes) {
      for (let plane = 0; plane < PLANES.length; plane += 1) {
        const kind = this.kindByKey.get(classId * PLANES.length + plane);
        if (kind !== undefined) yield kind;
      }
    }
  }

  private kind(key: number): number {
    const known = this.kindByKey.get(key);
    if (known !== undefined) return known;
    this.kindByKey.set(key, this.keys.length);
    this.counts.push(0);
    this.totals.push(0);
    return this.keys.push(key) - 1;
  }

  private count(kind: number, documents: 1 | -1, length: number): void {
    this.counts[kind] = (this.counts[kind] as number) + documents;
    this.totals[kind] = (this.totals[kind] as number) + documents * length;
  }
}
