/** Finding by content: search by example, and the legs of what is seen and heard in an ordinary search. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { Random } from "../property/random.ts";
import { SEED } from "../property/seed.ts";
import type { Answer } from "../support/harness.ts";
import {
  addNamespace,
  CLOCK,
  formBytes,
  objectsIn,
  openWorld,
  outcome,
  PAGE,
  postForm,
  put,
  raw,
  SIGNAL,
  SPEECH,
  tone,
  type World,
} from "../support/files.ts";
import { hire } from "../support/people.ts";
import { START_MS } from "../support/seeded.ts";

setDefaultTimeout(60_000);

const BAD = "400 bad_request";
const UNKNOWN_UNIT = `u_${"a".repeat(32)}`;

interface Hit {
  unit_id: string;
  rank: number;
  score: number;
  scope: string;
  modality: string;
  plane: string;
  doc_id: string;
  text?: string;
  near_duplicate: boolean;
  metadata: Record<string, unknown>;
  scores: { legs: { leg: string; rank: number; raw: number | null }[] };
}

let world: World;

beforeAll(async () => {
  world = await openWorld();
}, START_MS);

afterAll(async () => {
  expect(objectsIn(world.h.data).filter((name) => name.startsWith("incoming/"))).toEqual([]);
  await world.h.close();
});

const similar = (body: object, token = world.ann, query = ""): Promise<Answer> => world.h.call("POST", `/v1/similar${query}`, { token, body });
const search = (body: object, token = world.ann, query = ""): Promise<Answer> => world.h.call("POST", `/v1/search${query}`, { token, body });
const ids = ({ body }: Answer): string[] => body.hits.map(({ unit_id }: Hit) => unit_id);

/** Stores a file and returns the first of its Units of a modality. */
async function store(
  content: string | Uint8Array,
  name: string,
  modality: string,
  options: Partial<Parameters<typeof put>[2]> = {},
): Promise<string> {
  const token = options.token ?? world.ann;
  const answer = await put(world.h, content, { token, name, ...options });
  if (answer.status !== 200) throw new Error(answer.text);
  const { units } = (await world.h.call("GET", `/v1/files/${answer.body.file_id}?scope=*`, { token })).body;
  for (const id of units) {
    const { body } = await world.h.call("GET", `/v1/units/${id}?scope=*`, { token });
    if (body.modality === modality) return id;
  }
  throw new Error(`${name} gave no ${modality}`);
}

/** The picture of a Unit, `size` pixels long: another file that shows the same. */
async function thumbnail(unit: string, size: number, token = world.ann): Promise<Uint8Array> {
  return new Uint8Array(await (await raw(world.h, `/v1/units/${unit}/preview?size=${size}&scope=*`, token)).arrayBuffer());
}

let clock = "";
let smallClock = "";
let signal = "";
let hum = "";
let nearHum = "";
let speech = "";
let said = "";
let note = "";

beforeAll(async () => {
  clock = await store(CLOCK, "clock.png", "image", { query: { metadata: '{"wall":"north"}', doc_id: "walls" } });
  smallClock = await store(await thumbnail(clock, 300), "small.png", "image", { query: { metadata: '{"wall":"south"}' } });
  signal = await store(SIGNAL, "signal.png", "image", { query: { scope: "town/yard" } });
  hum = await store(tone(440, 2), "hum.wav", "audio_utterance");
  nearHum = await store(tone(450, 2), "near.wav", "audio_utterance");
  speech = await store(SPEECH, "jfk.wav", "audio_utterance");
  said = await store(SPEECH, "jfk.wav", "asr");
  note = await store("The boiler of the steam tug was inspected in March.\n", "boiler.txt", "chunk");
  await store("In spring somebody looked over the steam boiler of the tugboat.\n", "tug.txt", "chunk");
  await store("Cakes need flour, butter, eggs and some patience.\n", "cake.txt", "chunk");
}, START_MS);

