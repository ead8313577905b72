/** Files in, from outside: both doors, what comes with a file, what becomes of it, and what makes two files one. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { connect } from "node:net";
import { FILE_FIELDS_MAX_BYTES, FILE_MAX_BYTES } from "../../src/base/limits.ts";
import { silentLog } from "../../src/base/log.ts";
import { EXTRACTOR_VERSIONS } from "../../src/domain/extractor-version.ts";
import { listen } from "../../src/http/listener.ts";
import type { Answer } from "../support/harness.ts";
import {
  BOUNDARY,
  CLOCK,
  faultsOf,
  formBytes,
  objectsIn,
  openWorld,
  outcome,
  PAGE,
  type Part,
  postForm,
  put,
  settled,
  sha256Hex,
  tenantOf,
  tone,
  type World,
} from "../support/files.ts";
import { hire } from "../support/people.ts";
import { temporaryDirectory } from "../support/scratch.ts";
import { START_MS } from "../support/seeded.ts";
import { rowsOf } from "../support/rows.ts";
import { makePdf, setLines } from "../unit/media/make-pdf.ts";

setDefaultTimeout(60_000);

const ID = /^f_[a-z2-7]{32}$/;
const JOB_ID = /^j_[A-Za-z0-9_-]{20}$/;
const BAD = "400 bad_request";

let world: World;
let count = 0;

beforeAll(async () => {
  world = await openWorld();
}, START_MS);

afterAll(async () => {
  // Nothing that was refused left anything behind.
  expect(objectsIn(world.h.data).filter((name) => name.startsWith("incoming/"))).toEqual([]);
  expect(await faultsOf(world.h)).toEqual([]);
  await world.h.close();
});

/** A text that no other test sends. */
function fresh(text = "The lighthouse keeper trimmed the lamp before dusk."): string {
  count += 1;
  return `${text} Entry ${count}.\n`;
}

const send = (content: Parameters<typeof put>[1], options: Partial<Parameters<typeof put>[2]> = {}) =>
  put(world.h, content, { token: world.ann, ...options });
const form = (parts: readonly Part[], query?: string) => postForm(world.h, formBytes(parts), world.ann, query);
const get = (path: string, token = world.ann) => world.h.call("GET", path, { token });

async function fileOf({ body }: Answer) {
  const { status, body: file } = await get(`/v1/files/${body.file_id}`);
  expect(status).toBe(200);
  return file;
}

async function unitsOf(answer: Answer) {
  const { units } = await fileOf(answer);
  return Promise.all(units.map(async (id: string) => (await get(`/v1/units/${id}`)).body));
}

