import { InputError } from "../../core/errors.js";
import { ascendingOrder, benjaminiHochberg, fixedSequence, holm } from "../../stats/tests/multiple-testing.js";
import { ambiguousCount, type GateCohort, type GateLimits } from "./gate-input.js";
import { isEligible } from "./limits.js";

export const GATE_ADJUSTMENTS = ["holm", "bh", "by", "fixed_sequence"] as const;
/** Multiple-comparison correction over the communities. */
export type GateAdjustment = (typeof GATE_ADJUSTMENTS)[number];

export const GATE_LOOKS = ["once", "anytime"] as const;
/** `anytime`: the gate may be recomputed as data arrive. `once`: one declared look, with the same e-values; a fixed sequence is allowed. */
export type GateLook = (typeof GATE_LOOKS)[number];

/** Rejects a pair of correction and look that has no guarantee. */
export function checkAdjustment(adjust: GateAdjustment, look: GateLook): void {
  if (look === "anytime" && adjust === "fixed_sequence") {
    throw new InputError(
      "gate_adjustment",
      "adjust: fixed_sequence has no promise under repeated looks, because the order by size changes between them",
      "Use holm or bh with repeated looks, or declare one look.",
    );
  }
}

/** The method and its guarantee, in words. `labelled`: human labels also have to prove the true rate. */
export function certifiedMethod(adjust: GateAdjustment, look: GateLook, delta: number, labelled = false): string {
  const method = plainMethod(adjust, look, delta);
  if (!labelled) return method;
  return `${method}. Passes that break a limit by the auditor's verdicts and passes whose true indefensible rate is above the limit are both false; the true rate is tested by people's labels, taken for a random sample, within the same error rate`;
}

function plainMethod(adjust: GateAdjustment, look: GateLook, delta: number): string {
  const level = `${+(100 * delta).toPrecision(6)}%`;
  const any = `the probability of any false pass is at most ${level}`;
  const share = `the expected share of false passes is at most ${level}`;
  if (look === "anytime") {
    return adjust === "holm"
      ? `e-values with Holm's adjustment: ${any}; may be repeated as data arrive`
      : `e-values with e-BH: ${share}, at each look; may be repeated as data arrive`;
  }
  const texts: Record<GateAdjustment, string> = {
    holm: `e-values with Holm's adjustment: ${any}`,
    bh: `e-values with e-BH: ${share}`,
    by: `e-values with e-BH: ${share}, however communities depend on each other`,
    fixed_sequence: `e-values in a fixed sequence, largest first: ${any}`,
  };
  return `${texts[adjust]}; for one declared look`;
}

/** Adjusted p-values, in the order of the arguments (for `fixed_sequence`, the order of testing). */
export function adjustPValues(pValues: readonly number[], adjust: GateAdjustment): number[] {
  if (adjust === "holm") return holm(pValues);
  if (adjust === "fixed_sequence") return fixedSequence(pValues);
  // e-BH is Benjamini–Hochberg on 1/E under any dependence, so `by` needs no harmonic factor.
  return benjaminiHochberg(pValues);
}

/**
 * The level that one community's own p-value must reach for it to pass, with all others unchanged. `rank` is its place (from 0) in ascending order
 * among `sorted`, or null when it is not among them and would be added.
 *
 * Formula: Holm: δ / (m − R), R the number of communities that pass. Benjamini–Hochberg: δ k / m k the number that would pass if its p-value were
 * 0.
 * Range: (0, δ].
 */
export function levelToReach(
  sorted: ArrayLike<number>,
  rank: number | null,
  adjust: "holm" | "bh",
  delta: number,
): number {
  const m = sorted.length + (rank === null ? 1 : 0);
  if (adjust === "holm") {
    let passed = 0;
    while (passed < sorted.length && passed !== rank && sorted[passed]! * (m - passed) <= delta) passed += 1;
    return delta / (m - passed);
  }
  // When its p-value falls to 0, those before it in the order move up by one place.
  for (let k = Math.min(m, (rank ?? sorted.length) + 1); k > 1; k -= 1) {
    if (sorted[k - 2]! * m <= delta * k) return (delta * k) / m;
  }
  return delta / m;
}

/** Ranks in ascending order, and the sorted values. */
export function rankPValues(pValues: readonly number[]): { sorted: Float64Array; rank: Int32Array } {
  const order = ascendingOrder(pValues);
  const rank = new Int32Array(pValues.length);
  const sorted = new Float64Array(pValues.length);
  order.forEach((index, place) => {
    rank[index] = place;
    sorted[place] = pValues[index]!;
  });
  return { sorted, rank };
}