describe("by a Unit", () => {
  test("a picture: its small copy is first and a near-duplicate, another picture is neither", async () => {
    const { status, body } = await similar({ unit_id: clock });
    expect(status).toBe(200);
    const hits = body.hits as Hit[];
    expect(hits.map(({ rank }) => rank)).toEqual(hits.map((_, index) => index + 1));
    expect(hits[0]).toMatchObject({ unit_id: smallClock, near_duplicate: true, modality: "image", plane: "visual" });
    expect(hits[0]?.score).toBeGreaterThan(0.75);
    expect(hits.find(({ unit_id }) => unit_id === signal)).toMatchObject({ near_duplicate: false });
    for (const { score, near_duplicate, scores } of hits) {
      expect(near_duplicate).toBe(score >= 0.75);
      expect(scores.legs).toMatchObject([{ leg: "similar" }]);
    }
    expect(hits.map(({ unit_id }) => unit_id)).not.toContain(clock);
    expect(body).toMatchObject({ answer: null, hidden_by_acl: 0, context: { requested_scope: "town" } });
    expect(body.trace.stages).toMatchObject([{ name: "similar", out: hits.length }]);
  });

  test("a sound: the nearer tone comes before speech, and no picture comes at all", async () => {
    const hits = (await similar({ unit_id: hum })).body.hits as Hit[];
    expect(hits[0]?.unit_id).toBe(nearHum);
    expect(hits.map(({ unit_id }) => unit_id)).toContain(speech);
    expect(new Set(hits.map(({ plane, near_duplicate }) => `${plane} ${near_duplicate}`))).toEqual(new Set(["audio false"]));
  });

  test("a text, and what was said: by their meaning", async () => {
    const hits = (await similar({ unit_id: note, planes: ["text"] })).body.hits as Hit[];
    expect(hits[0]?.text).toContain("tugboat");
    expect(hits.map(({ unit_id }) => unit_id)).not.toContain(note);
    expect(hits.every(({ near_duplicate }) => !near_duplicate)).toBe(true);
    const spoken = await similar({ unit_id: said });
    expect(spoken.status).toBe(200);
    expect(ids(spoken)).not.toContain(said);
  });

  test("top_k, min_score, filters, planes, modalities, doc_id and scope", async () => {
    const all = (await similar({ unit_id: clock, top_k: 50 })).body.hits as Hit[];
    expect(all.length).toBeGreaterThanOrEqual(2);
    expect(ids(await similar({ unit_id: clock, top_k: 1 }))).toEqual([smallClock]);
    const [best, second] = all as [Hit, Hit];
    expect(ids(await similar({ unit_id: clock, min_score: (best.score + second.score) / 2 }))).toEqual([smallClock]);
    expect(ids(await similar({ unit_id: clock, filters: { "metadata.wall": "south" } }))).toEqual([smallClock]);
    expect(ids(await similar({ unit_id: clock, filters: { "metadata.wall": { $ne: "south" } } }))).not.toContain(smallClock);
    expect(ids(await similar({ unit_id: smallClock, doc_id: "walls" }))).toEqual([clock]);
    expect(ids(await similar({ unit_id: clock, modalities: ["ocr"] }))).toEqual([]);
    expect(ids(await similar({ unit_id: clock, planes: ["audio", "text"] }))).toEqual([]);
    // In another scope there is no such Unit.
    expect(outcome(await similar({ unit_id: clock }, world.ann, "?scope=town/yard"))).toBe("404 not_found");
    expect(ids(await similar({ unit_id: signal, filters: { scope: "town" } }))).toEqual(expect.arrayContaining([clock, smallClock]));
  });

  test("a filter that nearly nothing passes still fills top_k", async () => {
    const rare: string[] = [];
    for (let size = 60; size < 100; size += 1) {
      const options = { query: { metadata: JSON.stringify({ rare: size >= 97 }), scope: "town/many" } };
      const unit = await store(await thumbnail(size % 2 === 0 ? clock : signal, size), `t${size}.png`, "image", options);
      if (size >= 97) rare.push(unit);
    }
    for (const unit_id of [clock, signal]) {
      const found = await similar({ unit_id, top_k: 3, filters: { "metadata.rare": true } });
      expect(ids(found).toSorted()).toEqual(rare.toSorted());
    }
  });

  test("an unknown Unit and a hidden one answer alike", async () => {
    const [hidden, unknown] = [await similar({ unit_id: clock }, world.eve), await similar({ unit_id: UNKNOWN_UNIT }, world.eve)];
    expect(outcome(unknown)).toBe("404 not_found");
    expect(hidden.text).toBe(unknown.text);
  });

  test("a Unit that has nothing to compare by is 400", async () => {
    const { body } = await world.h.call("POST", "/v1/ingest", {
      token: world.ann,
      body: { units: [{ modality: "image", source_uri: "elsewhere/1.png", scope: "town" }] },
    });
    expect(outcome(await similar({ unit_id: body.units[0].unit_id }))).toBe(BAD);
  });

  const WRONG: [string, object, string][] = [
    ["no unit_id", {}, "/unit_id"],
    ["a unit_id that is no text", { unit_id: 1 }, "/unit_id"],
    ["top_k 0", { unit_id: "u", top_k: 0 }, "/top_k"],
    ["top_k 51", { unit_id: "u", top_k: 51 }, "/top_k"],
    ["no planes", { unit_id: "u", planes: [] }, "/planes"],
    ["an unknown operator", { unit_id: "u", filters: { mime: { $where: "1" } } }, "/filters"],
  ];
  test.each(WRONG)("%s is 400", async (_what, body, pointer) => {
    const answer = await similar(body);
    expect(outcome(answer)).toBe(BAD);
    expect(answer.body.detail).toStartWith(pointer);
  });
});

