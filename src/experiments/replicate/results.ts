import type { AttackResult } from "../../domain/attack.js";
import type { Circularity } from "../../domain/circularity.js";
import type { Dual } from "../../domain/dual.js";
import type { GapColumn, GapExperiment } from "../../domain/gap-experiment.js";
import type { Humans } from "../../domain/humans.js";
import type { TokenAgreement } from "../../domain/replicate.js";
import type { Scopes } from "../../domain/scopes.js";
import type { LevelRow, RegimeRow, SigmaRow, SignalExperiment } from "../../domain/signal-experiment.js";
import type { Stability } from "../../domain/stability.js";
import type { Tiers } from "../../domain/tiers.js";
import type { Validate } from "../../domain/validate.js";
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
