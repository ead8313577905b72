/**
 * Finds alike pictures and sounds by their vectors in memory. The catalog has all of them: it tells the cosines of what was found,
 * and answers alone while vectors are being read, without memory for them, and for filters that memory cannot tell.
 */
import { BATCH_MAX_UNITS, VECTOR_ROWS_MAX } from "../../base/limits.ts";
import { ascending } from "../../domain/access.ts";
import { compares, type Filter, isNative } from "../../domain/filter.ts";
import type { Features } from "../../domain/media.ts";
import type { AlikeUnit, FeatureIndex, FeatureRestriction } from "../../domain/port/feature-index.ts";
import type { IndexEntry, IndexState } from "../../domain/port/index.ts";
import type { NamespaceReader } from "../../domain/port/store.ts";
import type { AttributeRows, VectorRow, VectorSource } from "../../domain/port/vector-index.ts";
import { attributeRows } from "./attributes.ts";
import { type ResidentOptions, ResidentVectors } from "./vector-index.ts";

/** Rows that are read in one turn of the event loop: making codes of as many takes some two milliseconds. */
const PAGE_ROWS = 64;
/**
 * At least so many are asked for, which widens the cut by signs: those of embeddings of pictures, which are half zeros, tell less
 * than those of texts (docs/decision/0002).
 */
const CANDIDATES_MIN = 250;
/** What 12 bits may move a cosine by, twice what was seen in 1,280 components (docs/decision/0002). */
const ROUNDING = 2.5e-4;
const DEEPER = 4;

export type FeatureIndexOptions = Pick<ResidentOptions, "memory" | "log">;
type Reader = Pick<NamespaceReader, "features" | "units">;
type Nearest = { limit: number; least: number };

export class ResidentFeatureIndex implements FeatureIndex {
  /** By kind and model. Made when they are first asked for. */
  private readonly kinds = new Map<string, KindIndex>();

  constructor(
    private readonly reader: Reader,
    private readonly options: FeatureIndexOptions,
  ) {}

  async nearest(kind: Features["kind"], model: string, vector: Float32Array, within: FeatureRestriction, wanted: Nearest): Promise<AlikeUnit[]> {
    const found = inMemory(within.filter) ? await this.of(kind, model, vector.length).nearest(vector, within, wanted) : null;
    return found ?? this.reader.features.nearest(kind, model, vector, within, wanted);
  }

  /** To be called with the Units that a commit made, changed or removed. */
  changed(uids: readonly number[]): void {
    for (const each of this.kinds.values()) each.changed(uids);
  }

  /** Resolves when the vectors of what was asked for are in memory as the catalog has them now, or it is known that they will not be. */
  async loaded(): Promise<void> {
    for (const each of this.kinds.values()) await each.loaded();
  }

  async close(): Promise<void> {
    for (const each of this.kinds.values()) await each.close();
  }

  private of(kind: Features["kind"], model: string, dims: number): KindIndex {
    const key = `${kind} ${model}`;
    const known = this.kinds.get(key) ?? new KindIndex(new CatalogVectors(this.reader, kind, model), { ...this.options, dims });
    this.kinds.set(key, known);
    return known;
  }
}

/** Whether memory has what a filter compares. Pictures lie in several planes. */
function inMemory(filter: Filter): boolean {
  return isNative(filter) && !compares(filter, "plane");
}

/** The vectors of one kind. */
class KindIndex {
  private vectors: ResidentVectors;
  /** Units that are to be read again. */
  private readonly dirty = new Set<number>();
  private reading: Promise<void> | null = null;

  constructor(
    private readonly catalog: CatalogVectors,
    private readonly options: FeatureIndexOptions & { dims: number },
  ) {
    this.vectors = this.unread();
  }

