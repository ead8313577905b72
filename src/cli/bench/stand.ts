/** A service to measure: the real wiring on a data directory of its own, behind a real listener on loopback. */
import { App } from "../../app/app.ts";
import { createLog } from "../../base/log.ts";
import type { Tenant } from "../../core/tenant.ts";
import { newPrincipal, type Principal } from "../../domain/principal.ts";
import { type Listener, listen } from "../../http/listener.ts";
import { createEdge } from "../../app/edge.ts";
import { GROUPS, OWNER, SCOPE } from "./corpus.ts";

const NAMESPACE = "bench";

export interface Stand {
  app: App;
  tenant: Tenant;
  /** Sends a request as the admin or as the reader who sees 70 %. Errors: what the service answers. */
  post(as: "admin" | "reader", path: string, body: unknown): Promise<Record<string, unknown>>;
  /** Takes in a file as the admin; resolves when its Units are searchable. Errors: what the service answers. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  close(): Promise<void>;
}

const admin = newPrincipal(NAMESPACE, OWNER, { perms: ["read", "write", "admin"], scopes: [SCOPE], groups: GROUPS });
const reader: Principal = { ...admin, principal_id: "bench-reader", perms: ["read"], groups: GROUPS.slice(0, 7) };

export async function openStand(data: string): Promise<Stand> {
  const log = createLog("warn", (line) => process.stderr.write(line), false);
  const app = await App.open({ data, log });
  const { tables: directory } = app.data;
  directory.putNamespace(NAMESPACE, "enterprise");
  const token = (principal: Principal) => {
    directory.putPrincipal(principal);
    return directory.createToken({ name: principal.principal_id, namespace: NAMESPACE, principal_id: principal.principal_id }).secret;
  };
  const tokens = { admin: token(admin), reader: token(reader) };
  const address = "127.0.0.1";
  const hosts = { address, allowed: [] };
  const http = createEdge({ services: app.services, hosts, trustSeeded: false, secureCookies: false, log });
  const listener: Listener = listen(http, { hostname: address, port: 0, log });
  const send = async (as: "admin" | "reader", path: string, type: string, body: string | Uint8Array) => {
    const headers = { authorization: `Bearer ${tokens[as]}`, "content-type": type };
    const response = await fetch(`http://${address}:${listener.port}${path}`, { method: "POST", headers, body });
    const json = (await response.json()) as Record<string, unknown>;
    if (!response.ok) throw new Error(`${path} answered ${JSON.stringify(json)}`);
    return json;
  };
  return {
    app,
    tenant: await app.tenant({ namespace: NAMESPACE, tier: "enterprise" }),
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
