/** Files of every kind into the executable alone, by the command line and over HTTP, and questions that bring them back. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { FFMPEG, recorded, withoutFfmpeg } from "../support/recorded.ts";
import { makeDocx, paragraph } from "../unit/media/make-docx.ts";
import { makePdf, setLines } from "../unit/media/make-pdf.ts";
import { ADMIN, READER, type Sandbox, type Server, START_MAX_MS, seededSandbox } from "./support.ts";

setDefaultTimeout(START_MAX_MS + 240_000);

const ROOT = join(import.meta.dir, "../..");
const SCOPE = "harbour/ops";

/** One file of each kind but video, each about something that nothing else in the demo is about. */
function makeFiles(folder: string): void {
  mkdirSync(join(folder, "deeper"), { recursive: true });
  const path = (name: string) => join(folder, name);
  copyFileSync(join(ROOT, "models/image-classifier/fixture/clock.png"), path("wall.png"));
  copyFileSync(join(ROOT, "models/ppocr/fixture/page.png"), path("scan.png"));
  const pages = ["The gangway was painted in spring.", "The walnut bench of the pilot house weighs 83 kilograms."];
  writeFileSync(path("inventory.pdf"), makePdf(pages.map((line) => ({ content: setLines([line]) }))));
  writeFileSync(path("minutes.docx"), makeDocx({ body: paragraph("The choir sings on Thursdays in the net loft.") }));
  writeFileSync(
    path("deeper/menu.html"),
    "<html><title>Canteen</title><body><p>On Fridays the canteen serves pickled herring with dill.</p></body></html>",
  );
  writeFileSync(path("deeper/notes.md"), "# Beekeeping\n\nThe hives behind the lighthouse gave eleven jars of honey.\n");
  copyFileSync(recorded("speech/dog.wav"), path("speech.wav"));
  copyFileSync(recorded("sound/hiss.flac"), path("hiss.flac"));
  const lines = Array.from({ length: 40 }, (_, at) => `2026-05-0${1 + (at % 9)}T10:00:00Z INFO lamp[${at}]: lantern ${at} lit after ${at * 3} ms`);
  writeFileSync(path("lamps.log"), `${lines.join("\n")}\n`);
  writeFileSync(path("broken.png"), "\x89PNG\r\n\x1a\n and nothing that follows");
  writeFileSync(path("archive.zip"), "PK\x03\x04 and so on");
}

/** What is asked, the file that comes first, and the place in it; of a whole picture there is none. */
const QUESTIONS: [string, string, Record<string, unknown> | undefined][] = [
  ["clock", "wall.png", undefined],
  ["who signed the harbour log of crate 417?", "scan.png", { kind: "bbox" }],
  ["how heavy is the walnut bench?", "inventory.pdf", { kind: "char_span" }],
  ["when does the choir sing?", "minutes.docx", { kind: "char_span" }],
  ["pickled herring with dill", "deeper/menu.html", { kind: "char_span" }],
  ["honey from the hives", "deeper/notes.md", { kind: "char_span" }],
  ["the brown dog under the wooden table", "speech.wav", { kind: "time_range" }],
  ["white noise", "hiss.flac", { kind: "time_range", t_start_ms: 0 }],
  ["lantern lit", "lamps.log", { kind: "line_range" }],
];

let sandbox: Sandbox;
let server: Server;
let folder: string;
/** Without it video is refused, which has a test of its own. */
const ENV = { STRATA_FFMPEG: FFMPEG ?? "" };

beforeAll(async () => {
  sandbox = await seededSandbox();
  folder = join(sandbox.work, "files");
  makeFiles(folder);
  copyFileSync(recorded("video/parrot.mp4"), join(sandbox.work, "clip.mp4"));
});
afterAll(() => sandbox.dispose());

