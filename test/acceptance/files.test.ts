/** Files of every kind into the executable alone, by the command line and over HTTP, and questions that bring them back. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { makeDocx, paragraph } from "../unit/media/make-docx.ts";
import { makePdf, setLines } from "../unit/media/make-pdf.ts";
import { ADMIN, programPath, READER, type Sandbox, type Server, START_MAX_MS, seededSandbox } from "./support.ts";

setDefaultTimeout(START_MAX_MS + 240_000);

const ROOT = join(import.meta.dir, "../..");
const SCOPE = "harbour/ops";

/** Runs a tool that the tests need; without it they fail. */
function make(name: string, ...args: string[]): void {
  const path = programPath(name);
  if (path === null) throw new Error(`the tests need ${name}: apt-get install ${name}`);
  const { exitCode, stderr } = Bun.spawnSync([path, ...args], { stdin: "ignore", stdout: "ignore", stderr: "pipe" });
  if (exitCode !== 0) throw new Error(`${name}: ${stderr}`);
}

const FFMPEG = ["-hide_banner", "-loglevel", "error", "-nostdin", "-y"];

/** One file of each kind, each about something that nothing else in the demo is about. */
function makeFiles(folder: string): void {
  mkdirSync(join(folder, "deeper"), { recursive: true });
  const path = (name: string) => join(folder, name);
  copyFileSync(join(ROOT, "models/image-classifier/fixture/clock.png"), path("wall.png"));
  copyFileSync(join(ROOT, "models/ppocr/fixture/page.png"), path("scan.png"));
  const pages = ["The gangway was painted in spring.", "The walnut bench of the pilot house weighs 83 kilograms."];
  writeFileSync(path("inventory.pdf"), makePdf(pages.map((line) => ({ content: setLines([line]) }))));
  writeFileSync(path("minutes.docx"), makeDocx({ body: paragraph("The choir rehearses on Thursdays in the net loft.") }));
  writeFileSync(
    path("deeper/menu.html"),
    "<html><title>Canteen</title><body><p>On Fridays the canteen serves pickled herring with dill.</p></body></html>",
  );
  writeFileSync(path("deeper/notes.md"), "# Beekeeping\n\nThe hives behind the lighthouse gave eleven jars of honey.\n");
  make("espeak-ng", "-s", "140", "-w", path("speech.wav"), "The brown dog sleeps under the wooden table.");
  const said = join(folder, "../said.wav");
  make("espeak-ng", "-s", "140", "-w", said, "A green parrot counts the silver boats in the bay.");
  make("ffmpeg", ...FFMPEG, "-f", "lavfi", "-i", "anoisesrc=color=white:duration=4:amplitude=0.3:seed=7", path("hiss.flac"));
  const [red, blue] = ["red", "blue"].map((colour) => ["-f", "lavfi", "-i", `color=${colour}:s=320x240:r=10:d=3`]);
  make(
    "ffmpeg",
    ...FFMPEG,
    ...(red ?? []),
    ...(blue ?? []),
    "-i",
    said,
    "-filter_complex",
    "[0][1]concat=n=2:v=1:a=0[v]",
    "-map",
    "[v]",
    "-map",
    "2:a",
    path("clip.mp4"),
  );
  const lines = Array.from({ length: 40 }, (_, at) => `2026-05-0${1 + (at % 9)}T10:00:00Z INFO lamp[${at}]: lantern ${at} lit after ${at * 3} ms`);
  writeFileSync(path("lamps.log"), `${lines.join("\n")}\n`);
  writeFileSync(path("broken.png"), "\x89PNG\r\n\x1a\n and nothing that follows");
  writeFileSync(path("archive.zip"), "PK\x03\x04 and so on");
}

/** What is asked, the file that comes first, and the place in it. */
const QUESTIONS: [string, string, Record<string, unknown> | null][] = [
  ["clock", "wall.png", null],
  ["who signed the harbour log of crate 417?", "scan.png", { kind: "bbox" }],
  ["how heavy is the walnut bench?", "inventory.pdf", null],
  ["when does the choir rehearse?", "minutes.docx", { kind: "char_span" }],
  ["pickled herring with dill", "menu.html", { kind: "char_span" }],
  ["honey from the hives", "notes.md", { kind: "char_span" }],
  ["the brown dog under the wooden table", "speech.wav", { kind: "time_range" }],
  ["how many silver boats does the parrot count?", "clip.mp4", { kind: "time_range" }],
  ["white noise", "hiss.flac", { kind: "time_range", t_start_ms: 0 }],
  ["lantern lit", "lamps.log", { kind: "line_range", start: 1, end: 1 }],
];

let sandbox: Sandbox;
let server: Server;
let folder: string;
/** Without it video is refused, which has a test of its own. */
const ENV = { STRATA_FFMPEG: programPath("ffmpeg") ?? "" };

beforeAll(async () => {
  sandbox = await seededSandbox();
  folder = join(sandbox.work, "files");
  makeFiles(folder);
});
afterAll(() => sandbox.dispose());

