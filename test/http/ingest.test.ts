/** Ingest: defaults, identity, updates, scopes, rights, tiers, quota, atomicity, idempotency, concurrency. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import type { Answer, CallOptions, Harness } from "../support/harness.ts";
import { ADMIN, auditRows, brokenChains, FREE, hire, PRO, READER, SUPER, unitCount } from "../support/people.ts";
import { openSeeded, START_MS } from "../support/seeded.ts";
import { rowsOf } from "../support/rows.ts";

const HOUR_MS = 3_600_000;
type Sent = Record<string, unknown>;

let h: Harness;
let skew = 0;
let writer: string;
let serial = 0;

beforeAll(async () => {
  h = await openSeeded({ now: () => Date.now() + skew });
  writer = hire(h, "writer", { groups: ["ops", "night"] });
}, START_MS);

afterAll(async () => {
  await h.close();
});

const ingest = (units: Sent[], options: CallOptions = {}) => h.call("POST", "/v1/ingest", { ...options, body: { units } });
const get = (id: string, token = SUPER, namespace = "demo") => h.call("GET", `/v1/units/${id}`, { token, headers: { "x-svc-namespace": namespace } });
const code = ({ status, body }: Answer) => (status === 200 ? "200" : `${status} ${body.error}`);
/** A Unit without text: nothing to embed, so it costs little. */
const bare = (more: Sent = {}): Sent => ({ modality: "text", source_uri: `ingest/${serial++}`, ...more });
const counts = ({ body }: Answer) => [body.ingested, body.created, body.updated, body.unchanged];

async function stored(unit: Sent, options: CallOptions = {}): Promise<Answer["body"]> {
  const answer = await ingest([unit], options);
  expect(code(answer)).toBe("200");
  return (await get(answer.body.units[0].unit_id)).body;
}

// --- the identity, computed apart from the service ---------------------------------------------

/** RFC 8785 for what a Unit holds: members sorted by UTF-16 code units, no white space. */
function canonical(value: unknown): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`).join(",")}}`;
}

function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, "0")).join("");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => "abcdefghijklmnopqrstuvwxyz234567"[Number.parseInt(five.padEnd(5, "0"), 2)]).join("");
}

function identityOf(unit: Sent): string {
  const names = ["namespace", "scope", "acl_owner", "doc_id", "source_uri", "locator", "modality", "plane", "text"];
  const members = Object.fromEntries(names.map((name) => [name, unit[name] ?? null]));
  const identity = unit.path === undefined ? members : { ...members, path: unit.path };
  return `u_${base32(createHash("sha256").update(canonical(identity)).digest().subarray(0, 20))}`;
}

