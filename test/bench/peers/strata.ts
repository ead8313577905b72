import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { App } from "../../../src/app/app.ts";
import { createLog } from "../../../src/base/log.ts";
import { Served } from "../../../src/cli/bench/served.ts";
import type { EncodedQuery } from "../../../src/core/search/models.ts";
import { parseQuery } from "../../../src/core/search/query.ts";
import { beginRanking, rank } from "../../../src/core/search/rank.ts";
import type { Tenant } from "../../../src/core/tenant.ts";
import { MATCH_ALL } from "../../../src/domain/filter.ts";
import { queryTerms } from "../../../src/text/terms.ts";
import { family, LIMIT, type Mode, type OpenPeer, type Peer } from "./peer.ts";

const STRATA = resolve(import.meta.dir, "../../../dist/strata");
const NAMESPACE = { namespace: "bench", tier: "enterprise" } as const;
const RESTRICTION = { classes: null, filter: MATCH_ALL, uids: null };

/** What main left beside the data directory `data/`, in the order of the rows. */
export interface Stored {
  uids: number[];
  unit_ids: string[];
  token: string;
}

function storedIn(folder: string): Stored {
  return JSON.parse(readFileSync(join(folder, "stored.json"), "utf8")) as Stored;
}

/** Rows by what the engine knows them by. */
function numbers<Id>(ids: readonly Id[]): (id: Id) => number {
  const rows = new Map(ids.map((id, row) => [id, row]));
  return (id) => rows.get(id) ?? -1;
}

/** In this process, below everything that a request brings: the ports of the engines, and the fusion of what they find. */
export const openStrataPort: OpenPeer = async (folder) => {
  const app = await App.open({ data: join(folder, "data"), log: createLog("warn", (line) => process.stderr.write(line), false) });
  const tenant = await app.tenant(NAMESPACE);
  const classes = (await tenant.reader.access.classes()).map(({ classId }) => classId);
  const { floor } = app.services.encoder.info;
  const row = numbers(storedIn(folder).uids);
  return {
    settings: "the ports of the engines in this process, and the fusion over them; models are loaded and not used",
    search: async (mode, { text, vector }) => (await uidsOf(tenant, mode, text, { vector, floor, labels: null }, classes)).map(row),
    processes: () => [process.pid],
    [Symbol.asyncDispose]: () => app.close(),
  };
};

async function uidsOf(tenant: Tenant, mode: Mode, text: string, encoded: EncodedQuery, classes: readonly number[]): Promise<number[]> {
  if (mode === "vector") return (await tenant.vectors.text.search(encoded.vector, LIMIT, RESTRICTION)).hits.map(({ uid }) => uid);
  if (mode === "text") {
    const query = { terms: queryTerms(text), planes: ["text" as const], limit: LIMIT, restriction: RESTRICTION };
    return (await tenant.fulltext.search(query)).hits.map(({ uid }) => uid);
  }
  const { query } = parseQuery({ q: text, top_k: LIMIT, planes: ["text"] }, tenant.namespace);
  return (await rank(tenant, query, encoded, await beginRanking(tenant, query, classes))).top.map(({ uid }) => uid);
}

const HTTP_MODES: Record<Mode, string> = { vector: "vector", text: "fulltext", hybrid: "hybrid" };

/** The executable, asked over HTTP: whole requests with access control, an audit row and texts. Vectors of questions asked before are known. */
export const openStrataServer: OpenPeer = async (folder): Promise<Peer> => {
  const served = await Served.open([STRATA, "serve", "--data", join(folder, "data")]);
  const { token, unit_ids } = storedIn(folder);
  const row = numbers(unit_ids);
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return {
    settings: "dist/strata over HTTP: access control, audit row, snippets and texts of the hits included; vectors of the questions known",
    async search(mode, { text }) {
      const body = JSON.stringify({ q: text, top_k: LIMIT, planes: ["text"], mode: HTTP_MODES[mode] });
      const response = await fetch(`${served.url}/v1/search`, { method: "POST", headers, body });
      const answer = (await response.json()) as { hits: { unit_id: string }[] };
      if (!response.ok) throw new Error(`the server answered ${JSON.stringify(answer)}`);
      return answer.hits.map(({ unit_id }) => row(unit_id));
    },
    processes: () => family(served.pid),
    [Symbol.asyncDispose]: () => served[Symbol.asyncDispose](),
  };
};
