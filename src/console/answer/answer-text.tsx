/** The text of an answer: its statements, how well each is supported, and the way to what each rests on. */
import { percent } from "../format.ts";
import type { Claim, Verdict } from "../types.ts";
import { Badge, Icon, type Tone } from "../ui/index.ts";
import { type Group, groupsOf, type Statement, statementsOf } from "./statements.ts";

export interface AnswerTextProps {
  text: string;
  claims: readonly Claim[];
  /** Marker of the citation that is pointed at; null: none. */
  pointed: number | null;
  onPoint(marker: number | null): void;
  onOpen(marker: number): void;
}

export function AnswerText({ text, claims, ...rest }: AnswerTextProps) {
  return (
    <div class="answer-text">
      {groupsOf(statementsOf(text, claims)).map((group) =>
        group.against.length === 0 ? (
          <Sentence key={group.first.index} statement={group.first} {...rest} />
        ) : (
          <Disagreement key={group.first.index} group={group} {...rest} />
        ),
      )}
    </div>
  );
}

type Pointing = Pick<AnswerTextProps, "pointed" | "onPoint" | "onOpen">;

function Sentence({ statement: { text, claim }, pointed, onPoint, onOpen }: { statement: Statement } & Pointing) {
  const lit = pointed !== null && claim.citations.includes(pointed);
  return (
    <p class={lit ? "statement lit" : "statement"}>
      <span class="statement-text" dir="auto">
        {text}
        {claim.citations.map((marker) => (
          <button
            key={marker}
            type="button"
            class={marker === pointed ? "marker lit" : "marker"}
            aria-label={`Source ${marker}`}
            onClick={() => onOpen(marker)}
            onFocus={() => onPoint(marker)}
            onBlur={() => onPoint(null)}
            onMouseEnter={() => onPoint(marker)}
            onMouseLeave={() => onPoint(null)}
          >
            {marker}
          </button>
        ))}
      </span>
      <Support claim={claim} />
    </p>
  );
}

/** Both sides beside each other. */
function Disagreement({ group: { first, against }, ...rest }: { group: Group } & Pointing) {
  return (
    <section class="disagreement" aria-label="Sources disagree">
      <h2>
        <Icon name="warning" size={16} /> Sources disagree
      </h2>
      <div class="sides">
        <Sentence statement={first} {...rest} />
        {against.map((statement) => (
          <div key={statement.index} class="side">
            <p class="muted small">{statement.lead}</p>
            <Sentence statement={statement} {...rest} />
          </div>
        ))}
      </div>
    </section>
  );
}

const VERDICTS: Record<Verdict, { word: string; tone: Tone }> = {
  entailed: { word: "Supported", tone: "good" },
  neutral: { word: "Not supported", tone: "warn" },
  contradicted: { word: "Contradicted", tone: "bad" },
};

function Support({ claim: { verdict, score } }: { claim: Claim }) {
  if (verdict === null) return <Badge title="Nothing verifies the language of this namespace">Not verified</Badge>;
  const { word, tone } = VERDICTS[verdict];
  return (
    <Badge tone={tone} title="How likely the cited text supports this statement">
      {score === null ? word : `${word}, ${percent(score)}`}
    </Badge>
  );
}
