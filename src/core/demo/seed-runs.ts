/** Seedings of one process, one at a time: two would interleave their batches. */
import { Fault } from "../../base/fault.ts";
import { excessOf } from "../../domain/access.ts";
import type { Caller } from "../../domain/principal.ts";
import { DEMO_NAMESPACE, SEED_PRINCIPALS } from "./principals.ts";
import { type DemoData, FIRST_RUN, finishSeeding, seed, type SeedOptions, type SeedReport } from "./seed.ts";

export class SeedRuns {
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly options: Omit<SeedOptions, "data">,
    private readonly demo: () => Promise<DemoData>,
  ) {}

  /**
   * Seeds the demo. `caller` null: the open first run. Errors: `unauthorized` for one when tokens exist, `forbidden` for a caller
   * that has less than what it would make, and as `seed`.
   */
  run(caller: Caller | null): Promise<SeedReport> {
    return this.alone(async () => {
      if (caller === null && (await this.options.directory.hasTokens()))
        throw new Fault("unauthorized", "tokens exist: seeding again needs an admin");
      if (caller !== null && !caller.principal.super_admin) refuseExcess(caller);
      return seed({ ...this.options, data: await this.demo() }, caller?.principal ?? FIRST_RUN);
    });
  }

  /** Finishes a seeding that a crash or a failure cut short. Returns whether there was one. */
  finish(): Promise<boolean> {
    return this.alone(() => finishSeeding(this.options, this.demo));
  }

  private alone<T>(work: () => Promise<T>): Promise<T> {
    const run = this.last.then(work);
    this.last = run.catch(() => {});
    return run;
  }
}

/** Nobody gives more than it has, by published tokens either. Errors: `forbidden`. */
function refuseExcess(caller: Caller): void {
  for (const principal of SEED_PRINCIPALS) {
    const excess = principal.namespace === DEMO_NAMESPACE && !principal.super_admin ? excessOf(caller, principal) : null;
    if (excess !== null) throw new Fault("forbidden", `seeding makes ${principal.principal_id}, and you have not ${excess} yourself`);
  }
}
