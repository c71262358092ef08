import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../../core/estimate.js";
import type { FlipControl } from "../../../core/results/realised-risk.js";
import type { CheckAccuracy, DualGroup } from "../../../experiments/dual/result.js";
import { tangoInterval } from "../../../stats/intervals/two-proportions.js";
import { shareEstimate } from "../indices.js";
import type { AuditedCell } from "../judge/counts.js";
import { countPairs, type PairedCommunity } from "./paired-change.js";

/** Joint results of the audits of a decision and of its opposite. */
export const DUAL_CLASSES = ["ambiguous", "determinate", "model_error", "void"] as const;
export type DualClass = (typeof DUAL_CLASSES)[number];

/**
 * Whether the rules settle a decision, measured directly: the decision and its opposite are audited separately, and neither audit knows of the
 * other.
 *
 * Formula: let d, d′ ∈ {0, 1} be whether decision and opposite are defensible (level 1 or 2): ambiguous = P(d = 1, d′ = 1) = AI_dual, determinate =
 * P(1, 0), model error = P(0, 1), void = P(0, 0), so that DI(ŷ) + DI(¬ŷ) = 1 + AI_dual − void. For the inverse check i (Yes = 1): sensitivity = P(i
 * = 1 | d′ = 1), specificity = P(i = 0 | d′ = 0).
 * Range: shares in [0, 1]; the four classes sum to 1. AI_dual: lower is better. Intervals: Wilson's, and one for decisions that are correlated
 * within a community.
 * Undefined when: no decision has a verdict in both audits; sensitivity without a defensible opposite, specificity without an indefensible one.
 * Differs from the paper: the paper asks about the opposite in one token of the decision's own audit and never audits it.
 * @see paper §3.1, eq. 2
 * @example
 * dualAudit([{ community: "c", cells: Float64Array.from({ length: 36 }, (_, i) => (i === 7 ? 3 : i === 11 ? 1 : 0)) }]).ambiguous.estimate // => 0.75
 */
export function dualAudit(pairs: readonly PairedCommunity[]): DualGroup {
  const share = (holds: PairTest, among: PairTest = () => true, empty = "no decision has a verdict in both audits") =>
    shareEstimate(
      pairs.map((one) => ({ k: countPairs(one, (a, b) => among(a, b) && holds(a, b)), n: countPairs(one, among) })),
      empty,
    );
  const check = (yes: PairTest, defensible: PairTest, among: PairTest = () => true): CheckAccuracy => {
    const total = (holds: PairTest) =>
      pairs.reduce((sum, one) => sum + countPairs(one, (a, b) => among(a, b) && holds(a, b)), 0);
    return {
      counts: {
        hits: total((a, b) => yes(a, b) && defensible(a, b)),
        false_alarms: total((a, b) => yes(a, b) && !defensible(a, b)),
        missed: total((a, b) => !yes(a, b) && defensible(a, b)),
        rejections: total((a, b) => !yes(a, b) && !defensible(a, b)),
      },
      sensitivity: share(yes, (a, b) => among(a, b) && defensible(a, b), "no decision to find"),
      specificity: share(
        (a, b) => !yes(a, b),
        (a, b) => among(a, b) && !defensible(a, b),
        "no decision to turn down",
      ),
      agreement: share((a, b) => yes(a, b) === defensible(a, b), among, "no decision to compare"),
    };
  };
  const own: PairTest = (a) => a.level < 3;
  const opposite: PairTest = (_, b) => b.level < 3;
  return {
    n: pairs.reduce((sum, one) => sum + countPairs(one, () => true), 0),
    ambiguous: share((a, b) => own(a, b) && opposite(a, b)),
    determinate: share((a, b) => own(a, b) && !opposite(a, b)),
    model_error: share((a, b) => !own(a, b) && opposite(a, b)),
    void: share((a, b) => !own(a, b) && !opposite(a, b)),
    defensibility_index: share(own),
    opposite_defensibility_index: share(opposite),
    ambiguity_index: share((a) => a.inverse),
    ambiguity_pure: share((a) => a.inverse && a.level < 3),
    inverse_check: check((a) => a.inverse, opposite),
    inverse_check_defensible: check((a) => a.inverse, opposite, own),
    opposite_inverse_check: check((_, b) => b.inverse, own),
  };
}

