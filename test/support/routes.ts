/** Every route of the service as tests go through them: those of the table, the document that is made of it, those of MCP, and the files of pages. */
import { type Route, type RouteName as Named, ROUTES } from "../../src/http/routes.ts";

/** Files of pages, which anybody may load. */
export const PAGES = ["/docs", "/docs/start.js", "/docs/swagger-ui.css", "/docs/swagger-ui.js"] as const;
/** Files of the console: its page, what that loads, and the principals of the demo that it offers to sign in as. */
export const CONSOLE = ["/", "/console/:file", "/console/demo.json"] as const;
type Page = (typeof PAGES | typeof CONSOLE)[number];

export type RouteName = Named | "openapi" | "mcp" | "mcpListen" | "mcpEnd" | Page;

/** The same of every page. */
export function ofPages<T>(value: (path: Page) => T): Record<Page, T> {
  return Object.fromEntries([...PAGES, ...CONSOLE].map((path) => [path, value(path)])) as Record<Page, T>;
}

export interface TableEntry {
  method: string;
  path: string;
  admission: string;
  changesState: boolean;
}

const mcp = (method: string): TableEntry => ({ method, path: "/v1/mcp", admission: "caller", changesState: method !== "GET" });
const open = (path: string): TableEntry => ({ method: "GET", path, admission: "public", changesState: false });

export const TABLE = {
  ...Object.fromEntries(Object.entries<Route>(ROUTES).map(([name, { method, path, operation }]) => [name, { method, path, ...operation.access }])),
  openapi: open("/v1/openapi.json"),
  mcp: mcp("POST"),
  mcpListen: mcp("GET"),
  mcpEnd: mcp("DELETE"),
  ...ofPages(open),
} as Record<RouteName, TableEntry>;

export const NAMES = Object.keys(TABLE) as RouteName[];

/** True when the table has a route for it. */
export function isRoute(method: string, path: string): boolean {
  const matches = (pattern: string) => new RegExp(`^${pattern.replace(/:\w+/, "[^/]+").replace("*", ".+")}$`).test(path);
  return Object.values(TABLE).some((entry) => entry.method === method && matches(entry.path));
}