describe("a raw body", () => {
  test("202 names the file and its job, which comes to its end", async () => {
    const text = fresh();
    const { status, body } = await send(text, { wait: false });
    expect(status).toBe(202);
    expect(Object.keys(body).sort()).toEqual(["doc_id", "file_id", "job", "source_uri"]);
    expect(body.file_id).toMatch(ID);
    expect(body).toMatchObject({ doc_id: body.file_id, source_uri: `strata://files/${body.file_id}` });
    expect(body.job).toMatchObject({ file_id: body.file_id, state: "queued", counts: { units: 0, created: 0 }, notes: [], error: null });
    expect(body.job.id).toMatch(JOB_ID);
    const job = await settled(world.h, body.job.id, world.ann);
    expect(job).toMatchObject({ id: body.job.id, state: "done", stage: "done", progress: 1, counts: { units: 1, created: 1 }, error: null });
    expect(Object.keys(job).sort()).toEqual(
      ["counts", "created_at", "error", "file_id", "id", "notes", "progress", "stage", "state", "updated_at"].sort(),
    );
  });

  test("200 with wait: its Units are searchable", async () => {
    const { status, body } = await send(fresh("A heron stood by the sluice of the brickworks."), { name: "heron.txt" });
    expect({ status, state: body.job.state }).toEqual({ status: 200, state: "done" });
    const found = await world.h.call("POST", "/v1/search", { token: world.ann, body: { q: "heron sluice brickworks" } });
    expect(found.body.hits[0]).toMatchObject({ doc_id: body.file_id, source_uri: body.source_uri, mime: "text/plain" });
  });

  test("a Unit says where it comes from", async () => {
    const query = { doc_id: "log-book", acl_groups: "crew", metadata: '{"ship":"Aurora","year":1911,"tags":["a","b"]}' };
    const answer = await send(fresh(), { name: "book.txt", query });
    expect(answer.body.doc_id).toBe("log-book");
    const units = await unitsOf(answer);
    expect(units).toHaveLength(1);
    expect(units[0]).toMatchObject({
      doc_id: "log-book",
      source_uri: answer.body.source_uri,
      scope: "town",
      acl_owner: "ann",
      acl_groups: ["crew"],
      mime: "text/plain",
      modality: "chunk",
      plane: "text",
      locator: { kind: "char_span", start: 0 },
      metadata: { file_name: "book.txt", mime: "text/plain", ship: "Aurora", year: 1911, tags: ["a", "b"] },
    });
    expect(await fileOf(answer)).toMatchObject({
      name: "book.txt",
      kind: "document",
      mime: "text/plain",
      acl_groups: ["crew"],
      acl_owner: "ann",
      metadata: { ship: "Aurora" },
      job: { state: "done" },
    });
  });

  test("the caller cannot say otherwise than the file does", async () => {
    const metadata = JSON.stringify({ file_name: "other.txt", mime: "x/y", kept: true });
    const [unit] = await unitsOf(await send(fresh(), { name: "true.txt", query: { metadata } }));
    expect(unit.metadata).toMatchObject({ file_name: "true.txt", mime: "text/plain", kept: true });
  });

  const NAMES: [string, string, string][] = [
    ["a path", "etc/deeper/pass wd.txt", "etc/deeper/pass wd.txt"],
    ["a path with parts that say nothing", "./etc//deeper/./note.txt", "etc/deeper/note.txt"],
    ["a path of Windows", "me\\deeper\\note.txt", "me/deeper/note.txt"],
    ["a path of more than 1,024 characters", `${"outer/".repeat(200)}note.txt`, `${"outer/".repeat(169)}note.txt`],
    ["two dots that are no part", "a..b/..c.txt", "a..b/..c.txt"],
    ["UTF-8", "Größe – 灯台 🚢.txt", "Größe – 灯台 🚢.txt"],
    ["control characters", "a\u0000b\r\nc.txt", "abc.txt"],
    ["more than 255 characters", `${"x".repeat(400)}.txt`, `${"x".repeat(251)}.txt`],
    ["a letter of two code units at the cut", `🚢${"y".repeat(250)}.txt`, `\ufffd${"y".repeat(250)}.txt`],
  ];
  test.each(NAMES)("a name that is %s", async (_what, name, shown) => {
    const answer = await send(fresh(), { name });
    expect((await fileOf(answer)).name).toBe(shown);
    expect((await unitsOf(answer))[0].metadata.file_name).toBe(shown);
  });

  const OUTSIDE = [
    "../../etc/passwd.txt",
    "a/../b.txt",
    "a\\..\\b.txt",
    "/etc/motd.txt",
    "C:\\Users\\me\\note.txt",
    "c:/note.txt",
    "\\\\host\\share\\a.txt",
  ];
  test.each(OUTSIDE)("a name outside the folder that is taken in: %p", async (name) => {
    const answer = await send(fresh(), { name });
    expect(outcome(answer)).toBe(BAD);
    expect(answer.body.detail).toContain("the name of a file must");
    expect(outcome(await form([{ name: "file", value: fresh(), filename: name.replaceAll("\\", "\\\\") }]))).toBe(BAD);
  });

  test("names in headers", async () => {
    const headers: [Record<string, string>, string][] = [
      [{ "x-file-name": "plain.txt" }, "plain.txt"],
      [{ "content-disposition": 'attachment; filename="quoted name.txt"' }, "quoted name.txt"],
      [{ "content-disposition": "attachment; filename=token.txt" }, "token.txt"],
      [{ "content-disposition": "attachment; filename=\"a.txt\"; filename*=UTF-8''gr%C3%B6%C3%9Fe.txt" }, "größe.txt"],
    ];
    for (const [given, shown] of headers) expect((await fileOf(await send(fresh(), { name: null, headers: given }))).name).toBe(shown);
    const broken = await send(fresh(), { name: null, headers: { "content-disposition": "attachment; filename*=UTF-8''%ff.txt" } });
    expect(outcome(broken)).toBe(BAD);
  });

  test.each([null, "", "..", "a/", "\u0007"])("no name in %p is 400", async (name) => {
    const answer = await send(fresh(), { name });
    expect(outcome(answer)).toBe(BAD);
    expect(answer.body.detail).toContain("name");
  });

  const WRONG: [string, Record<string, string>, string][] = [
    ["metadata that is no JSON", { metadata: "{" }, "/metadata"],
    ["metadata that is no object", { metadata: "[1]" }, "/metadata"],
    ["metadata with an object in it", { metadata: '{"a":{"b":1}}' }, "/metadata"],
    ["metadata with a key that cannot be filtered by", { metadata: '{"a b":1}' }, "/metadata"],
    ["groups that are no JSON", { acl_groups: '["crew"' }, "/acl_groups"],
    ["groups that are no strings", { acl_groups: "[1]" }, "/acl_groups/0"],
    ["an empty doc_id", { doc_id: "" }, "/doc_id"],
    ["a long doc_id", { doc_id: "d".repeat(257) }, "/doc_id"],
    ["a NUL in the doc_id", { doc_id: "a\0b" }, "/doc_id"],
    ["wait that is neither true nor false", { wait: "yes" }, "/wait"],
  ];
  test.each(WRONG)("%s is 400 and named", async (_what, query, pointer) => {
    const answer = await send(fresh(), { wait: false, query });
    expect(outcome(answer)).toBe(BAD);
    expect(answer.body.detail).toStartWith(pointer);
  });

  test("Content-Encoding is 400", async () => {
    const answer = await send(Bun.gzipSync(Buffer.from(fresh())), { headers: { "content-encoding": "gzip" } });
    expect(outcome(answer)).toBe(BAD);
    expect(answer.body.detail).toContain("Content-Encoding");
  });
});

