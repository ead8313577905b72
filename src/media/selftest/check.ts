/** One check of a model against its fixture. */
export interface SelfTestCheck {
  model: string;
  check: string;
  /** The largest difference from what is expected; 0 or 1 where there is no distance. */
  deviation: number;
  tolerance: number;
  ok: boolean;
}
