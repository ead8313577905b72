/**
 * Makes the files of the demo and records what the product extracts from them: `bun test/tools/demo-files.ts`. Needs
 * ffmpeg and espeak-ng. Everything is drawn, written and spoken here; nothing comes from elsewhere.
 */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { sha256Hex } from "../../src/base/hash.ts";
import type { DemoFile } from "../../src/core/demo/demo-files.ts";
import { packEmbedding } from "../../src/core/demo/demo-files.ts";
import { unpackAssets } from "../../src/runtime/assets.ts";
import { openPdf } from "../../src/media/document/pdf.ts";
import { encodePicture } from "../../src/media/image/decode.ts";
import { createExtractor } from "../../src/media/extractor.ts";
import { makePdf, setLines } from "../unit/media/make-pdf.ts";

const DATA = join(import.meta.dir, "../../data");
const FILES = join(DATA, "files");
const TEMPORARY = "/tmp/strata-demo-files";

const OPS = ["ops", "public"];
const SHARED = { acl_groups: OPS, scope: "harbour/ops" };
const WANTED: (Pick<DemoFile, "name" | "doc_id" | "acl_groups" | "scope"> & { make: (path: string) => Promise<void> })[] = [
  { name: "open-day-poster.jpg", doc_id: "open-day-poster", ...SHARED, make: poster },
  { name: "open-day-programme.pdf", doc_id: "open-day-programme", ...SHARED, make: programme },
  { name: "open-day-announcement.ogg", doc_id: "open-day-announcement", ...SHARED, scope: "harbour/ops/control", make: announcement },
  { name: "crane-rehearsal.mp4", doc_id: "crane-rehearsal", ...SHARED, scope: "harbour/ops/quay", make: rehearsal },
  { name: "tide-gauge.log", doc_id: "tide-gauge-log", acl_groups: ["ops"], scope: "harbour/ops/control", make: tideGauge },
  { name: "open-day-costs.md", doc_id: "open-day-costs", acl_groups: ["finance"], scope: "harbour/ops", make: costs },
];

/** PDF operators of a filled or stroked circle. */
function circle(x: number, y: number, r: number, paint: "f" | "S"): string {
  const k = r * 0.5523;
  return [
    `${x + r} ${y} m ${x + r} ${y + k} ${x + k} ${y + r} ${x} ${y + r} c`,
    `${x - k} ${y + r} ${x - r} ${y + k} ${x - r} ${y} c`,
    `${x - r} ${y - k} ${x - k} ${y - r} ${x} ${y - r} c`,
    `${x + k} ${y - r} ${x + r} ${y - k} ${x + r} ${y} c ${paint}`,
  ].join(" ");
}

/** A wall clock that shows five to eleven. */
function clock(x: number, y: number, r: number): string {
  const hand = (share: number, length: number, width: number) => {
    const angle = share * 2 * Math.PI;
    return `${width} w ${x} ${y} m ${x + Math.sin(angle) * length} ${y + Math.cos(angle) * length} l S`;
  };
  const marks = Array.from({ length: 12 }, (_, hour) => {
    const angle = (hour / 12) * 2 * Math.PI;
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
    return `${hour % 3 === 0 ? 7 : 3} w ${x + sin * r * 0.8} ${y + cos * r * 0.8} m ${x + sin * r * 0.92} ${y + cos * r * 0.92} l S`;
  });
  const numbers = ["12", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"].map((number, hour) => {
    const angle = (hour / 12) * 2 * Math.PI;
    return setLines([number], { x: x + Math.sin(angle) * r * 0.66 - 4 * number.length, y: y + Math.cos(angle) * r * 0.66 - 6, size: 16 });
  });
  return [
    "0.13 0.17 0.25 rg",
    circle(x, y, r * 1.12, "f"),
    "0.98 0.97 0.94 rg",
    circle(x, y, r, "f"),
    "0 0 0 RG 0 0 0 rg",
    ...marks,
    ...numbers,
    hand(10.92 / 12, r * 0.5, 9),
    hand(55 / 60, r * 0.8, 5),
    circle(x, y, r * 0.05, "f"),
  ].join("\n");
}

