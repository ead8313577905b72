/** Clients in a process of their own, as users have them: what they compute does not hold up the service's main thread. */
import { timed, type Times } from "./measure.ts";
import { program } from "./served.ts";

/** The hidden first argument with which the executable runs itself as clients. */
export const CLIENTS_ARGUMENT = "__clients";
/** Requests before the first that counts: they open the connections and warm this code up. */
const WARMING = 200;

/** POST requests with JSON bodies, sent in order by `clients` at once. */
export interface Requests {
  url: string;
  clients: number;
  requests: readonly { token: string; path: string; body: unknown }[];
}

/** Sends them; a request ends when its answer is parsed. Errors: the first answer that is none of success. */
export async function sendApart(work: Requests): Promise<Times> {
  const child = Bun.spawn(program(CLIENTS_ARGUMENT), { stdin: new Blob([JSON.stringify(work)]), stdout: "pipe", stderr: "pipe" });
  const [out, err, code] = await Promise.all([new Response(child.stdout).text(), new Response(child.stderr).text(), child.exited]);
  if (code !== 0) throw new Error(`the clients ended with ${code}: ${err.trim()}`);
  return JSON.parse(out) as Times;
}

/** The whole process: work on stdin, times on stdout. */
export async function clientsMain(): Promise<number> {
  const { url, clients, requests } = JSON.parse(await Bun.stdin.text()) as Requests;
  await timed(Array.from({ length: WARMING }), clients, async () => void (await (await fetch(`${url}/livez`)).arrayBuffer()));
  const times = await timed(requests, clients, async ({ token, path, body }) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    const answer = await response.json();
    if (!response.ok) throw new Error(`${path} answered ${JSON.stringify(answer)}`);
  });
  await Bun.write(Bun.stdout, JSON.stringify(times));
  return 0;
}