type PairTest = (decision: AuditedCell, opposite: AuditedCell) => boolean;

/** From this AI_dual up, many decisions could be justified either way. */
export const LARGE_AMBIGUITY = 0.25;
/** Below this share of cases that no rule covers, there are almost none. */
export const NO_VOID = 0.02;

/** Whether the auditor seems to justify whatever it is shown: many decisions are defensible either way, and almost none are covered by no rule. */
export function isJustificationProne({ ambiguous, void: uncovered }: DualGroup): boolean {
  if (ambiguous.estimate === null || uncovered.estimate === null) return false;
  return ambiguous.lower >= LARGE_AMBIGUITY && uncovered.estimate <= NO_VOID;
}

const EMPTY = "no decision has a verdict both ways";
/** With fewer pairs there are no warnings. */
const FEWEST_PAIRS = 30;
/** If a smaller share of decisions is distinguished from their opposite, the index says little about the decisions. */
const TOLD_APART = 0.5;
/** Above this share of self-contradictions the inverse check is unreliable. */
const CONTRADICTIONS = 0.1;

/**
 * Whether the auditor notices that a decision was inverted. A random sample of decisions is audited again with the opposite action.
 *
 * Formula: among n decisions with both verdicts, a are defensible both ways, b only as decided, c only the other way, v neither way. Drop (b −
 * c)/n, which is the index of the decisions minus the index of their opposites; told apart (b + c)/n; self-contradictions s/n: the decision has
 * level 1 or 2 and inverse No, yet the opposite has level 1 or 2.
 * Range: drop in [−1, 1] with Tango's interval, the shares in [0, 1] with Wilson's. Higher is better for drop and told apart. Warnings, with at
 * least 30 pairs: `not_told_apart` if the upper end of told apart is below 0.5; `self_contradiction` if the lower end of the self-contradictions is
 * above 0.1. The drop causes no warning: it is 0 for a perfect auditor of a decider that tosses coins.
 * Undefined when: no decision has a verdict both ways.
 * Differs from the paper: the paper has no such control.
 * @see `dualAudit`, which uses the same audits
 * @example
 * flipControl([]).drop // => { estimate: null, reason: "no decision has a verdict both ways", n: 0 }
 */
export function flipControl(pairs: readonly PairedCommunity[]): FlipControl {
  const share = (holds: Parameters<typeof countPairs>[1]) =>
    shareEstimate(
      pairs.map((one) => ({ k: countPairs(one, holds), n: countPairs(one, () => true) })),
      EMPTY,
    );
  const told_apart = share((own, opposite) => own.level < 3 !== opposite.level < 3);
  const self_contradiction = share((own, opposite) => own.level < 3 && !own.inverse && opposite.level < 3);
  const n = told_apart.n;
  const warnings: FlipControl["warnings"] = [];
  if (n >= FEWEST_PAIRS) {
    if (told_apart.estimate !== null && told_apart.upper < TOLD_APART) warnings.push("not_told_apart");
    if (self_contradiction.estimate !== null && self_contradiction.lower > CONTRADICTIONS) {
      warnings.push("self_contradiction");
    }
  }
  return {
    n,
    defensibility_index: share((own) => own.level < 3),
    opposite_defensibility_index: share((_, opposite) => opposite.level < 3),
    drop: dropOf(pairs, n),
    told_apart,
    self_contradiction,
    warnings,
  };
}

function dropOf(pairs: readonly PairedCommunity[], n: number): Estimate {
  if (n === 0) return undefinedEstimate(EMPTY, 0);
  const total = (holds: Parameters<typeof countPairs>[1]) =>
    pairs.reduce((sum, one) => sum + countPairs(one, holds), 0);
  const onlyOwn = total((own, opposite) => own.level < 3 && opposite.level === 3);
  const onlyOpposite = total((own, opposite) => own.level === 3 && opposite.level < 3);
  const interval = tangoInterval(onlyOwn, onlyOpposite, n);
  return { estimate: (onlyOwn - onlyOpposite) / n, ...interval, level: CONFIDENCE_LEVEL, method: "Tango", n };
}
