/** Search, answer and a refusal with the typed client. */
import { ApiError, createClient, result } from "../../src/client/client.ts";

const { STRATA_URL: baseUrl = "http://127.0.0.1:4700", STRATA_TOKEN: token = "strata_demo_reader" } = process.env;
const say = (line: string) => process.stdout.write(`${line}\n`);
const strata = createClient({ baseUrl, token });

const { hits, hidden_by_acl } = await result(strata.POST("/v1/search", { body: { q: "why did turbine 7 stop?", top_k: 3 } }));
for (const { rank, scope, plane, snippet } of hits) say(`${rank}. ${scope} (${plane}): ${snippet ?? "no text"}`);
say(`hidden from this caller: ${hidden_by_acl}`);

const { answer } = await result(strata.POST("/v1/answer", { body: { q: "why did turbine 7 stop?", answer: true } }));
say(`${answer.status}: ${answer.text}`);
for (const { marker, quote, locator } of answer.citations) {
  // `kind` tells the compiler which fields a locator has.
  const place = locator?.kind === "time_range" ? ` at ${locator.t_start_ms} ms` : "";
  say(`[${marker}]${place} ${quote}`);
}

try {
  await result(strata.POST("/v1/search", { body: { q: "turbine", top_k: 51 } }));
} catch (error) {
  if (!(error instanceof ApiError)) throw error;
  say(`refused with ${error.status} ${error.body?.error}: ${error.message}`);
}
