/** Thousands of namespaces in one data directory, of which a few hundred are worked in. */
import { copyFileSync, mkdirSync, readdirSync, readlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { openNamespaceStore, withData } from "../../app/data.ts";
import { NAMESPACES_OPEN_MAX } from "../../base/limits.ts";
import { newPrincipal } from "../../domain/principal.ts";
import { ALL_SCOPES } from "../../domain/scope.ts";
import { counted } from "../format.ts";
import { type Requests, sendApart } from "./clients.ts";
import { freshTexts } from "./corpus.ts";
import { atMost, type Figure, percentile } from "./measure.ts";
import { program, residentOf, Served, steady } from "./served.ts";

const NAMESPACES = 5_000;
/** Of these, some twice as many as may be open. */
const TOUCHED = 500;
/** The first of those, which hold Units. The others push them out, so that a search finds each of them closed, and another one open. */
const FILLED = 50;
const STARTS = 5;
const UNITS_EACH = 4;
const WORDS = 30;
const CLIENTS = 4;
const DIMS = 384;
const START_MORE_MAX_MS = 100;
const CLOSED_MAX_MS = 100;
const RESIDENT_MAX_MB = 1_000;

/** Works below `root`. `onStep` is told what is being done. */
export async function benchNamespaces(root: string, onStep: (step: string) => void): Promise<Figure[]> {
  const [one, many, runtime] = [join(root, "one"), join(root, "many"), join(root, "runtime")];
  const serve = (data: string) => Served.open(program("serve", "--data", data, "--runtime", runtime));
  onStep("making namespaces");
  await makeNamespaces(one, 1);
  await makeNamespaces(many, NAMESPACES);
  onStep("starting");
  const starts = await startTimes(serve, one, many);
  await using server = await serve(many);
  const send = (clients: number, requests: Requests["requests"]) => sendApart({ url: server.url, clients, requests });
  onStep("writing to namespaces");
  await send(CLIENTS, await writes());
  onStep("searching in namespaces");
  await send(CLIENTS, searches(FILLED, TOUCHED, 1));
  await steady(server.pid);
  const { each } = await send(1, searches(0, FILLED, 2));
  return figures(starts, each, server.pid);
}

/** `each`: ms of searches in a closed namespace and in the same one while it is open, in turn. */
function figures(starts: { one: number; many: number }, each: readonly number[], pid: number): Figure[] {
  const p50 = (turn: number) =>
    percentile(
      each.filter((_, index) => index % 2 === turn),
      0.5,
    );
  const bar = { text: `at most ${START_MORE_MAX_MS} ms more`, met: starts.many <= starts.one + START_MORE_MAX_MS };
  const baseline = { name: "one namespace", value: starts.one };
  const touched = `after ${TOUCHED} of them were used`;
  return [
    { name: `start to listening, ${counted(NAMESPACES, "namespace")}`, value: starts.many, unit: "ms", baseline, bar },
    atMost(CLOSED_MAX_MS, {
      name: "first search in a closed namespace, p50",
      value: p50(0),
      unit: "ms",
      baseline: { name: "in an open one", value: p50(1) },
    }),
    atMost(RESIDENT_MAX_MB, { name: `resident memory ${touched}`, value: residentOf(pid), unit: "MB" }),
    atMost(NAMESPACES_OPEN_MAX, { name: `open ${touched}`, value: openIn(pid), unit: "namespaces" }),
  ];
}

const nameOf = (index: number) => `bench-${index}`;
const tokenOf = (index: number) => `token-of-${nameOf(index)}`;

/** A data directory with so many namespaces, each with a catalog and somebody who may write and search in it. */
async function makeNamespaces(path: string, count: number): Promise<void> {
  await withData(path, { create: true }, async (data) => {
    const names = Array.from({ length: count }, (_, index) => nameOf(index));
    await data.directory.transact(async (tx) => {
      for (const [index, namespace] of names.entries()) {
        const principal = newPrincipal(namespace, "bench", { perms: ["read", "write", "admin"], scopes: [ALL_SCOPES], groups: [] });
        await tx.putNamespace(namespace, "enterprise");
        await tx.putPrincipal(principal);
        await tx.putToken({ namespace, principal_id: principal.principal_id, name: "bench", secret: tokenOf(index), seeded: false });
      }
    });
    // An empty catalog names no namespace, so that one is as good as the other, and copying is quicker.
    await openNamespaceStore(data, nameOf(0)).close();
    const { catalog } = data.namespacePaths(nameOf(0));
    for (const name of names.slice(1)) {
      const copy = data.namespacePaths(name).catalog;
      mkdirSync(dirname(copy), { recursive: true });
      copyFileSync(catalog, copy);
    }
  });
}

/** ms until the listening line, p50, started in turn. */
async function startTimes(serve: (data: string) => Promise<Served>, one: string, many: string): Promise<{ one: number; many: number }> {
  const started = async (data: string) => {
    await using server = await serve(data);
    return server.startMs;
  };
  // Unpacks the runtime.
  await started(one);
  const times = { one: [] as number[], many: [] as number[] };
  for (let run = 0; run < STARTS; run += 1) {
    times.one.push(await started(one));
    times.many.push(await started(many));
  }
  return { one: percentile(times.one, 0.5), many: percentile(times.many, 0.5) };
}

/** Units for each of FILLED namespaces, with given vectors, since encoding is measured elsewhere. */
async function writes(): Promise<Requests["requests"]> {
  const texts = await freshTexts(FILLED * UNITS_EACH, WORDS, FILLED);
  const units = texts.map((text, at) => ({
    modality: "text",
    text,
    vector: Array.from({ length: DIMS }, (_, index) => (index === at % DIMS ? 1 : 0)),
  }));
  return Array.from({ length: FILLED }, (_, index) => ({
    token: tokenOf(index),
    path: "/v1/ingest",
    body: { units: units.slice(index * UNITS_EACH, (index + 1) * UNITS_EACH) },
  }));
}

/** `times` searches in each of some namespaces, one namespace after another. */
function searches(from: number, to: number, times: number): Requests["requests"] {
  return Array.from({ length: (to - from) * times }, (_, index) => {
    const namespace = from + Math.floor(index / times);
    return { token: tokenOf(namespace), path: "/v1/search", body: { q: `what stopped pump ${index} of ${namespace}?` } };
  });
}

/** How many catalogs a process has open. */
function openIn(pid: number): number {
  const folder = `/proc/${pid}/fd`;
  const targets = readdirSync(folder).map((name) => {
    try {
      return readlinkSync(join(folder, name));
    } catch {
      return "";
    }
  });
  return new Set(targets.filter((target) => target.endsWith("/catalog.db"))).size;
}
