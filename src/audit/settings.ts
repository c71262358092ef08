import type { MissingMode, SignalMode } from "../core/records/audit.js";
import type { Tier } from "../core/records/rule-set.js";
import type { Template } from "../core/records/trace.js";
import type { Weights } from "../measures/signals/weights.js";

/** What every audit of a run has in common. */
export interface RunSettings {
  runId: string;
  /** Version of the instructions the model was given; `none` for an auditor that reads no text. */
  promptVersion: string;
  template: Template;
  tier: Tier;
  temperature: number;
  /** Of an arm that sets its temperature: tells its questions from those of other arms with the same prompt. */
  variant?: string;
  signal: SignalMode;
  /** What a label outside the listed candidates counts as; default `floor`. */
  missing?: MissingMode;
  /** Draws of one audit in signal mode `sampling`. */
  samples: number;
  replicates: number;
  /** Also audit what the human decided, where it differs. */
  humans: boolean;
  seed: number;
  weights: Weights;
}
