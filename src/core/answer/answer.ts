import { Type } from "@sinclair/typebox";
import { type Call, operation, READ } from "../operation.ts";
import { execute } from "../search/search.ts";
import { Answer, AnswerBody, Citation, Claim, facetsFound, found, HitBody, type ParsedQuery, parseAnswerQuery } from "../search/query.ts";
import { answerQuestion } from "./question.ts";

export const AnswerResult = Type.Object({ hits: Type.Array(HitBody, { description: "Best first." }), answer: Answer, ...facetsFound, ...found });

/** What was found, as soon as it is. */
const SearchEvent = Type.Object({ hits: Type.Array(HitBody), ...facetsFound, trace: found.trace, context: found.context });
const ClaimEvent = Type.Object({
  index: Type.Integer({
    minimum: 0,
    description: "Its place among the claims. 0 begins the answer anew: what was told of it before no longer holds.",
  }),
  text: Type.String({ description: "The text of the answer up to here, in which the offsets of the claim count." }),
  claim: Claim,
  citations: Type.Array(Citation, { description: "Those that the claim names." }),
});

/** A search with the same view, and an answer from what it finds. */
export const answer = operation({
  name: "answer",
  summary: "A grounded, cited answer",
  action: "answer",
  access: { ...READ, feature: "answers" },
  input: AnswerBody,
  output: AnswerResult,
  events: { search: SearchEvent, claim: ClaimEvent },
  parse: ({ input }, { caller }, now) => parseAnswerQuery(input, caller.namespace, now()),
  run: (call: Call<ParsedQuery>) => execute(call, "answer", answerQuestion),
});
