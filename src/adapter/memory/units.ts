/** Units, vectors of their texts, and features of pictures and sounds, over the tables of a state. */
import { isDeepStrictEqual } from "node:util";
import { sha256Hex } from "../../base/hash.ts";
import { addTo, emptyTally, type FacetField, facetValues, type Tally } from "../../domain/facet.ts";
import { type Filter, matches } from "../../domain/filter.ts";
import type { Features, LabelScore } from "../../domain/media.ts";
import { PLANES } from "../../domain/plane.ts";
import type { TextWindow } from "../../domain/port/encoder.ts";
import type { FeatureRestriction } from "../../domain/port/feature-index.ts";
import type { ClassSet, IndexEntry } from "../../domain/port/index.ts";
import type {
  FeatureHit,
  FeatureView,
  LiveUnit,
  Matches,
  PlaneCount,
  StoredEmbedding,
  UnitCursor,
  UnitOrder,
  Upserted,
} from "../../domain/port/units.ts";
import { isGiven, readText, type Unit, type UnitDraft, vectorsKey } from "../../domain/unit.ts";
import { type Context, pair } from "./state.ts";

function unitReads({ state, embeddings }: Context) {
  const ordered = () => [...state().units.values()].sort((a, b) => a.uid - b.uid);
  const within = (classes: readonly number[]) => ordered().filter(({ classId }) => classes.includes(classId));
  const windowsOf = (unit: Unit) => embeddings().windowsOf(unit.embeddedSha256);
  const table = {
    byIds: (ids: readonly string[]) =>
      new Map(ids.flatMap((id) => state().units.get(state().uidById.get(id) ?? 0) ?? []).map((unit) => [unit.unit_id, unit])),
    byUids: (uids: readonly number[]) => new Map(uids.flatMap((uid) => state().units.get(uid) ?? []).map((unit) => [unit.uid, unit])),
    live: (uids: readonly number[]) =>
      new Map(
        [...table.byUids(uids)].map(([uid, { version, classId, doc_id, unit_id }]): [number, LiveUnit] => [
          uid,
          { uid, version, classId, doc_id, unit_id },
        ]),
      ),
    list(classes: readonly number[], limit: number, from: UnitCursor | number, by: UnitOrder = "oldest"): Unit[] {
      const oldest = (a: UnitCursor, b: UnitCursor) => a.created_at - b.created_at || (a.unit_id < b.unit_id ? -1 : a.unit_id > b.unit_id ? 1 : 0);
      const order = (a: UnitCursor, b: UnitCursor) => (by === "oldest" ? oldest(a, b) : oldest(b, a));
      const listed = within(classes).sort(order);
      if (typeof from === "number") return listed.slice(from, from + limit);
      return listed.filter((unit) => order(unit, from) > 0).slice(0, limit);
    },
    matching(filter: Filter, classes: readonly number[], limit: number, scanLimit: number): Matches {
      const all = classes.flatMap((classId) => within([classId]));
      const uids = all
        .slice(0, scanLimit)
        .filter((unit) => matches(filter, unit))
        .map(({ uid }) => uid);
      return { uids: uids.slice(0, limit), complete: uids.length <= limit && all.length <= scanLimit };
    },
    passing: (filter: Filter, uids: readonly number[]) =>
      new Set([...table.byUids(uids).values()].filter((unit) => matches(filter, unit)).map(({ uid }) => uid)),
    tally(uids: readonly number[], fields: readonly FacetField[], { classes, filter }: { classes: readonly number[]; filter: Filter }): Tally {
      const tally = emptyTally(fields);
      for (const unit of table.byUids(uids).values()) {
        if (classes.includes(unit.classId) && matches(filter, unit)) addTo(tally, (index) => facetValues(unit, fields[index] as FacetField));
      }
      return tally;
    },
    count: (classes: readonly number[] | null) => (classes === null ? state().units.size : within(classes).length),
    counts(classes: readonly number[]): PlaneCount[] {
      return PLANES.map((plane) => {
        const units = within(classes).filter((unit) => unit.plane === plane);
        const vectors = (some: readonly Unit[]) => some.reduce((sum, unit) => sum + windowsOf(unit).length, 0);
        const late = units.filter(({ uid }) => state().waiting.has(pair(plane, uid)) || state().aside.has(pair(plane, uid)));
        const quarantined = units.filter(({ uid }) => state().aside.has(pair(plane, uid)) || state().aside.has(pair("fulltext", uid))).length;
        return { plane, units: units.length, vectors: vectors(units), pending: vectors(late), quarantined };
      });
    },
    entriesAfter: (uid: number, limit: number): IndexEntry[] =>
      ordered()
        .filter((unit) => unit.uid > uid)
        .slice(0, limit)
        .map((unit) => ({ unit, windows: windowsOf(unit) })),
  };
  return table;
}

