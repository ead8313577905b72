/** Follows an answer: every claim is shown as soon as it is verified. */
import { createClient } from "../../src/client/client.ts";
import { streamAnswer } from "../../src/client/stream.ts";

const { STRATA_URL: baseUrl = "http://127.0.0.1:4700", STRATA_TOKEN: token = "strata_demo_reader" } = process.env;
const say = (line: string) => process.stdout.write(`${line}\n`);

for await (const { event, data } of streamAnswer(createClient({ baseUrl, token }), { q: "why did turbine 7 stop?", answer: true })) {
  if (event === "search") say(`reading ${data.hits.length} hits`);
  if (event === "claim") say(`${data.claim.verdict ?? "not verified"}: ${data.text.slice(data.claim.start, data.claim.end)}`);
  if (event === "final") say(`${data.answer.status}: ${data.answer.text}`);
}
