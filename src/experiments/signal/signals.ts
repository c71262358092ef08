import type { SignalColumns } from "../../analysis/signal-columns.js";
import type { SignalName } from "../../core/results/signal-experiment.js";

/** What an experiment measures, and where it stands in the columns. */
export interface Signal {
  name: SignalName;
  label: string;
  higherMeans: "defensible" | "indefensible";
  values: (columns: MeasuredColumns) => Float64Array;
  /** Highest value; entropies have none worth naming. */
  most: number;
}

export interface MeasuredColumns extends SignalColumns {
  /** exp(λ): probability of the most probable level, which is what is called output confidence. */
  outputConfidence: Float64Array;
  /** What the decider said of its own certainty; NaN: nothing. */
  deciderConfidence: Float64Array;
}

/** Adds what is derived from other columns. */
export function measuredColumns(columns: SignalColumns, deciderConfidence: Float64Array | null): MeasuredColumns {
  return {
    ...columns,
    outputConfidence: columns.lambdaNats.map(Math.exp),
    deciderConfidence: deciderConfidence ?? new Float64Array(columns.n).fill(Number.NaN),
  };
}

export const SIGNALS: readonly Signal[] = [
  { name: "pds", label: "S (PDS)", higherMeans: "defensible", values: (c) => c.pds, most: 1 },
  { name: "p_defensible", label: "P(defensible)", higherMeans: "defensible", values: (c) => c.pDefensible, most: 1 },
  { name: "inverse_yes_prob", label: "σ(ρ)", higherMeans: "indefensible", values: (c) => c.inverseYesProb, most: 1 },
  {
    name: "h_weight_bits",
    label: "H[w] (bits)",
    higherMeans: "indefensible",
    values: (c) => c.weightBits,
    most: Number.MAX_VALUE,
  },
  {
    name: "h_citation_bits",
    label: "H[κ] (bits)",
    higherMeans: "indefensible",
    values: (c) => c.citationBits,
    most: Number.MAX_VALUE,
  },
  {
    name: "output_confidence",
    label: "output confidence",
    higherMeans: "defensible",
    values: (c) => c.outputConfidence,
    most: 1,
  },
  {
    name: "p_calibrated",
    label: "calibrated P",
    higherMeans: "defensible",
    values: (c) => c.pCalibrated,
    most: 1,
  },
  {
    name: "decider_confidence",
    label: "decider confidence",
    higherMeans: "defensible",
    values: (c) => c.deciderConfidence,
    most: 1,
  },
];