async function poster(path: string): Promise<void> {
  const content = [
    "0.80 0.87 0.90 rg 0 0 595 842 re f",
    "0 0 0 rg",
    setLines(["OPEN DAY AT THE COMB"], { x: 60, y: 770, size: 38 }),
    setLines(["Saturday 16 May 2026"], { x: 60, y: 720, size: 28 }),
    clock(297, 455, 190),
    "0 0 0 rg",
    setLines(["The tour of the turbine hall begins at 11:00", "Meet at the bollard on the North Quay", "Life jackets are lent at the store"], {
      x: 60,
      y: 175,
      size: 21,
      leading: 32,
    }),
  ].join("\n");
  writeFileSync(path, await encodePicture(await rendered(content, 900)));
}

async function rendered(content: string, side: number, size: [number, number] = [595, 842]) {
  const file = join(TEMPORARY, "page.pdf");
  writeFileSync(file, makePdf([{ content, size }]));
  const pdf = await openPdf(file, statSync(file).size);
  try {
    const page = pdf.page(0);
    if (page === null) throw new Error("the page is there");
    return page.render(side);
  } finally {
    pdf.close();
  }
}

async function programme(path: string): Promise<void> {
  const rows = [
    ["Time", "What", "Where", "Places"],
    ["10:00", "Gates open, coffee in the store", "North Quay", "-"],
    ["11:00", "Tour of the turbine hall", "North Quay, bollard 4", "24"],
    ["12:30", "Fish soup by the Pen C crew", "Farm jetty", "80"],
    ["14:30", "Crane lifts the old bearing", "South Quay", "-"],
    ["16:00", "Lifeboat exercise", "Harbour mouth", "-"],
  ];
  const line = (y: number) => `60 ${y} m 535 ${y} l S`;
  const table = rows.flatMap((row, at) => [
    ...row.map((cell, column) => setLines([cell], { x: [66, 130, 330, 480][column] ?? 66, y: 560 - at * 26, size: 11 })),
    line(578 - at * 26),
  ]);
  const first = [
    setLines(["Programme of the open day"], { x: 60, y: 760, size: 24 }),
    setLines(
      [
        "On Saturday 16 May 2026 the Osselby Tidal Cooperative shows its turbines to the town.",
        "The harbour master opens the gates at ten. Dogs stay outside the turbine hall, and so do heels.",
        "Whoever wants to join the tour signs the list at bollard 4 before half past ten.",
      ],
      { x: 60, y: 715, size: 11, leading: 17 },
    ),
    "0.8 w",
    ...table,
    line(578 - rows.length * 26),
    ...[60, 124, 324, 474, 535].map((x) => `${x} 578 m ${x} ${578 - rows.length * 26} l S`),
    setLines(["Table 1. What happens when. All times are harbour time."], { x: 60, y: 405, size: 10 }),
  ].join("\n");
  const second = [
    setLines(["How to get there"], { x: 60, y: 760, size: 18 }),
    setLines(
      [
        "The ferry from Osselby town leaves every twenty minutes and takes nine. Bicycles travel free of charge.",
        "Cars stay at the fish market: the quay is closed to them from nine until the crane has been stowed.",
        "If the wind is above force 7 the crane does not lift, and the lifeboat exercise takes its place.",
      ],
      { x: 60, y: 725, size: 11, leading: 17 },
    ),
  ].join("\n");
  writeFileSync(path, makePdf([{ content: first }, { content: second }], { title: "Programme of the open day" }));
}

function run(command: string[], input?: Uint8Array): void {
  const { exitCode, stderr } = Bun.spawnSync(command, { stdin: input ?? "ignore", stdout: "ignore", stderr: "pipe" });
  if (exitCode !== 0) throw new Error(`${command[0]}: ${stderr.toString()}`);
}

const FFMPEG = ["ffmpeg", "-hide_banner", "-loglevel", "error", "-nostdin", "-y", "-fflags", "+bitexact"];

async function announcement(path: string): Promise<void> {
  const spoken = "Good morning, everybody. The tour of the turbine hall will begin at eleven o'clock. Please bring warm clothes.";
  const wav = join(TEMPORARY, "spoken.wav");
  run(["espeak-ng", "-v", "en-us", "-s", "130", "-w", wav, spoken]);
  // Three beeps of the loudspeaker, then the voice.
  const beeps = "sine=frequency=1000:duration=3.2:sample_rate=22050,volume='if(lt(mod(t,1),0.35)*lt(t,3),0.4,0)':eval=frame";
  run([
    ...FFMPEG,
    "-f",
    "lavfi",
    "-i",
    beeps,
    "-i",
    wav,
    "-filter_complex",
    "[0][1]concat=n=2:v=0:a=1",
    "-ac",
    "1",
    "-c:a",
    "libopus",
    "-b:a",
    "24k",
    path,
  ]);
}

