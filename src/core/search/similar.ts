/** Search by example: the Units whose picture, sound or text is most similar to that of a Unit, or to a file. */
import { Type } from "@sinclair/typebox";
import { stopwatch } from "../../base/clock.ts";
import { badField, Fault } from "../../base/fault.ts";
import { shownHit, type Hit, type Trace } from "../../domain/hit.ts";
import { FEATURE_MODELS, type Features } from "../../domain/media.ts";
import type { Plane } from "../../domain/plane.ts";
import type { Extractor } from "../../domain/port/extractor.ts";
import type { SimilarQuery } from "../../domain/query.ts";
import type { Unit } from "../../domain/unit.ts";
import type { View } from "../access/view.ts";
import { record } from "../audit/record.ts";
import { type Receive, whileReceived } from "../files/receive.ts";
import { checkValues, describe, Id, validator } from "../schema.ts";
import { type Call, operation, READ } from "../operation.ts";
import { NO_UNIT, readableUnit } from "../units/read.ts";
import { bothOf, hiddenByAcl } from "../../domain/access.ts";
import { cutWarnings, fill, LiveCheck, restrictionOf, vectorLeg, type Within } from "./legs.ts";
import { found, HitBody, QueryBody, queryFor } from "./query.ts";
import { snippetOf } from "../../text/snippet.ts";
import type { Tenant } from "../tenant.ts";
import { RRF_K } from "./rank.ts";

/** Cosine of two pictures from which they are near-duplicates: above the 99th percentile of unrelated photos. */
export const NEAR_DUPLICATE_MIN = 0.75;

/** The example: features of a picture or sound, or the vector of a text. */
export type QueryExample = { by: "features"; features: Pick<Features, "kind" | "embedding"> } | { by: "text"; vector: Float32Array };

interface Scored {
  unit: Unit;
  score: number;
}

/** The plane whose Units have features of a kind. */
const FEATURE_PLANES: Record<Features["kind"], Plane> = { picture: "visual", sound: "audio" };

/** The example that a Unit is: its features, else the vector of its text's first window. Errors: `bad_request` when it has neither, like the page of a document. */
export async function queryExampleOf({ reader }: Tenant, { uid, embeddedSha256 }: Unit): Promise<QueryExample> {
  const features = (await reader.features.embeddings([uid])).get(uid);
  if (features !== undefined) return { by: "features", features };
  const [first] = embeddedSha256 === null ? [] : ((await reader.embeddings.windows([embeddedSha256])).get(embeddedSha256) ?? []);
  if (first === undefined) throw new Fault("bad_request", "this Unit has no text, picture or sound to compare by", { pointer: "/unit_id" });
  return { by: "text", vector: first.vector };
}

const SimilarBody = Type.Object({
  unit_id: Type.Optional(describe(Id, "The Unit to compare with, where no picture or sound is sent.")),
  ...Type.Pick(QueryBody, ["top_k", "planes", "modalities", "doc_id", "min_score", "filters"]).properties,
});
const check = validator(SimilarBody);

interface SimilarInput {
  query: SimilarQuery;
  /** A picture or sound to compare with; null: the query names a Unit. */
  file: Receive | null;
}

/** Units like another one, or like a picture or sound that was sent. Errors: `not_found` as for one Unit, `bad_request`. */
export const similar = operation({
  name: "similar",
  summary: "Units like a Unit, or like the picture or sound in the body",
  action: "similar",
  access: READ,
  input: SimilarBody,
  // As a search answers.
  output: Type.Object({
    hits: Type.Array(
      Type.Object({ ...HitBody.properties, near_duplicate: Type.Boolean({ description: "Pictures alone: cosine of at least 0.75." }) }),
      { description: "Best first." },
    ),
    answer: Type.Null({ description: "Always null." }),
    ...found,
  }),
  parse({ input, form, file }, { caller }, now): SimilarInput {
    if (form === "json") checkValues(input);
    const { unit_id, ...body } = check(input);
    const { query, warnings } = queryFor(caller.namespace, { q: "-", ...body }, now());
    if (file === null && unit_id === undefined)
      throw badField("/unit_id", "is required; to compare with a picture or sound, send it as the body with its own Content-Type");
    const { top_k, planes, filter, min_score } = query;
    return { query: { unit_id: file === null ? (unit_id ?? null) : null, top_k, planes, filter, min_score, warnings }, file };
  },
  async run({ view, input: { query, file }, services }: Call<SimilarInput>) {
    const sent = file === null ? null : await featuresOf(view, services.extractor, file);
    const unit = query.unit_id === null ? null : await readableUnit(view, query.unit_id);
    await record(view, "similar", { target: query.unit_id, detail: { by: query.unit_id === null ? "content" : "unit", top_k: query.top_k } });
    if (query.unit_id !== null && unit === null) throw new Fault("not_found", NO_UNIT);
    const example = unit === null ? ({ by: "features", features: sent } as QueryExample) : await queryExampleOf(view.tenant, unit);
    return { ...(await nearest(view, query, example, unit?.uid ?? null)), context: view.context };
  },
});

