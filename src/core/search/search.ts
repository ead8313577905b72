import { Type } from "@sinclair/typebox";
import { type Call, operation, READ } from "../operation.ts";
import { Nullable } from "../schema.ts";
import { execute } from "./execute.ts";
import { type ParsedQuery, parseQuery, QueryBody } from "./query.ts";
import { Answer, found, HitBody } from "./schema.ts";

export const SearchResult = Type.Object({ hits: Type.Array(HitBody), answer: Nullable(Answer), ...found });

export const search = operation({
  name: "search",
  summary: "Hybrid search",
  action: "search",
  access: READ,
  input: QueryBody,
  output: SearchResult,
  parse: ({ input }, { caller }) => parseQuery(input, caller.namespace.tier),
  run: (call: Call<ParsedQuery>) => execute(call, "search", call.services.answerQuestion),
});