describe("by what the body holds", () => {
  const send = (content: string | Uint8Array, type: string, query = "", token = world.ann) =>
    world.h.call("POST", `/v1/similar${query}`, { token, body: content, headers: { "content-type": type } });

  test("a picture: the same one is first, at a cosine of one", async () => {
    const before = objectsIn(world.h.data);
    const { body } = await send(CLOCK, "image/png", "?top_k=2");
    expect(body.hits).toHaveLength(2);
    expect(body.hits[0]).toMatchObject({ unit_id: clock, near_duplicate: true });
    expect(body.hits[0].score).toBeCloseTo(1, 3);
    expect(objectsIn(world.h.data)).toEqual(before);
  });

  test("a sound", async () => {
    const { body } = await send(tone(440, 2), "audio/wav", "?modalities=audio_utterance&min_score=0.5");
    expect(body.hits[0]).toMatchObject({ unit_id: hum, near_duplicate: false });
    expect(body.hits.every(({ modality, score }: Hit) => modality === "audio_utterance" && score >= 0.5)).toBe(true);
  });

  test("a form, with filters beside it", async () => {
    const filters = encodeURIComponent('{"metadata.wall":"south"}');
    const form = formBytes([{ name: "file", value: CLOCK, filename: "c.png" }]);
    expect(ids(await postForm(world.h, form, world.ann, `filters=${filters}&top_k=5`, "/v1/similar"))).toEqual([smallClock]);
  });

  const WRONG: [string, string | Uint8Array, string, string][] = [
    ["a text", "Some words about nothing in particular.\n", "text/plain", ""],
    ["a log", "12:00:01 INFO a\n12:00:02 INFO b\n12:00:03 INFO c\n", "text/plain", ""],
    ["nothing", "", "image/png", ""],
    ["half a picture", PAGE.subarray(0, 20_000), "image/png", ""],
    ["bytes that nobody knows", Uint8Array.from({ length: 4_000 }, (_, at) => (at * 7919) % 256), "image/png", ""],
    ["filters that are no JSON", CLOCK, "image/png", "?filters={"],
    ["a top_k that is no number", CLOCK, "image/png", "?top_k=many"],
    ["an unknown plane", CLOCK, "image/png", "?planes=smell"],
  ];
  test.each(WRONG)("%s is 400, and nothing is kept", async (_what, content, type, query) => {
    const before = objectsIn(world.h.data);
    expect(outcome(await send(content, type, query))).toBe(BAD);
    expect(objectsIn(world.h.data)).toEqual(before);
  });

  test("a tier without the plane finds nothing by it", async () => {
    addNamespace(world.h, "similarfree", "free");
    const poor = hire(world.h, "poor", { namespace: "similarfree", scopes: ["town"], active_scope: "town" });
    const { status, body } = await send(CLOCK, "image/png", "?planes=visual", poor);
    expect({ status, hits: body.hits, warnings: body.trace.warnings }).toEqual({
      status: 200,
      hits: [],
      warnings: ["the free tier has no visual plane: left out"],
    });
  });
});

