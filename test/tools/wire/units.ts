/** Units in: what ingest makes of every member; where callers may write; listings, single Units, context and stats. */
import { ADMIN, ENTERPRISE, FREE, type People, PRO, READER, SUPER } from "./people.ts";
import { PAUSE_MS, type Recorder, type SendOptions } from "./recorder.ts";

const MODALITIES = [
  "text",
  "chunk",
  "caption",
  "ocr",
  "asr",
  "image",
  "image_region",
  "doc_page",
  "video_shot",
  "audio_utterance",
  "log_template",
  "detection",
];
const PLANES = ["text", "visual", "audio", "doc_visual"];

function ingest(r: Recorder, units: unknown[], options: SendOptions = {}, what = "") {
  return r.send("POST", "/v1/ingest", { ...options, body: { units } }, what);
}

export async function recordIngest(r: Recorder, people: People): Promise<void> {
  r.begin("ingest");
  for (const modality of MODALITIES) {
    const text = `the ${modality} of the winch house, written for the record`;
    const { json } = await ingest(r, [{ modality, text, scope: "wire/modalities", doc_id: "modalities", acl_groups: ["engineering"] }], {}, modality);
    await r.send("GET", `/v1/units/${json.units[0].unit_id}`);
  }
  for (const plane of PLANES) await ingest(r, [{ modality: "caption", plane, source_uri: `wire/${plane}`, scope: "wire/planes" }], {}, plane);
  const locators = [
    { kind: "time_range", t_start_ms: 0, t_end_ms: 0 },
    { kind: "time_range", t_start_ms: 5, t_end_ms: Number.MAX_SAFE_INTEGER },
    { kind: "bbox", x: 0, y: 0, w: 1, h: 1 },
    { page: 3, h: 0.8, w: 0.9, y: 0.2, x: 0.1, kind: "bbox" },
    { kind: "char_span", start: 7, end: 9 },
    { kind: "line_range", start: 1, end: 1 },
  ];
  for (const locator of locators) {
    const { json } = await ingest(r, [{ modality: "text", source_uri: "wire/located", locator, scope: "wire/locators" }]);
    await r.send("GET", `/v1/units/${json.units[0].unit_id}?scope=wire/locators`);
  }
  const full = {
    text: 'Ünïcødé "quotes" \\ 😀\n\ttabs\u2028 and \u202e controls, e\u0301 is not é',
    modality: "ocr",
    plane: "visual",
    scope: "wire/full",
    source_uri: "s3://bucket/ä b?c#d'\"",
    mime: "image/png",
    doc_id: "doc '1'; --",
    acl_owner: "somebody else",
    acl_groups: ["b", "a", "ops", "a"],
    metadata: { z: 1, a: "x", "dotted.key-1_2": [], tags: ["q", "p", "q"], flag: false, none: "", tiny: -1.5e-7, zero: 0, toString: "t" },
    unit_id: "u_mine",
    created_at: 1,
    unknown: { nested: [1] },
  };
  const { json } = await ingest(r, [full], {}, "every member");
  const get = () => r.send("GET", `/v1/units/${json.units[0].unit_id}`);
  await get();
  await ingest(r, [full], {}, "the same again");
  await ingest(r, [{ ...full, metadata: { a: "other" }, acl_groups: ["hr"] }], {}, "other groups and metadata");
  await get();
  await ingest(r, [{ ...full, metadata: undefined, mime: undefined, acl_groups: undefined }], {}, "without them");
  await get();
  const twice = { modality: "text", source_uri: "wire/twice", scope: "wire", mime: "a/a" };
  await ingest(r, [twice, twice, { ...twice, mime: "b/b" }, { ...twice, source_uri: "wire/once" }], {}, "twice in a batch");
  await recordPaths(r);
  await recordKeys(r);
  await recordWriters(r, people);
}

/** Units that differ in their paths alone, and searches, filters and an answer that tell them apart. */
async function recordPaths(r: Recorder): Promise<void> {
  r.begin("paths");
  const unit = { modality: "chunk", text: "The default is ten tonnes.", scope: "wire/paths" };
  const paths = [
    undefined,
    ["Winch handbook"],
    ["Winch handbook", "Limits", "max_load"],
    ["Winch handbook", "Limits", "min_load"],
    Array(16).fill("p"),
  ];
  for (const path of paths) {
    const { json } = await ingest(r, [{ ...unit, path }], {}, JSON.stringify(path ?? null));
    await r.send("GET", `/v1/units/${json.units[0].unit_id}`);
  }
  const headers = { "X-Svc-Scope": "wire/paths" };
  const ask = (body: object, what: string) => r.send("POST", "/v1/search", { headers, body: { q: "default of max_load", ...body } }, what);
  await ask({ mode: "fulltext" }, "by the words of a path");
  const filters = ["max_load", { $eq: "Limits" }, { $ne: "Limits" }, { $in: ["min_load", "p"] }, { $prefix: "max" }, { $exists: false }];
  for (const path of filters) await ask({ filters: { path } }, `path ${JSON.stringify(path)}`);
  await r.send("POST", "/v1/answer", { headers, body: { q: "What is the default of max_load?", answer: true }, warm: true }, "of a path");
}