describe("defaults", () => {
  const PLANES: [string, string][] = [
    ["text", "text"],
    ["chunk", "text"],
    ["caption", "text"],
    ["log_template", "text"],
    ["ocr", "doc_visual"],
    ["doc_page", "doc_visual"],
    ["image", "visual"],
    ["image_region", "visual"],
    ["video_shot", "visual"],
    ["detection", "visual"],
    ["asr", "audio"],
    ["audio_utterance", "audio"],
  ];
  test.each(PLANES)("%s goes to %s, unless the Unit says otherwise", async (modality, plane) => {
    expect((await stored(bare({ modality, scope: "harbour" }))).plane).toBe(plane);
    for (const other of ["text", "visual", "audio", "doc_visual"])
      expect((await stored(bare({ modality, scope: "harbour", plane: other }))).plane).toBe(other);
  });

  test("the smallest Unit", async () => {
    const before = Date.now() + skew;
    const unit = await stored({ modality: "text", source_uri: "s3://smallest" }, { token: writer });
    expect(unit).toEqual({
      unit_id: identityOf({
        namespace: "demo",
        scope: "harbour/ops",
        acl_owner: "writer",
        source_uri: "s3://smallest",
        modality: "text",
        plane: "text",
      }),
      modality: "text",
      plane: "text",
      namespace: "demo",
      scope: "harbour/ops",
      source_uri: "s3://smallest",
      acl_owner: "writer",
      acl_groups: [],
      content_sha256: null,
      created_at: unit.created_at,
      updated_at: unit.created_at,
    });
    expect(unit.created_at).toBeGreaterThanOrEqual(before);
    expect(unit.created_at).toBeLessThan(before + 60_000);
  });

  test("every member comes back as it was sent", async () => {
    const text = 'Ünïcødé "quotes" \\ 😀\n\ttabs\u2028 and \u202e controls, e\u0301 is not é';
    const sent: Sent = {
      text,
      modality: "ocr",
      plane: "visual",
      scope: "harbour/ops/quay",
      source_uri: "s3://bucket/ä b?c#d'\"",
      mime: "image/png",
      doc_id: "doc '1'; --",
      path: ["The manual", 'Options of "x"', "--no-fonts > 1"],
      acl_owner: "somebody else",
      acl_groups: ["b", "a", "ops"],
      metadata: {
        z: 1,
        a: "x",
        "dotted.key-1_2": [],
        tags: ["q", "p", "q"],
        flag: false,
        none: "",
        tiny: -1.5e-7,
        zero: 0,
        constructor: "c",
        toString: "t",
      },
    };
    const unit = await stored(sent);
    expect(unit).toMatchObject({ ...sent, acl_groups: ["a", "b", "ops"], content_sha256: createHash("sha256").update(text).digest("hex") });
    expect(Object.keys(unit.metadata).length).toBe(10);
    expect(unit.unit_id).toBe(identityOf({ ...sent, namespace: "demo" }));
  });

  test("a path of no parts is none; its parts and their length have limits", async () => {
    const without = bare({ scope: "harbour" });
    const unit = await stored(without);
    expect((await stored({ ...without, path: [] })).unit_id).toBe(unit.unit_id);
    expect("path" in unit).toBe(false);
    expect((await stored({ ...without, path: Array.from({ length: 16 }, () => "x".repeat(500)) })).path).toHaveLength(16);
    const pointers: [unknown, string][] = [
      ["Title", "/units/0/path"],
      [Array.from({ length: 17 }, () => "x"), "/units/0/path"],
      [["Title", ""], "/units/0/path/1"],
      [["x".repeat(501)], "/units/0/path/0"],
      [[7], "/units/0/path/0"],
      [["a\0b"], "/units/0/path/0"],
    ];
    for (const [path, pointer] of pointers) {
      const refused = await ingest([{ ...without, path }]);
      expect([code(refused), refused.body.detail.includes(pointer)]).toEqual(["400 bad_request", true]);
    }
  });

  const LOCATORS: Sent[] = [
    { kind: "time_range", t_start_ms: 0, t_end_ms: 0 },
    { kind: "time_range", t_start_ms: 5, t_end_ms: Number.MAX_SAFE_INTEGER },
    { kind: "bbox", x: 0, y: 0, w: 1, h: 1 },
    { kind: "bbox", page: 3, x: 0.1, y: 0.2, w: 0.9, h: 0.8 },
    { kind: "char_span", start: 0, end: 0 },
    { kind: "char_span", start: 7, end: 9 },
    { kind: "line_range", start: 1, end: 1 },
  ];
  test.each(LOCATORS)("locator %j", async (locator) => {
    const sent = bare({ locator, scope: "harbour", modality: "text" });
    const unit = await stored(sent);
    expect(unit.locator).toEqual(locator);
    expect(unit.unit_id).toBe(identityOf({ ...sent, namespace: "demo", acl_owner: "demo-admin", plane: "text" }));
    const found = await h.call("GET", `/v1/units?limit=100&scope=harbour`);
    expect(found.status).toBe(200);
  });

  test("the order of a locator's members is nobody's business", async () => {
    const one = bare({ scope: "harbour", locator: { kind: "bbox", x: 0, y: 0.5, w: 0.25, h: 0.25, page: 1 } });
    const other = { ...one, locator: { page: 1, h: 0.25, w: 0.25, y: 0.5, x: 0, kind: "bbox" } };
    const [a, b] = [await ingest([one]), await ingest([other])];
    expect([b.body.units[0].unit_id, b.body.units[0].status]).toEqual([a.body.units[0].unit_id, "unchanged"]);
  });

  test("a unit_id, and other members that are none, are ignored", async () => {
    const sent = bare({
      scope: "harbour",
      unit_id: "u_mine",
      namespace: "pro",
      created_at: 1,
      updated_at: 1,
      content_sha256: "x",
      uid: 1,
      version: 9,
      classId: 3,
      score: 1,
    });
    const unit = await stored(sent);
    expect(unit.unit_id).toBe(identityOf({ ...sent, namespace: "demo", acl_owner: "demo-admin", plane: "text" }));
    expect(unit.namespace).toBe("demo");
    expect(unit.created_at).toBeGreaterThan(1);
  });
});

