/** A service to measure: the real wiring on a data directory of its own, behind a real listener on loopback. */
import { randomUUID } from "node:crypto";
import { App } from "../../app/app.ts";
import { createLog } from "../../base/log.ts";
import type { Tenant } from "../../core/tenant.ts";
import { newPrincipal, type Principal } from "../../domain/principal.ts";
import { type Listener, listen } from "../../http/listener.ts";
import { createEdge } from "../../app/edge.ts";
import { DEMO_NAMESPACE } from "../../core/demo/principals.ts";
import { ALL_SCOPES } from "../../domain/scope.ts";
import { GROUPS, OWNER } from "./corpus.ts";

const LOOK_MS = 200;
/** Vector tables that were left alone for this long have done all their upkeep: that of a pause in writing begins after 5 s. */
const SETTLED_MS = 7_000;

/** Two who ask: the admin, and the reader who sees 70 %. */
export type Asker = "admin" | "reader";

export interface Stand {
  app: App;
  tenant: Tenant;
  /** Where it listens. */
  url: string;
  tokens: Readonly<Record<Asker, string>>;
  /** Sends a request. Errors: what the service answers. */
  post(as: Asker, path: string, body: unknown): Promise<Record<string, unknown>>;
  /** Takes in a file as the admin; resolves when its Units are searchable. Errors: what the service answers. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

/** The demo's namespace has the demo's Units. */
export async function openStand(data: string, namespace: "bench" | typeof DEMO_NAMESPACE = "bench"): Promise<Stand> {
  const admin = newPrincipal(namespace, OWNER, { perms: ["read", "write", "admin"], scopes: [ALL_SCOPES], groups: GROUPS });
  const reader: Principal = { ...admin, principal_id: "bench-reader", perms: ["read"], groups: GROUPS.slice(0, 7) };
  const log = createLog("warn", (line) => process.stderr.write(line), false);
  const app = await App.open({ data, log });
  const { tables: directory } = app.data;
  if (namespace === DEMO_NAMESPACE) await app.services.seeding.run(null);
  else directory.putNamespace(namespace, "enterprise");
  const token = (principal: Principal) => {
    directory.putPrincipal(principal);
    // A data directory that was kept has those of earlier runs.
    const name = `${principal.principal_id} ${randomUUID()}`;
    return directory.createToken({ name, namespace, principal_id: principal.principal_id }).secret;
  };
  const tokens = { admin: token(admin), reader: token(reader) };
  const address = "127.0.0.1";
  const hosts = { address, allowed: [] };
  const http = createEdge({ services: app.services, hosts, trustSeeded: false, secureCookies: false, log });
  const listener: Listener = listen(http, { hostname: address, port: 0, log });
  const url = `http://${address}:${listener.port}`;
  const send = async (as: Asker, path: string, type: string, body: string | Uint8Array) => {
    const headers = { authorization: `Bearer ${tokens[as]}`, "content-type": type };
    const response = await fetch(`${url}${path}`, { method: "POST", headers, body });
    const json = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(`${path} answered ${JSON.stringify(json)}`);
    return json;
  };
  return {
    app,
    url,
    tokens,
    tenant: await app.tenant({ namespace, tier: "enterprise" }),
    post: (as, path, body) => send(as, path, "application/json", JSON.stringify(body)),
    async put(name, bytes) {
      await send("admin", `/v1/files?wait=true&name=${encodeURIComponent(name)}`, "application/octet-stream", bytes);
    },
    async close() {
      await listener.stop();
      await app.close();
    },
  };
}

/** Waits until the vector tables have tidied up after bulk writing, what the pause after it brings included. */
export async function settled(vectors: Record<string, { state(): Promise<{ state: string }> }>): Promise<void> {
  for (let quiet = 0; quiet < SETTLED_MS; ) {
    await Bun.sleep(LOOK_MS);
    const states = await Promise.all(Object.values(vectors).map((index) => index.state()));
    quiet = states.every(({ state }) => state === "ok") ? quiet + LOOK_MS : 0;
  }
}
