/** Who may put, see and remove files; what is left on the disk; tiers; and what the audit chain says of it. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Answer, openHarness } from "../support/harness.ts";
import {
  addNamespace,
  CLOCK,
  faultsOf,
  FILES,
  formBytes,
  objectFolder,
  objectsIn,
  openWorld,
  outcome,
  PAGE,
  postForm,
  put,
  raw,
  settled,
  sha256Hex,
  SPEECH,
  tenantOf,
  tone,
  type World,
} from "../support/files.ts";
import { auditRows, hire } from "../support/people.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { START_MS } from "../support/seeded.ts";
import { TIFF_RGB, tiff } from "../unit/media/make-picture.ts";
import { makePdf, setLines } from "../unit/media/make-pdf.ts";
import { rowsOf } from "../support/rows.ts";

setDefaultTimeout(60_000);

let world: World;
let count = 0;

beforeAll(async () => {
  world = await openWorld();
}, START_MS);

afterAll(async () => {
  expect(await faultsOf(world.h)).toEqual([]);
  const { files } = rowsOf(await tenantOf(world.h));
  expect(objectsIn(world.h.data).filter((name) => !files.usesObject(name))).toEqual([]);
  await world.h.close();
});

function fresh(text = "The dredger cleared the mouth of the river again."): string {
  count += 1;
  return `${text} Report ${count}.\n`;
}

type Options = Partial<Parameters<typeof put>[2]>;
const send = (content: Parameters<typeof put>[1], options: Options = {}) => put(world.h, content, { token: world.ann, ...options });
const get = (path: string, token = world.ann) => world.h.call("GET", path, { token });
const remove = (path: string, token = world.ann) => world.h.call("DELETE", path, { token });
const unitIds = async ({ body }: Answer, token = world.ann): Promise<string[]> => (await get(`/v1/files/${body.file_id}`, token)).body.units;
const bytesOf = async (response: Response) => new Uint8Array(await response.arrayBuffer());
const UNKNOWN_FILE = `f_${"a".repeat(32)}`;
const UNKNOWN_UNIT = `u_${"a".repeat(32)}`;
const UNKNOWN_JOB = `j_${"a".repeat(20)}`;

describe("who may put a file", () => {
  test("read alone is 403, and nothing is read", async () => {
    const reader = hire(world.h, "reader", { namespace: FILES, perms: ["read"], scopes: ["town"], active_scope: "town" });
    let pulled = 0;
    const body = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(1024));
      },
    });
    expect(outcome(await send(body, { token: reader }))).toBe("403 forbidden");
    expect(pulled).toBeLessThan(4);
  });

  test("a scope that is not the caller's is 403, with nothing kept", async () => {
    const before = objectsIn(world.h.data);
    for (const options of [{ query: { scope: "port" } }, { headers: { "x-svc-scope": "port" } }]) {
      expect(outcome(await send(fresh(), options))).toBe("403 forbidden");
    }
    expect(outcome(await send(fresh(), { token: world.admin, query: { scope: "a b" } }))).toBe("400 bad_request");
    expect(objectsIn(world.h.data)).toEqual(before);
  });

  test("all scopes are the active one, as for any ingest", async () => {
    const answer = await send(fresh(), { query: { scope: "*" } });
    expect((await get(`/v1/files/${answer.body.file_id}`)).body.scope).toBe("town");
  });

  test("somebody whose active scope is all of them writes to the default one", async () => {
    const token = hire(world.h, "anywhere", { namespace: FILES, scopes: ["*"], active_scope: "*" });
    for (const query of [{ scope: "*" }, {}] as Record<string, string>[]) {
      const answer = await send(fresh(), { token, query });
      expect((await get(`/v1/files/${answer.body.file_id}`, token)).body.scope).toBe("default");
    }
  });

  test("an allowed scope that nobody knows yet is registered; the header beats the query", async () => {
    const answer = await send(fresh(), { query: { scope: "port" }, headers: { "x-svc-scope": "town/hall" } });
    expect(outcome(answer)).toBe("200");
    expect((await get(`/v1/files/${answer.body.file_id}`)).body.scope).toBe("town/hall");
    const { body } = await get("/v1/scopes");
    expect(body.scopes.map(({ scope }: { scope: string }) => scope)).toContain("town/hall");
  });

  test("a foreign group is 403 for a writer and fine for an admin", async () => {
    const before = objectsIn(world.h.data);
    const refused = await send(fresh(), { query: { acl_groups: "crew,elders" } });
    expect({ outcome: outcome(refused), detail: refused.body.detail }).toMatchObject({
      outcome: "403 forbidden",
      detail: expect.stringContaining("/acl_groups/1"),
    });
    expect(objectsIn(world.h.data)).toEqual(before);
    expect(outcome(await send(fresh(), { token: world.admin, query: { acl_groups: "elders", scope: "town" } }))).toBe("200");
  });

  test("groups are judged before the form of the other fields, in parameters and in a form", async () => {
    const bad = { metadata: "{", doc_id: "" };
    const both = { acl_groups: "elders", ...bad };
    expect(outcome(await send(fresh(), { query: both }))).toBe("403 forbidden");
    expect(outcome(await send(fresh(), { query: both, name: null }))).toBe("403 forbidden");
    expect(outcome(await send(fresh(), { query: { acl_groups: '["crew","elders"]', ...bad } }))).toBe("403 forbidden");
    expect(outcome(await send(fresh(), { query: bad }))).toBe("400 bad_request");
    expect(outcome(await send(fresh(), { query: { acl_groups: '["elders"' } }))).toBe("400 bad_request");
    const form = (fields: Record<string, string>) => {
      const parts = Object.entries(fields).map(([name, value]) => ({ name, value }));
      return postForm(world.h, formBytes([...parts, { name: "file", filename: "note.txt", value: fresh() }]), world.ann);
    };
    expect(outcome(await form(both))).toBe("403 forbidden");
    expect(outcome(await form(bad))).toBe("400 bad_request");
  });
});

describe("content", () => {
  const text = `${"123456789 ".repeat(10)}\n`;
  const name = "Größe 'n' \"q\" 灯台.txt";
  let path = "";
  let sha = "";

  beforeAll(async () => {
    const { body } = await send(text, { name });
    path = `/v1/files/${body.file_id}/content`;
    sha = sha256Hex(text);
  });

  const read = (range?: string) => raw(world.h, path, world.ann, range === undefined ? {} : { range });

  test("is whole, typed, inert and named", async () => {
    const response = await read();
    expect(response.status).toBe(200);
    expect(await response.text()).toBe(text);
    const { headers } = response;
    expect({
      type: headers.get("content-type"),
      length: headers.get("content-length"),
      ranges: headers.get("accept-ranges"),
      sniff: headers.get("x-content-type-options"),
      etag: headers.get("etag"),
      cache: headers.get("cache-control"),
    }).toEqual({ type: "text/plain", length: "101", ranges: "bytes", sniff: "nosniff", etag: `"${sha}"`, cache: "no-store" });
    expect(headers.get("content-security-policy")).toContain("default-src 'none'");
    expect(headers.get("content-security-policy")).toContain("sandbox");
    const shown = /^attachment; filename\*=UTF-8''([^;"' ]+)$/.exec(headers.get("content-disposition") ?? "")?.[1] ?? "";
    expect(decodeURIComponent(shown)).toBe(name);
  });

  const PARTS: [string, string, string][] = [
    ["bytes=0-0", "1", "bytes 0-0/101"],
    ["bytes=0-9", "123456789 ", "bytes 0-9/101"],
    ["bytes=95-", "6789 \n", "bytes 95-100/101"],
    ["bytes=100-100", "\n", "bytes 100-100/101"],
    ["bytes=98-4000", "9 \n", "bytes 98-100/101"],
    ["bytes=-3", "9 \n", "bytes 98-100/101"],
    ["bytes=-4000", text, "bytes 0-100/101"],
    [" bytes=5-6 ", "67", "bytes 5-6/101"],
  ];
  test.each(PARTS)("%p is that part", async (range, expected, content) => {
    const response = await read(range);
    expect({ status: response.status, range: response.headers.get("content-range"), text: await response.text() }).toEqual({
      status: 206,
      range: content,
      text: expected,
    });
    expect(response.headers.get("content-length")).toBe(String(expected.length));
  });

  test.each(["bytes=101-", "bytes=4000-5000", "bytes=-0", "bytes=999999999999-"])("%p is 416 with our error body", async (range) => {
    const response = await read(range);
    expect(response.status).toBe(416);
    const body = await response.json();
    expect(body).toMatchObject({ error: "range_not_satisfiable", status: 416, detail: expect.stringContaining("101 bytes") });
    expect(Object.keys(body as object).sort()).toEqual(["detail", "error", "status"]);
  });

  test.each(["bytes=0-1,3-4", "bytes=5-2", "lines=1-2", "bytes=", "bytes=a-b", "bytes=-", "0-5", `bytes=0-${"9".repeat(40)}`])(
    "%p is ignored",
    async (range) => {
      const response = await read(range);
      expect({ status: response.status, text: await response.text() }).toEqual({ status: 200, text });
    },
  );
});

describe("previews", () => {
  let picture: Answer;
  let unit = "";

  beforeAll(async () => {
    picture = await send(CLOCK, { name: "clock.png", query: { acl_groups: "crew" } });
    [unit = ""] = await unitIds(picture);
  });

  const look = (id: string, size = "", token = world.ann) => raw(world.h, `/v1/units/${id}/preview${size}`, token);

  test("is a picture of the asked size", async () => {
    const whole = await look(unit);
    expect(whole.headers.get("content-type")).toMatch(/^image\/(?:png|jpeg|webp)$/);
    expect(whole.headers.get("x-content-type-options")).toBe("nosniff");
    const small = await look(unit, "?size=64");
    const [many, few] = [await bytesOf(whole), await bytesOf(small)];
    expect(few.length).toBeLessThan(many.length);
    // It can be taken in itself: 64 pixels of the longer side of 480 by 360.
    const again = await send(few, { name: "thumb", wait: true });
    expect((await get(`/v1/files/${again.body.file_id}`)).body.kind).toBe("picture");
    const [thumb = ""] = await unitIds(again);
    expect((await get(`/v1/units/${thumb}`)).body.metadata).toMatchObject({ width: 64, height: 48 });
  });

  test.each(["0", "-1", "x", ""])("size=%p is 400", async (size) => {
    expect((await look(unit, `?size=${size}`)).status).toBe(400);
  });

  test("of a Unit with a box is what is in it, or the whole that it lies on", async () => {
    const page = await send(PAGE, { name: "ocr.png", wait: true });
    const units = await Promise.all((await unitIds(page)).map(async (id) => (await get(`/v1/units/${id}`)).body));
    const block = units.find(({ modality }) => modality === "ocr");
    const { w, h } = block.locator;
    const { width, height } = units.find(({ modality }) => modality === "image").metadata;
    const sizeOf = async (parameters: string) => {
      const again = await send(await bytesOf(await look(block.unit_id, parameters)), { name: parameters, wait: true });
      const shown = await Promise.all((await unitIds(again)).map(async (id) => (await get(`/v1/units/${id}`)).body));
      return shown.find(({ modality }) => modality === "image").metadata as { width: number; height: number };
    };
    const [cut, whole] = [await sizeOf("?size=256"), await sizeOf("?size=256&whole=true")];
    expect(cut.width / cut.height).toBeCloseTo((w * width) / (h * height), 0);
    expect(whole.width / whole.height).toBeCloseTo(width / height, 1);
  });

  test("a page, a waveform; nothing of a log; nothing of a Unit without a file", async () => {
    const pdf = await send(makePdf([{ content: setLines(["A page about lock gates"]) }]), { name: "page.pdf" });
    const sound = await send(tone(500, 2), { name: "tone.wav" });
    for (const answer of [pdf, sound]) {
      for (const id of await unitIds(answer)) {
        const response = await look(id);
        expect(response.headers.get("content-type")).toStartWith("image/");
        expect((await bytesOf(response)).length).toBeGreaterThan(100);
      }
    }
    const log = await send("12:00:01 INFO pump 1 on\n12:00:02 INFO pump 2 on\n12:00:03 INFO pump 3 on\n", { name: "p.log" });
    const [line = ""] = await unitIds(log);
    const loose = await world.h.call("POST", "/v1/ingest", {
      token: world.ann,
      body: { units: [{ modality: "text", text: "no file behind me", scope: "town" }] },
    });
    const unknown = await (await look(UNKNOWN_UNIT)).text();
    for (const id of [line, loose.body.units[0].unit_id]) {
      const response = await look(id);
      expect({ status: response.status, text: await response.text() }).toEqual({ status: 404, text: unknown });
    }
  });

  test("who may not read the Unit gets what an unknown one gets", async () => {
    expect((await look(unit, "", world.bob)).status).toBe(200);
    const [hidden, unknown] = [await look(unit, "", world.eve), await look(UNKNOWN_UNIT, "", world.eve)];
    expect({ status: hidden.status, text: await hidden.text() }).toEqual({ status: 404, text: await unknown.text() });
  });
});

describe("what a caller may not know about", () => {
  test("answers byte for byte like what does not exist", async () => {
    const answer = await send(fresh(), { query: { acl_groups: "crew" } });
    const { file_id, job } = answer.body;
    const [unit = ""] = await unitIds(answer);
    const other = hire(world.h, "stranger", { namespace: FILES, scopes: ["port"], active_scope: "port", groups: ["crew"] });
    const pairs: [string, string, string][] = [
      ["GET", `/v1/files/${file_id}`, `/v1/files/${UNKNOWN_FILE}`],
      ["GET", `/v1/files/${file_id}/content`, `/v1/files/${UNKNOWN_FILE}/content`],
      ["GET", `/v1/jobs/${job.id}`, `/v1/jobs/${UNKNOWN_JOB}`],
      ["GET", `/v1/units/${unit}`, `/v1/units/${UNKNOWN_UNIT}`],
      ["GET", `/v1/units/${unit}/preview`, `/v1/units/${UNKNOWN_UNIT}/preview`],
      ["DELETE", `/v1/files/${file_id}`, `/v1/files/${UNKNOWN_FILE}`],
      ["DELETE", `/v1/units/${unit}`, `/v1/units/${UNKNOWN_UNIT}`],
    ];
    for (const token of [world.eve, other]) {
      for (const [method, known, unknown] of pairs) {
        const [hidden, absent] = [await world.h.call(method, known, { token }), await world.h.call(method, unknown, { token })];
        expect({ known, outcome: outcome(hidden), text: hidden.text }).toEqual({ known, outcome: "404 not_found", text: absent.text });
        expect([...hidden.headers.keys()].sort()).toEqual([...absent.headers.keys()].sort());
      }
      const range = { range: "bytes=900-" };
      expect((await raw(world.h, `/v1/files/${file_id}/content`, token, range)).status).toBe(404);
    }
    // Whoever shares the group reads it.
    for (const path of [`/v1/files/${file_id}`, `/v1/units/${unit}`]) expect((await get(path, world.bob)).status).toBe(200);
    for (const token of [world.bob, world.admin]) expect((await get(`/v1/jobs/${job.id}`, token)).body.counts).toEqual({ units: 1, created: 1 });
    // Outside the scope that was asked for nothing is there.
    expect(outcome(await get(`/v1/files/${file_id}?scope=port`))).toBe("404 not_found");
  });

  test("a file names the Units alone that its reader may read", async () => {
    const text = Array.from({ length: 12 }, (_, at) => `Chapter ${at}. ${"The sluice was opened at dawn and closed at dusk. ".repeat(16)}`).join(
      "\n\n",
    );
    const answer = await send(text, { name: "chapters.txt", query: { acl_groups: "crew" } });
    const ids = await unitIds(answer);
    expect(ids.length).toBeGreaterThan(3);
    // Its owner takes the first chapter out of the group.
    const { body: first } = await get(`/v1/units/${ids[0]}`);
    const { modality, doc_id, source_uri, locator, mime, metadata, scope } = first;
    const unit = { modality, doc_id, source_uri, locator, mime, metadata, scope, text: first.text, acl_groups: [] };
    const changed = await world.h.call("POST", "/v1/ingest", { token: world.ann, body: { units: [unit] } });
    expect(changed.body.units).toEqual([{ index: 0, unit_id: ids[0], status: "updated" }]);
    expect(await unitIds(answer, world.bob)).toEqual(ids.slice(1));
    // The work is told of as far as its Units are.
    const { body: seen } = await get(`/v1/jobs/${answer.body.job.id}`, world.bob);
    expect(seen).toMatchObject({ state: "done", counts: { units: ids.length - 1, created: ids.length - 1 }, notes: [] });
    expect((await get(`/v1/files/${answer.body.file_id}`, world.bob)).body.job).toEqual(seen);
    expect(await unitIds(answer)).toEqual(ids);
    expect(outcome(await get(`/v1/units/${ids[0]}/preview`, world.bob))).toBe("404 not_found");
  });

  test("a file without Units is its owner's and its groups'", async () => {
    const accepted = await send(PAGE.subarray(0, 3_000), { name: "cut.png", wait: false, query: { acl_groups: "crew" } });
    await settled(world.h, accepted.body.job.id, world.ann);
    const path = `/v1/files/${accepted.body.file_id}`;
    expect((await get(path)).body.job.error.error).toBe("bad_request");
    expect((await get(path, world.bob)).body).toMatchObject({ units: [], job: { state: "failed" } });
    expect((await get(path, world.eve)).text).toBe((await get(`/v1/files/${UNKNOWN_FILE}`, world.eve)).text);
    expect((await remove(path)).body).toEqual({ removed: 0 });
    expect((await get(path)).status).toBe(404);
  });
});

describe("deleting", () => {
  const lies = (content: string | Uint8Array) => {
    const sha = sha256Hex(content);
    return existsSync(join(objectFolder(world.h.data), sha.slice(0, 2), sha));
  };

  test("the last Unit takes the file and its object with it, another Unit does not", async () => {
    const text = Array.from({ length: 4 }, () => fresh("The harbour crane was greased. ".repeat(30))).join("\n\n");
    const answer = await send(text);
    const ids = await unitIds(answer);
    expect(ids.length).toBeGreaterThan(1);
    for (const [index, id] of ids.entries()) {
      expect(lies(text)).toBe(true);
      expect((await remove(`/v1/units/${id}`)).body).toEqual({ removed: 1 });
      expect(outcome(await get(`/v1/units/${id}`))).toBe("404 not_found");
      expect(outcome(await remove(`/v1/units/${id}`))).toBe("404 not_found");
      expect(await unitIds(answer)).toEqual(index === ids.length - 1 ? (undefined as never) : ids.slice(index + 1));
    }
    expect(lies(text)).toBe(false);
    for (const path of [`/v1/files/${answer.body.file_id}`, `/v1/files/${answer.body.file_id}/content`, `/v1/jobs/${answer.body.job.id}`]) {
      expect(outcome(await get(path))).toBe("404 not_found");
    }
    // It can come again, as new.
    const again = await send(text);
    expect(again.body).toMatchObject({ file_id: answer.body.file_id, job: { counts: { units: ids.length, created: ids.length } } });
    expect(await unitIds(again)).toEqual(ids);
  });

  test("two scopes share the bytes until the last is gone", async () => {
    const text = fresh();
    const [one, two] = [await send(text), await send(text, { query: { scope: "town/two" } })];
    expect((await remove(`/v1/files/${one.body.file_id}`)).body).toEqual({ removed: 1 });
    expect(lies(text)).toBe(true);
    expect(await (await raw(world.h, `/v1/files/${two.body.file_id}/content`, world.ann)).text()).toBe(text);
    expect((await remove(`/v1/files/${two.body.file_id}`)).body).toEqual({ removed: 1 });
    expect(lies(text)).toBe(false);
  });

  test("only its owner and admins may; a stranger learns nothing", async () => {
    const answer = await send(fresh(), { query: { acl_groups: "crew" } });
    const [unit = ""] = await unitIds(answer);
    for (const path of [`/v1/files/${answer.body.file_id}`, `/v1/units/${unit}`]) {
      expect(outcome(await remove(path, world.bob))).toBe("403 forbidden");
      expect(outcome(await remove(path, world.eve))).toBe("404 not_found");
    }
    const guest = hire(world.h, "guest", { namespace: FILES, perms: ["read"], scopes: ["town"], active_scope: "town", groups: ["crew"] });
    expect(outcome(await remove(`/v1/units/${unit}`, guest))).toBe("403 forbidden");
    expect((await get(`/v1/units/${unit}`)).status).toBe(200);
    expect((await remove(`/v1/files/${answer.body.file_id}`, world.admin)).body).toEqual({ removed: 1 });
  });

  test("while it is worked on ends the work and leaves nothing", async () => {
    const text = Array.from({ length: 200 }, () => fresh("The tug came alongside and took the line of the barge. ".repeat(20))).join("\n\n");
    const accepted = await send(text, { wait: false });
    const { file_id, job } = accepted.body;
    const waiting = send(text);
    for (let units = 0; units === 0; await Bun.sleep(5)) ({ units } = (await get(`/v1/jobs/${job.id}`)).body.counts);
    const { body } = await remove(`/v1/files/${file_id}`);
    expect(body.removed).toBeGreaterThan(0);
    expect(outcome(await get(`/v1/jobs/${job.id}`))).toBe("404 not_found");
    // Who waited for it is told.
    expect(outcome(await waiting)).toBe("404 not_found");
    // The next file is served, and nothing comes back.
    expect(outcome(await send(fresh()))).toBe("200");
    const { catalog } = rowsOf(await tenantOf(world.h));
    const left = await catalog.page(
      catalog.classes().map(({ classId }) => classId),
      100_000,
      0,
    );
    expect(left.filter(({ doc_id }) => doc_id === file_id)).toEqual([]);
    expect(lies(text)).toBe(false);
    expect(await faultsOf(world.h)).toEqual([]);
  });

  test("and coming again at once, over and over, ends in one state or the other", async () => {
    const text = fresh("Quick changes. ".repeat(10));
    for (let round = 0; round < 15; round += 1) {
      const { body } = await send(text, { wait: round % 2 === 0 });
      await Promise.all([remove(`/v1/files/${body.file_id}`), send(text, { wait: false })]);
    }
    const last = await send(text);
    expect(outcome(last)).toBe("200");
    expect({ units: (await unitIds(last)).length, object: lies(text) }).toEqual({ units: 1, object: true });
    expect(readFileSync(join(objectFolder(world.h.data), sha256Hex(text).slice(0, 2), sha256Hex(text)), "utf8")).toBe(text);
  });

  test("search finds nothing of it, and counts nothing of it as hidden", async () => {
    const seek = async (token: string) =>
      (await world.h.call("POST", "/v1/search", { token, body: { q: "xylophone periwinkle", mode: "fulltext" } })).body;
    const answer = await send(fresh("A xylophone and a periwinkle."), { query: { acl_groups: "crew" } });
    expect((await seek(world.bob)).hits).toHaveLength(1);
    expect(await seek(world.eve)).toMatchObject({ hits: [], hidden_by_acl: 1 });
    expect((await remove(`/v1/files/${answer.body.file_id}`)).status).toBe(200);
    for (const token of [world.ann, world.bob, world.eve]) expect(await seek(token)).toMatchObject({ hits: [], hidden_by_acl: 0 });
  });
});

describe("tiers", () => {
  const FREE = "filesfree";
  let poor = "";

  beforeAll(() => {
    addNamespace(world.h, FREE, "free");
    poor = hire(world.h, "poor", { namespace: FREE, scopes: ["town"], active_scope: "town" });
  });

  test("Free takes no sound: 402, and nothing is kept", async () => {
    const before = (await auditRows(world.h, FREE, 1))[0]?.seq ?? 0;
    const answer = await send(SPEECH, { token: poor, name: "jfk.wav" });
    expect(outcome(answer)).toBe("402 upgrade_required");
    expect(answer.body.detail).toContain("audio");
    expect(objectsIn(world.h.data, FREE)).toEqual([]);
    expect(rowsOf(await tenantOf(world.h, FREE)).files.activeJobs()).toEqual([]);
    const rows = (await auditRows(world.h, FREE)).filter(({ seq }) => seq > before);
    expect(rows).toMatchObject([{ action: "ingest", outcome: "denied", principal_id: "poor", detail: { error: "upgrade_required" } }]);
  });

  test("Free keeps the text of a picture, and says what it left out", async () => {
    const answer = await send(PAGE, { token: poor, name: "page.png" });
    expect(outcome(answer)).toBe("200");
    expect(answer.body.job.notes).toEqual(["1 visual Unit left out: the free tier has no visual plane"]);
    const units = await Promise.all((await unitIds(answer, poor)).map(async (id) => (await get(`/v1/units/${id}`, poor)).body));
    expect(units.length).toBeGreaterThan(0);
    expect(new Set(units.map(({ modality, plane }) => `${modality} ${plane}`))).toEqual(new Set(["ocr doc_visual"]));
    expect(answer.body.job.counts.units).toBe(units.length);
  });

  test("Free says what it left out of a picture without text, whose bytes stay", async () => {
    const answer = await send(CLOCK, { token: poor, name: "clock.png" });
    expect(objectsIn(world.h.data, FREE)).toContain(sha256Hex(CLOCK));
    expect(answer.body.job.notes).toEqual(["1 visual Unit left out: the free tier has no visual plane"]);
  });

  test("a job that was cut goes on counting what it left out", async () => {
    const PAGES = 80;
    const colours = Array.from({ length: PAGES }, (_, page) => [page * 3, 255 - page * 3, 90]);
    const stack = tiff(colours, { width: 40, height: 30, photometric: TIFF_RGB });
    const data = temporaryDirectory();
    let cut = await openWorld({ data });
    addNamespace(cut.h, FREE, "free");
    const token = hire(cut.h, "poor", { namespace: FREE, scopes: ["town"], active_scope: "town" });
    const { body } = await put(cut.h, stack, { token, name: "stack.tif", wait: false });
    let noted: string[] = [];
    for (; noted.length === 0; await Bun.sleep(5)) noted = (await cut.h.call("GET", `/v1/jobs/${body.job.id}`, { token })).body.notes;
    expect(Number.parseInt(noted[0] ?? "", 10)).toBeLessThan(PAGES);
    await cut.h.close();
    cut = { ...cut, h: await openHarness({ data, seed: false }) };
    const { notes } = await settled(cut.h, body.job.id, token);
    expect(notes).toEqual([`${PAGES} visual Units left out: the free tier has no visual plane`]);
    await cut.h.close();
  });

  test("a file that crosses the ceiling of Free is refused whole", async () => {
    const { catalog, ledger, files } = rowsOf(await tenantOf(world.h, FREE));
    const CAP = 25_000;
    const draft = {
      ...{ namespace: FREE, scope: "town", acl_owner: "poor", acl_groups: [] as string[], doc_id: null, path: null, mime: null, metadata: null },
      ...{ locator: null, text: null, modality: "text" as const, plane: "text" as const },
    };
    ledger.transact(() => {
      for (let n = catalog.unitCount(); n < CAP - 70; n += 1) catalog.upsert({ ...draft, source_uri: `fill/${n}`, unit_id: `u_fill${n}` }, 0);
    });
    const before = catalog.unitCount();
    // More than one batch: what the first stored goes again.
    const page = "A page of the free almanac, with tides and moons. ".repeat(20);
    const text = Array.from({ length: 200 }, () => page).join("\n\n");
    const answer = await send(text, { token: poor, name: "almanac.txt" });
    expect(outcome(answer)).toBe("402 quota_exceeded");
    expect(catalog.unitCount()).toBe(before);
    const accepted = await send(text, { token: poor, name: "almanac.txt", wait: false });
    expect(accepted.status).toBe(202);
    const job = await settled(world.h, accepted.body.job.id, poor);
    expect(job).toMatchObject({ state: "failed", error: { error: "quota_exceeded" }, counts: { units: 0, created: 0 } });
    expect({ units: catalog.unitCount(), active: files.activeJobs() }).toEqual({ units: before, active: [] });
    // What fits is still taken.
    expect(outcome(await send(fresh(), { token: poor }))).toBe("200");
    expect(await faultsOf(world.h, FREE)).toEqual([]);
  });
});

describe("the audit chain", () => {
  test("has a row for each use, and holds", async () => {
    const since = (await auditRows(world.h, FILES, 1))[0]?.seq ?? 0;
    const answer = await postForm(
      world.h,
      formBytes([
        { name: "file", value: CLOCK, filename: "c.png" },
        { name: "acl_groups", value: "night" },
      ]),
      world.ann,
    );
    const { file_id, job } = answer.body;
    const [unit = ""] = await unitIds(answer);
    await raw(world.h, `/v1/files/${file_id}/content`, world.ann);
    await get(`/v1/jobs/${job.id}`);
    await raw(world.h, `/v1/units/${unit}/preview`, world.ann);
    await world.h.call("POST", "/v1/similar", { token: world.ann, body: { unit_id: unit } });
    await get(`/v1/files/${file_id}`, world.eve);
    await remove(`/v1/units/${unit}`);
    await send(fresh(), { token: world.eve, query: { acl_groups: "crew" } });
    const rows = (await auditRows(world.h, FILES)).filter(({ seq }) => seq > since).reverse();
    expect(rows.map(({ principal_id, action, outcome: how, target }) => [principal_id, action, how, target])).toEqual([
      ["ann", "ingest", "ok", file_id],
      ["ann", "ingest", "ok", file_id],
      ["ann", "file.get", "ok", file_id],
      ["ann", "file.content", "ok", file_id],
      ["ann", "job.get", "ok", job.id],
      ["ann", "unit.preview", "ok", unit],
      ["ann", "similar", "ok", unit],
      ["eve", "file.get", "ok", file_id],
      ["ann", "unit.delete", "ok", unit],
      ["eve", "ingest", "denied", null],
    ]);
    const [accepted, ended] = rows;
    expect(accepted?.detail).toEqual({ kind: "picture", job: job.id });
    expect(ended?.detail).toEqual({ job: job.id });
    const verified = await world.h.call("GET", "/v1/audit/verify", { token: world.admin });
    expect(verified.body).toMatchObject({ intact: true, break_at: null });
  });

  test("a failed job says so", async () => {
    const broken = CLOCK.subarray(0, 1_000 + count);
    const accepted = await send(broken, { name: "x.png", wait: false });
    await settled(world.h, accepted.body.job.id, world.ann);
    const rows = (await auditRows(world.h, FILES)).filter(({ target, action }) => target === accepted.body.file_id && action === "ingest");
    expect(rows.map(({ outcome: how, detail }) => [how, detail])).toEqual([
      ["error", { job: accepted.body.job.id, error: "bad_request" }],
      ["ok", { kind: "picture", job: accepted.body.job.id }],
    ]);
  });
});
