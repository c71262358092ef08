import type { Estimate } from "../../../core/estimate.js";
import { type Interval, proportion } from "../../../stats/intervals/proportion.js";
import { newcombeInterval } from "../../../stats/intervals/two-proportions.js";
import { chiSquareTest, exactTableTest } from "../../../stats/tests/table-tests.js";
import type { ScoreColumns } from "../score-columns.js";
import { type EntropyComponent, entropyColumn } from "./design.js";

/** Rows without a full signal, each counted under one reason. */
export interface SkippedRows {
  /** All three parts are missing: the auditor gave no probabilities. */
  no_signal: number;
  label_confidence: number;
  entropy: number;
  inverse_check: number;
  /** Two of the three parts are missing. */
  several: number;
}

export interface ExtractionCheck {
  component: EntropyComponent;
  n: number;
  /** Share of verdicts with all parts of S. */
  extracted: Estimate;
  skipped: SkippedRows;
  /** Emitted levels 1, 2, 3: of the rows with a full signal, and of the others. */
  levels: { extracted: [number, number, number]; skipped: [number, number, number] };
  /** Whether skipping depends on the emitted level. */
  test: {
    method: "chi-square" | "exact" | null;
    statistic: number | null;
    p: number | null;
    reason?: string;
  };
  /** Rate of level 3 among the skipped minus that among the others, with Newcombe's interval. */
  level3_difference: { estimate: number | null; interval: Interval | null };
  statement: string;
}

/** Smallest expected count for a chi-square test. */
const LEAST_EXPECTED = 5;
const SIGNIFICANT = 0.05;

/**
 * How many verdicts have a full signal, why the others have none, and whether those others differ. The paper assumes that skipped cases are missing
 * at random and does not test it.
 * @see paper Appendix A.3, Table "Held-out ECE"
 */
export function extractionCheck(columns: ScoreColumns, component: EntropyComponent = "h_w"): ExtractionCheck {
  const entropy = entropyColumn(columns, component);
  const skipped = { no_signal: 0, label_confidence: 0, entropy: 0, inverse_check: 0, several: 0 };
  const levels: ExtractionCheck["levels"] = { extracted: [0, 0, 0], skipped: [0, 0, 0] };
  let extracted = 0;
  for (let i = 0; i < columns.n; i += 1) {
    const lambda = Number.isNaN(columns.lambdaNats[i]!);
    const uncertain = Number.isNaN(entropy[i]!);
    const inverse = Number.isNaN(columns.inverseYesProb[i]!);
    const missing = Number(lambda) + Number(uncertain) + Number(inverse);
    if (missing === 0) extracted += 1;
    else if (missing === 3) skipped.no_signal += 1;
    else if (missing === 2) skipped.several += 1;
    else if (lambda) skipped.label_confidence += 1;
    else if (uncertain) skipped.entropy += 1;
    else skipped.inverse_check += 1;
    const level = columns.level[i]!;
    if (level >= 1) (missing === 0 ? levels.extracted : levels.skipped)[level - 1]! += 1;
  }
  const test = testSkips(levels);
  const difference = level3Difference(levels);
  return {
    component,
    n: columns.n,
    extracted: proportion(extracted, columns.n),
    skipped,
    levels,
    test,
    level3_difference: difference,
    statement: statementOf(columns.n, columns.n - extracted, test, difference.estimate),
  };
}

function testSkips({ extracted, skipped }: ExtractionCheck["levels"]): ExtractionCheck["test"] {
  const pearson = chiSquareTest([extracted, skipped]);
  if (pearson.p === null || pearson.least_expected === null) {
    const reason =
      sum(skipped) === 0 ? "nothing was skipped" : sum(extracted) === 0 ? "everything was skipped" : "one level";
    return { method: null, statistic: null, p: null, reason };
  }
  if (pearson.least_expected >= LEAST_EXPECTED) {
    return { method: "chi-square", statistic: pearson.statistic, p: pearson.p };
  }
  return { method: "exact", statistic: null, p: exactTableTest(skipped, extracted) };
}

function level3Difference({ extracted, skipped }: ExtractionCheck["levels"]): ExtractionCheck["level3_difference"] {
  const [kept, left] = [sum(extracted), sum(skipped)];
  if (kept === 0 || left === 0) return { estimate: null, interval: null };
  return {
    estimate: skipped[2] / left - extracted[2] / kept,
    interval: newcombeInterval(skipped[2], left, extracted[2], kept),
  };
}

function statementOf(
  n: number,
  skipped: number,
  { p, reason }: ExtractionCheck["test"],
  difference: number | null,
): string {
  if (n === 0) return "There are no verdicts.";
  if (p === null) {
    if (skipped === 0) return "Every verdict has a full signal.";
    if (skipped === n) return "No verdict has a full signal.";
    return `Whether skipping depends on the level cannot be tested: ${reason}.`;
  }
  if (p >= SIGNIFICANT) return "Nothing speaks against skips being independent of the level; that is no proof of it.";
  if (difference === null || Math.abs(difference) < 1e-12) {
    return "Skipping depends on the level: results of the rows with a signal do not represent all.";
  }
  const direction = difference > 0 ? "more" : "less";
  return `Skipping depends on the level: skipped verdicts are indefensible ${direction} often, so results of the others do not represent all.`;
}

function sum([a, b, c]: readonly [number, number, number]): number {
  return a + b + c;
}