async function recordKeys(r: Recorder): Promise<void> {
  r.begin("idempotency keys");
  const unit = { modality: "text", text: "a heron at the sluice", scope: "wire/keys" };
  const headers = { "Idempotency-Key": "key-1" };
  await ingest(r, [unit], { headers }, "first");
  await ingest(r, [unit], { headers }, "again");
  await ingest(r, [{ ...unit, mime: "a/a" }], { headers }, "another body");
  await ingest(r, [unit], { headers, token: SUPER }, "of another caller");
  await ingest(r, [{ ...unit, mime: "b/b" }], { headers: { "Idempotency-Key": "x".repeat(128) } }, "a long one");
  await ingest(r, [{ ...unit, modality: "nothing" }], { headers: { "Idempotency-Key": "key-2" } }, "with a broken body");
  await ingest(r, [unit], { headers: { "Idempotency-Key": "key-2" } }, "then with a good one");
}

async function recordWriters(r: Recorder, people: People): Promise<void> {
  r.begin("who may write what where");
  const unit = { modality: "text", source_uri: "wire/written" };
  const callers: [string, SendOptions][] = [
    ["writer", { token: people.writer }],
    ["wanderer", { token: people.wanderer }],
    ["guarded", { token: people.guarded }],
    ["localAdmin", { token: people.localAdmin }],
    ["free", { token: FREE }],
    ["pro", { token: PRO }],
    ["enterprise", { token: ENTERPRISE }],
    ["superAdmin", { token: SUPER, headers: { "X-Svc-Namespace": "pro" } }],
  ];
  const units = [
    unit,
    { ...unit, scope: "harbour/ops" },
    { ...unit, scope: "harbour/ops/deep" },
    { ...unit, scope: "harbour/archive" },
    { ...unit, scope: "town/new" },
    { ...unit, scope: "harbour", acl_owner: "somebody" },
    { ...unit, scope: "harbour/ops", acl_groups: ["ops"] },
    { ...unit, scope: "harbour/ops", acl_groups: ["ops", "finance"] },
    { ...unit, scope: "wire", plane: "audio" },
  ];
  for (const [name, caller] of callers) for (const one of units) await ingest(r, [one], caller, name);
  for (const scope of ["*", "harbour/ops/quay", "town", "nowhere/yet"]) {
    await ingest(r, [unit], { token: people.writer, headers: { "X-Svc-Scope": scope } }, `header ${scope}`);
    await r.send("POST", `/v1/ingest?scope=${scope}`, { body: { units: [unit] } }, "parameter");
    await r.send(
      "POST",
      "/v1/ingest?scope=town",
      { headers: { "X-Svc-Scope": scope }, body: { units: [{ ...unit, scope: "harbour" }] } },
      "all three",
    );
  }
}

const SCOPES = [
  "*",
  "harbour",
  "harbour/ops",
  "harbour/ops/quay",
  "harbour/office",
  "harb",
  "town",
  "nowhere",
  "",
  "..",
  "a b",
  "%00",
  "*/x",
  "HARBOUR",
];

/** The Units of each fit a page. */
const SMALL_SCOPES = ["harbour/ops/quay", "harbour/office", "harbour/archive", "town", "wire/modalities"];

/** Reading without searching. */
export async function recordReading(r: Recorder, people: People): Promise<void> {
  const readers: [string, SendOptions][] = [
    ["admin", { token: ADMIN }],
    ["reader", { token: READER }],
    ["wanderer", { token: people.wanderer }],
    ["localAdmin", { token: people.localAdmin }],
    ["free", { token: FREE }],
    ["superAdmin", { token: SUPER }],
    ["superAdmin in pro", { token: SUPER, headers: { "X-Svc-Namespace": "pro" } }],
  ];
  r.begin("scopes");
  for (const [name, reader] of readers) {
    await r.send("GET", "/v1/scopes", reader, name);
    for (const scope of SCOPES) {
      await r.send("GET", `/v1/context?scope=${encodeURIComponent(scope)}`, reader, name);
      await r.send("GET", `/v1/units?cursor=100000&scope=${encodeURIComponent(scope)}`, reader, name);
    }
    for (const scope of SMALL_SCOPES) await r.send("GET", `/v1/units?scope=${scope}`, { ...reader, storedTogether: true }, name);
    for (const scope of ["*", "harbour/ops/quay", "nowhere"]) {
      const headers = { ...reader.headers, "X-Svc-Scope": scope };
      await r.send("GET", "/v1/context?scope=town", { ...reader, headers }, `${name}, header and parameter`);
      await r.send("GET", `/v1/catalog/stats?scope=${encodeURIComponent(scope)}`, reader, name);
    }
    await r.send("GET", "/v1/catalog/stats", reader, name);
  }
  await recordPages(r, people);
  r.begin("single Units");
  for (const id of await unitsOf(r, ["harbour/ops/quay", "harbour/office", "town"], 4)) {
    for (const [name, reader] of readers) await r.send("GET", `/v1/units/${id}`, reader, name);
    await r.send("GET", `/v1/units/${id}?scope=harbour/office`);
  }
}