/**
 * Share of the indefensible decisions that the gate keeps from being automated: the paper's "risk reduction". Report it next to 1 − coverage: a
 * gate that picks communities at random scores that.
 *
 * Formula: 1 − (L3 automated) / (L3 eligible) = 1 − coverage · r_auto / r_base.
 * Range: [0, 1]; 1 when nothing indefensible is automated, also when nothing is automated at all.
 * Undefined when: there are no indefensible decisions among the eligible: null.
 * Differs from the paper: nothing; the paper's base rate of 6.09% is implied by its table, not printed.
 * @see paper §9, Table "Governance Gate scenario sensitivity"
 * @example
 * exposureReduction({ eligible_indefensible: 10, automated_indefensible: 4 }) // => 0.6
 */
export function exposureReduction(
  counts: Pick<GateCounts, "eligible_indefensible" | "automated_indefensible">,
): number | null {
  if (counts.eligible_indefensible === 0) return null;
  return 1 - counts.automated_indefensible / counts.eligible_indefensible;
}

/**
 * How much lower the indefensible rate is among automated decisions than among all eligible ones.
 *
 * Formula: 1 − r_auto / r_base; r_auto = L3 automated / automated, r_base = L3 eligible / eligible.
 * Range: at most 1; 0 for a gate that picks at random (on average), below 0 for one that picks the worse part.
 * Undefined when: nothing is automated, or there are no indefensible decisions among the eligible: null.
 * Differs from the paper: the paper prints 64.9% (exposure) next to 5.66% → 2.72%, whose conditional reduction is 51.9%.
 * @see paper §9
 * @example
 * conditionalRiskReduction({ eligible_decisions: 100, eligible_indefensible: 10, automated_decisions: 50, automated_indefensible: 2 }) // => 0.6
 */
export function conditionalRiskReduction(
  counts: Pick<
    GateCounts,
    "eligible_decisions" | "eligible_indefensible" | "automated_decisions" | "automated_indefensible"
  >,
): number | null {
  if (counts.automated_decisions === 0 || counts.eligible_indefensible === 0) return null;
  const automated = counts.automated_indefensible / counts.automated_decisions;
  return 1 - automated / (counts.eligible_indefensible / counts.eligible_decisions);
}

/** Numerators and denominators of all figures that a scenario reports. */
export interface GateCounts {
  communities: number;
  eligible_communities: number;
  passing_communities: number;
  /** Verdicts: in all communities; in those with enough verdicts; in those that pass. */
  decisions: number;
  eligible_decisions: number;
  automated_decisions: number;
  eligible_indefensible: number;
  automated_indefensible: number;
  /** Verdicts that count against the ambiguity limit, in passing communities. */
  automated_ambiguous: number;
  /** Audits without a verdict, in all communities. No rate includes them. */
  unscored: number;
}

/**
 * Counts behind a gate's coverage and risk, given which cohorts pass.
 *
 * Formula: sums over all cohorts, over the eligible (n ≥ min) and over the passing.
 * Range: counts; passing ≤ eligible ≤ all.
 * Undefined when: never. RangeError when a cohort passes that is not eligible, or the lists differ in length.
 * Differs from the paper: the paper prints one coverage; this returns counts for all, eligible and passing cohorts.
 * @see paper §9
 * @example
 * gateCounts([], [], { di: 0.9, ai: 0.15, min_decisions: 25, variable: "ai" }).decisions // => 0
 */
export function gateCounts(cohorts: readonly GateCohort[], passes: readonly boolean[], limits: GateLimits): GateCounts {
  if (cohorts.length !== passes.length) {
    throw new RangeError(`passes: ${passes.length} of them; expected one for each of ${cohorts.length} cohorts`);
  }
  const counts: GateCounts = {
    communities: cohorts.length,
    eligible_communities: 0,
    passing_communities: 0,
    decisions: 0,
    eligible_decisions: 0,
    automated_decisions: 0,
    eligible_indefensible: 0,
    automated_indefensible: 0,
    automated_ambiguous: 0,
    unscored: 0,
  };
  cohorts.forEach((cohort, i) => {
    counts.decisions += cohort.n;
    counts.unscored += cohort.unscored;
    const eligible = isEligible(cohort, limits);
    if (passes[i] && !eligible) throw new RangeError("passes: a cohort below the minimum of decisions passes");
    if (!eligible) return;
    counts.eligible_communities += 1;
    counts.eligible_decisions += cohort.n;
    counts.eligible_indefensible += cohort.indefensible;
    if (!passes[i]) return;
    counts.passing_communities += 1;
    counts.automated_decisions += cohort.n;
    counts.automated_indefensible += cohort.indefensible;
    counts.automated_ambiguous += ambiguousCount(cohort, limits.variable);
  });
  return counts;
}