export function unitTable(context: Context) {
  const { state, now, access, outbox, embeddings } = context;
  const forgetUnused = (former: readonly Unit[]) => {
    const used = new Set([...state().units.values()].map((unit) => unit.embeddedSha256));
    for (const { embeddedSha256 } of former) if (!used.has(embeddedSha256)) embeddings().forget(embeddedSha256);
  };
  const movesVectors = ({ embeddedSha256 }: Unit, key: string | null, own: readonly TextWindow[] = []) => {
    if (!isGiven(key)) return isGiven(embeddedSha256);
    return embeddedSha256 !== key || !isDeepStrictEqual(embeddings().windowsOf(key), own);
  };
  const table = {
    ...unitReads(context),
    upsert(drafts: readonly UnitDraft[], windows: ReadonlyMap<string, readonly TextWindow[]>): Upserted[] {
      return drafts.map((draft): Upserted => {
        const { unit_id } = draft;
        const known = table.byIds([unit_id]).get(unit_id);
        const mutable = (unit: UnitDraft) => JSON.stringify([unit.acl_groups, unit.mime, unit.metadata]);
        const key = vectorsKey(draft, windows);
        const own = windows.get(key ?? "");
        const moves = known !== undefined && movesVectors(known, key, own);
        if (known !== undefined && mutable(known) === mutable(draft) && !moves) return { uid: known.uid, unit_id, status: "unchanged" };
        const uid = known?.uid ?? state().lastUid + 1;
        const content_sha256 = draft.text === null ? null : sha256Hex(draft.text);
        if (moves && isGiven(key)) embeddings().forget(key);
        if ((moves || known === undefined) && key !== null) embeddings().keep(key, own);
        const { acl_groups, mime, metadata } = draft;
        const vectors = { embeddedSha256: key, windows: own?.length ?? 0 };
        const made = known ?? { ...draft, uid, content_sha256, ...vectors, created_at: now() };
        const base = moves ? { ...made, ...vectors } : made;
        const classId = access().classOf(draft.scope, draft.acl_owner, acl_groups);
        const unit: Unit = { ...base, acl_groups, mime, metadata, classId, version: (known?.version ?? 0) + 1, updated_at: now() };
        state().units.set(uid, unit);
        state().uidById.set(unit_id, uid);
        state().lastUid = Math.max(state().lastUid, uid);
        state().revision += 1;
        if (moves) forgetUnused([known]);
        for (const index of [unit.plane, "fulltext"] as const) outbox().again(index, [uid]);
        return { uid, unit_id, status: known === undefined ? "created" : "updated" };
      });
    },
    remove(uids: readonly number[]): number {
      const units = [...table.byUids(uids).values()];
      for (const { uid, unit_id, plane, text } of units) {
        for (const index of [plane, "fulltext"] as const) {
          state().waiting.delete(pair(index, uid));
          state().aside.delete(pair(index, uid));
          if (text !== null) state().removals.set(pair(index, uid), { index, uid });
        }
        state().units.delete(uid);
        state().uidById.delete(unit_id);
        state().fileOfUnit.delete(uid);
        state().standing.delete(uid);
        state().features.delete(uid);
      }
      forgetUnused(units);
      if (units.length > 0) state().revision += 1;
      return units.length;
    },
  };
  return table;
}

export function embeddingTable({ state, model }: Context) {
  const texts = () =>
    [...state().units.values()].flatMap(({ embeddedSha256: hash, path, text, classId }) =>
      hash === null ? [] : [{ hash, text: readText(path, text ?? ""), classId }],
    );
  const table = {
    windowsOf: (hash: string | null) => state().windows.get(pair(model, hash ?? "")) ?? [],
    keep(hash: string, windows: readonly TextWindow[] | undefined) {
      if (windows !== undefined && !state().windows.has(pair(model, hash))) table.put(hash, windows);
    },
    forget(hash: string | null) {
      state().windows.delete(pair(model, hash ?? ""));
    },
    windows: (hashes: readonly string[]) =>
      new Map(
        hashes.filter((hash) => state().windows.has(pair(model, hash))).map((hash): [string, TextWindow[]] => [hash, [...table.windowsOf(hash)]]),
      ),
    windowsWithin(hashes: readonly string[], classes: readonly number[]) {
      const known = new Set(
        texts()
          .filter(({ classId }) => classes.includes(classId))
          .map(({ hash }) => hash),
      );
      return table.windows(hashes.filter((hash) => known.has(hash)));
    },
    spans: (hashes: readonly string[]) =>
      new Map([...table.windows(hashes)].map(([hash, windows]) => [hash, windows.map(({ start, end }) => ({ start, end }))])),
    foreign: () => [...state().windows.keys()].some((key) => (JSON.parse(key) as string[])[0] !== model),
    missing: (limit: number) =>
      [...new Map(texts().map((text) => [text.hash, text])).values()]
        .filter(({ hash }) => !state().windows.has(pair(model, hash)))
        .slice(0, limit)
        .map(({ hash, text }) => ({ hash, text })),
    put(hash: string, windows: readonly TextWindow[]) {
      state().windows.set(pair(model, hash), windows);
      for (const unit of state().units.values()) if (unit.embeddedSha256 === hash) state().units.set(unit.uid, { ...unit, windows: windows.length });
    },
    removeForeign() {
      for (const key of [...state().windows.keys()]) if ((JSON.parse(key) as string[])[0] !== model) state().windows.delete(key);
    },
  };
  return table;
}