/** Ids of every `step`th Unit of these scopes, each of which fits a page. */
export async function unitsOf(r: Recorder, scopes: readonly string[], step: number): Promise<string[]> {
  const ids: string[] = [];
  for (const scope of scopes) {
    const { json } = await r.look("GET", `/v1/units?limit=100&scope=${scope}`);
    ids.push(...(json.units as { unit_id: string }[]).map(({ unit_id }) => unit_id).sort());
  }
  return ids.filter((_, at) => at % step === 0);
}

const PAGED_UNITS = 120;

/** Pages over Units that were stored one by one, each in a millisecond of its own, so that they have one order. */
async function recordPages(r: Recorder, people: People): Promise<void> {
  r.begin("pages");
  const token = people.wanderer;
  for (let at = 0; at < PAGED_UNITS; at += 1) {
    const acl_groups = at % 3 === 0 ? ["engineering"] : [];
    const units = [{ modality: "text", source_uri: `pages/${at}`, scope: "wire/pages", acl_groups }];
    await Bun.sleep(PAUSE_MS);
    await r.look("POST", "/v1/ingest", { token, body: { units } });
  }
  for (const [name, reader] of Object.entries({ wanderer: token, admin: ADMIN, stranger: people.stranger, superAdmin: SUPER })) {
    for (let cursor: number | null = 0; cursor !== null; ) {
      const { json } = await r.send("GET", `/v1/units?scope=wire/pages&limit=40&cursor=${cursor}`, { token: reader }, name);
      cursor = json.next_cursor;
    }
  }
  for (const query of [
    "",
    "&limit=100",
    "&limit=101",
    "&limit=100000&cursor=30",
    "&cursor=119",
    "&cursor=120",
    "&cursor=999999999999999",
    "&limit=1",
  ]) {
    await r.send("GET", `/v1/units?scope=wire/pages${query}`, { token });
  }
}

/** Rows of the chains, as each kind of reader sees them. */
export async function recordAudit(r: Recorder, people: People): Promise<void> {
  r.begin("audit");
  const readers: [string, SendOptions][] = [
    ["admin", { token: ADMIN }],
    ["reader", { token: READER }],
    ["auditor", { token: people.auditor }],
    ["localAdmin", { token: people.localAdmin }],
    ["pro", { token: PRO }],
    ["enterprise", { token: ENTERPRISE }],
    ["superAdmin in free", { token: SUPER, headers: { "X-Svc-Namespace": "free" } }],
  ];
  for (const [name, reader] of readers) {
    await r.send("GET", "/v1/audit/verify", reader, name);
    let cursor: number | null = 0;
    for (let page = 0; page < 3 && cursor !== null; page += 1) {
      const { json } = await r.send("GET", `/v1/audit?limit=50&cursor=${cursor}`, reader, name);
      cursor = json?.next_cursor ?? null;
    }
    await r.send("GET", "/v1/audit?limit=5&cursor=100000", reader, name);
  }
  await r.send("GET", "/v1/audit");
  for (let cursor: number | null = 150; cursor !== null; ) {
    const { json } = await r.send("GET", `/v1/audit?limit=100&cursor=${cursor}`, {}, "to the end");
    cursor = json.next_cursor;
  }
}

/** Sizes of batches, in order: the last ones fill what is left to the last Unit, whatever is there already. */
const QUOTA_BATCHES = [...Array(25).fill(1_000), 500, 200, 100, 50, 20, 20, 10, 5, 2, 2, 1, 1] as number[];

/** Fills the free tier, with Units that have nothing to embed. */
export async function recordQuota(r: Recorder): Promise<void> {
  r.begin("quota");
  const bare = (batch: number, count: number) =>
    Array.from({ length: count }, (_, at) => ({ modality: "chunk", source_uri: `quota/${batch}/${at}`, scope: "quota" }));
  for (const [batch, count] of QUOTA_BATCHES.entries()) await ingest(r, bare(batch, count), { token: FREE }, `${count} more`);
  await ingest(r, bare(0, 10), { token: FREE }, "what is there already");
  await ingest(r, bare(0, 10), { token: FREE, headers: { "Idempotency-Key": "full" } });
  await r.send("POST", "/v1/files?name=full.txt&scope=quota&wait=true", { token: FREE, body: "One more.", type: "text/plain" });
  for (const target of ["/v1/units?cursor=100000&scope=quota", "/v1/catalog/stats", "/v1/audit/verify"]) await r.send("GET", target, { token: FREE });
  await r.send("POST", "/v1/search", { token: FREE, body: { q: "turbine", top_k: 3 } });
}
