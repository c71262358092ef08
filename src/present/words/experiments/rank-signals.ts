import type { MeasuredSignal, SignalExperiment } from "../../../core/results/signal-experiment.js";

export interface RankedSignals {
  /** Whose word says which decisions are indefensible; null: the auditor's own level, which the same answer gave. */
  target: string | null;
  /** Signals whose AUROC by that word is defined, the best first. */
  rows: { row: MeasuredSignal; place: number }[];
}

/** Signals by how well they find indefensible decisions, by the first who can say: somebody may have seen no indefensible one, or no other. */
export function rankSignals({ signals, references }: SignalExperiment): RankedSignals {
  for (const target of [...references.map(({ name }) => name), null]) {
    const area = ({ auroc }: MeasuredSignal) => (target ? auroc.references[target] : auroc.own_level)?.estimate ?? -1;
    const rows = signals
      .map((row, place) => ({ row, place }))
      .filter(({ row }) => area(row) >= 0)
      .sort((first, second) => area(second.row) - area(first.row));
    if (rows.length > 0) return { target, rows };
  }
  return { target: null, rows: [] };
}

/** Why nothing is ranked. */
export const NO_SIGNAL =
  "No signal can be measured: nobody found a decision indefensible beside others that are not, or there are no signals.";

/** Without another's word there is nothing to headline: 1 − p(L3) finds the level that the same answer gave with an AUROC near 1. */
export const CIRCULAR_ONLY =
  "How well signals find indefensible decisions cannot be said here: only the auditor's own level is there, which comes from the same answer as the signals, so that the AUROC is circular. Import labels (`defensible import labels.jsonl --as labels`) or gold annotations.";
