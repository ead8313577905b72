/** What validation says of every field of every body and query string. */
import { gzipSync } from "node:zlib";
import type { Recorder, SendOptions } from "./recorder.ts";

const MIB = 1024 * 1024;

export async function recordForms(r: Recorder): Promise<void> {
  await recordBodies(r);
  await recordIngestForms(r);
  await recordQueryForms(r);
  await recordFilterForms(r);
  await recordParameters(r);
}

async function recordBodies(r: Recorder): Promise<void> {
  r.begin("bodies");
  const utf8 = (...bytes: number[]) => Buffer.from([...Buffer.from('{"q":"'), ...bytes, ...Buffer.from('"}')]);
  const nested = (depth: number) => `${'{"x":'.repeat(depth)}1${"}".repeat(depth)}`;
  const cases: [string, SendOptions][] = [
    ...["{", '{"q":"a",}', "{'q':'a'}", "NaN", "{}{}", '{"q":"a"}//x', "  ", "[]", "null", "1", '"q"', "{}", ""].map(
      (body): [string, SendOptions] => [body, { body }],
    ),
    ...[
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/json5",
      "",
      "Application/JSON; charset=utf-8",
    ].map((type): [string, SendOptions] => [`as ${type}`, { body: '{"q":5}', type }]),
    ["without a type", { body: '{"q":5}', type: null }],
    ["gzip", { body: gzipSync('{"q":"a"}'), headers: { "Content-Encoding": "gzip" } }],
    ["gzip without saying so", { body: Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]) }],
    ["br", { body: "{}", headers: { "Content-Encoding": "br" } }],
    ["identity", { body: '{"q":5}', headers: { "Content-Encoding": "identity" } }],
    ["a stray continuation byte", { body: utf8(0x80) }],
    ["an overlong slash", { body: utf8(0xc0, 0xaf) }],
    ["a surrogate in UTF-8", { body: utf8(0xed, 0xa0, 0x80) }],
    ["UTF-16", { body: Buffer.from('{"q":"a"}', "utf16le") }],
    ["a byte order mark", { body: Buffer.from('\ufeff{"q":5}') }],
    ["a lone surrogate", { body: '{"q":"\\ud800"}' }],
    ["a lone low surrogate inside", { body: '{"x":{"y":["a\\udc00b"]}}' }],
    ["a lone surrogate in a name", { body: '{"x":{"\\ud800":1}}' }],
    ["NUL", { body: '{"q":"a\\u0000b"}' }],
    ["NUL in a name", { body: '{"a\\u0000":1}' }],
    ["a pointer with escapes", { body: '{"a/b~c":"\\u0000"}' }],
    ["a number that is infinite", { body: '{"q":"a","x":1e999}' }],
    ["a prototype", { body: '{"q":"a","x":{"__proto__":{"admin":true}}}' }],
    ["33 levels", { body: nested(33) }],
    ["300 levels", { body: nested(300) }],
    ["a length of 4 MiB and a byte", { body: "{}", length: 4 * MIB + 1 }],
    ["a length of 16 MiB and a byte", { body: "{}", length: 16 * MIB + 1 }],
    ["no body", {}],
    ["chunks", { body: '3\r\n{"q\r\n4\r\n":5}\r\n0\r\n\r\n', headers: { "Transfer-Encoding": "chunked" } }],
  ];
  for (const [what, options] of cases) {
    for (const target of ["/v1/search", "/v1/answer", "/v1/ingest", "/v1/session", "/v1/admin/tokens", "/v1/similar"]) {
      await r.send("POST", target, options, what);
    }
  }
  await r.send("POST", "/v1/session", { token: null, body: `{"token":"${"x".repeat(17_000)}"}` }, "17 KB");
  await r.send("POST", "/v1/search", { body: '{"q":', length: 100 }, "a body that stops half way");
}

const UNIT = { text: "valid", modality: "text", scope: "wire/forms" };

