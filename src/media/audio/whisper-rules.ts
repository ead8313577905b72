/** Whisper's decoding rules: which token may come next, when the output repeats itself, and where its segments are. */

/** Of generation.json: ids of tokens, limits and shapes. */
export interface Generation {
  sot: number;
  eot: number;
  no_timestamps: number;
  timestamp_begin: number;
  no_speech: number;
  seconds_per_timestamp: number;
  max_initial_timestamp_index: number;
  suppress: number[];
  suppress_first: number[];
  max_new_tokens: number;
  layers: number;
  heads: number;
  head_size: number;
  window_samples: number;
}

const NEVER = Number.NEGATIVE_INFINITY;
/** Logits this far below the best are left out of sums: 50,000 of them have a millionth of its probability, and each costs an exponential. */
const NEGLIGIBLE = 25;
/** A loop is a group of at most so many tokens that ends the output at least so often and makes at least so many tokens. */
const LOOP_GROUP_MAX = 8;
const LOOP_REPEATS = 5;
const LOOP_TOKENS_MIN = 10;

/** Sets the logits of tokens that may not follow `written` to minus infinity. */
export function applyRules(logits: Float32Array, written: readonly number[], rules: Generation): void {
  for (const id of rules.suppress) logits[id] = NEVER;
  logits[rules.no_timestamps] = NEVER;
  const { eot, timestamp_begin: begin } = rules;
  if (written.length === 0) {
    for (const id of rules.suppress_first) logits[id] = NEVER;
    logits.fill(NEVER, 0, begin);
    logits.fill(NEVER, begin + rules.max_initial_timestamp_index + 1);
    return;
  }
  const isTime = (back: number) => (written.at(-back) ?? begin) >= begin;
  const ended = isTime(1) && !isTime(2);
  if (isTime(1)) {
    if (ended) logits.fill(NEVER, 0, eot);
    else logits.fill(NEVER, begin);
  }
  const last = written.findLast((id) => id >= begin);
  // An end is later than its start; the next start may equal the last end.
  if (last !== undefined) logits.fill(NEVER, begin, ended ? last : last + 1);
  if (timesOutweigh(logits, begin)) logits.fill(NEVER, 0, begin);
}

/** True when all timestamps together are more likely than the best text token. */
function timesOutweigh(logits: Float32Array, begin: number): boolean {
  const bestText = logits[highest(logits, begin)] as number;
  return bestText === NEVER || massAgainst(bestText, logits, begin) > 1;
}

/** The best token, and the logarithm of its probability among all that are allowed. */
export function best(logits: Float32Array): { id: number; logProbability: number } {
  const id = highest(logits, logits.length);
  return { id, logProbability: -Math.log(massAgainst(logits[id] as number, logits, 0)) };
}

/** The probability of token `id` in `logits` as the model gives them. */
export function probabilityOf(logits: Float32Array, id: number): number {
  const top = logits[highest(logits, logits.length)] as number;
  return Math.exp((logits[id] as number) - top) / massAgainst(top, logits, 0);
}

/** The token of the highest of the logits before `end`, the first of equals. */
function highest(logits: Float32Array, end: number): number {
  let id = 0;
  let top = logits[0] as number;
  for (let other = 1; other < end; other++) {
    const logit = logits[other] as number;
    if (logit > top) {
      id = other;
      top = logit;
    }
  }
  return id;
}

/** The summed probability of the tokens from `from` on, relative to a token of logit `top`. */
function massAgainst(top: number, logits: Float32Array, from: number): number {
  const least = top - NEGLIGIBLE;
  let sum = 0;
  for (let id = from; id < logits.length; id++) {
    const logit = logits[id] as number;
    if (logit >= least) sum += Math.exp(logit - top);
  }
  return sum;
}

/**
 * How many tokens at the end of `written` only repeat a group that stands before them: 0 unless a group of at most 8
 * tokens stands there 5 times and 10 tokens long. All timestamps count as one.
 */
export function loopLength(written: readonly number[], begin: number): number {
  const tail = written.map((id) => Math.min(id, begin));
  for (let group = 1; group <= LOOP_GROUP_MAX; group++) {
    let same = 0;
    while (same < tail.length - group && tail[tail.length - 1 - same] === tail[tail.length - 1 - same - group]) same++;
    const repeats = Math.floor(same / group) + 1;
    if (repeats >= LOOP_REPEATS && repeats * group >= LOOP_TOKENS_MIN) return (repeats - 1) * group;
  }
  return 0;
}

export interface Token {
  id: number;
  logProbability: number;
}

/** Seconds from the start of the window; the text's tokens alone. */
export interface TokenSegment {
  start: number;
  end: number;
  tokens: Token[];
}

/** The tokens between two timestamps. A last segment without an end lasts to `windowEnd` (seconds). */
export function segmentsOf(tokens: readonly Token[], rules: Generation, windowEnd: number): TokenSegment[] {
  const segments: TokenSegment[] = [];
  let start = 0;
  let text: Token[] = [];
  const close = (end: number) => {
    if (text.length > 0) segments.push({ start, end: Math.max(start, end), tokens: text });
    text = [];
  };
  for (const token of tokens) {
    if (token.id < rules.timestamp_begin) text.push(token);
    else {
      const seconds = (token.id - rules.timestamp_begin) * rules.seconds_per_timestamp;
      close(seconds);
      start = seconds;
    }
  }
  close(windowEnd);
  return segments;
}