describe("by the command line, into a data directory", () => {
  test("takes a folder in, and names what it skipped and why", async () => {
    const { code, stdout } = await sandbox.run(["ingest", "files", "--namespace", "demo", "--scope", SCOPE, "--group", "ops"], ENV);
    expect(stdout).toMatch(/^10 files taken in: \d+ Units, \d+ new$/m);
    expect(stdout).toContain("2 files skipped:");
    expect(stdout).toMatch(/^skipped {2}files\/archive\.zip: a ZIP archive is not taken in/m);
    expect(stdout).toMatch(/^skipped {2}files\/broken\.png: \S/m);
    expect(code).toBe(1);
  });

  test("again: they are there already", async () => {
    const { stdout } = await sandbox.run(
      ["ingest", "files/inventory.pdf", "files/deeper", "--namespace", "demo", "--scope", SCOPE, "--group", "ops", "--json"],
      ENV,
    );
    expect(JSON.parse(stdout)).toMatchObject({ files: 3, unchanged: 3, created: 0, skipped: [] });
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

  test.each(QUESTIONS)("%p finds %s first, at its place", async (q, name, locator) => {
    const { status, body } = await server.call("POST", "/v1/search", { token: READER, body: { q, top_k: 3 } });
    expect(status).toBe(200);
    expect(body.hits[0].metadata.file_name).toBe(name);
    if (locator === null) return;
    expect(body.hits[0].locator).toMatchObject(locator);
  });

  test("an answer cites the page", async () => {
    const { body } = await server.call("POST", "/v1/answer", { token: READER, body: { q: "how heavy is the walnut bench?", answer: true } });
    expect(body.answer.status).toBe("answered");
    expect(body.answer.text).toContain("83 kilograms");
    const pages = body.hits.filter((hit: { metadata?: { file_name?: string } }) => hit.metadata?.file_name === "inventory.pdf");
    expect(pages.some((hit: { modality: string; locator: { page?: number } }) => hit.modality === "doc_page" && hit.locator.page === 2)).toBe(true);
  });

  test("the moment of a film: its shots and what is said in it", async () => {
    const { body } = await server.call("POST", "/v1/search", {
      token: READER,
      body: { q: "a green parrot", filters: { "metadata.file_name": "clip.mp4" } },
    });
    const shots = body.hits.filter((hit: { modality: string }) => hit.modality === "video_shot").map((hit: { locator: unknown }) => hit.locator);
    expect(body.hits[0]).toMatchObject({ modality: "asr", locator: { kind: "time_range" } });
    expect(shots.length === 0 || shots.every((locator: { kind: string }) => locator.kind === "time_range")).toBe(true);
  });

  test.each(["wall.png", "scan.png", "inventory.pdf", "speech.wav", "clip.mp4", "deeper/notes.md", "lamps.log"])(
    "POST /v1/files takes %s for somebody else",
    async (name) => {
      const form = new FormData();
      form.append("file", Bun.file(join(folder, name)));
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
      expect(file.body).toMatchObject({ name: basename(name), metadata: { round: 2 } });
      expect(file.body.units.length).toBe(body.job.counts.units);
      const content = await fetch(`${server.address}/v1/files/${body.file_id}/content`, { headers: { authorization: "Bearer strata_tier_pro" } });
      expect(Buffer.from(await content.arrayBuffer()).equals(Buffer.from(await Bun.file(join(folder, name)).arrayBuffer()))).toBe(true);
      // In another namespace it does not exist.
      expect((await server.call("GET", `/v1/files/${body.file_id}`, { token: ADMIN })).status).toBe(404);
    },
  );

  test("a preview of the page, the crop, the waveform and the frame", async () => {
    for (const [name, modality] of [
      ["inventory.pdf", "doc_page"],
      ["scan.png", "ocr"],
      ["speech.wav", "asr"],
      ["clip.mp4", "video_shot"],
    ]) {
      const { body } = await server.call("POST", "/v1/search", {
        token: READER,
        body: { q: "anything", filters: { "metadata.file_name": name, modality } },
      });
      const listed = body.hits[0]?.unit_id ?? (await unitOf(name ?? "", modality ?? ""));
      const response = await fetch(`${server.address}/v1/units/${listed}/preview?size=120`, { headers: { authorization: `Bearer ${READER}` } });
      expect({ name, status: response.status, type: response.headers.get("content-type") }).toEqual({ name, status: 200, type: "image/jpeg" });
      expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(200);
    }
  });

  test("by the command line over HTTP", async () => {
    const token = ["--url", server.address, "--token", "strata_tier_enterprise"];
    const { stdout, code } = await sandbox.run(["ingest", "files/deeper", "files/lamps.log", "--scope", "quay", ...token]);
    expect({ code, first: stdout.split("\n")[0] }).toEqual({ code: 0, first: "3 files taken in: 3 Units, 3 new" });
  });

  test("nothing is left of the processes that read files", async () => {
    const { code } = await server.stop();
    expect(code).toBe(0);
    const left = readdirSync("/proc").filter((pid) => /^\d+$/.test(pid) && commandOf(pid).startsWith(join(sandbox.work, "strata")));
    expect(left).toEqual([]);
  });
});

test("without ffmpeg a film is refused, and says what to do", async () => {
  const { code, stdout, stderr } = await sandbox.run(["ingest", "files/clip.mp4", "--namespace", "demo", "--scope", "harbour/farm"], {
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

/** A Unit of a file by its modality, for what no words find. */
async function unitOf(name: string, modality: string): Promise<string> {
  for (let cursor: number | null = 0; cursor !== null; ) {
    const { body } = await server.call("GET", `/v1/units?cursor=${cursor}`, { token: READER });
    const found = body.units.find(
      (unit: { modality: string; metadata?: { file_name?: string } }) => unit.modality === modality && unit.metadata?.file_name === name,
    );
    if (found !== undefined) return found.unit_id;
    cursor = body.next_cursor;
  }
  throw new Error(`no ${modality} of ${name}`);
}
