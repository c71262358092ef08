import { STABILITY_CLASSES, type StabilityClass } from "../../core/results/stability-names.js";
import type { Analysed } from "./analyse-cells.js";
import { cellsOf } from "./case-columns.js";
import { plugInState } from "./tallies.js";

export interface ThresholdRow {
  score: "pds" | "p_defensible";
  temperature: number | null;
  threshold: number;
  /** Cases whose first audit scores at least the threshold, and their share. */
  cases: number;
  coverage: number;
  /** Shares of the classes among these; null without any. */
  mix: Record<StabilityClass, number> | null;
}

/** Thresholds of the figure. */
const THRESHOLDS = Array.from({ length: 21 }, (_, i) => (50 + 2.5 * i) / 100);

/**
 * What a threshold on the score of a single audit lets through: how many cases, and how stable these turn out to be.
 *
 * Formula: at threshold τ, coverage = share of cases whose first replicate scores ≥ τ; mix = shares of stability classes, from all
 * replicates, among them. τ from 0.50 to 1.00 in steps of 0.025.
 * Range: [0, 1].
 * Undefined when: no case lies above: mix is null. Cases without a score or without a class (K < 30) are left out.
 * Differs from the paper: p_defensible stands beside S.
 * @see paper appendix A.2, figure 8 F
 */
export function thresholdMix(analysed: Analysed): ThresholdRow[] {
  return analysed.line.flatMap((condition) => {
    const cells = cellsOf(analysed, condition);
    return (["pds", "p_defensible"] as const).flatMap((score) => {
      const rows = cells.flatMap((cell) => {
        const value = cell.all.first?.[score === "pds" ? "pds" : "pDefensible"] ?? Number.NaN;
        const own = plugInState(cell).class;
        return Number.isNaN(value) || own === null ? [] : [{ value, own }];
      });
      if (rows.length === 0) return [];
      return THRESHOLDS.map((threshold): ThresholdRow => {
        const above = rows.filter(({ value }) => value >= threshold - 1e-12);
        const share = (name: StabilityClass) => above.filter(({ own }) => own === name).length / above.length;
        return {
          score,
          temperature: analysed.replicates.conditions[condition]!.temperature,
          threshold,
          cases: above.length,
          coverage: above.length / rows.length,
          mix:
            above.length === 0
              ? null
              : (Object.fromEntries(STABILITY_CLASSES.map((name) => [name, share(name)])) as ThresholdRow["mix"]),
        };
      });
    });
  });
}
