import type { AttackResult } from "../../experiments/attack/result.js";
import type { Circularity } from "../../experiments/circularity/result.js";
import type { Dual } from "../../experiments/dual/result.js";
import type { GapExperiment } from "../../experiments/gap/result.js";
import type { Humans } from "../../experiments/humans/result.js";
import type { RulesDiff } from "../../experiments/rules/diff/result.js";
import type { Scopes } from "../../experiments/rules/scopes/result.js";
import type { Tiers } from "../../experiments/rules/tiers/result.js";
import type { SignalExperiment } from "../../experiments/signal/result.js";
import type { Stability } from "../../experiments/stability/result.js";
import type { Replicate } from "../../experiments/study/result.js";
import type { Validate } from "../../experiments/validate/result.js";

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
