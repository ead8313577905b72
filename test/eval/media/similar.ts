/** Near-duplicates: changed copies of the drawn pictures, sent to be compared. */
import type { Picture } from "../../../src/domain/media.ts";
import { percentile, share } from "../metrics.ts";
import { figure, percent, table } from "../report.ts";
import type { Stand } from "../stand.ts";
import { lanes } from "../work.ts";
import { cropped, type Extension, fileOf, mirrored, resized, rotated } from "./pixels.ts";
import type { Part } from "./report.ts";
import { things } from "./things.ts";
import { NEAR_DUPLICATE_MIN } from "../../../src/core/search/similar.ts";

const TOP = 10;

interface Change {
  name: string;
  /** R@1 among 1,000 photos, and the median cosine with the original. */
  card: string;
  of: (picture: Picture) => Picture;
  extension: Extension;
  quality?: number;
}

const CHANGES: readonly Change[] = [
  { name: "resized to 50 %", card: "1.000, median 0.930", of: (picture) => resized(picture, 0.5), extension: "png" },
  { name: "JPEG 30", card: "1.000, median 0.895", of: (picture) => picture, extension: "jpg", quality: 30 },
  { name: "mirrored", card: "1.000, median 0.962", of: mirrored, extension: "png" },
  { name: "cropped to 80 %", card: "1.000, median 0.913", of: (picture) => cropped(picture, 0.8, false), extension: "png" },
  { name: "cropped to 60 % at a corner", card: "0.950, median 0.725", of: (picture) => cropped(picture, 0.6, true), extension: "png" },
  { name: "turned by 10 degrees", card: "1.000, median 0.944", of: (picture) => rotated(picture, 10), extension: "png" },
  { name: "turned by 90 degrees", card: "0.920, median 0.718", of: (picture) => rotated(picture, 90), extension: "png" },
];

interface Hit {
  doc_id: string;
  score: number;
  near_duplicate: boolean;
}

interface Compared {
  change: string;
  file: string;
  rank: number;
  /** Its cosine with the original; 0 when that is not among the first. */
  own: number;
  /** Other pictures that are said to be near-duplicates. */
  false: string[];
}

function compared(change: string, file: string, hits: readonly Hit[]): Compared {
  const rank = hits.findIndex(({ doc_id }) => doc_id === file) + 1;
  const others = hits.filter(({ doc_id, near_duplicate }) => doc_id !== file && near_duplicate);
  return { change, file, rank, own: hits[rank - 1]?.score ?? 0, false: others.map(({ doc_id }) => doc_id) };
}

export async function similarPictures(stand: Stand): Promise<Part> {
  const { scope, pictures, units } = await things(stand);
  const copies = CHANGES.flatMap((change) => pictures.map(({ picture, name }) => ({ change, picture, file: name })));
  const parameters = new URLSearchParams({ top_k: String(TOP), modalities: "image" });
  const rows = await lanes("near-duplicates", copies, async ({ change, picture, file }) => {
    const content = new Uint8Array(fileOf(change.of(picture), change.extension, change.quality));
    const { hits } = await stand.send(scope, "POST", `/v1/similar?${parameters}`, { type: "application/octet-stream", content });
    return compared(change.name, file, hits as Hit[]);
  });
  const image = (name: string) => units.get(name)?.find(({ modality }) => modality === "image")?.unit_id ?? "";
  const pairs = await lanes("pictures among each other", pictures, async ({ name }) => {
    const content = JSON.stringify({ unit_id: image(name), top_k: TOP, modalities: ["image"] });
    const { hits } = await stand.send(scope, "POST", "/v1/similar", { type: "application/json", content });
    return { file: name, hits: (hits as Hit[]).filter(({ doc_id }) => doc_id !== name) };
  });
  const alike = pairs.flatMap(({ file, hits }) =>
    hits.filter(({ near_duplicate }) => near_duplicate).map(({ doc_id, score }) => ({ file, doc_id, score })),
  );
  const nearest = pairs.map(({ hits }) => hits[0]?.score ?? 0);
  const changes = CHANGES.map(({ name, card }) => {
    const own = rows.filter((row) => row.change === name);
    return {
      name,
      card,
      r1: share(own, ({ rank }) => rank === 1),
      over: share(own, (row) => row.own >= NEAR_DUPLICATE_MIN),
      median: percentile(
        own.map((row) => row.own),
        50,
      ),
      false: own.reduce((sum, row) => sum + row.false.length, 0),
    };
  });
  const r1 = share(rows, ({ rank }) => rank === 1);
  const over = share(rows, (row) => row.own >= NEAR_DUPLICATE_MIN);
  const labelOf = (name: string) => pictures.find((picture) => picture.name === name)?.label ?? name;
  const mistaken = alike.map(({ file, doc_id, score }) => ({ one: labelOf(file), other: labelOf(doc_id), score }));
  const said = mistaken.filter(({ one, other }) => one < other).map(({ one, other, score }) => `${one} and ${other} (${score.toFixed(2)})`);
  return {
    title: "Near-duplicates",
    text: `${table(
      ["copy", "R@1", `cosine of ${NEAR_DUPLICATE_MIN} or more`, "median cosine", "others said to be near-duplicates", "card: R@1, cosine"],
      changes.map((row) => [row.name, figure(row.r1), percent(row.over), row.median.toFixed(3), String(row.false), row.card]),
    )}\nThe nearest other drawing: median cosine ${percentile(nearest, 50).toFixed(3)}, p95 ${percentile(nearest, 95).toFixed(3)} (card, photos: 0.479, 0.618). Different drawings that are said to be near-duplicates: ${said.length === 0 ? "none" : said.join(", ")}.\n`,
    lines: [
      { measured: "changed copies, R@1", value: figure(r1), card: "0.92 to 1.0 by change (photos)" },
      { measured: `changed copies with a cosine of ${NEAR_DUPLICATE_MIN} or more`, value: percent(over), card: "" },
      {
        measured: "pairs of different drawings said to be near-duplicates",
        value: `${said.length} of ${(pictures.length * (pictures.length - 1)) / 2}`,
        card: "under 1 % of nearest others (photos)",
      },
    ],
    figures: { r1, over, changes, nearest: { p50: percentile(nearest, 50), p95: percentile(nearest, 95) }, mistaken },
    bars: [],
  };
}
