import { join } from "node:path";
import { counted } from "../format.ts";
import { questions } from "./corpus.ts";
import { atMost, type Figure, type Times } from "./measure.ts";
import { bareEngines, search, type SearchBars, searchFigures } from "./search.ts";
import { program, residentOf, Served, steady } from "./served.ts";
import { openStand, type Stand } from "./stand.ts";

const CLIENTS = 8;
const IDLE_MS = 5_000;
/** What searches leave behind is given back within some ten seconds. */
const SEARCHED_IDLE_MS = 15_000;
const BARS: SearchBars = { p50MaxMs: 20, p95MaxMs: 40, rateMin: 100 };
const START_MAX_MS = 1_500;
const RESIDENT_MAX_MB = 1_200;

/**
 * Searches over very many Units, which `fill` stores below `root`. The service is a process of its own, so that its memory can be told: idle
 * after the start, and after searches, when it has read what they need.
 */
export async function benchMillion(
  root: string,
  queries: number,
  fill: (stand: Stand) => Promise<void>,
  onStep: (step: string) => void,
): Promise<Figure[]> {
  const texts = await questions(queries * 8, queries + 6);
  const part = (index: number, parts = 1) => texts.slice(index * queries, (index + parts) * queries);
  const data = join(root, "million");
  const { tokens, bare, units, filled } = await prepared(data, part(0, 2), fill, onStep);
  await readCatalogs(data);
  onStep("starting");
  await using server = await Served.open(program("serve", "--data", data));
  await Bun.sleep(IDLE_MS);
  const resident = { started: residentOf(server.pid), searched: 0 };
  const stand = { url: server.url, tokens };
  onStep("searching");
  await search(stand, part(2), 1);
  await steady(server.pid);
  await search(stand, part(3), 1);
  const one = await search(stand, part(4), 1);
  const eight = await search(stand, part(5, 3), CLIENTS);
  await Bun.sleep(SEARCHED_IDLE_MS);
  resident.searched = residentOf(server.pid);
  const many = counted(units, "Unit");
  return [
    ...filled,
    ...searchFigures(units, one, eight, BARS, bare),
    atMost(START_MAX_MS, { name: `start to listening, ${many}`, value: server.startMs, unit: "ms" }),
    atMost(RESIDENT_MAX_MB, { name: `idle resident memory, ${many}, after the start`, value: resident.started, unit: "MB" }),
    atMost(RESIDENT_MAX_MB, { name: `idle resident memory, ${many}, after searches`, value: resident.searched, unit: "MB" }),
  ];
}

/**
 * Reads the catalogs once. The system's cache of files has one that was just filled; of one that was kept it may have lost most, and a search
 * would wait for some fifty reads of the disk.
 */
async function readCatalogs(data: string): Promise<void> {
  const paths = new Bun.Glob("namespaces/*/catalog.db").scan({ cwd: data, absolute: true });
  for await (const path of paths) await Bun.file(path).stream().pipeTo(new WritableStream());
}

/**
 * Fills the data directory. Returns who may ask there, how many Units there are, how fast those were stored that it lacked, and the
 * times of the bare engines, once they have read what they search in.
 */
async function prepared(
  data: string,
  texts: readonly string[],
  fill: (stand: Stand) => Promise<void>,
  onStep: (step: string) => void,
): Promise<Pick<Stand, "tokens"> & { bare: Times; units: number; filled: Figure[] }> {
  const stand = await openStand(data);
  try {
    const { units: reader } = stand.tenant.reader;
    const had = await reader.count(null);
    const start = performance.now();
    await fill(stand);
    const seconds = (performance.now() - start) / 1_000;
    const units = await reader.count(null);
    onStep("searching with the bare engines");
    const half = texts.length / 2;
    await bareEngines(stand, texts.slice(0, half));
    await steady(process.pid);
    const bare = await bareEngines(stand, texts.slice(half));
    const name = `storing ${counted(units - had, "Unit")} with given vectors, upkeep after it included`;
    const filled = units > had ? [{ name, value: (units - had) / seconds, unit: "Units/s" }] : [];
    return { tokens: stand.tokens, bare, units, filled };
  } finally {
    await stand.close();
  }
}