/** Without what may differ from run to run. */
function comparable({ body }: Answer): object {
  const { trace, hidden_by_acl: _, ...rest } = body;
  const { total_ms: _ms, stages, ...traced } = trace;
  const counts = stages.map(({ name, in: incoming, out }: { name: string; in: number; out: number }) => ({ name, in: incoming, out }));
  return { ...rest, trace: { ...traced, stages: counts } };
}

describe("the ACL", () => {
  const scope = "town/acl";

  interface Owned {
    file: string;
    owner: string;
    groups: string[];
  }

  /** Pictures and sounds of three owners, some of them for the crew, which ann and bob are of. */
  async function fill(): Promise<Owned[]> {
    const random = new Random(SEED);
    const files: Owned[] = [];
    for (let index = 0; index < 24; index += 1) {
      const owner = random.pick([world.ann, world.bob, world.eve]);
      const groups = owner === world.eve ? [] : random.some(["crew"], 0.5);
      const sound = index % 3 === 2;
      const content = sound ? tone(200 + 30 * index, 1) : await thumbnail(index % 2 === 0 ? clock : signal, 110 + index);
      const query = { scope, acl_groups: groups.join(), metadata: JSON.stringify({ odd: index % 2 === 1 }) };
      const unit = await store(content, sound ? "s.wav" : "p.png", sound ? "audio_utterance" : "image", { token: owner, query });
      const { doc_id } = (await world.h.call("GET", `/v1/units/${unit}?scope=*`, { token: owner })).body;
      files.push({ file: doc_id, owner, groups });
    }
    return files;
  }

  const readable = ({ owner, groups }: Owned, token: string) => owner === token || (groups.length > 0 && token !== world.eve);

  const send = (content: Uint8Array, type: string, top_k: number, token: string) =>
    world.h.call("POST", `/v1/similar?scope=${scope}&top_k=${top_k}`, { token, body: content, headers: { "content-type": type } });
  const QUERIES: [string, (token: string) => Promise<Answer>][] = [
    ["a picture", (token) => send(CLOCK, "image/png", 4, token)],
    ["a sound", (token) => send(tone(440, 1), "audio/wav", 3, token)],
    ["a word", (token) => search({ q: "clock", top_k: 5, explain: true }, token, `?scope=${scope}`)],
    [
      "a word and a filter",
      (token) => search({ q: "wall clock", top_k: 5, mode: "vector", filters: { "metadata.odd": false } }, token, `?scope=${scope}`),
    ],
  ];

  test("what is hidden moves nothing but the count of what is hidden", async () => {
    const files = await fill();
    const byId = new Map(files.map((file) => [file.file, file]));
    const owned = ({ body }: Answer) => (body.hits as Hit[]).map(({ doc_id }) => byId.get(doc_id) as Owned);
    const before = new Map<string, object>();
    let hidden = 0;
    for (const token of [world.ann, world.bob, world.eve]) {
      for (const [what, ask] of QUERIES) {
        const [answer, all] = [await ask(token), await ask(world.admin)];
        const allowed = owned(answer).map((one) => readable(one, token));
        expect({ what, allowed }).toEqual({ what, allowed: Array(allowed.length).fill(true) });
        const unreadable = owned(all).filter((one) => !readable(one, token));
        expect({ what, hidden: answer.body.hidden_by_acl }).toEqual({ what, hidden: unreadable.length });
        hidden += unreadable.length;
        if (token === world.bob) before.set(what, comparable(answer));
      }
    }
    expect(hidden).toBeGreaterThan(10);
    for (const { file } of files.filter((one) => !readable(one, world.bob))) {
      const removed = await world.h.call("DELETE", `/v1/files/${file}`, { token: world.admin });
      expect(removed.status).toBe(200);
    }
    for (const [what, ask] of QUERIES) {
      const answer = await ask(world.bob);
      expect({ what, told: comparable(answer) }).toEqual({ what, told: before.get(what) as object });
      expect(answer.body.hidden_by_acl).toBe(0);
      expect(answer.body.hits.length).toBeGreaterThan(0);
    }
  });
});