describe("by the command line, into a data directory", () => {
  test("takes a folder in, and names what it skipped and why", async () => {
    const { code, stdout } = await sandbox.run(["ingest", "files", "--namespace", "demo", "--scope", SCOPE, "--group", "ops"]);
    expect(stdout).toMatch(/^9 files taken in: \d+ Units, \d+ new$/m);
    expect(stdout).toContain("2 files skipped:");
    expect(stdout).toMatch(/^skipped {2}files\/archive\.zip: a ZIP archive is not taken in/m);
    expect(stdout).toMatch(/^skipped {2}files\/broken\.png: \S/m);
    expect(code).toBe(1);
  });

  test.skipIf(withoutFfmpeg)("takes a film in (needs ffmpeg)", async () => {
    const { code, stdout } = await sandbox.run(["ingest", "clip.mp4", "--namespace", "demo", "--scope", SCOPE, "--group", "ops"], ENV);
    expect({ code, first: stdout.split("\n")[0] }).toEqual({ code: 0, first: expect.stringMatching(/^1 file taken in: \d+ Units, \d+ new$/) });
  });

  test("again: they are there already", async () => {
    const { stdout } = await sandbox.run(["ingest", "files", "--namespace", "demo", "--scope", SCOPE, "--group", "ops", "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ files: 9, unchanged: 9, created: 0 });
  });

  test("doctor and audit verify find nothing wrong", async () => {
    expect(await sandbox.run(["doctor"])).toMatchObject({ code: 0 });
    expect(await sandbox.run(["audit", "verify"])).toMatchObject({ code: 0 });
  });
});

describe("on a running server", () => {
  beforeAll(async () => {
    server = await sandbox.serve([], ENV);
  });

  async function finds(q: string, name: string, locator: Record<string, unknown> | undefined): Promise<void> {
    const { status, body } = await server.call("POST", "/v1/search", { token: READER, body: { q, top_k: 3 } });
    expect(status).toBe(200);
    expect(body.hits[0].metadata.file_name).toBe(name);
    expect(body.hits[0].locator).toEqual(locator === undefined ? undefined : expect.objectContaining(locator));
  }

  async function takenForSomebodyElse(path: string): Promise<void> {
    const form = new FormData();
    form.append("file", Bun.file(path), basename(path));
    form.append("metadata", '{"round":2}');
    const response = await fetch(`${server.address}/v1/files?wait=true`, {
      method: "POST",
      headers: { authorization: `Bearer strata_tier_pro`, "x-svc-scope": "quay" },
      body: form,
    });
    const body = (await response.json()) as { file_id: string; job: { state: string; counts: { units: number } } };
    expect({ status: response.status, state: body.job?.state }).toEqual({ status: 200, state: "done" });
    expect(body.job.counts.units).toBeGreaterThan(0);
    const file = await server.call("GET", `/v1/files/${body.file_id}`, { token: "strata_tier_pro" });
    expect(file.body).toMatchObject({ name: basename(path), metadata: { round: 2 } });
    expect(file.body.units.length).toBe(body.job.counts.units);
    const content = await fetch(`${server.address}/v1/files/${body.file_id}/content`, { headers: { authorization: "Bearer strata_tier_pro" } });
    expect(Buffer.from(await content.arrayBuffer()).equals(readFileSync(path))).toBe(true);
    // In another namespace it does not exist.
    expect((await server.call("GET", `/v1/files/${body.file_id}`, { token: ADMIN })).status).toBe(404);
  }

  async function previews(name: string, modality: string): Promise<void> {
    const [unit] = await unitsOf(name, modality);
    const response = await fetch(`${server.address}/v1/units/${unit?.unit_id}/preview?size=120`, { headers: { authorization: `Bearer ${READER}` } });
    expect({ status: response.status, type: response.headers.get("content-type") }).toEqual({ status: 200, type: "image/jpeg" });
    expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(200);
  }

  test.each(QUESTIONS)("%p finds %s first, at its place", finds);

  test("an answer cites the page", async () => {
    const { body } = await server.call("POST", "/v1/answer", { token: READER, body: { q: "how heavy is the walnut bench?", answer: true } });
    expect(body.answer.status).toBe("answered");
    expect(body.answer.text).toContain("83 kilograms");
    const pages = body.hits.filter((hit: { metadata?: { file_name?: string } }) => hit.metadata?.file_name === "inventory.pdf");
    expect(pages.some((hit: { modality: string; locator: { page?: number } }) => hit.modality === "doc_page" && hit.locator.page === 2)).toBe(true);
  });

  test.each(["wall.png", "scan.png", "inventory.pdf", "speech.wav", "deeper/notes.md", "lamps.log"])(
    "POST /v1/files takes %s for somebody else",
    (name) => takenForSomebodyElse(join(folder, name)),
  );

  test.each([
    ["inventory.pdf", "doc_page"],
    ["scan.png", "ocr"],
    ["speech.wav", "asr"],
  ])("a preview of %s: %s", previews);

  describe.skipIf(withoutFfmpeg)("a film (needs ffmpeg)", () => {
    test("is found by what is said in it, at its moment", () =>
      finds("how many silver boats does the parrot count?", "clip.mp4", { kind: "time_range" }));

    test("has its shots", async () => {
      const shots = await unitsOf("clip.mp4", "video_shot");
      expect(shots.map(({ locator }) => locator).sort((a, b) => Number(a?.t_start_ms) - Number(b?.t_start_ms))).toEqual([
        { kind: "time_range", t_start_ms: 0, t_end_ms: 3_000 },
        { kind: "time_range", t_start_ms: 3_000, t_end_ms: 6_000 },
      ]);
    });

    test("is taken for somebody else by POST /v1/files", () => takenForSomebodyElse(join(sandbox.work, "clip.mp4")));
    test("has a preview of a frame", () => previews("clip.mp4", "video_shot"));
  });

  test("by the command line over HTTP", async () => {
    const token = ["--url", server.address, "--token", "strata_tier_enterprise"];
    const { stdout, code } = await sandbox.run(["ingest", "files/deeper", "files/lamps.log", "--scope", "quay", ...token]);
    expect({ code, first: stdout.split("\n")[0] }).toEqual({ code: 0, first: "3 files taken in: 6 Units, 6 new" });
  });

  test("nothing is left of the processes that read files", async () => {
    const { code } = await server.stop();
    expect(code).toBe(0);
    const left = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandOf(pid).startsWith(join(sandbox.work, "strata")));
    expect(left).toEqual([]);
  });
});

test("without ffmpeg a film is refused, and says what to do", async () => {
  const { code, stdout, stderr } = await sandbox.run(["ingest", "clip.mp4", "--namespace", "demo", "--scope", "harbour/farm"], {
    PATH: "/nonexistent",
  });
  expect(code).toBe(1);
  expect(stdout + stderr).toContain("apt-get install ffmpeg");
});

test("the media models give what their fixtures say, inside the executable", async () => {
  const { code, stdout } = await sandbox.run(["models", "--prove", "--json"]);
  const { proofs } = JSON.parse(stdout) as { proofs: { model: string; ok: boolean }[] };
  expect(code).toBe(0);
  expect(new Set(proofs.map(({ model }) => model))).toEqual(
    new Set(["image-classifier", "ppocr", "page-layout", "whisper-tiny-en", "yamnet", "silero-vad"]),
  );
  expect(proofs.filter(({ ok }) => !ok)).toEqual([]);
});

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}

interface Listed {
  unit_id: string;
  modality: string;
  locator: Record<string, unknown> | null;
  metadata?: { file_name?: string };
}

/** The Units of a file of one modality, by the listing, since words find not all of them. */
async function unitsOf(name: string, modality: string): Promise<Listed[]> {
  const found: Listed[] = [];
  for (let cursor: number | null = 0; cursor !== null; ) {
    const { body } = await server.call("GET", `/v1/units?cursor=${cursor}`, { token: READER });
    found.push(...body.units.filter((unit: Listed) => unit.modality === modality && unit.metadata?.file_name === name));
    cursor = body.next_cursor;
  }
  return found;
}
