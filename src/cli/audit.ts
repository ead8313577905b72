import { StartError } from "../base/fault.ts";
import { AUDIT_VERIFY_PART_ROWS } from "../base/limits.ts";
import { type ChainPart, GENESIS, type RowMark, type VerificationReport } from "../domain/audit.ts";
import { withBackend } from "./open-backend.ts";
import { type Colours, coloursOf } from "./colours.ts";
import { type Context, defineCommand, EXIT, type Output, UsageError, value } from "./command.ts";
import { beginEpoch, type DataDirectory, finishEpoch, type SqliteStore, withData, withStore } from "../app/data.ts";
import { configOf, DATA, JSON_OUTPUT, NAMESPACE_FLAG, namespaceOf, TARGET, type Target, targetOf } from "./flags.ts";
import { count, json, table } from "./format.ts";

/** Who acts for whoever may open the data directory. */
const OPERATOR = "operator";
const INTACT = "intact";
const BROKEN = "BROKEN";

export const auditVerify = defineCommand({
  purpose:
    "Recomputes the audit chain of each namespace from its first row and compares its end with the signed heads, so that a changed, missing or \
cut row is found. The check is itself an entry of the chain. Of a long chain, stderr names the row from which a check that ends halfway can go on.",
  operands: [],
  flags: {
    namespace: {
      ...NAMESPACE_FLAG,
      help: "only this namespace",
      default: "all; with --url, the token's",
    },
    after: value("SEQ:HASH", "go on after this row, which you vouch for: nothing is said of it and those before; with --namespace or --url"),
    ...TARGET,
    ...JSON_OUTPUT,
  },
  examples: [
    ["every namespace of ./strata-data", "strata audit verify"],
    ["one namespace of a server, as JSON", "strata audit verify --url http://127.0.0.1:4700 --token-file token.txt --json"],
  ],
  faulty: "a chain is not intact",
  async run(context, flags) {
    const target = targetOf(flags, context.env);
    const namespace = flags.namespace === undefined ? null : namespaceOf(flags.namespace);
    if (flags.after !== undefined && namespace === null && target.kind === "data")
      throw new UsageError("--after is a row of one chain: name it with --namespace");
    const reports = await verify(context, target, namespace, flags.after === undefined ? GENESIS : rowMark(flags.after));
    const { stdout, stderr } = context.io;
    stdout.write(flags.json ? json({ reports }) : reportsText(reports, coloursOf(stdout, context.env)));
    if (reports.length === 0) stderr.write("there is no namespace yet\n");
    return reports.every(({ intact }) => intact) ? EXIT.done : EXIT.faulty;
  },
});

export const auditRekey = defineCommand({
  purpose:
    "Begins a new epoch of the audit chains: makes a new audit.key, and writes a row into every chain that names its head and the key so far. For \
when audit.key is lost, damaged, or known to somebody who should not know it. Each chain is checked first, and the row says what was found; where \
the old key is lost, the signed heads are taken by their word. A chain that is broken stays broken. The server must not be running.",
  operands: [],
  flags: { ...DATA, ...JSON_OUTPUT },
  examples: [
    ["audit.key of ./strata-data is lost", "strata audit rekey"],
    ["as JSON, of another directory", "strata audit rekey --data /var/lib/strata --json"],
  ],
  faulty: "the epoch has begun, but a chain was not intact before it",
  async run({ io, env }, flags) {
    const { data: path } = configOf({ data: flags.data }, env);
    const { key, reports } = await withData(path, { alone: true, openKey: beginEpoch }, async (data) => {
      const reports = await eachStore(data, null, async (store) => {
        const report = await store.reader.ledger.verify();
        store.beginEpoch(OPERATOR, report.intact);
        return report;
      });
      finishEpoch(data.root, data.tables);
      return { key: data.signer.verifierKey, reports };
    });
    io.stdout.write(flags.json ? json({ key, reports }) : `${reportsText(reports, coloursOf(io.stdout, env))}new key: ${key}\n`);
    io.stderr.write("what is shown is each chain as it was before; keep a copy of audit.key, and of this key's line, somewhere else\n");
    return reports.every(({ intact }) => intact) ? EXIT.done : EXIT.faulty;
  },
});