async function recordIngestForms(r: Recorder): Promise<void> {
  r.begin("fields of a Unit");
  const keys = (n: number) => Object.fromEntries(Array.from({ length: n }, (_, i) => [`k${i}`, i]));
  const long = (n: number) => "x".repeat(n);
  const time = (t_start_ms: unknown, t_end_ms?: unknown, more: object = {}) => ({ kind: "time_range", t_start_ms, t_end_ms, ...more });
  const box = (x: unknown, y: unknown, w: unknown, h?: unknown, more: object = {}) => ({ kind: "bbox", x, y, w, h, ...more });
  const fields: [string, unknown[]][] = [
    ["text", [5, null, "", [], {}, true]],
    ["modality", [undefined, null, "Text", "video", "", 1, ["text"]]],
    ["plane", ["video", "TEXT", "", null, 7]],
    ["scope", [5, null, "", "/a", "a/", "a//b", "a b", "ä", "a\\b", "a/*", "*", ".", "..", "a/..", long(65), "a/b/c/d/e/f/g/h/i", long(2_000)]],
    ["source_uri", [5, null, "", long(2_049)]],
    ["mime", [5, null, "", long(257)]],
    ["doc_id", [5, null, "", long(257)]],
    ["acl_owner", [5, null, "", long(257)]],
    ["path", ["x", null, {}, [], [5], [null], [""], [long(501)], Array(17).fill("x"), ["a\ud800"]]],
    ["acl_groups", ["ops", null, {}, Array.from({ length: 65 }, (_, i) => `g${i}`), [5], [null], [""], [long(257)]]],
    [
      "metadata",
      [
        "x",
        null,
        [],
        1,
        keys(65),
        { "a b": 1 },
        { "": 1 },
        { [long(65)]: 1 },
        { $gt: 1 },
        { k: null },
        { k: {} },
        { k: [1] },
        { k: long(2_049) },
        { k: Array(65).fill("x") },
      ],
    ],
    ["locator", ["x", null, [], {}, { kind: "page" }, { kind: 5 }, { kind: "toString" }]],
    ["locator", [time(-1, 1), time(0.5, 1), time(2, 1), time(0, 2 ** 53), time(0), time(0, 1, { x: 1 })]],
    ["locator", [box(1.1, 0, 0, 0), box("0", 0, 0, 0), box(0.6, 0, 0.5, 1), box(0, 0.6, 1, 0.5), box(0, 0, 1), box(0, 0, 1, 1, { page: 0 })]],
    [
      "locator",
      [
        { kind: "char_span", start: 5, end: 4 },
        { kind: "char_span", start: -1, end: 4 },
        { kind: "char_span", start: 0 },
      ],
    ],
    [
      "locator",
      [
        { kind: "line_range", start: 0, end: 4 },
        { kind: "line_range", start: 3, end: 2 },
        { kind: "line_range", start: "1", end: 2 },
      ],
    ],
  ];
  for (const [field, values] of fields) {
    for (const value of values) await r.send("POST", "/v1/ingest", { body: { units: [UNIT, { ...UNIT, [field]: value }] } }, field);
  }
  r.begin("batches");
  const big = "y".repeat(256 * 1024);
  const heavy = Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`k${i}`, "x".repeat(2_000)]));
  const bodies = [
    {},
    { units: null },
    { units: {} },
    { units: [] },
    { units: [UNIT, 1] },
    { units: [null] },
    { units: [UNIT, { modality: "text" }] },
  ];
  const large = [{ units: Array(1_001).fill(UNIT) }, { units: [{ ...UNIT, text: `${big}z` }] }, { units: [{ ...UNIT, metadata: heavy }] }];
  for (const body of [...bodies, ...large]) await r.send("POST", "/v1/ingest", { body });
  for (const key of ["", "x".repeat(129), "tab\there", "é"])
    await r.send("POST", "/v1/ingest", { body: { units: [UNIT] }, headers: { "Idempotency-Key": key } });
  for (const scope of ["a b", "/a", "", "a//b"]) {
    await r.send("POST", "/v1/ingest", { body: { units: [{ modality: "text", text: "x" }] }, headers: { "X-Svc-Scope": scope } }, "scope header");
  }
}

async function recordQueryForms(r: Recorder): Promise<void> {
  r.begin("fields of a query");
  const fields: [string, unknown[]][] = [
    ["q", [undefined, null, "", 5, [], {}, "x".repeat(4_097)]],
    ["top_k", [0, 51, -1, 1.5, "10", null, [], true, 1e300]],
    ["planes", [[], "text", null, {}, Array(17).fill("text"), ["text", "smell"], ["text", null], ["TEXT"]]],
    ["modalities", [[], "text", null, Array(33).fill("text"), ["smell"], [1]]],
    ["mode", ["semantic", "", null, 1, "HYBRID"]],
    ["doc_id", ["", 5, null, "x".repeat(257), ["a"]]],
    ["group_by", ["scope", "", null, true]],
    ["min_score", ["1", null, true, []]],
    ["rerank", ["true", 1, null]],
    ["answer", ["true", 1, null]],
    ["explain", ["true", 1, null]],
    ["filters", [[], "x", null, 1, true]],
  ];
  for (const [field, values] of fields) {
    for (const value of values) await r.send("POST", "/v1/search", { body: { q: "valid", [field]: value } }, field);
  }
  for (const answer of [undefined, false, "true", null]) await r.send("POST", "/v1/answer", { body: { q: "valid", answer } }, "answer");
  await r.send("POST", "/v1/answer", { body: { q: "valid", answer: true, top_k: 51 } }, "top_k of an answer");
  const similar = [{}, { unit_id: 1 }, { unit_id: "" }, { unit_id: "u", top_k: 0 }, { unit_id: "u", top_k: 51 }, { unit_id: "u", planes: [] }];
  for (const body of [...similar, { unit_id: "u", filters: { mime: { $where: "1" } } }]) await r.send("POST", "/v1/similar", { body }, "similar");
  for (const body of [{}, { token: "" }, { token: 5 }, { token: null }, { token: "x".repeat(513) }])
    await r.send("POST", "/v1/session", { token: null, body });
}

