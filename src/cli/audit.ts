import { systemClock } from "../base/clock.ts";
import { StartError } from "../base/fault.ts";
import type { VerificationReport } from "../domain/audit.ts";
import type { DataDirectory } from "../store/data-directory.ts";
import { withBackend } from "./backend.ts";
import { type Context, defineCommand, EXIT } from "./command.ts";
import { withData } from "./data.ts";
import { JSON_OUTPUT, NAMESPACE_FLAG, namespaceOf, TARGET, type Target, targetOf } from "./flags.ts";
import { count, json, table } from "./format.ts";

export const auditVerify = defineCommand({
  purpose:
    "Recomputes the audit chain of each namespace from its first row and compares its end with the signed heads, so that a changed, missing or \
cut row is found. The check is itself an entry of the chain.",
  operands: [],
  flags: {
    namespace: {
      ...NAMESPACE_FLAG,
      help: "only this namespace",
      default: "all; with --url, the token's",
    },
    ...TARGET,
    ...JSON_OUTPUT,
  },
  examples: [
    { about: "every namespace of ./strata-data", call: "strata audit verify" },
    {
      about: "one namespace of a server, as JSON",
      call: "strata audit verify --url http://127.0.0.1:4700 --token $TOKEN --json",
    },
  ],
  faulty: "a chain is not intact",
  async run(context, flags) {
    const target = targetOf(flags, context.env);
    const namespace = flags.namespace === undefined ? null : namespaceOf(flags.namespace);
    const reports = await verify(context, target, namespace);
    const { stdout, stderr } = context.io;
    stdout.write(flags.json ? json({ reports }) : reportsText(reports));
    if (reports.length === 0) stderr.write("there is no namespace yet\n");
    return reports.every(({ intact }) => intact) ? EXIT.done : EXIT.faulty;
  },
});

async function verify(context: Context, target: Target, namespace: string | null): Promise<VerificationReport[]> {
  if (target.kind === "data") return withData(target.path, {}, (data) => verifyData(data, namespace));
  const report = await withBackend(context, target, { namespace }, (backend) => backend.call("verify", {}));
  return [report as VerificationReport];
}

/** Needs the catalogs only, so it works where an index or a model is broken. */
async function verifyData(data: DataDirectory, only: string | null): Promise<VerificationReport[]> {
  // Loads the engines' packages, which the help of this command does not need.
  const { openNamespaceStore } = await import("../app.ts");
  const names = data.directory.namespaces().map(({ namespace }) => namespace);
  if (only !== null && !names.includes(only)) throw new StartError(`no namespace ${only} in ${data.root}; it has ${names.join(", ") || "none"}`);
  const reports: VerificationReport[] = [];
  for (const name of only === null ? names : [only]) {
    const store = openNamespaceStore(data, name, systemClock);
    try {
      const report = await store.ledger.verify();
      const detail = { intact: report.intact, checked: report.checked };
      await store.ledger.append({
        principal_id: "operator",
        action: "audit.verify",
        outcome: "ok",
        scope: null,
        target: null,
        detail,
      });
      reports.push(report);
    } finally {
      store.close();
    }
  }
  return reports;
}

/** One line a namespace, and what is wrong below. */
export function reportsText(reports: readonly VerificationReport[]): string {
  const rows = reports.map(({ namespace, intact, checked, head_hash }) => [
    namespace,
    intact ? "intact" : "BROKEN",
    count(checked),
    head_hash.slice(0, 16),
  ]);
  const broken = reports.filter(({ intact }) => !intact);
  const reasons = broken.map(({ namespace, break_at, reason }) => `${namespace}: row ${break_at}: ${reason}\n`);
  return `${table(["NAMESPACE", "CHAIN", "ROWS", "HEAD"], rows)}${reasons.join("")}`;
}
