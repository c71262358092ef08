import { InputError } from "../../core/errors.js";
import { benjaminiHochberg } from "../../stats/tests/benjamini-hochberg.js";
import { ascendingOrder } from "../../stats/tests/check-p-values.js";
import { fixedSequence } from "../../stats/tests/fixed-sequence.js";
import { holm } from "../../stats/tests/holm.js";

export const GATE_ADJUSTMENTS = ["holm", "bh", "by", "fixed_sequence"] as const;
/** How the number of communities is paid for. */
export type GateAdjustment = (typeof GATE_ADJUSTMENTS)[number];

export const GATE_LOOKS = ["once", "anytime"] as const;
/**
 * `anytime`: the gate may be computed again as data arrive. `once`: one look declared beforehand; the e-values are the same,
 * and a fixed sequence is allowed.
 */
export type GateLook = (typeof GATE_LOOKS)[number];

/** Not every pair keeps a promise. */
export function checkAdjustment(adjust: GateAdjustment, look: GateLook): void {
  if (look === "anytime" && adjust === "fixed_sequence") {
    throw new InputError(
      "gate_adjustment",
      "adjust: fixed_sequence has no promise under repeated looks, because the order by size changes between them",
      "Use holm or bh with repeated looks, or declare one look.",
    );
  }
}

/** The method in words, with what it promises; `labelled`: people's labels have to prove the true rate as well. */
export function certifiedMethod(adjust: GateAdjustment, look: GateLook, delta: number, labelled = false): string {
  const method = plainMethod(adjust, look, delta);
  if (!labelled) return method;
  return `${method}. Passes that break a limit by the auditor's verdicts and passes whose true indefensible rate is above the limit are both false; the true rate is tested by people's labels, taken for a random sample, within the same error rate`;
}

function plainMethod(adjust: GateAdjustment, look: GateLook, delta: number): string {
  const level = `${+(100 * delta).toPrecision(6)} %`;
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
 * The level that one community's own p-value has to reach to pass, the others staying as they are: what an adjustment
 * asks of it. `rank` is its place (from 0) in ascending order among `sorted`, or null when it is not one of them and
 * would join.
 *
 * Formula: Holm: δ / (m − R), R the communities that pass. Benjamini–Hochberg: δ k / m with k the number that would pass
 * if its p-value were 0.
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
  // Those before it in the order shift up by one place when its p-value falls to 0.
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