export function featureTable({ state }: Context) {
  const all = () => [...state().features].flatMap(([uid, features]) => ({ ...features, uid, unit: state().units.get(uid) as Unit }));
  return {
    embeddings: (uids: readonly number[]) =>
      new Map(
        uids.flatMap((uid): [number, StoredEmbedding][] => {
          const found = state().features.get(uid);
          return found === undefined ? [] : [[uid, { kind: found.kind, model: found.model, embedding: found.embedding }]];
        }),
      ),
    uidsAfter: (kind: Features["kind"], model: string, after: number, limit: number) =>
      all()
        .filter((one) => one.kind === kind && one.model === model && one.uid > after)
        .map(({ uid }) => uid)
        .sort((a, b) => a - b)
        .slice(0, limit),
    has: (kind: Features["kind"], classes: ClassSet) => all().some((one) => one.kind === kind && classes?.includes(one.unit.classId) !== false),
    count: (kind: Features["kind"], model: string, classes: ClassSet) =>
      all().filter((one) => one.kind === kind && one.model === model && classes?.includes(one.unit.classId) !== false).length,
    byLabels(
      kind: Features["kind"],
      weights: readonly LabelScore[],
      { classes, uids }: FeatureView,
      { floor, logarithmic, limit }: { floor: number; logarithmic: boolean; limit: number },
    ): FeatureHit[] {
      const weightOf = new Map(weights.map(({ label, score }) => [label, score]));
      const hits = all()
        .filter(({ kind: own, uid, unit }) => own === kind && classes.includes(unit.classId) && uids?.includes(uid) !== false)
        .map(({ labels, unit }) => {
          const found = labels.filter(({ label }) => weightOf.has(label));
          const of = (score: number) => (logarithmic ? Math.log(score / 0.001 + 1) : score);
          return { unit, found, score: found.reduce((sum, { label, score }) => sum + (weightOf.get(label) ?? 0) * of(score), 0) };
        });
      const best = hits
        .filter(({ found, score }) => found.length > 0 && score >= floor)
        .sort((a, b) => b.score - a.score || (a.unit.unit_id < b.unit.unit_id ? -1 : 1));
      return best.slice(0, limit).map(({ unit: { uid, doc_id }, score }) => ({ uid, doc_id, score }));
    },
    nearest(
      kind: Features["kind"],
      model: string,
      vector: Float32Array,
      { classes, filter, uids }: FeatureRestriction & { uids?: readonly number[] },
      { limit, least }: { limit: number; least: number },
    ) {
      const hits = all()
        .filter((one) => one.kind === kind && one.model === model && uids?.includes(one.uid) !== false)
        .filter(({ unit }) => classes.includes(unit.classId) && matches(filter, unit))
        .map(({ uid, embedding }) => ({ uid, score: cosine(vector, embedding) }))
        .filter(({ score }) => score >= least);
      return hits.sort((a, b) => b.score - a.score || a.uid - b.uid).slice(0, limit);
    },
    put(uid: number, model: string, features: Features) {
      state().features.set(uid, { ...features, model, embedding: Float32Array.from(new Float16Array(features.embedding)) });
    },
  };
}

/** 0 where one of the vectors has no length. */
export function cosine(a: Float32Array, b: Float32Array): number {
  const dot = (x: Float32Array, y: Float32Array) => x.reduce((sum, value, at) => sum + value * (y[at] ?? 0), 0);
  const lengths = Math.sqrt(dot(a, a) * dot(b, b));
  return lengths === 0 ? 0 : dot(a, b) / lengths;
}