/** What a picture or sound shows or sounds like; nothing of it is kept. Errors: `bad_request`, `payload_too_large`, `unavailable`. */
function featuresOf(view: View, extractor: Extractor, file: Receive): Promise<Features> {
  return whileReceived(
    view.tenant,
    file,
    () => {},
    (received, { name }) =>
      view.tenant.objects.onDisk(received, async (path) => {
        const { bytes } = received;
        return extractor.describe({ path, bytes, name, format: await extractor.recognise(path, bytes, name) }, view.caller.signal);
      }),
  );
}

/** The most similar Units that the view sees, best first. `self`: the example's own Unit, which is no hit. */
export async function nearest(view: View, query: SimilarQuery, example: QueryExample, self: number | null) {
  const time = stopwatch();
  const { visible, hidden } = view.classes;
  const readable = await best(view.tenant, query, example, visible, self);
  // Before hidden Units are searched, so that the times of the trace do not tell of them.
  const ms = time();
  const { hidden_by_acl, warnings } = await hiddenByAcl(view.caller, hidden, async () => {
    const { scored } = await best(view.tenant, query, example, bothOf(view.classes), self);
    return scored.filter(({ unit }) => hidden.includes(unit.classId)).length;
  });
  const pictures = example.by === "features" && example.features.kind === "picture";
  const hits = readable.scored.map(({ unit, score }, index) => hitOf(unit, score, index + 1, pictures && score >= NEAR_DUPLICATE_MIN));
  const trace: Trace = {
    total_ms: ms,
    stages: [{ name: "similar", ms, in: query.top_k, out: hits.length }],
    fusion: { method: "rrf", k: RRF_K },
    planes: query.planes,
    warnings: [...query.warnings, ...readable.warnings, ...warnings],
  };
  return { hits, answer: null, hidden_by_acl, trace };
}

interface BestUnits {
  scored: Scored[];
  /** What a limit cut off. */
  warnings: string[];
}

/** The best `top_k` that these classes hold, without the example's own Unit. */
async function best(tenant: Tenant, query: SimilarQuery, example: QueryExample, classes: readonly number[], self: number | null): Promise<BestUnits> {
  const least = query.min_score ?? Number.NEGATIVE_INFINITY;
  const { hits, warnings } =
    example.by === "features"
      ? await byFeatures(tenant, query, example.features, classes, least)
      : await byText(tenant, query, example.vector, { classes });
  const units = await tenant.reader.units.byUids(hits.map(({ uid }) => uid));
  const scored = hits.flatMap(({ uid, score }) => {
    const unit = units.get(uid);
    // Checked again, since the Unit may have changed since the search.
    return unit !== undefined && uid !== self && classes.includes(unit.classId) && score >= least ? [{ unit, score }] : [];
  });
  return { scored: scored.slice(0, query.top_k), warnings };
}

/** The most similar Units, one more than wanted, since the example's own Unit comes first. */
interface Ranked {
  hits: { uid: number; score: number }[];
  warnings: string[];
}

/** By the index of features, with the filter and the least score. */
async function byFeatures(
  tenant: Tenant,
  { planes, filter, top_k }: SimilarQuery,
  { kind, embedding }: Pick<Features, "kind" | "embedding">,
  classes: readonly number[],
  least: number,
): Promise<Ranked> {
  if (!planes.includes(FEATURE_PLANES[kind]) || classes.length === 0) return { hits: [], warnings: [] };
  const { model } = FEATURE_MODELS[kind];
  return { hits: await tenant.features.nearest(kind, model, embedding, { classes, filter }, { limit: top_k + 1, least }), warnings: [] };
}

/** The vector leg over the planes. Its best are enough for any least score, since scores only fall. */
async function byText(tenant: Tenant, { planes, filter, top_k }: SimilarQuery, vector: Float32Array, within: Within): Promise<Ranked> {
  const check = new LiveCheck(tenant, within, filter);
  const restriction = await restrictionOf(tenant, filter, within);
  const run = vectorLeg(tenant, planes, vector, restriction, null);
  const { hits, cut } = await fill(run, top_k + 1, [], check);
  return { hits: hits.map(({ uid, raw }) => ({ uid, score: raw })), warnings: cutWarnings(cut ? [run.leg] : []) };
}

function hitOf(unit: Unit, score: number, rank: number, near_duplicate: boolean): Record<string, unknown> {
  const scores: Hit["scores"] = { fused: score, rerank: null, legs: [{ leg: "similar", rank, raw: score }] };
  const snippet = unit.text === null ? null : snippetOf(unit.text, { start: 0, end: unit.text.length }, []).snippet;
  return { ...shownHit({ unit, rank, score, scores, snippet, highlights: [] }), near_duplicate };
}
