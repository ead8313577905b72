import { Type } from "@sinclair/typebox";
import { type Call, operation, READ } from "../operation.ts";
import { execute } from "../search/search.ts";
import { Answer, AnswerBody, facetsFound, found, HitBody, type ParsedQuery, parseAnswerQuery } from "../search/query.ts";
import { answerQuestion } from "./question.ts";

export const AnswerResult = Type.Object({ hits: Type.Array(HitBody), answer: Answer, ...facetsFound, ...found });

/** A search with the same view, and an answer from what it finds. */
export const answer = operation({
  name: "answer",
  summary: "A grounded, cited answer",
  action: "answer",
  access: { ...READ, feature: "answers" },
  input: AnswerBody,
  output: AnswerResult,
  parse: ({ input }, { caller }, now) => parseAnswerQuery(input, caller.namespace, now()),
  run: (call: Call<ParsedQuery>) => execute(call, "answer", answerQuestion),
});
