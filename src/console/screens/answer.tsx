/** Answer: a question, the answer as it is made, and what it rests on. */
import { useEffect, useRef, useState } from "preact/hooks";
import { AnswerText } from "../answer/answer-text.tsx";
import { LookedAt } from "../answer/looked-at.tsx";
import { Sources } from "../answer/sources.tsx";
import { followAnswer, NOTHING_YET, type Progress } from "../answer/stream.ts";
import { demoQuestions } from "../demo.ts";
import { percent, plural } from "../format.ts";
import { useLoad } from "../hooks.ts";
import { close, go, linkTo, open, type Place, type ScreenProps } from "../router.ts";
import { useSession } from "../session.tsx";
import { SourcePanel } from "../source/panel.tsx";
import { markOf, type Sourced } from "../source/place.ts";
import type { Answer, Citation, Span } from "../types.ts";
import { Badge, Button, Empty, ErrorNote, Icon, Note, Skeleton, type Tone } from "../ui/index.ts";

export function AnswerScreen({ place }: ScreenProps) {
  const asked = place.parameters.get("q") ?? "";
  const { progress, error, again } = useAnswer(asked);
  return (
    <div class="answer">
      <h1 class="visually-hidden">Answer</h1>
      <QuestionField asked={asked} />
      {asked === "" && <Questions />}
      {error !== null && <ErrorNote error={error} onRetry={again} />}
      {asked !== "" && error === null && <Result key={asked} progress={progress} place={place} />}
    </div>
  );
}

/** The answer to a question, as far as it is made; another question ends the work on the former. */
function useAnswer(question: string) {
  const [state, setState] = useState<{ progress: Progress; error: unknown }>({ progress: NOTHING_YET, error: null });
  const [round, setRound] = useState(0);
  useEffect(() => {
    setState({ progress: NOTHING_YET, error: null });
    if (question === "") return;
    const aborting = new AbortController();
    const { signal } = aborting;
    const tell = (progress: Progress) => signal.aborted || setState({ progress, error: null });
    followAnswer(question, tell, signal).catch((error: unknown) => signal.aborted || setState({ progress: NOTHING_YET, error }));
    return () => aborting.abort();
  }, [question, round]);
  return { ...state, again: () => setRound((before) => before + 1) };
}

function QuestionField({ asked }: { asked: string }) {
  const [question, setQuestion] = useState(asked);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => setQuestion(asked), [asked]);
  useEffect(() => field.current?.focus(), []);
  return (
    <form
      class="search-field"
      onSubmit={(event) => {
        event.preventDefault();
        if (question.trim() !== "") go(linkTo(["answer"], { q: question.trim() }));
      }}
    >
      <Icon name="answer" size={20} />
      <input
        ref={field}
        type="search"
        data-search-field
        aria-label="Question"
        placeholder="Ask a question"
        autocomplete="off"
        maxLength={4096}
        value={question}
        onInput={(event) => setQuestion(event.currentTarget.value)}
      />
      <Button type="submit" variant="primary" disabled={question.trim() === ""}>
        Ask
      </Button>
    </form>
  );
}

function Questions() {
  const { context } = useSession();
  const { data: questions } = useLoad((signal) => demoQuestions(context.principal.namespace, signal), []);
  return (
    <Empty icon="answer" title="Ask what you want to know">
      <p>The answer is made of what you may read alone, and every statement names its source. Where nothing answers well enough, none is given.</p>
      <div class="suggestions">
        {(questions ?? [])
          .filter((question) => question.endsWith("?"))
          .map((question) => (
            <a key={question} class="suggestion" href={linkTo(["answer"], { q: question })}>
              {question}
            </a>
          ))}
      </div>
    </Empty>
  );
}

/** The Unit that is opened, and the words in it that it was opened for. */
interface Opened {
  sourced: Sourced;
  marks: Span[];
}