async function rehearsal(path: string): Promise<void> {
  const [width, height, rate] = [320, 240, 8];
  const frames: Uint8Array[] = [];
  const scene = (title: string, sky: string, x: number) =>
    [
      `${sky} rg 0 0 320 240 re f`,
      "0.2 0.2 0.25 rg 0 0 320 60 re f",
      `0.85 0.6 0.1 rg ${x} 60 14 140 re f ${x} 190 110 10 re f`,
      `0.35 0.35 0.4 rg ${x + 80} 110 40 30 re f 1 w ${x + 100} 140 m ${x + 100} 190 l S`,
      "1 1 1 rg 10 12 300 26 re f 0 0 0 rg",
      setLines([title], { x: 16, y: 19, size: 17 }),
    ].join("\n");
  for (const [title, sky, from, step] of [
    ["CRANE REHEARSAL 2 MAY", "0.6 0.75 0.9", 30, 2],
    ["BEARING ON THE HOOK", "0.95 0.8 0.6", 90, 1],
  ] as const) {
    for (let at = 0; at < 3 * rate; at += 1) {
      const { data } = await rendered(scene(title, sky, from + at * step), width, [width, height]);
      frames.push(data);
    }
  }
  const raw = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", `${width}x${height}`, "-r", String(rate), "-i", "pipe:"];
  run(
    [
      "ffmpeg",
      "-hide_banner",
      "-loglevel",
      "error",
      "-y",
      "-fflags",
      "+bitexact",
      ...raw,
      "-pix_fmt",
      "yuv420p",
      "-c:v",
      "libx264",
      "-crf",
      "28",
      "-flags:v",
      "+bitexact",
      path,
    ],
    Buffer.concat(frames),
  );
}

async function tideGauge(path: string): Promise<void> {
  const lines: string[] = [];
  for (let at = 0; at < 96; at += 1) {
    const stamp = new Date(Date.UTC(2026, 4, 2, 0, at * 15)).toISOString().slice(0, 19);
    const level = (2.6 + 1.9 * Math.sin((at / 49.7) * 2 * Math.PI)).toFixed(2);
    lines.push(`${stamp}Z INFO gauge[311]: level ${level} m above datum, battery 12.${at % 7} V`);
    if (at % 24 === 7) lines.push(`${stamp}Z WARN gauge[311]: float sticks, reading repeated ${2 + (at % 5)} times`);
    if (at === 61) lines.push(`${stamp}Z ERROR uplink[48]: no answer from 10.7.0.${at} after 5 tries, keeping 12 readings`);
  }
  writeFileSync(path, `${lines.join("\n")}\n`);
}

async function costs(path: string): Promise<void> {
  writeFileSync(
    path,
    [
      "# Costs of the open day",
      "",
      "The open day on 16 May 2026 may cost EUR 2,150 at most. The fish soup is given by the farm.",
      "",
      "## What is paid",
      "",
      "The crane and its driver are hired for half a day: EUR 940. The loudspeakers are lent by the lifeboat.",
      "",
    ].join("\n"),
  );
}

mkdirSync(FILES, { recursive: true });
mkdirSync(TEMPORARY, { recursive: true });
const paths = await unpackAssets("unused");
const extractor = createExtractor({ addons: paths.addons, workers: 1, temporary: TEMPORARY, ffmpeg: Bun.which("ffmpeg") });
const recorded: DemoFile[] = [];
for (const { make, ...file } of WANTED) {
  const path = join(FILES, file.name);
  await make(path);
  const bytes = statSync(path).size;
  const format = await extractor.recognise(path, bytes, file.name);
  const units: DemoFile["units"] = [];
  for await (const part of extractor.extract({ path, bytes, name: file.name, format }, 0)) {
    for (const { features, ...unit } of part.units)
      units.push({ ...unit, content: features && { ...features, embedding: packEmbedding(features.embedding) } });
  }
  recorded.push({ ...file, ...format, bytes, sha256: sha256Hex(readFileSync(path)), units });
  process.stdout.write(`${file.name}: ${bytes} bytes, ${units.length} Units\n`);
}
await extractor.close();
rmSync(TEMPORARY, { recursive: true });
writeFileSync(join(DATA, "files.json"), `${JSON.stringify(recorded, null, 1)}\n`);
process.exit(0);