describe("a form", () => {
  const fields: Part[] = [
    { name: "doc_id", value: "the-form" },
    { name: "acl_groups", value: "crew" },
    { name: "metadata", value: '{"from":"form"}' },
  ];
  const file = (value = fresh(), filename = "form.txt"): Part => ({ name: "file", value, filename });

  test.each(["before", "after", "around"])("fields %s the file", async (where) => {
    const [first, ...rest] = fields as [Part, ...Part[]];
    const parts = { before: [...fields, file()], after: [file(), ...fields], around: [first, file(), ...rest] }[where] ?? [];
    const answer = await form(parts);
    expect(outcome(answer)).toBe("200");
    const [unit] = await unitsOf(answer);
    expect(unit).toMatchObject({ doc_id: "the-form", acl_groups: ["crew"], metadata: { from: "form", file_name: "form.txt" } });
  });

  const GROUPS: [string, string[]][] = [
    ["a JSON array", ['["night","crew"]']],
    ["commas", ["crew, night"]],
    ["fields of their own", ["crew", "night"]],
    ["all of them, with repeats", ["crew,night", '["crew"]', "night", ""]],
  ];
  test.each(GROUPS)("groups as %s", async (_how, values) => {
    const answer = await form([...values.map((value) => ({ name: "acl_groups", value })), file()]);
    expect((await unitsOf(answer))[0].acl_groups).toEqual(["crew", "night"]);
  });

  test.each([
    ["Größe – 灯台.txt", "Größe – 灯台.txt"],
    ["up/and/away.txt", "up/and/away.txt"],
    ["up\\\\win.txt", "up/win.txt"],
  ])("a file name %p", async (filename, shown) => {
    expect((await fileOf(await form([file(fresh(), filename)]))).name).toBe(shown);
  });

  test("parameters of the URL are no fields of a form", async () => {
    const answer = await form([file()], "wait=true&doc_id=from-url&name=url.txt");
    expect(await fileOf(answer)).toMatchObject({ doc_id: answer.body.file_id, name: "form.txt" });
  });

  const REFUSED: [string, () => Uint8Array, string, string][] = [
    ["two files", () => formBytes([file(), file()]), BAD, "one file"],
    ["three files", () => formBytes([file(), file(), file()]), BAD, "one file"],
    ["no file", () => formBytes(fields), BAD, "/file"],
    ["a file without a name", () => formBytes([file(fresh(), "")]), BAD, "name"],
    ["nothing", () => new Uint8Array(), BAD, "form"],
    [
      "another boundary",
      () =>
        Buffer.from(
          Buffer.from(formBytes([file()]))
            .toString("latin1")
            .replaceAll(BOUNDARY, "--other"),
          "latin1",
        ),
      BAD,
      "form",
    ],
    ["no end", () => formBytes([...fields, file()], ""), BAD, "form"],
    ["a cut in the file", () => formBytes([...fields, file("x".repeat(100_000))]).subarray(0, 60_000), BAD, "form"],
    ["a cut in the head of a part", () => formBytes([...fields, file()]).subarray(0, 420), BAD, "form"],
    [
      "a long field before the file",
      () => formBytes([{ name: "doc_id", value: "d".repeat(FILE_FIELDS_MAX_BYTES + 1) }, file()]),
      "413 payload_too_large",
      "doc_id",
    ],
    [
      "a long field after the file",
      () => formBytes([file(), { name: "doc_id", value: "d".repeat(FILE_FIELDS_MAX_BYTES + 1) }]),
      "413 payload_too_large",
      "doc_id",
    ],
    ["too many fields", () => formBytes([...Array.from({ length: 20 }, () => fields[1] as Part), file()]), BAD, "too many parts"],
    ["too many fields after the file", () => formBytes([file(), ...Array.from({ length: 20 }, () => fields[1] as Part)]), BAD, "too many parts"],
    ["a foreign group after the file", () => formBytes([file(), { name: "acl_groups", value: "crew,elders" }]), "403 forbidden", "/acl_groups/1"],
    ["bad metadata after the file", () => formBytes([file(), { name: "metadata", value: "{" }]), BAD, "/metadata"],
  ];
  test.each(REFUSED)("%s is refused, and nothing is left of it", async (_what, bytes, expected, detail) => {
    const before = objectsIn(world.h.data);
    const answer = await postForm(world.h, bytes(), world.ann);
    expect(outcome(answer)).toBe(expected);
    expect(answer.body.detail).toContain(detail);
    expect(objectsIn(world.h.data)).toEqual(before);
  });

  test("two large files: the first is not kept either", async () => {
    const before = objectsIn(world.h.data);
    const large = () => file("y".repeat(3_000_000));
    expect(outcome(await postForm(world.h, formBytes([large(), large()]), world.ann))).toBe(BAD);
    expect(objectsIn(world.h.data)).toEqual(before);
  });

  test.each([
    ["raw", "application/octet-stream"],
    ["form", `multipart/form-data; boundary=${BOUNDARY}`],
  ])("a sender that goes away (%s) leaves nothing", async (_how, type) => {
    const before = objectsIn(world.h.data);
    const head = formBytes([file("z".repeat(200_000))], "").subarray(0, 150_000);
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += 1;
        if (sent > 2) controller.error(new Error("the connection broke"));
        else controller.enqueue(sent === 1 ? head : new Uint8Array(50_000));
      },
    });
    const answer = await world.h.call("POST", "/v1/files?name=a.txt&wait=true", { token: world.ann, body, headers: { "content-type": type } });
    expect(outcome(answer)).toBe(BAD);
    expect(objectsIn(world.h.data)).toEqual(before);
  });

  test.each([
    ["raw", "application/octet-stream"],
    ["form", `multipart/form-data; boundary=${BOUNDARY}`],
  ])("a connection that breaks off (%s) leaves nothing", async (_how, type) => {
    const before = objectsIn(world.h.data);
    const listener = listen(world.h.http, { hostname: "127.0.0.1", port: 0, log: silentLog });
    const socket = connect(listener.port, listener.host);
    const head = `POST /v1/files?name=a.txt HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${world.ann}\r\nContent-Type: ${type}\r\nContent-Length: 5000000\r\n\r\n`;
    socket.write(Buffer.concat([Buffer.from(head), formBytes([file("z".repeat(200_000))], "")]));
    const receiving = () => objectsIn(world.h.data).some((name) => name.startsWith("incoming/"));
    while (!receiving()) await Bun.sleep(5);
    socket.destroy();
    while (receiving() || world.h.http.inFlight() > 0) await Bun.sleep(5);
    expect(objectsIn(world.h.data)).toEqual(before);
    await listener.stop();
  });

  test("a form without a boundary is 400", async () => {
    const answer = await world.h.call("POST", "/v1/files", {
      token: world.ann,
      body: formBytes([file()]),
      headers: { "content-type": "multipart/form-data" },
    });
    expect(outcome(answer)).toBe(BAD);
    expect(answer.body.detail).toContain("boundary");
  });
});

