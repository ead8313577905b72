import { useEffect, useState } from "preact/hooks";
import { count, duration, plural } from "../format.ts";
import { operations, type VerificationReport } from "../operations.ts";
import { Button, Card, ErrorNote, Facts, Note, Progress } from "../ui/index.ts";

type State =
  | { at: "idle" }
  | { at: "running"; since: number }
  | { at: "failed"; error: unknown }
  | { at: "done"; report: VerificationReport; ms: number };

/** How often the time that has passed is shown anew. */
const TICK_MS = 200;

/** Lets the service recompute the chain. `rows`: how many there are, if that is known. */
export function Verification({ rows }: { rows: number | null }) {
  const [state, setState] = useState<State>({ at: "idle" });
  const verify = async () => {
    const since = performance.now();
    setState({ at: "running", since });
    try {
      const report = await operations.verify();
      setState({ at: "done", report, ms: performance.now() - since });
    } catch (error) {
      setState({ at: "failed", error });
    }
  };
  const button = (
    <Button variant="primary" icon="audit" busy={state.at === "running"} onClick={() => void verify()}>
      Verify the chain
    </Button>
  );
  return (
    <Card title="Is it whole?" actions={button}>
      <div class="stack" role="status">
        {state.at === "idle" && (
          <p class="muted">
            The service recomputes every row from the first on, and compares the last one with the signed head that it keeps beside the log.
          </p>
        )}
        {state.at === "running" && <Running since={state.since} rows={rows} />}
        {state.at === "failed" && <ErrorNote error={state.error} onRetry={() => void verify()} />}
        {state.at === "done" && <Report report={state.report} ms={state.ms} />}
      </div>
    </Card>
  );
}

function Running({ since, rows }: { since: number; rows: number | null }) {
  const [now, setNow] = useState(performance.now());
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), TICK_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <>
      <Progress value={null} label="Verifying" />
      <p class="muted">
        {rows === null ? "Rows are recomputed" : `${plural(rows, "row")} are recomputed`}, {duration(now - since)} so far
      </p>
    </>
  );
}

function Report({ report, ms }: { report: VerificationReport; ms: number }) {
  const { intact, checked, head_seq, head_hash, break_at, reason } = report;
  return (
    <>
      <Note tone={intact ? "good" : "bad"} icon={intact ? "check" : "warning"}>
        {intact
          ? `The chain is whole: ${plural(checked, "row")} recomputed in ${duration(ms)}.`
          : `The chain is broken at row ${break_at === null ? "–" : count(break_at)}.`}
        {reason !== null && <p>{reason}</p>}
      </Note>
      <Facts
        facts={[
          ["Newest row", count(head_seq)],
          ["Its hash", <code key="hash">{head_hash}</code>],
        ]}
      />
    </>
  );
}
