/** Units that come one a line: each is judged alone, and those of a batch that pass are stored together. */
import { type Static, Type } from "@sinclair/typebox";
import { Fault, FAULT_STATUS } from "../../base/fault.ts";
import { sha256Hex } from "../../base/hash.ts";
import type { EncoderInfo, TextWindow } from "../../domain/port/encoder.ts";
import type { UnitDraft } from "../../domain/unit.ts";
import type { View } from "../access/view.ts";
import { recordDenial } from "../audit/record.ts";
import { type Call, operation, WRITE } from "../operation.ts";
import { describe, ErrorBody, text } from "../schema.ts";
import { checkPermissions, checkPlanes } from "./admission.ts";
import { draftUnits, type IngestUnit } from "./drafts.ts";
import { checkedKey, checkedUnits, namedBody, storeOnce, UnitStatusBody } from "./ingest.ts";
import { givenWindows } from "./vectors.ts";

/** A line of a stream: what its JSON says, or the Fault of a line that is none. */
export interface SentLine {
  /** From 1. */
  line: number;
  value: unknown;
}

const Line = describe(Type.Integer({ minimum: 1 }), "Number of the line, from 1.");
export const LineStatus = Type.Union([
  Type.Object({ line: Line, unit_id: text("Id of its Unit."), status: UnitStatusBody }),
  Type.Object({ line: Line, error: ErrorBody }),
]);
export type LineStatus = Static<typeof LineStatus>;

interface Checked {
  line: number;
  unit: IngestUnit;
  draft: UnitDraft;
  given: ReadonlyMap<string, TextWindow[]>;
}

type Judged = Checked | { line: number; fault: Fault };

interface LinesInput {
  lines: readonly SentLine[];
  idempotencyKey: string | null;
}

/**
 * Stores the Units of some lines, as `ingest` does a batch, but for those that are refused. Errors: those of `ingest` that
 * concern no Unit alone (`quota_exceeded`, `conflict`, `unavailable`); then nothing of these lines is stored.
 */
export const ingestLines = operation({
  name: "ingestLines",
  summary: "Stores Units that come one a line",
  action: "ingest",
  access: WRITE,
  input: null,
  faults: ["upgrade_required", "quota_exceeded", "conflict"],
  output: Type.Object({ lines: Type.Array(LineStatus) }),
  parse({ input, idempotencyKey }): LinesInput {
    const { lines } = input as Pick<LinesInput, "lines">;
    const [first] = lines;
    if (first === undefined) throw new Fault("bad_request", "at least one line is required, with a Unit as JSON");
    const key = checkedKey(idempotencyKey);
    // The lines of a stream that is sent again are cut into the same batches.
    return { lines, idempotencyKey: key && sha256Hex(`${key}\n${first.line}`) };
  },
  async run({ view, input: { lines, idempotencyKey }, services }: Call<LinesInput>): Promise<{ lines: LineStatus[] }> {
    const encoder = view.tenant.encoder ?? services.encoder;
    const judged = lines.map((line) => judge(view, encoder.info, line));
    // One row a batch, as of a batch that is refused whole.
    const denied = judged.filter((each) => "fault" in each).find(({ fault: { kind } }) => kind === "forbidden" || FAULT_STATUS[kind] === 402);
    if (denied !== undefined) await recordDenial(view, { action: "ingest" }, null, denied.fault);
    const checked = judged.filter((each) => "draft" in each);
    const { units } =
      checked.length === 0
        ? { units: [] }
        : await storeOnce(view, encoder, {
            drafts: checked.map(({ draft }) => draft),
            given: new Map(checked.flatMap(({ given }) => [...given])),
            named: namedBody(
              idempotencyKey,
              view.scope,
              checked.map(({ unit }) => unit),
            ),
          });
    const became = new Map(checked.map(({ line }, index) => [line, units[index]]));
    const statuses = judged.map((each): LineStatus => {
      if ("fault" in each) return { line: each.line, error: refusal(each.fault) };
      const { unit_id = "", status = "unchanged" } = became.get(each.line) ?? {};
      return { line: each.line, unit_id, status };
    });
    return { lines: statuses };
  },
});

/** In the order of a batch: permission, tier, form. */
function judge({ caller, registry, scope, tenant }: View, encoder: EncoderInfo, { line, value }: SentLine): Judged {
  try {
    if (value instanceof Fault) throw value;
    checkPermissions(caller, registry, scope, [value]);
    checkPlanes(caller.namespace.tier, [value]);
    const units = checkedUnits({ units: [value] });
    const drafts = draftUnits(tenant.namespace.namespace, caller.principal, units, scope);
    const given = givenWindows(units, drafts, encoder);
    return { line, unit: units[0] as IngestUnit, draft: drafts[0] as UnitDraft, given };
  } catch (fault) {
    if (fault instanceof Fault) return { line, fault };
    throw fault;
  }
}

/** The body of an error, whose pointer begins in the Unit. */
function refusal({ kind, message, status }: Fault): Static<typeof ErrorBody> {
  return { error: kind, detail: message.replace(/^\/units\/0(?::\s|(?=\/))/, ""), status };
}
