import type { StabilityCorrelation } from "../../measures/stability/correlations.js";
import { decimal } from "../../present/words/numbers.js";

interface Named {
  /** What stands on the axes, in words. */
  x: string;
  y: string;
}

/** What a correlation says, as the title of a picture: whether y falls or rises with x, on replicates that are not in both. */
export function correlationTitle(row: StabilityCorrelation | undefined, { x, y }: Named): string {
  if (!row || row.disjoint.estimate === null) return `${y} against ${x}`;
  const { estimate, lower, upper } = row.disjoint;
  const how = upper < 0 ? "falls with" : lower > 0 ? "rises with" : "does not go with";
  const chance = lower <= 0 && upper >= 0 ? " beyond chance" : "";
  const at = row.temperature === null ? "" : ` at T\u00a0=\u00a0${row.temperature}`;
  return `${y} ${how} ${x}${chance}${at}: ρ = ${decimal(estimate)} (${decimal(lower)} to ${decimal(upper)})`;
}

/** How correlations in titles were computed, for captions. */
export const DISJOINT =
  "ρ is Spearman's, of values from the even replicates against values from the odd ones, so that no draw is in both; the points show all replicates.";
