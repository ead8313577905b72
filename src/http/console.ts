/** The web console: its page at `/`, its files below `/console/`, and which principals of the demo it offers to sign in as. */
import { Fault } from "../base/fault.ts";
import { once } from "../base/once.ts";
import { DEMO_NAMESPACE, SEED_PRINCIPALS } from "../core/demo/principals.ts";
import type { Directory } from "../domain/port/directory.ts";
import { consoleFiles } from "./console-files.ts";
import { type Policy, SELF_ALONE, serveSite } from "./static.ts";

/** Pictures and recordings are also shown from bytes that the page has asked for with its session. */
const POLICY: Policy = { ...SELF_ALONE, "img-src": "'self' blob: data:", "media-src": "'self' blob:" };

/** What the page says of a principal of the demo that one may sign in as. */
interface DemoPrincipal {
  name: string;
  token: string;
  note: string;
}

/** What the data of the demo has something to say about, on all planes. */
const DEMO_QUESTIONS = ["why did turbine 7 stop?", "open day", "float sticks", "warm clothes", "did the oil slick reach the fish farm?"];
/** The reader first, who sees less. */
const NOTES: Readonly<Record<string, string>> = {
  "demo-reader": "Reads one scope, as one group",
  "demo-admin": "Reads, writes and administers all scopes",
};

export interface ConsoleOptions {
  directory: Pick<Directory, "byToken">;
  /** Whether the published tokens are taken. */
  trustSeeded: boolean;
}

/** What answers GET requests outside /v1, by the path of their route. */
export function consoleRoutes(options: ConsoleOptions): Record<string, (request: Request) => Promise<unknown>> {
  const site = once(async () => serveSite({ files: await consoleFiles(), policy: POLICY }));
  const serve = async (request: Request) => {
    const answer = (await site())[new URL(request.url).pathname];
    if (answer === undefined) throw new Fault("not_found", "the console has no such file");
    return answer(request);
  };
  return { "/": serve, "/console/:file": serve, "/console/demo.json": () => demoOf(options) };
}

/** What the page offers to newcomers. Nothing where published tokens are refused, or revoked. */
async function demoOf({ directory, trustSeeded }: ConsoleOptions) {
  const principals: DemoPrincipal[] = [];
  for (const [name, note] of Object.entries(NOTES)) {
    const seeded = SEED_PRINCIPALS.find(({ principal_id }) => principal_id === name);
    const live = seeded === undefined || !trustSeeded ? null : await directory.byToken(seeded.token);
    if (seeded !== undefined && live?.seeded) principals.push({ name, token: seeded.token, note });
  }
  return principals.length === 0
    ? { namespace: null, principals, questions: [] }
    : { namespace: DEMO_NAMESPACE, principals, questions: DEMO_QUESTIONS };
}
