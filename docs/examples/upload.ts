/** Takes a file in, follows its job, and shows the Units that it gave. */
import { basename } from "node:path";
import { createClient, result } from "../../src/client/client.ts";

const { STRATA_URL: baseUrl = "http://127.0.0.1:4700", STRATA_TOKEN: token = "strata_demo_admin" } = process.env;
const say = (line: string) => process.stdout.write(`${line}\n`);
const [path] = process.argv.slice(2);
if (path === undefined) throw new Error("say which file: bun docs/examples/upload.ts FILE");
const strata = createClient({ baseUrl, token });
const POLL_MS = 250;

const accepted = await result(
  strata.POST("/v1/files", {
    params: { query: { name: basename(path) }, header: { "X-Svc-Scope": "harbour" } },
    headers: { "content-type": "application/octet-stream" },
    // The types say text for bytes, as OpenAPI does; they are sent as they are.
    body: Bun.file(path) as unknown as string,
    bodySerializer: (bytes) => bytes,
  }),
);
say(`${accepted.file_id}: job ${accepted.job.id}`);

let { job } = accepted;
while (job.state === "queued" || job.state === "running") {
  await Bun.sleep(POLL_MS);
  job = await result(strata.GET("/v1/jobs/{id}", { params: { path: { id: job.id } } }));
  say(`${job.state} ${job.stage} ${Math.round(job.progress * 100)} %`);
}
if (job.error !== null) throw new Error(`${job.error.error}: ${job.error.detail}`);

const file = await result(strata.GET("/v1/files/{id}", { params: { path: { id: accepted.file_id } } }));
for (const id of file.units) {
  const unit = await result(strata.GET("/v1/units/{id}", { params: { path: { id } } }));
  say(`${unit.unit_id} ${unit.modality} ${unit.text?.slice(0, 60) ?? ""}`);
}