describe("in a search", () => {
  const legs = (hit: Hit | undefined) => hit?.scores.legs.map(({ leg }) => leg) ?? [];
  const labelled = ({ body }: Answer) => (body.hits as Hit[]).filter((hit) => legs(hit).some((leg) => leg.startsWith("labels:")));

  test("a word finds the picture that shows it, although nothing is written about it", async () => {
    const answer = await search({ q: "clock", doc_id: "walls" });
    const [hit] = answer.body.hits as Hit[];
    expect(hit).toMatchObject({ unit_id: clock, modality: "image" });
    expect(hit?.text).toBeUndefined();
    const leg = hit?.scores.legs.find((one) => one.leg === "labels:visual");
    expect(leg).toMatchObject({ leg: "labels:visual", rank: 1 });
    expect(Number(leg?.raw)).toBeGreaterThan(0.02);
    expect(answer.body.trace.stages.map(({ name }: { name: string }) => name)).toEqual(expect.arrayContaining(["labels:visual", "labels:audio"]));
    // Among everything, pictures of clocks come first of those that are seen.
    const all = labelled(await search({ q: "clock", filters: { "metadata.wall": { $exists: true } } }));
    expect(all.map(({ unit_id }) => unit_id).toSorted()).toEqual([clock, smallClock].toSorted());
  });

  test("a word finds what is heard", async () => {
    const hits = (await search({ q: "somebody giving a speech", planes: ["audio"] })).body.hits as Hit[];
    const first = hits.find(({ scores }) => scores.legs.some(({ leg, rank }) => leg === "labels:audio" && rank === 1));
    const { body: spoken } = await world.h.call("GET", `/v1/units/${speech}`, { token: world.ann });
    expect(first).toMatchObject({ doc_id: spoken.doc_id, source_uri: spoken.source_uri, locator: { kind: "time_range" } });
  });

  test("filters hold in these legs", async () => {
    const found = async (body: object, query = "") =>
      labelled(await search({ q: "clock", top_k: 50, ...body }, world.ann, query)).map(({ unit_id }) => unit_id);
    expect(await found({ filters: { "metadata.wall": "south" } })).toEqual([smallClock]);
    expect(await found({ filters: { $not: { "metadata.wall": "south" }, "metadata.wall": { $exists: true } } })).toEqual([clock]);
    expect(await found({ doc_id: "walls" })).toEqual([clock]);
    expect(await found({ modalities: ["ocr", "chunk"] })).toEqual([]);
    expect(await found({ filters: { mime: "image/gif" } })).toEqual([]);
    expect(await found({ planes: ["text", "audio"] })).toEqual([]);
    expect(await found({ filters: { scope: "town" } })).toEqual(expect.arrayContaining([clock, smallClock]));
    expect(await found({}, "?scope=town/yard")).toEqual([]);
  });

  test("there is none in full text, and there is in vector search", async () => {
    const plain = await search({ q: "clock", mode: "fulltext" });
    expect(labelled(plain)).toEqual([]);
    expect(plain.body.trace.stages.map(({ name }: { name: string }) => name).filter((name: string) => name.startsWith("labels"))).toEqual([]);
    expect(labelled(await search({ q: "clock", mode: "vector", doc_id: "walls" })).map(({ unit_id }) => unit_id)).toEqual([clock]);
  });

  test("a question about nothing that is seen or heard finds nothing by it", async () => {
    const answer = await search({ q: "what did the repair cost?", top_k: 50 });
    expect(answer.body.hits.length).toBeGreaterThan(0);
    expect(labelled(answer)).toEqual([]);
    const stages = answer.body.trace.stages as { name: string; out: number }[];
    expect(stages.filter(({ name }) => name.startsWith("labels")).map(({ out }) => out)).toEqual([0, 0]);
  });

  test("reading the best again keeps pictures without a text", async () => {
    const { body } = await search({
      q: "clock",
      rerank: true,
      top_k: 10,
      filters: { $or: [{ "metadata.wall": { $exists: true } }, { modality: "chunk" }] },
    });
    const found = (body.hits as Hit[]).map(({ unit_id }) => unit_id);
    expect(found).toEqual(expect.arrayContaining([clock, smallClock]));
    expect(body.trace.stages.map(({ name }: { name: string }) => name)).toContain("rerank");
  });

  test("who may not see a picture does not find it", async () => {
    expect(labelled(await search({ q: "clock" }, world.eve)).filter(({ unit_id }) => [clock, smallClock].includes(unit_id))).toEqual([]);
    const { body } = await search({ q: "clock", top_k: 5, doc_id: "walls" }, world.eve);
    expect(body).toMatchObject({ hits: [], hidden_by_acl: 1 });
  });
});
