/** Services with other settings: behind TLS, with a chat endpoint, and with nothing in their data directory. */
import { ADMIN, type People, READER, signIn, SUPER } from "./people.ts";
import type { Recorder, SendOptions } from "./recorder.ts";

export const CHAT_MODEL = "house-model";
const SCOPE = { "X-Svc-Scope": "wire/dock" };
const Q = "why was pump P-9 of the lower dock replaced?";

interface Evidence {
  marker: number;
  text: string;
}

/** How the endpoint answers, by name: what a question begins with chooses. */
const WRITINGS: Record<string, (marker: number) => string | Response> = {
  good: (marker) => `The seal of pump P-9 leaked 12 litres a day [${marker}].`,
  unmarked: () => "The seal of pump P-9 leaked 12 litres a day.",
  false: (marker) => `The seal of pump P-9 leaked 12 litres a day [${marker}]. Paris is the capital of France [${marker}].`,
  markup: (marker) => `## Answer\n- **The seal** of [pump P-9](https://evil.example/a) leaked 12 litres a day [${marker}]. <img src=x>`,
  insufficient: () => "INSUFFICIENT",
  garbage: () => new Response("<html>"),
  broken: () => new Response("no", { status: 500 }),
  cut: () => completion("Pump P-9 was", "length"),
  blank: () => completion("  "),
  redirect: () => Response.redirect("http://127.0.0.1:1/", 302),
};

function completion(content: string, finish_reason = "stop"): Response {
  return Response.json({ choices: [{ index: 0, message: { role: "assistant", content }, finish_reason }] });
}

/** A chat endpoint that answers by a script and tells the recorder what it was sent. */
export class ChatEndpoint {
  writing = "good";
  private readonly server;

  constructor(r: Recorder) {
    this.server = Bun.serve({
      port: 0,
      hostname: "127.0.0.1",
      fetch: async (request) => {
        const body = await request.text();
        const headers = [...request.headers].map(([name, value]) => `${name}: ${value}`).sort();
        r.chat.push([`${request.method} ${new URL(request.url).pathname}`, ...headers, "", body].join("\n"));
        const { messages } = JSON.parse(body);
        const { evidence } = JSON.parse(messages.at(-1).content) as { evidence: Evidence[] };
        const marker = evidence.find(({ text }) => text.includes("leaked"))?.marker ?? 0;
        const written = WRITINGS[this.writing]?.(marker) ?? "";
        return written instanceof Response ? written : completion(written);
      },
    });
  }

  get url(): string {
    return `http://127.0.0.1:${this.server.port}/v1`;
  }

  async stop(): Promise<void> {
    await this.server.stop(true);
  }
}

/** What another start of the same data answers, with a chat endpoint. */
export async function recordChat(r: Recorder, chat: ChatEndpoint, people: People): Promise<void> {
  r.begin("chat");
  const ask = (options: SendOptions, q = Q) =>
    r.send("POST", "/v1/answer", { headers: SCOPE, ...options, body: { q, answer: true, top_k: 3 }, warm: true }, chat.writing);
  for (const writing of Object.keys(WRITINGS)) {
    chat.writing = writing;
    await ask({ token: people.keeper });
  }
  chat.writing = "good";
  await ask({ token: people.keeper }, "who won the football world cup in 1998?");
  await ask({ token: people.writer }, "when is the open day?");
  await r.send("POST", "/v1/search", { token: people.keeper, headers: SCOPE, body: { q: Q, answer: true, top_k: 1 }, warm: true }, "by a search");
}

/** Behind a TLS proxy: published tokens are refused, cookies are Secure, and other names are answered. */
export async function recordProxied(r: Recorder, people: People): Promise<void> {
  r.begin("behind a proxy");
  for (const token of [ADMIN, READER, SUPER]) {
    await r.send("GET", "/v1/context", { token });
    await r.send("POST", "/v1/session", { token: null, body: { token } });
    await r.send("POST", "/v1/admin/seed", { token });
  }
  await r.send("POST", "/v1/admin/seed", { token: null });
  for (const host of ["strata.example", "STRATA.example:443", "www.strata.example", "evil.example"])
    await r.send("GET", "/v1/context", { token: people.keeper, host });
  const cookie = await signIn(r, people.keeper);
  for (const Origin of [`http://127.0.0.1:${r.port}`, `https://127.0.0.1:${r.port}`, "https://strata.example"]) {
    const body = { units: [{ modality: "text", source_uri: "wire/proxied", scope: "wire" }] };
    await r.send("POST", "/v1/ingest", { token: null, headers: { Cookie: cookie, Origin }, body });
    await r.send("DELETE", "/v1/session", { token: null, headers: { Cookie: cookie, Origin } });
  }
  for (const target of [
    "/v1/health",
    "/v1/scopes",
    "/v1/units?limit=5&scope=wire/pages",
    "/v1/catalog/stats",
    "/v1/admin/tokens",
    "/v1/audit?limit=20",
    "/v1/audit/verify",
  ]) {
    await r.send("GET", target, { token: people.keeper });
  }
  await r.send("POST", "/v1/search?scope=*", { token: people.keeper, body: { q: "why did turbine 7 stop?", explain: true } }, "after a restart");
}

/** A data directory with nothing in it, where others can reach the listener. */
export async function recordEmpty(r: Recorder): Promise<void> {
  r.begin("empty, behind a proxy");
  for (const token of [null, ADMIN, SUPER]) {
    await r.send("POST", "/v1/admin/seed", { token });
    await r.send("GET", "/v1/health", { token });
    await r.send("GET", "/v1/context", { token });
  }
}
