import type { GapColumn, GapExperiment } from "../../core/results/gap-experiment.js";
import { auditorNotes } from "../auditor-notes.js";
import { gapFigures } from "./gap-figures.js";

/** The gap table of several cohorts, runs or files as one result. */
export function gapExperiment(columns: GapColumn[]): GapExperiment {
  const runs = [...new Set(columns.flatMap(({ run_id }) => (run_id === null ? [] : [run_id])))].sort();
  return {
    format: 1,
    experiment: "gap",
    runs,
    columns,
    figures: gapFigures(columns),
    warnings: [...auditorNotes(columns.map(({ auditor }) => auditor)), ...columns.flatMap(columnWarnings)],
  };
}

function columnWarnings({ name, counts, agreement, imbalance }: GapColumn): string[] {
  const warnings: string[] = [];
  if (counts.verdicts === 0) warnings.push(`${name}: no verdicts`);
  else if (agreement.n_labelled === 0) {
    warnings.push(`${name}: no decision has a human label, so that nothing can be said of agreement`);
  } else if (agreement.n_labelled < counts.verdicts) {
    warnings.push(
      `${name}: ${agreement.n_labelled} of ${counts.verdicts} verdicts have a human label; agreement is of these, the indices are of all`,
    );
  }
  if (imbalance.explains) warnings.push(`${name}: most of the gap to F1 is class imbalance`);
  return warnings;
}