describe("the same again", () => {
  test("is unchanged, keeps its times, and costs nothing", async () => {
    const unit = { text: "a heron at the sluice", modality: "text", scope: "harbour", acl_groups: ["ops", "hr"] };
    const first = await ingest([unit]);
    const before = (await get(first.body.units[0].unit_id)).body;
    skew += 1_000;
    const again = await ingest([{ ...unit, acl_groups: ["hr", "ops", "hr"] }]);
    expect(counts(first)).toEqual([1, 1, 0, 0]);
    expect(counts(again)).toEqual([1, 0, 0, 1]);
    expect((await get(first.body.units[0].unit_id)).body).toEqual(before);
  });

  const CHANGES: [string, Sent][] = [
    ["acl_groups", { acl_groups: ["finance"] }],
    ["mime", { mime: "text/markdown" }],
    ["metadata", { metadata: { colour: "teal" } }],
    ["metadata in another order is the same", {}],
    ["nothing at all: what is absent is removed", { acl_groups: undefined, mime: undefined, metadata: undefined }],
  ];
  test.each(CHANGES)("with other %s", async (name, change) => {
    const base: Sent = {
      text: `the lock gate moved, ${name}`,
      modality: "text",
      scope: "harbour",
      acl_groups: ["ops"],
      mime: "text/plain",
      metadata: { b: 2, a: 1 },
    };
    const before = (await get((await ingest([base])).body.units[0].unit_id)).body;
    skew += 1_000;
    const same = Object.keys(change).length === 0;
    const answer = await ingest([{ ...base, metadata: { a: 1, b: 2 }, ...change }]);
    expect(counts(answer)).toEqual(same ? [1, 0, 0, 1] : [1, 0, 1, 0]);
    const after = (await get(before.unit_id)).body;
    const changed = Object.fromEntries(Object.keys(change).map((key) => [key, change[key] ?? (key === "acl_groups" ? [] : undefined)]));
    expect({ ...after, updated_at: 0 }).toEqual(JSON.parse(JSON.stringify({ ...before, ...changed, updated_at: 0 })));
    expect(after.updated_at > before.updated_at).toBe(!same);
  });

  test("an update of the groups reaches search at once, in every mode", async () => {
    const unit = { text: "the quartermaster counted eleven brass capstans", modality: "text", scope: "harbour/ops", acl_groups: ["finance"] };
    const modes = ["hybrid", "vector", "fulltext"];
    const seen = async () => {
      const q = "eleven brass capstans";
      const answers = await Promise.all(modes.map((mode) => h.call("POST", "/v1/search", { token: READER, body: { q, mode, top_k: 1 } })));
      return answers.map(({ body }) => body.hits[0]?.text === unit.text);
    };
    await ingest([unit]);
    expect(await seen()).toEqual([false, false, false]);
    await ingest([{ ...unit, acl_groups: ["ops"] }]);
    expect(await seen()).toEqual([true, true, true]);
    await ingest([{ ...unit, acl_groups: ["hr"] }]);
    expect(await seen()).toEqual([false, false, false]);
  });

  test("twice in one batch is once, and the last one counts", async () => {
    const unit = bare({ scope: "harbour", mime: "a/a" });
    const before = await unitCount(h);
    const answer = await ingest([unit, unit, { ...unit, mime: "b/b" }, bare({ scope: "harbour" })]);
    expect(answer.body.units.map(({ index, status }: { index: number; status: string }) => [index, status])).toEqual([
      [0, "created"],
      [1, "unchanged"],
      [2, "updated"],
      [3, "created"],
    ]);
    expect(counts(answer)).toEqual([4, 2, 1, 1]);
    expect(await unitCount(h)).toBe(before + 2);
    expect((await get(answer.body.units[0].unit_id)).body.mime).toBe("b/b");
  });

  test("with text, twice in one batch, is one hit", async () => {
    const unit = { text: "an albatross named Ferdinand", modality: "text", scope: "harbour" };
    expect(counts(await ingest([unit, unit, { ...unit, metadata: { n: 1 } }]))).toEqual([3, 1, 1, 1]);
    const { body } = await h.call("POST", "/v1/search", { body: { q: "albatross Ferdinand", top_k: 50 } });
    const hits = body.hits.filter((hit: { text?: string }) => hit.text === unit.text);
    expect(hits.map((hit: { metadata: unknown }) => hit.metadata)).toEqual([{ n: 1 }]);
  });
});

describe("what is found", () => {
  test.each(["hybrid", "vector", "fulltext"])("a Unit is found by the very next request (%s)", async (mode) => {
    for (let round = 0; round < 3; round += 1) {
      const text = `the ${mode} cormorant dived ${["once", "twice", "thrice"][round]} near buoy ${round}`;
      const made = await ingest([{ text, modality: "text", scope: "harbour" }]);
      const { body } = await h.call("POST", "/v1/search", { body: { q: text, mode, top_k: 1 } });
      expect(body.hits[0].unit_id).toBe(made.body.units[0].unit_id);
    }
  });

  describe("a long text", () => {
    const filler = (from: number, sentences: number) =>
      Array.from(
        { length: sentences },
        (_, i) => `On day ${from + i} the pump in shed ${(from + i) % 7} ran for ${(from + i) * 3} minutes and nothing else was noted.`,
      ).join(" ");
    const NEEDLE = "The violet octopus stole the harbour master's spectacles and hid them behind the tide gauge.";
    const LONG = `${filler(0, 60)} ${NEEDLE} ${filler(60, 60)}`;
    const Q = "violet octopus stole the spectacles";
    let id = "";

    beforeAll(async () => {
      const made = await ingest([{ text: LONG, modality: "doc_page", scope: "harbour/ops", doc_id: "long-1" }]);
      id = made.body.units[0].unit_id;
    });

    test.each(["hybrid", "vector", "fulltext"])("is one hit, shown where it matches (%s)", async (mode) => {
      const { body } = await h.call("POST", "/v1/search", { body: { q: Q, mode, top_k: 50, explain: true } });
      const hits = body.hits.filter((hit: { unit_id: string }) => hit.unit_id === id);
      expect(hits.length).toBe(1);
      expect(body.hits[0].unit_id).toBe(id);
      const [hit] = hits;
      expect(hit.text).toBe(LONG);
      expect(hit.snippet).toContain("violet octopus");
      expect(hit.snippet.length).toBeLessThanOrEqual(400);
      expect(LONG).toContain(hit.snippet);
      if (mode === "fulltext") return;
      const shown = LONG.slice(hit.explain.window.start, hit.explain.window.end);
      expect(shown).toContain("violet octopus");
      expect(shown.length).toBeLessThan(LONG.length / 2);
    });

    test("has its windows in the text, also behind a path", async () => {
      const path = ["A".repeat(80), "The log of the harbour", "Curiosities"];
      await ingest([{ text: LONG, modality: "doc_page", scope: "harbour/ops", doc_id: "long-2", path }]);
      const { body } = await h.call("POST", "/v1/search", { body: { q: Q, mode: "vector", top_k: 50, explain: true, doc_id: "long-2" } });
      const [hit] = body.hits;
      expect([hit.path, hit.text]).toEqual([path, LONG]);
      const shown = LONG.slice(hit.explain.window.start, hit.explain.window.end);
      expect(shown).toContain(NEEDLE);
      // Windows begin and end between sentences.
      expect(shown).toMatch(/^(?:On day|The violet) .* (?:noted|gauge)\.$/s);
    });

    test("counts as one Unit and several vectors", async () => {
      const { body } = await h.call("GET", "/v1/catalog/stats?scope=harbour/ops", { token: SUPER });
      const plane = body.planes.find((one: { plane: string }) => one.plane === "doc_visual");
      const listed = await h.call("POST", "/v1/search", {
        token: SUPER,
        body: { q: "x", filters: { plane: "doc_visual" }, top_k: 50 },
        headers: { "x-svc-scope": "harbour/ops" },
      });
      expect(plane.vectors).toBeGreaterThan(listed.body.hits.length);
      expect(plane.lag).toBe(0);
    });
  });

  test("256 KiB of text is taken, to the byte", async () => {
    const text = `${"é".repeat(64)}${" ".repeat(256 * 1024 - 128)}`;
    expect(Buffer.byteLength(text)).toBe(256 * 1024);
    expect((await stored({ text, modality: "text", scope: "harbour" })).text).toBe(text);
  });

  test("a Unit with only a source is listed and got, and never a hit", async () => {
    const made = await ingest([{ modality: "image", source_uri: "s3://lighthouse-keeper.jpg", scope: "harbour/lamp" }]);
    const id = made.body.units[0].unit_id;
    const listed = await h.call("GET", "/v1/units?scope=harbour/lamp");
    expect(listed.body.units.map((unit: { unit_id: string }) => unit.unit_id)).toEqual([id]);
    const { body } = await h.call("POST", "/v1/search", { body: { q: "lighthouse keeper" }, headers: { "x-svc-scope": "harbour/lamp" } });
    expect([body.hits, body.hidden_by_acl]).toEqual([[], 0]);
  });
});