async function verify(context: Context, target: Target, namespace: string | null, from: RowMark): Promise<VerificationReport[]> {
  const { stderr } = context.io;
  if (target.kind === "data") return withData(target.path, {}, (data) => verifyData(data, namespace, from, stderr));
  return withBackend(context, target, { namespace }, async (backend) => {
    const check = async ({ after, limit }: ChainPart) => {
      const known = after.seq === 0 ? {} : { after: after.seq, hash: after.row_hash };
      return (await backend.call("verify", { input: { ...known, limit } })) as VerificationReport;
    };
    return [await inParts(check, from, AUDIT_VERIFY_PART_ROWS, stderr)];
  });
}

/** Checks a chain part by part, and says after each how to go on from there, should it end halfway. */
export async function inParts(
  check: (part: ChainPart) => Promise<VerificationReport>,
  from: RowMark,
  limit: number,
  stderr: Pick<Output, "write">,
): Promise<VerificationReport> {
  for (let after = from; ; ) {
    const { after: _, more, ...report } = await check({ after, limit });
    if (!more) return { ...report, checked: report.head_seq - from.seq, ...(from.seq > 0 && { after: from.seq }) };
    after = { seq: report.head_seq, row_hash: report.head_hash };
    stderr.write(`${report.namespace}: intact up to row ${after.seq}; to go on from there: --after ${after.seq}:${after.row_hash}\n`);
  }
}

/** Errors: UsageError. */
function rowMark(text: string): RowMark {
  const [, seq = "", row_hash = ""] = /^([1-9]\d{0,14}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (seq === "") throw new UsageError("--after takes the number of a row and its hash, as SEQ:HASH");
  return { seq: Number(seq), row_hash };
}

/** Needs the catalogs only, so it works where an index or a model is broken. */
function verifyData(data: DataDirectory, only: string | null, from: RowMark, stderr: Output): Promise<VerificationReport[]> {
  return eachStore(data, only, async (store) => {
    const report = await inParts((part) => store.reader.ledger.verify(part), from, AUDIT_VERIFY_PART_ROWS, stderr);
    const { intact, checked, after } = report;
    const detail = { intact, checked, ...(after !== undefined && { after }) };
    await store.transact((tx) =>
      tx.ledger.append({ principal_id: OPERATOR, action: "audit.verify", outcome: "ok", scope: null, target: null, detail }),
    );
    return report;
  });
}

/** Opens the store of each namespace, or of one, for `work`, one after the other. Errors: StartError. */
async function eachStore<T>(data: DataDirectory, only: string | null, work: (store: SqliteStore) => Promise<T>): Promise<T[]> {
  const names = data.tables.namespaces().map(({ namespace }) => namespace);
  if (only !== null && !names.includes(only)) throw new StartError(`no namespace ${only} in ${data.root}; it has ${names.join(", ") || "none"}`);
  const results: T[] = [];
  for (const name of only === null ? names : [only]) results.push(await withStore(data, name, work));
  return results;
}

/** One line a namespace, and what is wrong below. */
export function reportsText(reports: readonly VerificationReport[], { good, bad }: Colours): string {
  const paint = (cell: string) => (cell === INTACT ? good(cell) : cell === BROKEN ? bad(cell) : cell);
  const rows = reports.map(({ namespace, intact, checked, head_hash }) => [
    namespace,
    intact ? INTACT : BROKEN,
    count(checked),
    head_hash.slice(0, 16),
  ]);
  const broken = reports.filter(({ intact }) => !intact);
  const reasons = broken.map(({ namespace, break_at, reason }) => `${namespace}: row ${break_at}: ${reason}\n`);
  const untold = reports.flatMap(({ namespace, after }) =>
    after === undefined ? [] : [`${namespace}: nothing is said of the rows up to ${after}\n`],
  );
  return `${table(["NAMESPACE", "CHAIN", "ROWS", "HEAD"], rows, paint)}${[...reasons, ...untold].join("")}`;
}
