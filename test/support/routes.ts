/** Every route of the service as tests go through them: those of the table, the document that is made of it, and those of MCP. */
import { type Route, type RouteName as Named, ROUTES } from "../../src/http/routes.ts";

export type RouteName = Named | "openapi" | "mcp" | "mcpListen" | "mcpEnd";

export interface TableEntry {
  method: string;
  path: string;
  admission: string;
  changesState: boolean;
}

const mcp = (method: string): TableEntry => ({ method, path: "/v1/mcp", admission: "caller", changesState: method !== "GET" });
const OPENAPI: TableEntry = { method: "GET", path: "/v1/openapi.json", admission: "public", changesState: false };

export const TABLE = {
  ...Object.fromEntries(Object.entries<Route>(ROUTES).map(([name, { method, path, operation }]) => [name, { method, path, ...operation.access }])),
  openapi: OPENAPI,
  mcp: mcp("POST"),
  mcpListen: mcp("GET"),
  mcpEnd: mcp("DELETE"),
} as Record<RouteName, TableEntry>;

export const NAMES = Object.keys(TABLE) as RouteName[];

/** True when the table has a route for it. */
export function isRoute(method: string, path: string): boolean {
  const matches = (pattern: string) => new RegExp(`^${pattern.replace(/:\w+/, "[^/]+").replace("*", ".+")}$`).test(path);
  return Object.values(TABLE).some((entry) => entry.method === method && matches(entry.path));
}
