import { DATASETS, GAP, HUMANS } from "./paper-agreement.js";
import { GATE, STATES, TIERS } from "./paper-governance.js";
import { ATTACK, STABILITY } from "./paper-robustness.js";
import { HELD_OUT, LEVELS, SIGMA, SIGNAL, WEIGHTS } from "./paper-signals.js";
import type { PaperValue } from "./paper-value.js";

/** Every number of the paper's tables and results that a replication can be held against. */
export const PAPER_VALUES: readonly PaperValue[] = [
  ...DATASETS,
  ...GAP,
  ...LEVELS,
  ...SIGMA,
  ...WEIGHTS,
  ...HELD_OUT,
  ...SIGNAL,
  ...STATES,
  ...GATE,
  ...TIERS,
  ...STABILITY,
  ...ATTACK,
  ...HUMANS,
];
