/** Files in and out: each kind, each way to send one, who may see it, and what it makes. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { strToU8, zipSync } from "fflate";
import { UNKNOWN_FILE } from "./access.ts";
import { ADMIN, FREE, type People, PRO, READER, SUPER } from "./people.ts";
import type { Answer, Recorder, SendOptions } from "./recorder.ts";
import { unitsOf } from "./units.ts";

const ROOT = join(import.meta.dir, "../../..");
const stored = (path: string): Uint8Array => readFileSync(join(ROOT, path));
/** Many times what the job of a small text takes: looking at it before would leave rows in the audit chain. */
const JOB_MS = 5_000;
const BOUNDARY = "----strata-wire-boundary";

function docx(): Uint8Array {
  const paragraphs = ["The dredger Hilda moved 4,200 cubic metres of sand in May.", "Its captain is Ruth Aldous."];
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join("");
  const document = `<?xml version="1.0"?><w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`;
  const types = '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"/>';
  return zipSync({ "[Content_Types].xml": strToU8(types), "word/document.xml": strToU8(document) }, { mtime: new Date(2026, 0, 1) });
}

const HTML = "<html><head><title>Tide tables</title></head><body><h1>Tides</h1><p>High water at noon.</p><script>no()</script></body></html>";

/** Name, bytes. */
function samples(): [string, string | Uint8Array][] {
  const log = Array.from({ length: 40 }, (_, at) => `2026-08-01T10:00:${String(at).padStart(2, "0")} INFO pump ${at} started in ${at * 3} ms`);
  return [
    ["heron.txt", "A heron stood by the sluice of the brickworks.\n\nIt left at dusk.\n"],
    ["costs.md", stored("data/files/open-day-costs.md")],
    ["tides.html", HTML],
    ["pump.log", log.join("\n")],
    ["gauge.log", stored("data/files/tide-gauge.log")],
    ["programme.pdf", stored("data/files/open-day-programme.pdf")],
    ["dredger.docx", docx()],
    ["chart.png", stored("test/recorded/picture/chart.png")],
    ["page.png", stored("test/recorded/picture/page.png")],
    ["poster.jpg", stored("data/files/open-day-poster.jpg")],
    ["a.webp", stored("test/recorded/sample/a.webp")],
    ["click.flac", stored("test/recorded/sound/click.flac")],
    ["tone.wav", stored("test/recorded/sample/a.wav")],
    ["said.mp3", stored("test/recorded/speech/said.mp3")],
    ["film.mp4", stored("test/recorded/sample/a.mp4")],
    ["cut.png", stored("test/recorded/picture/page.png").subarray(0, 5_000)],
    ["archive.zip", Buffer.from("504b0304140000000000", "hex")],
    ["drawing.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>'],
    ["noise.bin", Uint8Array.from({ length: 5_000 }, (_, at) => (at * 7919) % 256)],
    ["empty.txt", ""],
  ];
}

function put(r: Recorder, body: string | Uint8Array, query: string, options: SendOptions = {}, what = ""): Promise<Answer> {
  return r.send("POST", `/v1/files?${query}`, { type: "application/octet-stream", ...options, body }, what);
}

export async function recordFiles(r: Recorder, people: People): Promise<void> {
  r.begin("files");
  const token = people.wanderer;
  const made: string[] = [];
  for (const [name, bytes] of samples()) {
    const { json } = await put(r, bytes, `wait=true&name=${name}&scope=wire/files&acl_groups=engineering`, { token }, name);
    if (json.file_id === undefined) continue;
    await r.send("GET", `/v1/jobs/${json.job.id}`, { token });
    made.push(json.file_id);
    await recordFile(r, json.file_id, { token });
  }
  const broken = stored("test/recorded/picture/chart.png").subarray(0, 1_500);
  for (const [name, bytes] of [
    ["later.txt", "A cormorant sat on the beacon.\n"],
    ["broken.png", broken],
  ] as const) {
    const { json } = await put(r, bytes, `name=${name}&scope=wire/files`, { token }, "without waiting");
    await Bun.sleep(JOB_MS);
    await r.send("GET", `/v1/jobs/${json.job.id}`, { token });
    await recordFile(r, json.file_id, { token });
  }
  await recordDoors(r, people, made[0] ?? UNKNOWN_FILE);
  await recordRanges(r, made[0] ?? UNKNOWN_FILE);
  await recordUploads(r, people);
  await recordAgain(r, people);
}

/** A file, its bytes, its Units and what they look like. */
async function recordFile(r: Recorder, id: string, options: SendOptions): Promise<void> {
  const { json } = await r.send("GET", `/v1/files/${id}`, options);
  await r.send("GET", `/v1/files/${id}/content`, options);
  const units = json.units as string[];
  for (const unit of units.slice(0, 4)) {
    await r.send("GET", `/v1/units/${unit}`, options);
    await r.send("GET", `/v1/units/${unit}/preview`, options);
    await r.send("GET", `/v1/units/${unit}/preview?size=64`, options);
  }
  if (units[0] !== undefined) await r.send("GET", `/v1/units/${units[0]}/preview?size=100000`, options);
}

/** The same file for everybody else. */
async function recordDoors(r: Recorder, people: People, id: string): Promise<void> {
  r.begin("files of others");
  const { json } = await r.look("GET", `/v1/files/${id}`, { token: people.wanderer });
  const callers = { admin: ADMIN, reader: READER, stranger: people.stranger, superAdmin: SUPER, pro: PRO, free: FREE, auditor: people.auditor };
  for (const [name, token] of Object.entries(callers)) {
    for (const target of [`/v1/files/${id}`, `/v1/files/${id}/content`, `/v1/jobs/${json.job.id}`, `/v1/units/${json.units[0]}/preview`]) {
      await r.send("GET", target, { token }, name);
    }
    if (name !== "admin" && name !== "superAdmin") {
      await r.send("DELETE", `/v1/files/${id}`, { token }, name);
      await r.send("DELETE", `/v1/units/${json.units[0]}`, { token }, name);
    }
  }
  await r.send("GET", `/v1/files/${id}?scope=town`, { token: people.wanderer }, "outside its scope");
}

async function recordRanges(r: Recorder, id: string): Promise<void> {
  r.begin("ranges");
  const ranges = [
    "bytes=0-3",
    "bytes=5-",
    "bytes=-4",
    "bytes=0-0",
    "bytes=0-100000",
    "bytes=100000-",
    "bytes=-0",
    "bytes=3-1",
    "bytes=0-1,3-4",
    "lines=1-2",
    "bytes=",
    "x",
  ];
  for (const Range of ranges) await r.send("GET", `/v1/files/${id}/content`, { headers: { Range } });
  await r.send("GET", `/v1/files/${id}/content`, { headers: { "If-None-Match": "*" } });
  await r.send("HEAD", `/v1/files/${id}/content`);
}

function form(parts: [name: string, value: string, filename?: string][], end = `--${BOUNDARY}--\r\n`): SendOptions {
  const text = parts.map(([name, value, filename]) => {
    const file = filename === undefined ? "" : `; filename="${filename}"\r\nContent-Type: application/octet-stream`;
    return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n\r\n${value}\r\n`;
  });
  return { body: text.join("") + end, type: `multipart/form-data; boundary=${BOUNDARY}` };
}

async function recordUploads(r: Recorder, people: People): Promise<void> {
  const token = people.wanderer;
  let serial = 0;
  const fresh = () => `Line ${serial++} of an upload for the record.\n`;
  const upload = async (query: string, options: SendOptions, what: string) => {
    const { json } = await r.send("POST", `/v1/files?${query}`, { token, ...options }, what);
    if (json?.file_id !== undefined) await r.send("GET", `/v1/files/${json.file_id}`, { token });
  };
  r.begin("raw uploads");
  const bytes = "application/octet-stream";
  for (const name of [
    "../../etc/pass%20wd.txt",
    "C%3A%5CUsers%5Cnote.txt",
    "Gr%C3%B6%C3%9Fe.txt",
    "a%00b%0D%0Ac.txt",
    "",
    "..",
    "a/",
    `${"x".repeat(400)}.txt`,
  ]) {
    await upload(`wait=true&name=${name}`, { body: fresh(), type: bytes }, name);
  }
  const named: Record<string, string>[] = [
    { "X-File-Name": "plain.txt" },
    { "X-Filename": "plainer.txt" },
    { "Content-Disposition": 'attachment; filename="quoted name.txt"' },
    { "Content-Disposition": "attachment; filename=\"a.txt\"; filename*=UTF-8''gr%C3%B6%C3%9Fe.txt" },
    { "Content-Disposition": "attachment; filename*=UTF-8''%ff.txt" },
    {},
  ];
  for (const headers of named) await upload("wait=1", { headers, body: fresh(), type: bytes }, "named by a header");
  const queries = [
    "doc_id=the-doc&acl_groups=engineering&metadata=%7B%22ship%22%3A%22Aurora%22%2C%22year%22%3A1911%7D",
    'acl_groups=["engineering"]&file_name=b.txt',
    "metadata={",
    "metadata=[1]",
    'metadata={"a":{"b":1}}',
    'metadata={"a b":1}',
    'acl_groups=["crew"',
    "acl_groups=[1]",
    "acl_groups=finance",
    "doc_id=",
    `doc_id=${"d".repeat(257)}`,
    "doc_id=a%00b",
    "wait=yes",
    "wait=&x=1",
    "scope=harbour",
    "scope=*",
    "scope=a%20b",
  ];
  for (const query of queries) await upload(`wait=true&name=q.txt&${query.replaceAll(" ", "%20")}`, { body: fresh(), type: bytes }, "parameters");
  await upload("name=z.txt", { body: fresh(), type: bytes, headers: { "Content-Encoding": "gzip" } }, "gzip");
  await upload("name=z.txt", { body: "x", type: bytes, length: 2 ** 31 }, "2 GiB by its length");
  await upload("name=z.txt&wait=true", { body: "5\r\nhello\r\n0\r\n\r\n", type: bytes, headers: { "Transfer-Encoding": "chunked" } }, "chunks");
  r.begin("forms");
  const file = (name = "form.txt"): [string, string, string] => ["file", fresh(), name];
  const forms: [string, SendOptions][] = [
    ["fields before", form([["doc_id", "form-1"], ["acl_groups", "engineering"], ["metadata", '{"from":"form"}'], file()])],
    ["fields after", form([file("../up/away.txt"), ["acl_groups", '["engineering"]']])],
    ["two files", form([file(), file()])],
    ["no file", form([["doc_id", "x"]])],
    ["a file without a name", form([file("")])],
    ["nothing", { ...form([], ""), body: "" }],
    ["no end", form([file()], "")],
    ["no boundary", { ...form([file()]), type: "multipart/form-data" }],
    ["another boundary", { ...form([file()]), type: "multipart/form-data; boundary=other" }],
    ["a long field", form([["doc_id", "d".repeat(100_000)], file()])],
    ["many fields", form([...Array.from({ length: 20 }, (): [string, string] => ["x", "y"]), file()])],
    ["a foreign group", form([file(), ["acl_groups", "engineering,elders"]])],
    ["bad metadata", form([file(), ["metadata", "{"]])],
    ["an empty file", form([["file", "", "empty.txt"]])],
  ];
  for (const [what, options] of forms) await upload("wait=true&doc_id=from-url", options, what);
}

/** The same bytes again, and tiers that take no such file. */
async function recordAgain(r: Recorder, people: People): Promise<void> {
  r.begin("the same file again");
  const token = people.wanderer;
  const text = "The tug Ardent was launched in 1954.\n";
  for (const query of [
    "name=one.txt&doc_id=one",
    "name=one.txt&doc_id=one",
    "name=two.txt",
    "name=two.txt&doc_id=two",
    "name=one.txt&acl_groups=engineering",
  ]) {
    const { json } = await put(r, text, `wait=true&${query}`, { token }, query);
    if (json.file_id !== undefined) await r.send("GET", `/v1/files/${json.file_id}`, { token });
  }
  await put(r, text, "wait=true&name=one.txt&scope=town", { token }, "another scope");
  const { json } = await put(r, text, "wait=true&name=mine.txt", {}, "another owner");
  await r.send("GET", `/v1/files/${json.file_id}`, {});
  r.begin("files and tiers");
  for (const [name, bytes] of samples().filter(([sample]) => ["chart.png", "tone.wav", "programme.pdf", "film.mp4", "heron.txt"].includes(sample))) {
    for (const tier of [FREE, PRO]) await put(r, bytes, `wait=true&name=${name}&scope=wire`, { token: tier }, name);
  }
  await put(r, "broken", "wait=true&name=x.png", { token: people.powerless }, "nobody's");
  await put(r, stored("test/recorded/picture/page.png").subarray(0, 5_000), "wait=true&name=cut.png", { token }, "fails while somebody waits");
}

export async function recordSimilar(r: Recorder, people: People): Promise<void> {
  r.begin("similar");
  const firsts: string[] = [];
  const seen = new Set<string>();
  for (const id of await unitsOf(r, ["wire/files", "harbour/ops/quay", "harbour/ops/control"], 1)) {
    const { json } = await r.look("GET", `/v1/units/${id}`);
    if (seen.has(json.modality)) continue;
    seen.add(json.modality);
    firsts.push(id);
  }
  for (const unit_id of firsts) {
    for (const token of [ADMIN, READER, people.wanderer]) await r.send("POST", "/v1/similar?scope=*", { token, body: { unit_id, top_k: 5 } });
  }
  const [unit_id = ""] = firsts;
  const options = [
    { top_k: 1 },
    { min_score: 0.5 },
    { planes: ["text"] },
    { modalities: ["chunk"] },
    { doc_id: "log-scada-t7" },
    { filters: { "metadata.turbine": 7 } },
  ];
  for (const more of options) await r.send("POST", "/v1/similar?scope=*", { body: { unit_id, ...more } });
  await r
    .send("POST", "/v1/ingest", { body: { units: [{ modality: "image", source_uri: "elsewhere/1.png", scope: "wire" }] } })
    .then(({ json: made }) => r.send("POST", "/v1/similar?scope=*", { body: { unit_id: made.units[0].unit_id } }, "nothing to compare by"));
  r.begin("similar to a file");
  const picture = stored("test/recorded/picture/chart.png");
  const sound = stored("test/recorded/sample/a.wav");
  const send = (body: string | Uint8Array, type: string, query: string, token = ADMIN) =>
    r.send("POST", `/v1/similar?scope=*&${query}`, { token, body, type }, type);
  for (const token of [ADMIN, READER, people.wanderer, FREE, PRO]) await send(picture, "image/png", "top_k=4", token);
  await send(sound, "audio/wav", "modalities=audio_utterance,video_shot&min_score=0.1");
  await send(picture, "image/png", `top_k=5&filters=${encodeURIComponent('{"modality":"image"}')}`);
  for (const query of ["filters={", "top_k=many", "top_k=", "planes=smell", "min_score=x", "doc_id="]) await send(picture, "image/png", query);
  await send("Some words about nothing in particular.\n", "text/plain", "");
  await send("", "image/png", "");
  await send(picture.subarray(0, 1_000), "image/png", "");
  const example = form([["file", "12:00:01 INFO a\n12:00:02 INFO b\n", "a.log"]]);
  await r.send("POST", "/v1/similar?top_k=1", example, "a form");
  r.begin("search by content");
  for (const q of ["chart", "clock", "speech", "a tone", "wall clock"]) {
    await r.send("POST", "/v1/search?scope=*", { body: { q, top_k: 5, planes: ["visual", "audio", "doc_visual"], explain: true } });
  }
}

/** Deleting Units and files, and the scopes that they leave empty. */
export async function recordRemoval(r: Recorder, people: People): Promise<void> {
  r.begin("removal");
  const token = people.wanderer;
  const { json } = await put(r, "A file that goes.\n\nIn two parts, perhaps.\n", "wait=true&name=goes.txt&scope=wire/gone/deep", { token });
  for (const path of ["wire/gone/deep", "wire%2Fgone", "wire/gone/nothing", "*", "", "harbour", "wire/gone/"]) {
    await r.send("DELETE", `/v1/scopes/${path}`, {}, "not yet");
    await r.send("DELETE", `/v1/scopes/${path}`, { token: people.localAdmin }, "not by this one");
  }
  await r.send("DELETE", `/v1/files/${json.file_id}?scope=town`, { token }, "outside its scope");
  await r.send("DELETE", `/v1/files/${json.file_id}`, { token });
  await r.send("DELETE", `/v1/files/${json.file_id}`, { token }, "again");
  for (const target of [`/v1/files/${json.file_id}`, `/v1/files/${json.file_id}/content`, `/v1/jobs/${json.job.id}`])
    await r.send("GET", target, { token }, "gone");
  await r.send("DELETE", "/v1/scopes/wire/gone/deep");
  await r.send("DELETE", "/v1/scopes/wire%2Fgone");
  await r.send("DELETE", "/v1/scopes/wire/gone", {}, "again");
  const { json: file } = await put(r, "Its only part.\n", "wait=true&name=only.txt&scope=wire/gone", { token });
  const { json: shown } = await r.send("GET", `/v1/files/${file.file_id}`, { token });
  await r.send("DELETE", `/v1/units/${shown.units[0]}`, { token }, "the last Unit of a file");
  await r.send("GET", `/v1/files/${file.file_id}`, { token });
  const { json: made } = await r.send("POST", "/v1/ingest", {
    token,
    body: { units: [{ modality: "text", text: "an albatross named Ferdinand", scope: "wire/gone" }] },
  });
  const unit = made.units[0].unit_id;
  const find = () => r.send("POST", "/v1/search", { token, body: { q: "albatross Ferdinand", top_k: 2 } });
  await find();
  for (const other of [people.stranger, people.readOnly, READER, people.writer])
    await r.send("DELETE", `/v1/units/${unit}`, { token: other }, "of another");
  await r.send("DELETE", `/v1/units/${unit}`, { token });
  await r.send("DELETE", `/v1/units/${unit}`, { token }, "again");
  await r.send("GET", `/v1/units/${unit}`, { token });
  await find();
}