describe("scopes", () => {
  const where = async (options: CallOptions, path: string, unit: Sent) => {
    const answer = await h.call("POST", path, { ...options, body: { units: [unit] } });
    return answer.status === 200 ? (await get(answer.body.units[0].unit_id)).body.scope : code(answer);
  };
  const header = (scope: string) => ({ "x-svc-scope": scope });
  const CASES: [string, () => Promise<string>, string][] = [
    [
      "header over query over Unit",
      () => where({ headers: header("harbour/a") }, "/v1/ingest?scope=harbour/b", bare({ scope: "harbour/c" })),
      "harbour/a",
    ],
    ["query over Unit", () => where({}, "/v1/ingest?scope=harbour/b", bare({ scope: "harbour/c" })), "harbour/b"],
    ["Unit over the active scope", () => where({ token: writer }, "/v1/ingest", bare({ scope: "harbour/ops/quay" })), "harbour/ops/quay"],
    ["the active scope", () => where({ token: writer }, "/v1/ingest", bare()), "harbour/ops"],
    ["an active scope of all: the default one", () => where({}, "/v1/ingest", bare()), "default"],
    ["* leaves it to the Unit", () => where({ headers: header("*") }, "/v1/ingest", bare({ scope: "harbour/c" })), "harbour/c"],
    ["* falls back to the active scope", () => where({ token: writer, headers: header("*") }, "/v1/ingest", bare()), "harbour/ops"],
    ["* never widens", () => where({ token: writer, headers: header("*") }, "/v1/ingest", bare({ scope: "town" })), "403 forbidden"],
    ["another's scope", () => where({ token: writer }, "/v1/ingest", bare({ scope: "town" })), "403 forbidden"],
    [
      "another's scope in the header, a good one in the Unit",
      () => where({ token: writer, headers: header("town") }, "/v1/ingest", bare({ scope: "harbour/ops" })),
      "403 forbidden",
    ],
    ["the parent of one's own", () => where({ token: writer }, "/v1/ingest", bare({ scope: "harbour" })), "403 forbidden"],
    ["a neighbour with the same beginning", () => where({ token: writer }, "/v1/ingest", bare({ scope: "harbour/opsx" })), "403 forbidden"],
    ["climbing out of one's own", () => where({ token: writer }, "/v1/ingest", bare({ scope: "harbour/ops/../office" })), "400 bad_request"],
    ["another case", () => where({ token: writer }, "/v1/ingest", bare({ scope: "Harbour/ops" })), "403 forbidden"],
    ["an unknown scope of nobody's", () => where({ token: writer }, "/v1/ingest", bare({ scope: "nowhere" })), "403 forbidden"],
  ];
  test.each(CASES)("%s", async (_name, run, expected) => {
    expect(await run()).toBe(expected);
  });

  test("new scopes are registered with their parents", async () => {
    skew += 5_000;
    const before = Date.now() + skew;
    expect(code(await ingest([bare({ scope: "harbour/ops/new/deep/er" })], { token: writer }))).toBe("200");
    const { body } = await h.call("GET", "/v1/scopes", { token: writer });
    const fresh = body.scopes.filter(({ scope }: { scope: string }) => scope.startsWith("harbour/ops/new"));
    expect(fresh.map((entry: { scope: string; parent: string }) => [entry.scope, entry.parent])).toEqual([
      ["harbour/ops/new", "harbour/ops"],
      ["harbour/ops/new/deep", "harbour/ops/new"],
      ["harbour/ops/new/deep/er", "harbour/ops/new/deep"],
    ]);
    for (const entry of fresh) {
      expect(entry).toMatchObject({ namespace: "demo", read_only_agents: false, planes: ["text", "visual", "audio", "doc_visual"] });
      expect(entry.created_at).toBeGreaterThanOrEqual(before);
    }
    const { body: context } = await h.call("GET", "/v1/context?scope=harbour/ops/new", { token: writer });
    expect(context.effective_scopes).toEqual(["harbour/ops/new", "harbour/ops/new/deep", "harbour/ops/new/deep/er"]);
  });

  test("a refused batch registers none", async () => {
    const registry = (await h.call("GET", "/v1/scopes")).text;
    expect(code(await ingest([bare({ scope: "harbour/ops/refused" }), bare({ scope: "town" })], { token: writer }))).toBe("403 forbidden");
    expect(code(await ingest([bare({ scope: "harbour/ops/refused" }), { modality: "text" }], { token: writer }))).toBe("400 bad_request");
    expect((await h.call("GET", "/v1/scopes")).text).toBe(registry);
  });
});

