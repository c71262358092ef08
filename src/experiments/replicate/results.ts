import type { AttackResult } from "../../core/results/attack.js";
import type { Circularity } from "../../core/results/circularity.js";
import type { Dual } from "../../core/results/dual.js";
import type { GapColumn, GapExperiment } from "../../core/results/gap-experiment.js";
import type { Humans } from "../../core/results/humans.js";
import type { TokenAgreement } from "../../core/results/replicate.js";
import type { Scopes } from "../../core/results/scopes.js";
import type { LevelRow, RegimeRow, SigmaRow, SignalExperiment } from "../../core/results/signal-experiment.js";
import type { Stability } from "../../core/results/stability.js";
import type { Tiers } from "../../core/results/tiers.js";
import type { Validate } from "../../core/results/validate.js";
import type { HeldOutRow, PaperCalibration } from "./calibration-table.js";
import type { GateTable } from "./gate-table.js";

/** What the step `signal` found. */
export interface SignalResults {
  experiment: SignalExperiment;
  levels: { temperature: number; levels: LevelRow[] }[];
  /** The expert-labelled cohort; null: there is none. */
  expert: SigmaRow | null;
  /** In the contested cohort, S by the weights fitted there. */
  regimes: RegimeRow[];
  /** Sd over replicates in a sample of it. */
  spread: RegimeRow[];
  heldOut: HeldOutRow[];
  /** Why there is none. */
  heldOutReason: string | null;
}

/** What every step found, by its name; a step that was not done is missing. */
export interface StepResults {
  calibration?: PaperCalibration;
  gap?: { experiment: GapExperiment; random: GapColumn; balanced: GapColumn };
  signal?: SignalResults;
  gate?: GateTable;
  tiers?: Tiers;
  scopes?: Scopes;
  stability?: Stability;
  attack?: AttackResult;
  dual?: Dual;
  humans?: Humans;
  validate?: Validate;
  circularity?: Circularity;
  tokens?: TokenAgreement;
}
