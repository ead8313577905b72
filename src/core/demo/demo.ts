/** The demo data set, carried inside the executable. */
import filesJson from "../../../data/files.json";
import poster from "../../../data/files/open-day-poster.jpg" with { type: "file" };
import programme from "../../../data/files/open-day-programme.pdf" with { type: "file" };
import announcement from "../../../data/files/open-day-announcement.ogg" with { type: "file" };
import rehearsal from "../../../data/files/crane-rehearsal.mp4" with { type: "file" };
import tideGauge from "../../../data/files/tide-gauge.log" with { type: "file" };
import costs from "../../../data/files/open-day-costs.md" with { type: "file" };
import scopesJson from "../../../data/scopes.json";
import unitLines from "../../../data/demo.ndjson" with { type: "text" };
import type { IngestUnit } from "../units/drafts.ts";
import type { DemoFile } from "./demo-files.ts";
import type { DemoData } from "./seed.ts";

/** Where each file lies, inside the executable or in the checkout. */
const PATHS: Record<string, string> = {
  "open-day-poster.jpg": poster,
  "open-day-programme.pdf": programme,
  "open-day-announcement.ogg": announcement,
  "crane-rehearsal.mp4": rehearsal,
  "tide-gauge.log": tideGauge,
  "open-day-costs.md": costs as unknown as string,
};

export async function demoData(): Promise<DemoData> {
  const lines = unitLines.split("\n").filter((line) => line !== "");
  const files = (filesJson as DemoFile[]).map((record) => ({ record, path: PATHS[record.name] ?? "" }));
  return { units: lines.map((line) => JSON.parse(line) as IngestUnit), scopes: scopesJson as DemoData["scopes"], files };
}