describe("rights", () => {
  const asWriter = { token: "" };
  beforeAll(() => {
    asWriter.token = writer;
  });
  const CASES: [string, Sent, string, string | null][] = [
    ["own groups", { acl_groups: ["ops"] }, "200", null],
    ["all own groups", { acl_groups: ["night", "ops"] }, "200", null],
    ["no group", { acl_groups: [] }, "200", null],
    ["itself as owner", { acl_owner: "writer" }, "200", null],
    ["another owner", { acl_owner: "demo-admin" }, "403 forbidden", "/units/1/acl_owner"],
    ["an owner nobody knows", { acl_owner: "ghost" }, "403 forbidden", "/units/1/acl_owner"],
    ["a foreign group", { acl_groups: ["finance"] }, "403 forbidden", "/units/1/acl_groups/0"],
    ["a foreign group among own", { acl_groups: ["ops", "finance"] }, "403 forbidden", "/units/1/acl_groups/1"],
    ["a group by another case", { acl_groups: ["OPS"] }, "403 forbidden", "/units/1/acl_groups/0"],
  ];
  test.each(CASES)("a writer: %s", async (_name, more, expected, pointer) => {
    const answer = await ingest([bare(), bare(more)], asWriter);
    expect(code(answer)).toBe(expected);
    if (pointer !== null) expect(answer.body.detail.split(": ")[0]).toBe(pointer);
  });

  test("an admin and the super-admin may name anybody", async () => {
    for (const token of [ADMIN, SUPER]) {
      const unit = await stored(bare({ scope: "harbour", acl_owner: "ghost", acl_groups: ["nobody", "else"] }), { token });
      expect([unit.acl_owner, unit.acl_groups]).toEqual(["ghost", ["else", "nobody"]]);
    }
    expect((await stored(bare({ scope: "harbour" }), { token: SUPER })).acl_owner).toBe("super-admin");
  });

  test("admin of a tier without it is no admin: Pro writes for itself alone", async () => {
    expect(code(await ingest([bare({ scope: "harbour", acl_owner: "ghost" })], { token: PRO }))).toBe("403 forbidden");
    expect(code(await ingest([bare({ scope: "harbour", acl_groups: ["ops"] })], { token: PRO }))).toBe("200");
  });

  test("nobody updates what another owns by sending it again", async () => {
    const unit = bare({ scope: "harbour/ops", acl_groups: ["ops"] });
    const mine = await ingest([unit]);
    const theirs = await ingest([unit], asWriter);
    expect(theirs.body.units[0].status).toBe("created");
    expect(theirs.body.units[0].unit_id).not.toBe(mine.body.units[0].unit_id);
  });

  test("read_only_agents coerces tokens below it too", async () => {
    const token = hire(h, "agent", { scopes: ["harbour"], active_scope: "harbour" });
    expect(code(await ingest([bare({ scope: "harbour/archive" })], { token }))).toBe("403 forbidden");
    expect(code(await ingest([bare({ scope: "harbour/archive/2019/new" })], { token }))).toBe("403 forbidden");
    expect(code(await ingest([bare({ scope: "harbour/office" })], { token }))).toBe("200");
    expect(code(await ingest([bare({ scope: "harbour/archive" })]))).toBe("200");
    expect(code(await ingest([bare({ scope: "harbour/archive" })], { token: SUPER }))).toBe("200");
  });
});

