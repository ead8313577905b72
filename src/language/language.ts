/**
 * What core asks of a language: what a query wants, and which words, figures and negations two texts share. English has it, in
 * `en/`, and nobody else imports from there. A namespace in another language has none of it: its answers are quotes without a
 * verdict.
 */
export { compareQuantities } from "./en/compare.ts";
export { sameNegation, withoutNegations } from "./en/negation.ts";
export { type Quantity, quantities } from "./en/quantities.ts";
export {
  alternatives,
  asksWhether,
  compared,
  type ExpectedAnswer,
  expectedAnswer,
  type QueryForm,
  queryForm,
  questionParts,
} from "./en/questions.ts";
export { contentWords, coverage, leansBack, words } from "./en/words.ts";