function Result({ progress, place }: { progress: Progress; place: Place }) {
  const { hits, trace, text, claims, citations, final } = progress;
  const [pointed, setPointed] = useState<number | null>(null);
  const [chosen, setChosen] = useState<Opened | null>(null);
  const id = place.parameters.get("open");
  const q = place.parameters.get("q") ?? "";
  const show = (opened: Opened) => {
    setChosen(opened);
    open(linkTo(["answer"], { q, open: opened.sourced.unit_id }));
  };
  const cited = (citation: Citation): Opened => ({ sourced: citation, marks: [markOf(citation)] });
  const showSource = (marker: number) => {
    const citation = citations.find((one) => one.marker === marker);
    if (citation !== undefined) show(cited(citation));
  };
  // A link may have led to it.
  const linked = citations.find(({ unit_id }) => unit_id === id);
  const opened = chosen?.sourced.unit_id === id ? chosen : linked === undefined ? null : cited(linked);
  const pointing = { pointed, onPoint: setPointed, onOpen: showSource };
  return (
    <>
      <div class={citations.length > 0 || final === null ? "answer-columns" : "answer-columns alone"}>
        <section class="answer-main card" aria-label="Answer" aria-live="polite" aria-busy={final === null}>
          <Verdict progress={progress} />
          {claims.length > 0 && <AnswerText text={text} claims={claims} {...pointing} />}
          {final === null && <Skeleton lines={claims.length === 0 ? 4 : 1} label={stepOf(progress)} />}
          {final !== null && final.hidden_by_acl > 0 && (
            <Note icon="lock">
              {plural(final.hidden_by_acl, "Unit")} that would have been looked at {final.hidden_by_acl === 1 ? "is" : "are"} hidden from you.
            </Note>
          )}
        </section>
        {citations.length > 0 && (
          <section aria-label="Sources">
            <h2 class="small-head">Sources</h2>
            <Sources citations={citations} hits={hits ?? []} {...pointing} />
          </section>
        )}
      </div>
      {hits !== null && trace !== null && (
        <details class="card more looked" open={final?.answer?.status === "abstained"}>
          <summary>What was looked at: {plural(hits.length, "Unit")}</summary>
          <LookedAt hits={hits} trace={trace} onOpen={(hit) => show({ sourced: hit, marks: hit.evidence ?? hit.highlights })} />
        </details>
      )}
      {id !== null && (
        <SourcePanel id={id} known={opened?.sourced ?? null} marks={opened?.marks ?? []} onClose={() => close(linkTo(["answer"], { q }))} />
      )}
    </>
  );
}

const STATUSES: Record<Answer["status"], { word: string; tone: Tone }> = {
  answered: { word: "Answered", tone: "good" },
  partial: { word: "Answered in part", tone: "warn" },
  abstained: { word: "No answer", tone: "neutral" },
};

function stepOf({ hits, claims }: Progress): string {
  if (hits === null) return "Searching";
  return claims.length === 0 ? `Reading ${plural(hits.length, "Unit")}` : "Verifying the next statement";
}

/** How the answer stands: what is being done, or how it ended and how faithful it is. */
function Verdict({ progress }: { progress: Progress }) {
  const answer = progress.final?.answer ?? null;
  if (answer === null) return <p class="muted step">{stepOf(progress)} …</p>;
  const { word, tone } = STATUSES[answer.status];
  return (
    <>
      <p class="row verdict">
        <Badge tone={tone}>{word}</Badge>
        {answer.nli_faithfulness !== null && (
          <span class="faithfulness" title="Mean of how likely the cited texts support the statements">
            <meter aria-label="Faithfulness" min={0} max={1} value={answer.nli_faithfulness} />
            <span class="small muted">{percent(answer.nli_faithfulness)} faithful to its sources</span>
          </span>
        )}
        {answer.status !== "abstained" && (
          <span class="small muted">{answer.model === "extractive" ? "in the words of the sources" : `written by ${answer.model}`}</span>
        )}
      </p>
      {answer.status === "abstained" && <Abstained progress={progress} />}
    </>
  );
}

function Abstained({ progress: { hits, trace } }: { progress: Progress }) {
  const best = Math.max(0, ...(trace?.rounds ?? []).map((round) => round.best ?? 0));
  const found = hits?.length ?? 0;
  return (
    <div class="stack tight">
      <p class="abstained">Nothing that you may read answers this well enough.</p>
      <p class="muted">
        {found === 0
          ? "No Unit was found that bears on it."
          : `${plural(found, "Unit")} ${found === 1 ? "was" : "were"} looked at; the best of what they say answers the question with a likelihood of ${percent(best)}, which is too little to say it.`}
      </p>
    </div>
  );
}
