import type { Estimate } from "../../core/estimate.js";
import type { GateMode } from "../../core/gate.js";
import type { Truth } from "../../core/records/truth.js";
import type { Validate, ValidatedQuantity } from "../../core/results/validate.js";
import { evaluateScore } from "../../measures/calibration/errors/evaluate-score.js";
import { evaluateGate } from "../../measures/gate/evaluate-gate.js";
import { type GateCohort, STANDARD_LIMITS } from "../../measures/gate/gate-input.js";
import { ambiguityIndex } from "../../measures/metrics/ambiguity-index.js";
import { defensibilityIndex } from "../../measures/metrics/defensibility-index.js";
import { pureAmbiguity } from "../../measures/metrics/pure-ambiguity.js";
import { scopedAmbiguity } from "../../measures/metrics/scoped-ambiguity.js";
import { cellMask, countIn, type Tally } from "../../measures/metrics/tally.js";
import { proportion } from "../../stats/intervals/proportion.js";

/** What each mode promises of communities that should not pass. */
export const PROMISES: Readonly<Record<GateMode, string>> = {
  paper: "nothing",
  shrunk: "of those that pass at most 5 % should not, on average",
  certified: "none that should not passes, with probability 0.95",
};

export interface Openings {
  passing: number;
  /** Passed, and should not. */
  wrong: number;
  /** Should pass, and those of them that did. */
  good: number;
  found: number;
}

/** Whether a community keeps the limits. */
export function keepsLimits(rates: { defensibility_index: number; ambiguity_index: number }): boolean {
  return rates.defensibility_index >= STANDARD_LIMITS.di - 1e-9 && rates.ambiguity_index <= STANDARD_LIMITS.ai + 1e-9;
}

const LEVEL_3 = cellMask((cell) => cell.level === 3);
const YES = cellMask((cell) => cell.inverse);
const PURE = cellMask((cell) => cell.inverse && cell.level !== 3);
const ALL = cellMask(() => true);

/** Opens the gate on what was audited, in each mode, and counts whom it should not have let through. */
export function gateOpenings(tallies: readonly Tally[], good: readonly boolean[]): Record<GateMode, Openings> {
  const cohorts = tallies.map(
    (tally): GateCohort => ({
      key: tally.cluster,
      n: countIn(tally, ALL),
      indefensible: countIn(tally, LEVEL_3),
      inverse_yes: countIn(tally, YES),
      inverse_yes_pure: countIn(tally, PURE),
      unscored: tally.unscored,
    }),
  );
  const { communities } = evaluateGate(cohorts, { frontier: false, look: "once" });
  const places = new Map(tallies.map(({ cluster }, i) => [cluster, i]));
  const eligible = communities.filter(({ n }) => n >= STANDARD_LIMITS.min_decisions);
  const count = (mode: GateMode): Openings => {
    const passed = eligible.filter(({ passes }) => passes[mode]);
    const isGood = ({ community }: (typeof eligible)[number]) => good[places.get(community)!]!;
    return {
      passing: passed.length,
      wrong: passed.filter((one) => !isGood(one)).length,
      good: eligible.filter(isGood).length,
      found: passed.filter(isGood).length,
    };
  };
  return { paper: count("paper"), shrunk: count("shrunk"), certified: count("certified") };
}

/** A quantity as it is measured, and what makes it true of a decision. */
interface Quantity {
  measure: (tallies: readonly Tally[]) => Estimate;
  holds: (truth: Pick<Truth, "level" | "inverse" | "rule">) => boolean;
}

export const QUANTITIES: Readonly<Record<ValidatedQuantity, Quantity>> = {
  defensibility_index: { measure: defensibilityIndex, holds: ({ level }) => level !== 3 },
  ambiguity_index: { measure: ambiguityIndex, holds: ({ inverse }) => inverse },
  ambiguity_pure: { measure: pureAmbiguity, holds: ({ inverse, level }) => inverse && level !== 3 },
  ambiguity_platform: {
    measure: (tallies) => scopedAmbiguity(tallies, "platform"),
    holds: ({ inverse, rule }) => inverse && rule?.scope === "platform",
  },
  ambiguity_community: {
    measure: (tallies) => scopedAmbiguity(tallies, "community"),
    holds: ({ inverse, rule }) => inverse && rule?.scope === "community",
  },
};

type ScoreRow = NonNullable<Validate["worlds"]>["scores"][number];

/** How well a score tells defensible decisions from indefensible ones, judged by the truth. NaN: the row has no score. */
export function scoreRow(name: string, score: Float64Array, truth: Uint8Array, seed: number): ScoreRow {
  const y = truth.map((level) => (level === 3 ? 0 : 1));
  const { auroc, ece, log_loss } = evaluateScore(score, y, { seed });
  return {
    score: name,
    auroc,
    ece: ece.equal_frequency.value,
    ece_null_95: ece.equal_frequency.null_95,
    log_loss: log_loss.value,
    detected_at_5: detectedAt(score, y, 0.05),
  };
}

/** Indefensible decisions below the score that `share` of the defensible fall below. Of equal scores all or none are flagged. */
function detectedAt(score: Float64Array, y: Uint8Array, share: number) {
  const good = score.filter((value, i) => y[i] === 1 && !Number.isNaN(value)).sort();
  const bad = score.filter((value, i) => y[i] === 0 && !Number.isNaN(value));
  const limit = good[Math.floor(share * good.length)] ?? Number.NEGATIVE_INFINITY;
  return proportion(bad.filter((value) => value < limit).length, bad.length);
}