describe("tiers", () => {
  test.each(["image", "detection", "asr", "audio_utterance"])("Free has no plane for %s", async (modality) => {
    const before = await unitCount(h, "free");
    const answer = await ingest([bare({ scope: "harbour" }), bare({ modality, scope: "harbour" })], { token: FREE });
    expect([code(answer), answer.body.detail.split(": ")[0]]).toEqual(["402 upgrade_required", "/units/1/plane"]);
    expect(await unitCount(h, "free")).toBe(before);
  });

  test("the plane decides, not the modality", async () => {
    expect(code(await ingest([bare({ modality: "asr", plane: "text", scope: "harbour" })], { token: FREE }))).toBe("200");
    expect(code(await ingest([bare({ modality: "text", plane: "audio", scope: "harbour" })], { token: FREE }))).toBe("402 upgrade_required");
    expect(code(await ingest([bare({ modality: "ocr", scope: "harbour" })], { token: FREE }))).toBe("200");
    expect(code(await ingest([bare({ modality: "asr", scope: "harbour" })], { token: PRO }))).toBe("200");
  });

  test("Free holds 25,000 documents, and refuses a batch that would cross it whole", async () => {
    const CAP = 25_000;
    const { catalog, ledger } = rowsOf(await h.app.tenant({ namespace: "free", tier: "free" }));
    const draft = {
      namespace: "free",
      scope: "harbour",
      acl_owner: "free-owner",
      acl_groups: [] as string[],
      doc_id: null,
      path: null,
      mime: null,
      metadata: null,
      locator: null,
      text: null,
    };
    const fill = (to: number) =>
      ledger.transact(() => {
        for (let n = catalog.unitCount(); n < to; n += 1) {
          catalog.upsert({ ...draft, modality: "text", plane: "text", source_uri: `fill/${n}`, unit_id: `u_fill${n}` }, 0);
        }
      });
    fill(CAP - 4);
    const known = bare({ scope: "harbour" });
    const send = (units: Sent[]) => ingest(units, { token: FREE });
    expect(code(await send([known]))).toBe("200");
    const fresh = Array.from({ length: 4 }, () => bare({ scope: "harbour" }));
    const two = fresh.slice(0, 2);
    expect(code(await send(fresh))).toBe("402 quota_exceeded");
    expect(await unitCount(h, "free")).toBe(CAP - 3);
    expect((await auditRows(h, "free", 1))[0]).toMatchObject({ action: "ingest", outcome: "denied", detail: { error: "quota_exceeded" } });
    // Quota comes last: a bad batch is bad first.
    expect(code(await send([...fresh, { modality: "text", scope: "harbour" }]))).toBe("400 bad_request");
    expect(code(await send([...fresh, bare({ modality: "asr", scope: "harbour" })]))).toBe("402 upgrade_required");
    // Known Units and repeats take no room.
    expect(code(await send([...two, ...two, ...two, known, known]))).toBe("200");
    expect(await unitCount(h, "free")).toBe(CAP - 1);
    // Five race for the last place: one wins.
    const race = await Promise.all(Array.from({ length: 5 }, () => send([bare({ scope: "harbour" })])));
    expect(race.map(code).sort()).toEqual(["200", ...Array(4).fill("402 quota_exceeded")]);
    expect(await unitCount(h, "free")).toBe(CAP);
    expect(code(await send(fresh.slice(2, 3)))).toBe("402 quota_exceeded");
    expect(code(await send([known, { ...known, mime: "x/y" }]))).toBe("200");
    expect(code(await ingest([bare({ scope: "harbour" })], { token: SUPER, headers: { "x-svc-namespace": "free" } }))).toBe("402 quota_exceeded");
    // Searching goes on.
    expect((await h.call("POST", "/v1/search", { token: FREE, body: { q: "turbine" } })).status).toBe(200);
  });
});

describe("a batch is judged whole", () => {
  const REFUSED: Record<string, Sent[]> = {
    "403 forbidden": [
      bare({ scope: "town" }),
      bare({ scope: "harbour", acl_owner: "ghost" }),
      bare({ scope: "harbour", acl_groups: ["finance"] }),
      { scope: "town" },
      { acl_groups: ["finance"], metadata: { nested: {} } },
    ],
    "402 upgrade_required": [
      bare({ scope: "harbour", modality: "asr" }),
      bare({ scope: "harbour", plane: "visual" }),
      { scope: "harbour", plane: "audio", text: 5 },
      { scope: "/no path", modality: "image" },
    ],
    "400 bad_request": [
      bare({ scope: "harbour", modality: "nonsense" }),
      bare({ scope: "/no path" }),
      bare({ scope: "harbour", text: "a NUL \0" }),
      bare({ scope: "harbour", locator: { kind: "line_range", start: 9, end: 1 } }),
      { scope: "harbour", modality: "text" },
    ],
  };
  const [forbidden, upgrade, malformed] = Object.values(REFUSED) as [Sent[], Sent[], Sent[]];
  let token: string;
  beforeAll(() => {
    token = hire(h, "free-writer", { namespace: "free", scopes: ["harbour"], active_scope: "harbour" });
  });
  const good = () => bare({ scope: "harbour" });
  const orders = <T>(list: readonly T[]): T[][] =>
    list.length < 2 ? [[...list]] : list.flatMap((first, at) => orders(list.toSpliced(at, 1)).map((rest) => [first, ...rest]));

  test.each(Object.entries(REFUSED).flatMap(([expected, units]) => units.map((unit) => [expected, JSON.stringify(unit), unit] as const)))(
    "alone, it is %s: %s",
    async (expected, _shown, unit) => {
      expect(code(await ingest([good(), unit], { token }))).toBe(expected);
    },
  );

  test("permission first, then tier, then form, in whatever order the Units come", async () => {
    const before = await unitCount(h, "free");
    for (let round = 0; round < 5; round += 1) {
      const of = (list: Sent[]) => list[round % list.length] as Sent;
      for (const units of orders([of(forbidden), of(upgrade), of(malformed)])) {
        expect(code(await ingest([good(), ...units], { token }))).toBe("403 forbidden");
      }
      for (const units of orders([of(upgrade), of(malformed)])) {
        expect(code(await ingest([good(), ...units, good()], { token }))).toBe("402 upgrade_required");
      }
    }
    expect(await unitCount(h, "free")).toBe(before);
  });

  test("and the form of the rest of the request after them", async () => {
    const keyed = (units: Sent[]) => ingest(units, { token, headers: { "idempotency-key": "" } });
    expect(code(await keyed([forbidden[0] as Sent]))).toBe("403 forbidden");
    expect(code(await keyed([upgrade[0] as Sent]))).toBe("402 upgrade_required");
    expect(code(await keyed([good()]))).toBe("400 bad_request");
  });

  test("a refusal of permission is one row, whatever else is wrong", async () => {
    const before = (await auditRows(h, "free", 1))[0]?.seq ?? 0;
    await ingest([malformed[0] as Sent, forbidden[0] as Sent], { token });
    const rows = (await auditRows(h, "free")).filter(({ seq }) => seq > before);
    expect(rows).toMatchObject([{ principal_id: "free-writer", action: "ingest", outcome: "denied", detail: { error: "forbidden" } }]);
  });
});

