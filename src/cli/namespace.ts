/** Listing namespaces; making them and changing their settings, each with a row in the namespace's audit chain. */
import { StartError } from "../base/fault.ts";
import type { AuditAction } from "../domain/audit.ts";
import { HIDDEN_COUNTS, type HiddenCount, languageOf, type Namespace } from "../domain/principal.ts";
import { ENGLISH, LANGUAGES } from "../text/language.ts";
import { TIERS, type Tier } from "../domain/tier.ts";
import { defineCommand, EXIT, UsageError, value } from "./command.ts";
import { type DataDirectory, withData, withStore } from "../app/data.ts";
import { HAS_MULTILINGUAL_MODEL, WITHOUT_MULTILINGUAL } from "../app/models.ts";
import { configOf, DATA, JSON_OUTPUT, namespaceOf, oneOf } from "./flags.ts";
import { json, table } from "./format.ts";

const NAME = { name: "NAME", help: 'name of the namespace: 1-63 lower-case letters, digits or "-"' };
const TIER = value("TIER", "tier", { choices: TIERS });
const HIDDEN_COUNT = value("HOW", "what hidden_by_acl tells, the number, its size (0, 1 for fewer than ten, 10 for more) or always 0", {
  choices: HIDDEN_COUNTS,
});

/** What the flags say; undefined where they say nothing. */
interface Settings {
  tier: Tier | undefined;
  hidden_count: HiddenCount | undefined;
}

const LANGUAGE = value("LANGUAGE", "the language of its texts, which is never changed; any for several, or for one without a name here", {
  choices: LANGUAGES,
});

export const namespaceList = defineCommand({
  purpose:
    "Lists the namespaces of a data directory with their tier and language, and how much each tells of what is hidden. The server must not be running.",
  operands: [],
  flags: { ...DATA, ...JSON_OUTPUT },
  examples: [
    ["as a table", "strata namespace list"],
    ["as JSON", "strata namespace list --json"],
  ],
  async run({ io, env }, flags) {
    const { data: path } = configOf({ data: flags.data }, env);
    const namespaces = await withData(path, { alone: true }, (data) => data.tables.namespaces());
    const rows = namespaces.map((one) => [one.namespace, one.tier, languageOf(one), one.hidden_count ?? "exact"]);
    io.stdout.write(flags.json ? json({ namespaces }) : table(["NAMESPACE", "TIER", "LANGUAGE", "HIDDEN COUNT"], rows));
    return EXIT.done;
  },
});

export const namespaceCreate = defineCommand({
  purpose: "Makes a namespace: a store of its own, with its own Units, principals and audit chain. The server must not be running.",
  operands: [NAME],
  flags: {
    tier: { ...TIER, default: "free" },
    "hidden-count": { ...HIDDEN_COUNT, default: "exact" },
    language: { ...LANGUAGE, default: "en" },
    ...DATA,
    ...JSON_OUTPUT,
  },
  examples: [
    ["a namespace with all features", "strata namespace create plant --tier enterprise"],
    [
      "one for documents in German that tells nobody what is hidden from him",
      "strata namespace create klinik --tier enterprise --language de --hidden-count none",
    ],
  ],
  async run({ io, env }, flags, [name = ""]) {
    const namespace = namespaceOf(name, "NAME");
    const settings = settingsOf(flags);
    const { data: path } = configOf({ data: flags.data }, env);
    const language = oneOf("language", flags.language ?? ENGLISH, LANGUAGES);
    if (language !== ENGLISH && !HAS_MULTILINGUAL_MODEL)
      throw new StartError(`no namespace of language ${language} can be made: ${WITHOUT_MULTILINGUAL}`);
    const made = { namespace, tier: settings.tier ?? "free", hidden_count: settings.hidden_count ?? "exact", language } satisfies Namespace;
    await withData(path, { create: true, alone: true }, async (data) => {
      if (data.tables.namespace(namespace) !== null) {
        throw new StartError(`namespace ${namespace} exists; strata namespace set changes it`);
      }
      await write(data, "namespace.create", made);
    });
    if (flags.json) io.stdout.write(json(made));
    else io.stderr.write(`namespace ${described(made)} is made; strata token create --namespace ${namespace} makes its first token\n`);
    return EXIT.done;
  },
});

export const namespaceSet = defineCommand({
  purpose:
    "Changes the tier of a namespace, or how much it tells about what its access lists hide: with a quoted phrase, a count tells whether a \
hidden Unit holds that phrase. What is not named stays. The server must not be running.",
  operands: [NAME],
  flags: { tier: TIER, "hidden-count": HIDDEN_COUNT, ...DATA, ...JSON_OUTPUT },
  examples: [
    ["give orders of magnitude instead of counts", "strata namespace set plant --hidden-count coarse"],
    ["another tier", "strata namespace set plant --tier pro"],
  ],
  async run({ io, env }, flags, [name = ""]) {
    const namespace = namespaceOf(name, "NAME");
    const { tier, hidden_count } = settingsOf(flags);
    if (tier === undefined && hidden_count === undefined) throw new UsageError("nothing to set: name --tier or --hidden-count");
    const { data: path } = configOf({ data: flags.data }, env);
    const after = await withData(path, { alone: true }, async (data) => {
      const before = data.tables.namespace(namespace);
      if (before === null) throw new StartError(`no namespace ${namespace} in ${data.root}; strata namespace create makes it`);
      const told = hidden_count ?? before.hidden_count ?? "exact";
      const changed = { namespace, tier: tier ?? before.tier, hidden_count: told, language: languageOf(before) };
      await write(data, "namespace.set", changed);
      return changed;
    });
    if (flags.json) io.stdout.write(json(after));
    else io.stderr.write(`namespace ${described(after)}\n`);
    return EXIT.done;
  },
});

/** Errors: UsageError. */
function settingsOf(flags: { tier: string | undefined; "hidden-count": string | undefined }): Settings {
  const how = flags["hidden-count"];
  return {
    tier: flags.tier === undefined ? undefined : oneOf("tier", flags.tier, TIERS),
    hidden_count: how === undefined ? undefined : oneOf("hidden-count", how, HIDDEN_COUNTS),
  };
}

/** The row first: an act without one would leave no trace, while a row is put right by doing it again. */
async function write(data: DataDirectory, action: AuditAction, { namespace, tier, hidden_count, language }: Required<Namespace>): Promise<void> {
  const detail = { tier, hidden_count, language };
  const event = { principal_id: "operator", action, outcome: "ok", scope: null, target: namespace, detail } as const;
  await withStore(data, namespace, (store) => store.transact((tx) => tx.ledger.append(event)));
  data.tables.putNamespace(namespace, tier, hidden_count, language);
}

function described({ namespace, tier, hidden_count, language }: Required<Namespace>): string {
  return `${namespace} (${tier} tier, hidden count ${hidden_count}, language ${language})`;
}
