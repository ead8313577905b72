/** Logistic regression, for probabilities from a handful of signals. */

export interface Example {
  signals: readonly number[];
  right: boolean;
}

export interface Fit {
  intercept: number;
  /** One a signal, in the signals' own units. */
  weights: number[];
}

/** Ridge penalty on the weights of standardised signals, as if so many examples spoke against each. */
const PENALTY = 1;
const STEPS = 3_000;
const RATE = 1;

/** By gradient descent on standardised signals: the loss is convex, and STEPS are enough for five signals. */
export function fitLogistic(examples: readonly Example[]): Fit {
  const count = examples[0]?.signals.length ?? 0;
  const columns = Array.from({ length: count }, (_, at) => standardOf(examples.map(({ signals }) => signals[at] as number)));
  const rows = examples.map(({ signals, right }) => ({
    right,
    z: columns.map(({ mean, deviation }, at) => ((signals[at] as number) - mean) / deviation),
  }));
  const weights = new Array<number>(count).fill(0);
  let intercept = 0;
  for (let step = 0; step < STEPS; step += 1) {
    const slopes = weights.map((weight) => PENALTY * weight);
    let slope = 0;
    for (const { z, right } of rows) {
      const error = logistic(z.reduce((sum, value, at) => sum + value * (weights[at] as number), intercept)) - (right ? 1 : 0);
      z.forEach((value, at) => {
        slopes[at] = (slopes[at] as number) + error * value;
      });
      slope += error;
    }
    slopes.forEach((value, at) => {
      weights[at] = (weights[at] as number) - (RATE * value) / rows.length;
    });
    intercept -= (RATE * slope) / rows.length;
  }
  const own = weights.map((weight, at) => weight / (columns[at]?.deviation ?? 1));
  return { intercept: own.reduce((sum, weight, at) => sum - weight * (columns[at]?.mean ?? 0), intercept), weights: own };
}

export function predict(fit: Fit, signals: readonly number[]): number {
  return logistic(logitOf(fit, signals));
}

/** The log-odds that a fit gives. */
export function logitOf({ intercept, weights }: Fit, signals: readonly number[]): number {
  return weights.reduce((sum, weight, at) => sum + weight * (signals[at] as number), intercept);
}

/** Greatest lowering that is looked for, and how often its range is halved. */
const LOWERING_MAX = 20;
const HALVINGS = 40;

/** What is taken from all logits so that they say as many right ones as there are: the intercept of likeliest outcome. */
export function fitLowering(examples: readonly { logit: number; right: boolean }[]): number {
  const right = examples.filter((one) => one.right).length;
  let [low, high] = [-LOWERING_MAX, LOWERING_MAX];
  for (let step = 0; step < HALVINGS; step += 1) {
    const middle = (low + high) / 2;
    const said = examples.reduce((sum, { logit }) => sum + logistic(logit - middle), 0);
    if (said > right) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}

function standardOf(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(variance) || 1 };
}