describe("sizes and kinds", () => {
  test("an empty file is 400", async () => {
    for (const answer of [await send(""), await form([{ name: "file", value: "", filename: "empty.txt" }])]) {
      expect(outcome(answer)).toBe(BAD);
      expect(answer.body.detail).toContain("empty");
    }
  });

  test("more than 512 MiB by its length is 413, before a byte is read", async () => {
    let pulled = 0;
    const body = new ReadableStream({
      pull(controller) {
        pulled += 1;
        controller.enqueue(new Uint8Array(1024));
      },
    });
    const answer = await send(body, { headers: { "content-length": String(FILE_MAX_BYTES * 2) } });
    expect(outcome(answer)).toBe("413 payload_too_large");
    expect(pulled).toBeLessThan(4);
  });

  test("more than 512 MiB without a length is 413, and nothing of it is kept", async () => {
    const before = objectsIn(world.h.data);
    const zeros = new Uint8Array(8 * 1024 * 1024);
    let sent = 0;
    const body = new ReadableStream({
      pull(controller) {
        sent += zeros.length;
        controller.enqueue(zeros);
      },
    });
    const answer = await send(body, { name: "endless.bin" });
    expect(outcome(answer)).toBe("413 payload_too_large");
    expect(answer.body.detail).toContain("512 MiB");
    expect(sent).toBeLessThan(FILE_MAX_BYTES + 8 * zeros.length);
    expect(objectsIn(world.h.data)).toEqual(before);
  });

  const UNKNOWN: [string, string | Uint8Array, string][] = [
    ["archive.zip", Buffer.from("504b0304140000000000", "hex"), "ZIP"],
    ["drawing.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>', "SVG"],
    ["noise.bin", Uint8Array.from({ length: 5_000 }, (_, at) => (at * 7919) % 256), "not known"],
  ];
  test.each(UNKNOWN)("%s is 400, and the detail says what it is", async (name, content, detail) => {
    const before = objectsIn(world.h.data);
    const answer = await send(content, { name });
    expect(outcome(answer)).toBe(BAD);
    expect(answer.body.detail).toContain(detail);
    expect(objectsIn(world.h.data)).toEqual(before);
  });

  test("the content decides, not the name and not the type", async () => {
    const answer = await send(PAGE, { name: "page.txt", headers: { "content-type": "text/plain" } });
    expect(await fileOf(answer)).toMatchObject({ kind: "picture", mime: "image/png", name: "page.txt" });
  });

  test("each kind gives its Units", async () => {
    const log = Array.from({ length: 40 }, (_, at) => `2026-08-01T10:00:${String(at).padStart(2, "0")} INFO pump ${at} started in ${at * 3} ms`).join(
      "\n",
    );
    const kinds: [string, string | Uint8Array, string[]][] = [
      ["clock.png", CLOCK, ["image"]],
      ["page.html", `<h1>Tide tables</h1><p>${fresh()}</p>`, ["chunk"]],
      ["pump.log", log, ["chunk", "log_template"]],
      ["pump.csv", "pump,turns\n1,300\n", ["chunk"]],
      ["tone.wav", tone(440, 2), ["audio_utterance"]],
    ];
    for (const [name, content, modalities] of kinds) {
      const units = await unitsOf(await send(content, { name }));
      expect([...new Set(units.map(({ modality }) => modality))]).toEqual(expect.arrayContaining(modalities));
      expect(units.every(({ metadata }) => metadata.file_name === name)).toBe(true);
    }
  });

  test("a page of a PDF is found by its words, and by its meaning through its chunks alone", async () => {
    const pdf = makePdf([{ content: setLines(["The walnut bench of the pilot house", `weighs 83 kilograms (${fresh().length}).`]) }]);
    const units = await unitsOf(await send(pdf, { name: "bench.pdf" }));
    expect(units.map(({ modality }) => modality).sort()).toEqual(["chunk", "doc_page"]);
    const found = async (mode: string) => {
      const body = { q: "walnut bench of the pilot house", mode, doc_id: units[0].doc_id };
      const answer = await world.h.call("POST", "/v1/search", { token: world.ann, body });
      return answer.body.hits.map(({ modality }: { modality: string }) => modality).sort();
    };
    expect(await found("fulltext")).toEqual(["chunk", "doc_page"]);
    expect(await found("vector")).toEqual(["chunk"]);
  });

  test("a broken file fails with a reason, keeps its bytes, and holds nobody up", async () => {
    const broken = PAGE.subarray(0, PAGE.length / 2);
    const accepted = await send(broken, { name: "cut.png", wait: false });
    const next = await send(fresh(), { name: "next.txt" });
    expect(outcome(next)).toBe("200");
    const job = await settled(world.h, accepted.body.job.id, world.ann);
    expect(job).toMatchObject({ state: "failed", stage: "failed", counts: { units: 0, created: 0 }, error: { error: "bad_request" } });
    expect(job.error.detail).not.toMatch(/\/(?:work|tmp|home)\/|\bat .*:\d+/);
    expect(await fileOf(accepted)).toMatchObject({ units: [], job: { state: "failed" } });
    expect(objectsIn(world.h.data)).toContain(sha256Hex(broken));
    const content = await world.h.http.handle(
      new Request(`http://127.0.0.1:4700/v1/files/${accepted.body.file_id}/content`, {
        headers: { host: "localhost", authorization: `Bearer ${world.ann}` },
      }),
    );
    expect([content.status, sha256Hex(new Uint8Array(await content.arrayBuffer()))]).toEqual([200, sha256Hex(broken)]);
    // With wait, the upload itself answers what the job failed with.
    const again = await send(broken, { name: "cut.png" });
    expect({ outcome: outcome(again), detail: again.body.detail }).toEqual({ outcome: BAD, detail: job.error.detail });
    expect((await world.h.call("DELETE", `/v1/files/${accepted.body.file_id}`, { token: world.ann })).status).toBe(200);
    expect(objectsIn(world.h.data)).not.toContain(sha256Hex(broken));
  });
});

describe("jobs", () => {
  test("progress never falls and stays within 0 and 1", async () => {
    const text = Array.from({ length: 2_500 }, (_, at) => `Paragraph ${at} of ${fresh()}\n`).join("\n");
    const { body } = await send(text, { name: "long.txt", wait: false });
    const seen: { progress: number; state: string; units: number }[] = [];
    for (let state = "queued"; state === "queued" || state === "running"; ) {
      const { body: job } = await get(`/v1/jobs/${body.job.id}`);
      seen.push({ progress: job.progress, state: job.state, units: job.counts.units });
      state = job.state;
      await Bun.sleep(5);
    }
    expect(seen.at(-1)).toMatchObject({ state: "done", progress: 1 });
    expect(seen.some(({ progress }) => progress > 0 && progress < 1)).toBe(true);
    seen.forEach(({ progress, units }, at) => {
      expect(progress >= (seen[at - 1]?.progress ?? 0) && progress <= 1).toBe(true);
      expect(units).toBeGreaterThanOrEqual(seen[at - 1]?.units ?? 0);
    });
    expect((await unitsOf({ body } as Answer)).length).toBe(seen.at(-1)?.units ?? 0);
  });

  test("what is done can be found", async () => {
    for (let round = 0; round < 10; round += 1) {
      const word = `wherry${round}q`;
      const { body } = await send(fresh(`The ${word} lay on the hard.`), { wait: false });
      while ((await get(`/v1/jobs/${body.job.id}`)).body.state !== "done") await Bun.sleep(0);
      const found = await world.h.call("POST", "/v1/search", { token: world.ann, body: { q: word, mode: "fulltext" } });
      expect(found.body.hits.map(({ doc_id }: { doc_id: string }) => doc_id)).toEqual([body.file_id]);
    }
  });

  test("nobody waits for a job that a stopping service will not take up", async () => {
    // A directory that stays: the process has but one place for temporary files.
    const closing = await openWorld({ data: temporaryDirectory() });
    await closing.h.app.jobs.close();
    expect(outcome(await put(closing.h, fresh(), { token: closing.ann }))).toBe("503 unavailable");
    await closing.h.close();
  });
});

describe("one file", () => {
  test("the same bytes again are the same file, and make nothing new", async () => {
    const text = fresh();
    const [first, second] = [await send(text), await send(text)];
    expect(second.body).toEqual(first.body);
    expect(await fileOf(second)).toMatchObject({ units: (await fileOf(first)).units });
  });

  test("ten at once are one file with one job", async () => {
    const text = fresh();
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(text)));
    expect(new Set(answers.map(outcome))).toEqual(new Set(["200"]));
    expect(new Set(answers.map(({ body }) => `${body.file_id} ${body.job.id}`)).size).toBe(1);
    const file = await fileOf(answers[0] as Answer);
    expect(file.job.counts).toEqual({ units: 1, created: 1 });
    expect(objectsIn(world.h.data).filter((name) => name === sha256Hex(text))).toHaveLength(1);
  });

  test("another scope and another owner have files of their own", async () => {
    const text = fresh();
    const everywhere = hire(world.h, "roamer", { namespace: "files", scopes: ["town", "port"], active_scope: "town" });
    const ids = await Promise.all([
      send(text),
      put(world.h, text, { token: world.bob }),
      put(world.h, text, { token: everywhere }),
      put(world.h, text, { token: everywhere, query: { scope: "port" } }),
      put(world.h, text, { token: everywhere, headers: { "x-svc-scope": "port/east" } }),
    ]);
    expect(ids.map(outcome)).toEqual(Array(5).fill("200"));
    expect(new Set(ids.map(({ body }) => body.file_id)).size).toBe(5);
    expect(objectsIn(world.h.data).filter((name) => name === sha256Hex(text))).toHaveLength(1);
  });

  test("other groups, metadata and a name change the Units, which keep their ids", async () => {
    const text = fresh();
    const first = await send(text, { name: "one.txt", query: { acl_groups: "crew", metadata: '{"v":1,"gone":true}' } });
    const before = await unitsOf(first);
    const changes: [Partial<Parameters<typeof put>[2]>, object][] = [
      [
        { name: "one.txt", query: { metadata: '{"v":1}' } },
        { acl_groups: [], metadata: { v: 1, file_name: "one.txt", mime: "text/plain" } },
      ],
      [
        { name: "one.txt", query: { metadata: '{"v":2}' } },
        { acl_groups: [], metadata: { v: 2, file_name: "one.txt", mime: "text/plain" } },
      ],
      [
        { name: "two.txt", query: { acl_groups: "night,crew" } },
        { acl_groups: ["crew", "night"], metadata: { file_name: "two.txt", mime: "text/plain" } },
      ],
    ];
    for (const [options, expected] of changes) {
      const answer = await send(text, options);
      expect(answer.body.file_id).toBe(first.body.file_id);
      expect(answer.body.job.counts).toEqual({ units: 1, created: 0 });
      const units = await unitsOf(answer);
      expect(units.map(({ unit_id }) => unit_id)).toEqual(before.map(({ unit_id }) => unit_id));
      expect(units[0].acl_groups).toEqual((expected as { acl_groups: string[] }).acl_groups);
      expect(units[0].metadata).toEqual((expected as { metadata: object }).metadata);
    }
  });

  test("a name that makes it another kind of text leaves none of the old Units", async () => {
    const text = Array.from({ length: 30 }, (_, at) => `the pump number ${at} of series ${count} runs at ${at * 3} turns`).join("\n");
    count += 1;
    const asText = await send(text, { name: "pumps.txt" });
    expect((await unitsOf(asText)).map(({ modality }) => modality)).toEqual(expect.arrayContaining(["chunk"]));
    const asLog = await send(text, { name: "pumps.log" });
    expect(asLog.body.file_id).toBe(asText.body.file_id);
    const units = await unitsOf(asLog);
    expect(new Set(units.map(({ modality, metadata }) => `${modality} ${metadata.file_name}`))).toEqual(
      new Set(["chunk pumps.log", "log_template pumps.log"]),
    );
    expect(units.length).toBe(asLog.body.job.counts.units);
  });

  test("the last upload wins while the first is still being worked on", async () => {
    const text = Array.from({ length: 1_500 }, (_, at) => `Paragraph ${at} of ${fresh()}\n`).join("\n");
    const first = await send(text, { query: { acl_groups: "crew" }, wait: false });
    const second = await send(text, { query: { acl_groups: "night" } });
    await settled(world.h, first.body.job.id, world.ann);
    expect(second.body.job.id).not.toBe(first.body.job.id);
    const { catalog, files } = rowsOf(await tenantOf(world.h));
    const groups = [...catalog.byUids(files.uids(first.body.file_id)).values()].map((unit) => unit.acl_groups.join());
    expect(groups.length).toBe(second.body.job.counts.units);
    expect(new Set(groups)).toEqual(new Set(["night"]));
  });

  test("another doc_id is 409, the same one is not", async () => {
    const text = fresh();
    expect(outcome(await send(text, { query: { doc_id: "one" } }))).toBe("200");
    const other = await send(text, { query: { doc_id: "two" } });
    expect(outcome(other)).toBe("409 conflict");
    expect(other.body.detail).toContain("doc_id one");
    expect(outcome(await send(text, { query: { doc_id: "one" } }))).toBe("200");
    // Without one it stays where it is.
    expect((await send(text)).body.doc_id).toBe("one");
  });

  test("after a failure it is worked on again", async () => {
    const broken = CLOCK.subarray(0, 2_000);
    const first = await send(broken, { wait: false });
    await settled(world.h, first.body.job.id, world.ann);
    const again = await send(broken, { wait: false });
    expect(again.body.file_id).toBe(first.body.file_id);
    expect(again.body.job.id).not.toBe(first.body.job.id);
    expect((await settled(world.h, again.body.job.id, world.ann)).state).toBe("failed");
  });
});