describe("atomicity", () => {
  const GOOD = () => bare({ scope: "harbour/ops" });
  const BAD: [string, Sent, string][] = [
    ["a bad member", { modality: "nonsense", source_uri: "x" }, "400 bad_request"],
    ["an impossible locator", bare({ locator: { kind: "line_range", start: 9, end: 1 } }), "400 bad_request"],
    ["a foreign scope", bare({ scope: "town" }), "403 forbidden"],
    ["a foreign group", bare({ acl_groups: ["finance"] }), "403 forbidden"],
    ["nothing in it", { modality: "text" }, "400 bad_request"],
  ];
  test.each(BAD)("a batch with %s at its end leaves nothing", async (_name, bad, expected) => {
    const before = [await unitCount(h), (await h.call("GET", "/v1/scopes")).text];
    const answer = await ingest([...Array.from({ length: 50 }, GOOD), bad], { token: writer });
    expect(code(answer)).toBe(expected);
    expect([await unitCount(h), (await h.call("GET", "/v1/scopes")).text]).toEqual(before);
  });

  test("a whole batch of 1,000", async () => {
    const before = await unitCount(h);
    const answer = await ingest(Array.from({ length: 1_000 }, GOOD), { token: writer });
    expect(counts(answer)).toEqual([1000, 1000, 0, 0]);
    expect(answer.body.units.map(({ index }: { index: number }) => index)).toEqual(Array.from({ length: 1_000 }, (_, index) => index));
    expect(await unitCount(h)).toBe(before + 1_000);
    expect((await auditRows(h, "demo", 1))[0]).toMatchObject({
      seq: answer.body.audit_seq,
      action: "ingest",
      outcome: "ok",
      principal_id: "writer",
      scope: "harbour/ops",
      detail: { created: 1000 },
    });
  });

  test("audit_seq names the row; digests, not content", async () => {
    const answer = await ingest([{ text: "a secret recipe for eel", modality: "text", scope: "harbour" }, bare({ scope: "town" })]);
    const row = (await auditRows(h, "demo", 1))[0];
    expect(row).toMatchObject({ seq: answer.body.audit_seq, scope: null, detail: { ingested: 2, created: 2, updated: 0, unchanged: 0 } });
    expect(JSON.stringify(row)).not.toContain("eel");
  });
});