async function recordFilterForms(r: Recorder): Promise<void> {
  r.begin("filters that are none");
  const deep = (levels: number): object => (levels === 1 ? { doc_id: "a" } : { $not: deep(levels - 1) });
  const wide = (nodes: number) => ({ $or: Array.from({ length: nodes }, () => ({ doc_id: "a" })) });
  const fields = ["colour", "text", "acl_groups", "unit_id", "locator", "locator.x", "a/b~", "metadata", "metadata.", "metadata.a b", "constructor"];
  const filters: unknown[] = [
    ...fields.map((field) => ({ [field]: "red" })),
    ...[
      { $nor: [{}] },
      { $where: "1" },
      { $and: {} },
      { $and: [] },
      { $or: [] },
      { $or: [{}, 1] },
      { $not: [] },
      { $and: [{ $or: [{ colour: 1 }] }] },
    ],
    ...[{}, null, 5, ["text", 5], { $regex: "a" }, { eq: "a" }, { $gt: "a" }, { $in: "text" }, { $in: [null] }, { $exists: 1 }, { $prefix: "" }].map(
      (modality) => ({ modality }),
    ),
    ...[null, 5, {}, { $gt: "a" }, { $prefix: "" }, { $in: [5] }].map((path) => ({ path })),
    ...["2026", 1.5, { $gt: 2 ** 60 }, { $prefix: "1" }, { toString: 5 }].map((created_at) => ({ created_at })),
    ...[null, [{}], { $gt: "5" }, { hasOwnProperty: 5 }].map((value) => ({ "metadata.x": value })),
    { doc_id: { $in: Array(257).fill("a") } },
    deep(7),
    wide(70),
  ];
  for (const filter of filters) await r.send("POST", "/v1/search", { body: { q: "valid", filters: filter } });
}

async function recordParameters(r: Recorder): Promise<void> {
  r.begin("parameters");
  const limits = ["0", "-1", "abc", "1e3", "", "1.5", "0x10", "%205", "+5", "9".repeat(16)].map((value) => `limit=${value}`);
  const cursors = ["-1", "abc", "", "1.5", "null", "9".repeat(16)].map((value) => `cursor=${value}`);
  const broken = ["limit=1&cursor=x", "%", "%zz", "scope=%", "limit=1&x=%c0%af", "scope=%ff"];
  const fine = ["limit=1&limit=x", "limit=%31", "limit=1&x=1&y", "limit=0001", "limit=1&&"];
  for (const path of ["/v1/units", "/v1/audit"]) {
    for (const query of [...limits, ...cursors, ...broken, ...fine])
      await r.send("GET", `${path}?${query}`, { headers: { "X-Svc-Scope": "wire/pages" } });
  }
  for (const query of ["size=0", "size=x", "size=", "size=-1"]) await r.send("GET", `/v1/units/u_x/preview?${query}`);
  r.begin("tokens that cannot be");
  const base = { name: "x", principal_id: "x" };
  const many = (letter: string) => Array.from({ length: 65 }, (_, at) => `${letter}${at}`);
  const wrong = [
    { principal_id: "x" },
    { name: "x" },
    { ...base, name: "a b" },
    { ...base, name: "x".repeat(257) },
    { ...base, principal_id: "x\u001b[2J" },
  ];
  const lists = [
    { perms: ["root"] },
    { perms: "read" },
    { scopes: ["ok", "a//b"] },
    { scopes: ["../etc"] },
    { active_scope: "/" },
    { groups: ["a b"] },
  ];
  const others = [{ groups: many("g") }, { scopes: many("s") }, { read_only: "no" }, { scope: ["harbour/ops"] }, { super_admin: true }];
  for (const body of [...wrong, ...[...lists, ...others].map((fields) => ({ ...base, ...fields }))])
    await r.send("POST", "/v1/admin/tokens", { body });
}