  /** As FeatureIndex.nearest; null: the catalog has to compare all. */
  async nearest(vector: Float32Array, within: FeatureRestriction, { limit, least }: Nearest): Promise<AlikeUnit[] | null> {
    await this.followed();
    const restriction = { classes: ascending(within.classes), filter: within.filter, uids: null };
    for (let depth = limit; depth < VECTOR_ROWS_MAX; depth *= DEEPER) {
      const ranked = await this.vectors.search(vector, Math.max(CANDIDATES_MIN, depth + 1), restriction);
      if (ranked === null) return null;
      const { hits, exhausted } = ranked;
      // Any of these may be the last of the best `depth`.
      const floor = (hits[depth - 1]?.similarity ?? Number.NEGATIVE_INFINITY) - 2 * ROUNDING;
      const candidates = hits.filter(({ similarity }) => similarity >= floor);
      const found = await this.catalog.nearest(vector, { ...within, uids: candidates.map(({ uid }) => uid) }, { limit, least });
      const next = hits[candidates.length] ?? (exhausted ? undefined : hits.at(-1));
      const last = found[limit - 1]?.score ?? least;
      if (next === undefined || next.similarity + ROUNDING < last) return found;
    }
    return null;
  }

  changed(uids: readonly number[]): void {
    if (!this.vectors.following) return;
    for (const uid of uids) this.dirty.add(uid);
    void this.followed();
  }

  async loaded(): Promise<void> {
    await this.vectors.loaded();
    await this.followed();
  }

  async close(): Promise<void> {
    await this.reading;
    await this.vectors.close();
  }

  private unread(): ResidentVectors {
    // The catalog answers as well while vectors are being read.
    return new ResidentVectors(this.catalog, { ...this.options, awaitedMaxRows: 0 });
  }

  /** Resolves when what was changed is in memory; never rejects. */
  private followed(): Promise<void> {
    this.reading ??= this.follow().finally(() => {
      this.reading = null;
    });
    return this.reading;
  }

  /** One batch after the other, so that what was read last is kept. */
  private async follow(): Promise<void> {
    try {
      while (this.dirty.size > 0) {
        const uids = [...this.dirty.keys().take(BATCH_MAX_UNITS)];
        for (const uid of uids) this.dirty.delete(uid);
        const entries = await this.catalog.entries(uids);
        const held = new Set(entries.map(({ unit }) => unit.uid));
        this.vectors.remove(uids.filter((uid) => !held.has(uid)));
        this.vectors.put(entries);
      }
    } catch (error) {
      this.options.log.warn("changed pictures and sounds could not be read: all are read again", { error });
      const former = this.vectors;
      this.vectors = this.unread();
      this.dirty.clear();
      await former.close();
    }
  }
}

/** The embeddings of one kind, by one model, in the catalog. */
class CatalogVectors implements VectorSource {
  readonly plane = null;

  constructor(
    private readonly reader: Reader,
    private readonly kind: Features["kind"],
    private readonly model: string,
  ) {}

  nearest(vector: Float32Array, within: FeatureRestriction & { uids: readonly number[] }, wanted: Nearest): Promise<AlikeUnit[]> {
    return this.reader.features.nearest(this.kind, this.model, vector, within, wanted);
  }

  async state(): Promise<IndexState> {
    return { rows: await this.reader.features.count(this.kind, this.model, null), state: "ok" };
  }

  /** Those of these Units that have an embedding, each as an entry of one window. */
  async entries(uids: readonly number[]): Promise<IndexEntry[]> {
    const embeddings = await this.reader.features.embeddings(uids);
    const units = await this.reader.units.byUids([...embeddings.keys()]);
    return [...units.values()].flatMap((unit) => {
      const found = embeddings.get(unit.uid);
      if (found?.kind !== this.kind || found.model !== this.model) return [];
      return [{ unit, windows: [{ start: 0, end: 0, vector: found.embedding }] }];
    });
  }

  async *vectors(): AsyncGenerator<VectorRow> {
    for await (const uids of this.pages()) {
      const embeddings = await this.reader.features.embeddings(uids);
      for (const { uid, version, classId } of (await this.reader.units.live(uids)).values()) {
        const vector = embeddings.get(uid)?.embedding;
        if (vector !== undefined) yield { uid, version, classId, window: 0, vector };
      }
    }
  }

  async *attributes(): AsyncGenerator<AttributeRows> {
    for await (const uids of this.pages()) yield attributeRows([...(await this.reader.units.byUids(uids)).values()]);
  }

  private async *pages(): AsyncGenerator<number[]> {
    for (let after = 0; ; ) {
      const uids = await this.reader.features.uidsAfter(this.kind, this.model, after, PAGE_ROWS);
      const last = uids.at(-1);
      if (last === undefined) return;
      yield uids;
      after = last;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}