describe("Idempotency-Key", () => {
  const send = (key: string, units: Sent[], options: CallOptions = {}) =>
    ingest(units, { ...options, headers: { ...options.headers, "idempotency-key": key } });

  test("the same key and body replay the stored answer", async () => {
    const units = [bare({ scope: "harbour/ops" }), bare({ scope: "harbour/ops" })];
    const first = await send("replay", units);
    const rows = await auditRows(h, "demo", 1);
    const again = await send("replay", units);
    expect(again.text).toBe(first.text);
    expect(again.body.created).toBe(2);
    expect(await auditRows(h, "demo", 1)).toEqual(rows);
    const reordered = units.map((unit) => Object.fromEntries(Object.entries(unit).reverse()));
    expect((await send("replay", reordered)).text).toBe(first.text);
  });

  test("another body is a conflict, and so is another scope", async () => {
    const units = [bare({ scope: "harbour/ops" })];
    await send("conflict", units);
    const before = await unitCount(h);
    expect(code(await send("conflict", [bare({ scope: "harbour/ops" })]))).toBe("409 conflict");
    expect(code(await send("conflict", [...units, ...units]))).toBe("409 conflict");
    expect(code(await send("conflict", units, { headers: { "x-svc-scope": "harbour/ops/quay" } }))).toBe("409 conflict");
    expect(await unitCount(h)).toBe(before);
    expect(code(await send("conflict", units))).toBe("200");
  });

  test("principals and namespaces do not meet", async () => {
    const [mine, theirs] = [[bare({ scope: "harbour/ops" })], [bare({ scope: "harbour/ops" })]];
    expect(code(await send("shared", mine))).toBe("200");
    expect(code(await send("shared", theirs, { token: writer }))).toBe("200");
    expect(code(await send("shared", theirs, { token: PRO }))).toBe("200");
    expect(code(await send("shared", mine, { token: SUPER }))).toBe("200");
    expect(code(await send("shared", theirs, { token: SUPER, headers: { "x-svc-namespace": "pro" } }))).toBe("200");
  });

  test("a refused request uses no key up", async () => {
    expect(code(await send("refused", [bare({ scope: "town" })], { token: writer }))).toBe("403 forbidden");
    expect(code(await send("refused", [{ modality: "text" }], { token: writer }))).toBe("400 bad_request");
    expect(code(await send("refused", [bare()], { token: writer }))).toBe("200");
  });

  test("it lasts 24 hours", async () => {
    const units = [bare({ scope: "harbour/ops" })];
    const first = await send("day", units);
    skew += 24 * HOUR_MS - 60_000;
    expect((await send("day", units)).text).toBe(first.text);
    skew += 120_000;
    const later = await send("day", units);
    expect(counts(later)).toEqual([1, 0, 0, 1]);
    expect(later.body.audit_seq).toBeGreaterThan(first.body.audit_seq);
    skew += 24 * HOUR_MS + 60_000;
    expect(code(await send("day", [bare({ scope: "harbour/ops" })]))).toBe("200");
  });

  test.each(["k", "x".repeat(128), "!\"#$%&'()*+,-./:;<=>?@[]^_`{|}~"])("%p is a key", async (key) => {
    const units = [bare({ scope: "harbour/ops" })];
    const first = await send(key, units);
    expect(first.status).toBe(200);
    expect((await send(key, units)).text).toBe(first.text);
  });

  test("a blank is no key: headers are trimmed on their way", async () => {
    expect(code(await send(" ", [bare({ scope: "harbour/ops" })]))).toBe("400 bad_request");
  });

  test("ten at once are one", async () => {
    const units = [bare({ scope: "harbour/ops" }), { text: "ten anglers at once", modality: "text", scope: "harbour/ops" }];
    const before = (await auditRows(h, "demo", 1))[0]?.seq ?? 0;
    const answers = await Promise.all(Array.from({ length: 10 }, () => send("at once", units)));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await auditRows(h, "demo", 1))[0]?.seq).toBe(before + 1);
  });
});

describe("at the same time", () => {
  test("30 callers with overlapping batches: each Unit is created once, the chain has one row each", async () => {
    const pool = Array.from({ length: 20 }, (_, i) => ({ text: `overlap number ${i}`, modality: "text", scope: "harbour/ops" }));
    const before = await unitCount(h);
    const batches = Array.from({ length: 30 }, (_, i) => pool.filter((_unit, j) => (i + j) % 3 !== 0));
    const answers = await Promise.all(batches.map((units) => ingest(units)));
    expect(answers.map(code)).toEqual(Array(30).fill("200"));
    expect(answers.reduce((sum, { body }) => sum + body.created, 0)).toBe(20);
    expect(await unitCount(h)).toBe(before + 20);
    expect(new Set(answers.map(({ body }) => body.audit_seq)).size).toBe(30);
    const { body } = await h.call("POST", "/v1/search", { body: { q: "overlap number", mode: "fulltext", top_k: 50 } });
    expect(body.hits.filter((hit: { text: string }) => hit.text.startsWith("overlap number")).length).toBe(20);
  });

  test("good and bad batches together: the bad ones fail alone", async () => {
    const before = await unitCount(h);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        ingest([bare({ scope: "harbour/ops" }), bare({ scope: i % 2 ? "town" : `harbour/ops/mixed${i}` })], { token: writer }),
      ),
    );
    expect(answers.map(code)).toEqual(Array.from({ length: 20 }, (_, i) => (i % 2 ? "403 forbidden" : "200")));
    expect(await unitCount(h)).toBe(before + 20);
  });

  test("updates of one Unit in a row: the indexes end with the last", async () => {
    const unit = { text: "a barnacle by the name of Cornelius", modality: "text", scope: "harbour/ops" };
    await Promise.all(Array.from({ length: 12 }, (_, n) => ingest([{ ...unit, metadata: { n } }])));
    const last = (await h.call("POST", "/v1/search", { body: { q: "barnacle Cornelius", top_k: 1 } })).body.hits[0];
    const asks = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => {
        const { body } = await h.call("POST", "/v1/search", {
          body: { q: "barnacle Cornelius", top_k: 50, filters: { "metadata.n": n, acl_owner: "demo-admin" } },
        });
        return body.hits.filter((hit: { text: string }) => hit.text === unit.text).length;
      }),
    );
    expect(asks).toEqual(Array.from({ length: 12 }, (_, n) => (n === last.metadata.n ? 1 : 0)));
  });
});

test("every chain is whole", async () => {
  expect(await brokenChains(h)).toEqual([]);
});
