/**
 * A service that is going to be killed. Opens the data directory, holds what it finds against what was
 * acknowledged before (a file of JSON lines), then ingests until it dies. Speaks in lines on stdout:
 * `fault …`, `verified …`, `ready`, and `ack {json}` for each batch that was answered with 200.
 */
import { readFileSync, writeSync } from "node:fs";
import type { IndexName } from "../../src/domain/port/index.ts";
import { Random } from "../property/random.ts";
import type { Harness } from "../support/harness.ts";
import { openOwned } from "./small-world.ts";
import { rowsOf } from "../support/rows.ts";

export interface AckedBatch {
  doc: string;
  /** Units with text, then those without, each with the `n` of its metadata. */
  searchable: Record<string, number>;
  silent: Record<string, number>;
}

const NAMESPACE = { namespace: "crash", tier: "enterprise" as const };
const TOKEN = "crash-token";
const WORDS = ["anchor", "barge", "crane", "derrick", "estuary", "ferry", "gantry", "harbour", "island", "jetty", "keel", "lantern"];
const TEXTS = Array.from({ length: 36 }, (_, index) => `common ${WORDS[index % 12]} ${WORDS[(index * 5 + 3) % 12]}`);
const MODALITIES = ["text", "caption", "image", "asr", "doc_page", "video_shot", "ocr"];
const BATCH_MAX = 20;

function say(line: string): void {
  writeSync(1, `${line}\n`);
}

/** What was acknowledged last of each document. */
function acknowledged(path: string): AckedBatch[] {
  const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
  const byDoc = new Map<string, AckedBatch>();
  for (const line of lines) {
    const batch = JSON.parse(line) as AckedBatch;
    byDoc.set(batch.doc, batch);
  }
  return [...byDoc.values()];
}

function open(data: string): Promise<Harness> {
  return openOwned(data, { namespace: NAMESPACE.namespace, principal_id: "writer", token: TOKEN, active_scope: "crash", groups: ["a"] });
}

function check(condition: boolean, what: string): void {
  if (!condition) say(`fault ${what}`);
}

/** Nothing acknowledged is missing, nothing is there twice, and the indexes hold what the catalog does. */
async function verify(harness: Harness, batches: readonly AckedBatch[], searched: readonly AckedBatch[]): Promise<void> {
  const tenant = await harness.app.tenant(NAMESPACE);
  const { vectors, fulltext } = tenant;
  const { catalog, ledger } = rowsOf(tenant);
  check(catalog.outbox.waiting().length === 0, `the outbox is open for ${catalog.outbox.waiting()}`);
  const report = await ledger.verify();
  check(report.intact, `the chain breaks at ${report.break_at}: ${report.reason}`);
  const units = await catalog.page(
    catalog.classes().map(({ classId }) => classId),
    1_000_000,
    0,
  );
  const byId = new Map(units.map((unit) => [unit.unit_id, unit]));
  check(byId.size === units.length, "the listing repeats a Unit");
  for (const { searchable, silent } of batches) {
    for (const [unit_id, n] of Object.entries({ ...searchable, ...silent })) {
      check(
        Number(byId.get(unit_id)?.metadata?.n ?? -1) >= n,
        `${unit_id} was acknowledged with n ${n}, and is ${JSON.stringify(byId.get(unit_id)?.metadata)}`,
      );
    }
  }
  for (const [target, index] of Object.entries({ ...vectors, fulltext }) as [IndexName, { rows(): Promise<{ uid: number; version: number }[]> }][]) {
    const expected = units.filter((unit) => unit.text !== null && (target === "fulltext" || unit.plane === target));
    const rows = await index.rows();
    const versions = new Map(rows.map(({ uid, version }) => [uid, version]));
    check(rows.length === versions.size, `${target} holds ${rows.length - versions.size} duplicate rows`);
    check(rows.length === expected.length, `${target} holds ${rows.length} rows for ${expected.length} Units`);
    const stale = expected.filter(({ uid, version }) => versions.get(uid) !== version).length;
    check(stale === 0, `${target} is stale or missing for ${stale} Units`);
  }
  for (const batch of searched) await verifySearch(harness, batch);
  say(`verified ${batches.length} batches, ${units.length} Units`);
}

async function verifySearch(harness: Harness, { doc, searchable }: AckedBatch): Promise<void> {
  const { status, body } = await harness.call("POST", "/v1/search", { token: TOKEN, body: { q: "common anchor", doc_id: doc, top_k: 50 } });
  check(status === 200, `searching ${doc} answers ${status} ${JSON.stringify(body)}`);
  const hits = new Map<string, { scores: { legs: { leg: string }[] } }>();
  for (const hit of body.hits ?? []) {
    check(!hits.has(hit.unit_id), `searching ${doc} finds ${hit.unit_id} twice`);
    hits.set(hit.unit_id, hit);
  }
  for (const unit_id of Object.keys(searchable)) {
    const legs = hits.get(unit_id)?.scores.legs.map(({ leg }) => leg) ?? [];
    check(legs.includes("fulltext") && legs.includes("vector"), `${unit_id} of ${doc} is found by ${legs.join(" and ") || "nothing"}`);
  }
}

function randomBatch(random: Random, doc: string, n: number): Record<string, unknown>[] {
  return Array.from({ length: random.integer(1, BATCH_MAX) }, (_, index) => ({
    ...(random.chance(0.9) ? { text: random.pick(TEXTS) } : {}),
    source_uri: `crash://${doc}/${index}`,
    modality: random.pick(MODALITIES),
    doc_id: doc,
    acl_groups: random.some(["a", "b"], 0.5),
    metadata: { n },
  }));
}

async function ingest(harness: Harness, doc: string, units: Record<string, unknown>[], n: number): Promise<void> {
  const { status, body } = await harness.call("POST", "/v1/ingest", { token: TOKEN, body: { units } });
  if (status !== 200) {
    say(`fault ingest answers ${status} ${JSON.stringify(body)}`);
    return;
  }
  const batch: AckedBatch = { doc, searchable: {}, silent: {} };
  for (const { index, unit_id } of body.units as { index: number; unit_id: string }[]) {
    (units[index]?.text === undefined ? batch.silent : batch.searchable)[unit_id] = n;
  }
  say(`ack ${JSON.stringify(batch)}`);
}

/** Two streams at once, so that group commit and updates are killed too. */
async function ingestForever(harness: Harness, random: Random, round: number): Promise<void> {
  const stream = async (name: string) => {
    for (let count = 0; ; count += 1) {
      const doc = `r${round}-${name}${count}`;
      const units = randomBatch(random, doc, 0);
      await ingest(harness, doc, units, 0);
      if (random.chance(0.4)) {
        const updated = units.map((unit) => ({ ...unit, acl_groups: random.some(["a", "b", "c"], 0.5), metadata: { n: 1 } }));
        await ingest(harness, doc, updated, 1);
      }
    }
  };
  await Promise.all([stream("x"), stream("y")]);
}

const [data = "", ackFile = "", roundText = "0", seedText = "0", mode = "ingest"] = process.argv.slice(2);
const harness = await open(data);
const batches = acknowledged(ackFile);
const lastRound = `r${Number(roundText) - 1}-`;
await verify(harness, batches, mode === "final" ? batches : batches.filter(({ doc }) => doc.startsWith(lastRound)));
if (mode === "final") {
  await harness.close();
  say("closed");
} else {
  say("ready");
  await ingestForever(harness, new Random(Number(seedText)), Number(roundText));
}