describe("reading again", () => {
  const ask = (body?: unknown, token = world.admin) =>
    world.h.call("POST", "/v1/admin/reread?scope=town", { token, ...(body === undefined ? {} : { body }) });

  test("takes what an older extractor read through today's", async () => {
    const answer = await send(fresh(), { name: "deeper/old.txt" });
    const { file_id } = answer.body;
    rowsOf(await tenantOf(world.h))
      .db.query("UPDATE file SET extractor = 0 WHERE file_id = ?")
      .run(file_id);
    const { status, body } = await ask();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      files: [{ file_id, name: "deeper/old.txt", scope: "town", job: { file_id } }],
      left_out: [],
      outdated: 1,
      next: null,
    });
    expect(await settled(world.h, body.files[0].job.id, world.ann)).toMatchObject({ state: "done", counts: { units: 1, created: 0 } });
    expect(await fileOf(answer)).toMatchObject({ name: "deeper/old.txt", extractor: EXTRACTOR_VERSIONS.document });
    expect((await ask({})).body).toEqual({ files: [], left_out: [], outdated: 0, next: null });
  });

  test("is for admins, and names what is wrong with what it is given", async () => {
    expect(outcome(await ask({}, world.ann))).toBe("403 forbidden");
    for (const [body, pointer] of [
      [{ after: 1 }, "/after"],
      [{ after: "" }, "/after"],
      [{ with_deleted: "yes" }, "/with_deleted"],
    ] as const) {
      const answer = await ask(body);
      expect([outcome(answer), answer.body.detail.split(":")[0]]).toEqual([BAD, pointer]);
    }
    expect(outcome(await ask("[]"))).toBe(BAD);
  });
});
