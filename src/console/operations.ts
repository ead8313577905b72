/** Calls that keep house: files and their jobs, Units, scopes, the audit chain, the state of the service, tokens. Errors: as `answered`. */
import type { paths, Schemas } from "../client/client.ts";
import { ANYWHERE, answered, client, signalled } from "./api.ts";

export const JOB_STATES = ["queued", "running", "done", "failed"] as const satisfies Job["state"][];

export type Job = Schemas["Job"];
/** A file that was taken in. */
export type Accepted = Schemas["FileAccepted"];
export type StoredFile = OutputOf<"/v1/files">["files"][number];
export type AuditRow = Schemas["AuditRow"];
export type VerificationReport = Schemas["AuditReport"];
export type Health = Schemas["Health"];
export type PlaneStats = Schemas["PlaneStats"];
export type CatalogStats = Schemas["CatalogStats"];
export type Model = OutputOf<"/v1/models">["models"][number];
export type Token = Schemas["Token"];
/** A token to make; what a principal has that exists already is left out. */
export type NewToken = Schemas["TokenRequest"];

type Readable = "/v1/files" | "/v1/models" | "/v1/units";
type OutputOf<Path extends Readable> = paths[Path]["get"]["responses"][200]["content"]["application/json"];
type QueryOf<Path extends Readable> = NonNullable<paths[Path]["get"]["parameters"]["query"]>;

const byId = (id: string) => ({ params: { path: { id } }, headers: ANYWHERE });

export const operations = {
  files: (query: QueryOf<"/v1/files">, signal?: AbortSignal) => answered(client.GET("/v1/files", { params: { query }, ...signalled(signal) })),
  /** With the ids of its Units that the caller may read. */
  file: (id: string, signal?: AbortSignal) => answered(client.GET("/v1/files/{id}", { ...byId(id), ...signalled(signal) })),
  removeFile: (id: string) => answered(client.DELETE("/v1/files/{id}", byId(id))),
  job: (id: string) => answered(client.GET("/v1/jobs/{id}", byId(id))),
  units: (query: QueryOf<"/v1/units">, signal?: AbortSignal) => answered(client.GET("/v1/units", { params: { query }, ...signalled(signal) })),
  /** In the order of their ids, at most 100; those that do not exist, or are hidden, are missing. */
  unitsById: (ids: string[], signal?: AbortSignal) =>
    answered(client.GET("/v1/units", { params: { query: { ids } }, headers: ANYWHERE, ...signalled(signal) })),
  removeUnit: (id: string) => answered(client.DELETE("/v1/units/{id}", byId(id))),
  /** Slashes of the path stand as they are. */
  removeScope: (path: string) =>
    answered(
      client.DELETE("/v1/scopes/{path}", { params: { path: { path } }, pathSerializer: (route) => route.replace("{path}", () => encodeURI(path)) }),
    ),
  audit: (cursor: number, signal?: AbortSignal) =>
    answered(client.GET("/v1/audit", { params: { query: { limit: 50, cursor } }, ...signalled(signal) })),
  /** Null: there is no such row. Rows are numbered without gaps, so its place among the newest follows from its number. */
  async auditRow(seq: number, signal: AbortSignal): Promise<AuditRow | null> {
    const { rows } = await operations.audit(0, signal);
    const newest = rows[0]?.seq ?? 0;
    const known = rows.find((row) => row.seq === seq);
    if (known !== undefined || !(seq >= 1 && seq <= newest)) return known ?? null;
    // Those written meanwhile, the one of this listing among them, push it on by as many: it is still in the page.
    const page = await operations.audit(newest - seq, signal);
    return page.rows.find((row) => row.seq === seq) ?? null;
  },
  verify: (signal?: AbortSignal) => answered(client.GET("/v1/audit/verify", signalled(signal))),
  health: (signal?: AbortSignal) => answered(client.GET("/v1/health", signalled(signal))),
  stats: (signal?: AbortSignal) => answered(client.GET("/v1/catalog/stats", signalled(signal))),
  models: (signal?: AbortSignal) => answered(client.GET("/v1/models", signalled(signal))),
  tokens: (signal?: AbortSignal) => answered(client.GET("/v1/admin/tokens", signalled(signal))),
  createToken: (body: NewToken) => answered(client.POST("/v1/admin/tokens", { body })),
  revokeToken: (id: string) => answered(client.DELETE("/v1/admin/tokens/{id}", { params: { path: { id } } })),
};
