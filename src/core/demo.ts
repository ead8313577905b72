/** The demo data set, carried inside the executable. */
import scopesJson from "../../data/scopes.json";
import unitLines from "../../data/demo.ndjson" with { type: "text" };
import type { IngestUnit } from "./ingest.ts";
import type { DemoData } from "./seed.ts";

export async function demoData(): Promise<DemoData> {
  const lines = unitLines.split("\n").filter((line) => line !== "");
  return { units: lines.map((line) => JSON.parse(line) as IngestUnit), scopes: scopesJson as DemoData["scopes"] };
}
