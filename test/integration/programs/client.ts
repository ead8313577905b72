/** A stranger's program over types that openapi-typescript made of the served document. Its types are checked where it runs. */
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.ts";

declare const process: { env: Record<string, string>; stdout: { write(text: string): void } };
declare const Buffer: { from(text: string): Uint8Array<ArrayBuffer> };

const { STRATA_URL: baseUrl = "", STRATA_TOKEN = "", STRATA_ADMIN = "" } = process.env;
const as = (token: string) => createClient<paths, "application/json">({ baseUrl, headers: { authorization: `Bearer ${token}` } });
const [reader, admin] = [as(STRATA_TOKEN), as(STRATA_ADMIN)];

function check(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Error(what);
}

// Members with a default, and all that is optional, may be left out.
const found = await reader.POST("/v1/search", { body: { q: "why did turbine 7 stop?" } });
check(found.data !== undefined, "a search is answered");
const hit: components["schemas"]["Hit"] | undefined = found.data.hits[0];
check(hit !== undefined && hit.rank === 1, "the best hit comes first");
const plane: "text" | "visual" | "audio" | "doc_visual" = hit.plane;
check(plane.length > 0 && found.data.context.perms.includes("read"), "its members have their types");

const located = found.data.hits.map(({ locator }) => locator);
for (const locator of located) {
  if (locator?.kind === "char_span") check(locator.end >= locator.start, "a locator is told apart by its kind");
}

const answered = await reader.POST("/v1/answer", { body: { q: "why did turbine 7 stop?", answer: true } });
check(answered.data?.answer.status === "answered", "an answer has a status");
const faithfulness: number | null = answered.data.answer.nli_faithfulness;
check(faithfulness === null || faithfulness > 0, "what may be null says so");
check((answered.data.answer.claims[0]?.citations.length ?? 0) > 0, "a claim has citations");

const refused = await reader.POST("/v1/search", { body: { q: "x", top_k: 51 } });
check(refused.error?.error === "bad_request" && refused.error.status === 400, "a refusal has its code");
const denied = await reader.POST("/v1/ingest", { body: { units: [{ text: "x", modality: "text" }] } });
check(denied.response.status === 403 && denied.error?.error === "forbidden", "a reader may not write");

const stored = await admin.POST("/v1/ingest", {
  params: { header: { "X-Svc-Scope": "harbour", "Idempotency-Key": "generated" } },
  body: {
    units: [
      {
        text: "The quince jelly stands in locker nine.",
        modality: "chunk",
        metadata: { jars: 3 },
        locator: { kind: "line_range", start: 1, end: 1 },
      },
    ],
  },
});
check(stored.data?.created === 1, "a batch is stored");
const id = stored.data.units[0]?.unit_id ?? "";
const unit = await admin.GET("/v1/units/{id}", { params: { path: { id } } });
check(unit.data?.metadata?.jars === 3 && unit.data.locator?.kind === "line_range", "a Unit comes back as it was sent");

const form = new FormData();
form.set("file", new Blob([Buffer.from("The plum jam stands in locker ten.")]), "jam.txt");
const accepted = await admin.POST("/v1/files", {
  params: { query: { wait: true }, header: { "X-Svc-Scope": "harbour" } },
  body: form as never,
});
check(accepted.data?.job.state === "done", "a file is read");
const removed = await admin.DELETE("/v1/files/{id}", { params: { path: { id: accepted.data.file_id } } });
check((removed.data?.removed ?? 0) > 0, "a file is removed");

process.stdout.write("all well\n");
