import { CONFIDENCE_LEVEL, type Estimate, undefinedEstimate } from "../../../core/estimate.js";
import type { FlipControl } from "../../../core/results/realised-risk.js";
import { tangoInterval } from "../../../stats/intervals/tango-interval.js";
import { shareEstimate } from "../rate.js";
import { countPairs, type PairedCommunity } from "./paired-community.js";

const EMPTY = "no decision has a verdict both ways";
/** Fewer pairs than this warn of nothing. */
const FEWEST_PAIRS = 30;
/** Below this share of decisions told apart from their opposite, the index says little about the decisions. */
const TOLD_APART = 0.5;
/** Above this share of self-contradictions, the inverse check cannot be relied on. */
const CONTRADICTIONS = 0.1;

/**
 * Whether the auditor notices that a decision was inverted. A random sample of decisions is audited once more with the opposite action.
 *
 * Formula: of n decisions with both verdicts, a are defensible both ways, b only as decided, c only the other way, v neither way.
 * Drop (b − c)/n, which is the index of the decisions minus the index of their opposites; told apart (b + c)/n; self-contradictions s/n: the
 * decision has level 1 or 2 and inverse No, and the opposite has level 1 or 2 all the same.
 * Range: drop in [−1, 1] with Tango's interval, the shares in [0, 1] with Wilson's. Higher is better for drop and told apart.
 * Warnings, from 30 pairs on: `not_told_apart` where the upper end of told apart is below 0.5; `self_contradiction` where the lower end of
 * the self-contradictions is above 0.1. The drop warns of nothing: it is 0 for a perfect auditor of a decider that tosses coins.
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
