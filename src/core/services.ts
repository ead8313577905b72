/** What operations use beside the view; one set a process. */
import type { Directory } from "../domain/port/directory.ts";
import type { Health } from "../domain/health.ts";
import type { ModelCard } from "../domain/model-card.ts";
import type { Encoder } from "../domain/port/encoder.ts";
import type { Extractor } from "../domain/port/extractor.ts";
import type { AnswerQuestion } from "./answer/question.ts";
import type { SeedRuns } from "./demo/seed-runs.ts";
import type { JobRunner } from "./jobs/runner.ts";
import type { SearchModels } from "./search/models.ts";
import type { WithTenant } from "./tenant.ts";

export interface Services {
  readonly version: string;
  readonly directory: Directory;
  readonly encoder: Encoder;
  readonly models: SearchModels;
  /** The models inside the executable, in the order of the manifest. */
  readonly modelCards: readonly ModelCard[];
  readonly extractor: Extractor;
  readonly jobs: JobRunner;
  readonly seeding: SeedRuns;
  readonly answerQuestion: AnswerQuestion;
  /** False behind a listener that other machines can reach: the published demo tokens are refused there. */
  readonly trustSeeded: boolean;
  now(): number;
  health(): Health;
  readonly withTenant: WithTenant;
}
