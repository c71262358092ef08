import type { SignalMode } from "../domain/audit.js";
import type { Tier } from "../domain/rule-set.js";
import type { Template } from "../domain/trace.js";
import type { Weights } from "../signals/weights.js";

/** What every audit of a run has in common. */
export interface RunSettings {
  runId: string;
  template: Template;
  tier: Tier;
  temperature: number;
  signal: SignalMode;
  replicates: number;
  /** Also audit what the human decided, where it differs. */
  humans: boolean;
  seed: number;
  weights: Weights;
}
