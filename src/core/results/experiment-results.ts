import type { AttackResult } from "./attack.js";
import type { Circularity } from "./circularity.js";
import type { Dual } from "./dual.js";
import type { GapExperiment } from "./gap-experiment.js";
import type { Humans } from "./humans.js";
import type { Replicate } from "./replicate.js";
import type { RulesDiff } from "./rules-diff.js";
import type { Scopes } from "./scopes.js";
import type { SignalExperiment } from "./signal-experiment.js";
import type { Stability } from "./stability.js";
import type { Tiers } from "./tiers.js";
import type { Validate } from "./validate.js";

/** The result of each experiment that a workspace keeps, by its kind. It was checked against its own schema when it was read. */
export interface ExperimentResults {
  attack: AttackResult;
  circularity: Circularity;
  diff: RulesDiff;
  dual: Dual;
  gap: GapExperiment;
  humans: Humans;
  replicate: Replicate;
  scopes: Scopes;
  signal: SignalExperiment;
  stability: Stability;
  tiers: Tiers;
  validate: Validate;
}
