import type { Estimate } from "../../core/estimate.js";
import { decimal, percent, points, wideInterval } from "../../present/words/numbers.js";
import type { CheckMode, DiffCheck, DiffEffect } from "./diff/result.js";

/** Limits of a change; what is undefined is not checked. */
export interface DiffLimits {
  /** Most decisions that may become indefensible. */
  newIndefensible?: number;
  /** How far AI and AI_pure may rise, and DI fall, as fractions. */
  aiIncrease?: number;
  aiPureIncrease?: number;
  diDrop?: number;
  /** Largest share of the decisions that may be left out. Default where another limit is given: `MAX_LEFT_OUT`. */
  maxLeftOut?: number;
  mode: CheckMode;
}

/** Rates are ratios of counts: a change of exactly the limit must pass. */
const SLACK = 1e-9;

/** Share of the decisions that may be left out of a comparison whose limits are to mean anything, unless a caller says otherwise. */
const MAX_LEFT_OUT = 0.05;

/**
 * Holds a change against its limits. Without an effect nothing changed, and every limit holds. Where any limit is asked for, so is that hardly any
 * decision was left out: a text under which the auditor gives no verdicts would else pass.
 */
export function checkDiff(effect: DiffEffect | null, limits: DiffLimits): DiffCheck[] {
  const checks: DiffCheck[] = [];
  if (limits.newIndefensible !== undefined) checks.push(countCheck(effect, limits.newIndefensible, limits.mode));
  const changes = effect?.step.changes;
  if (limits.aiIncrease !== undefined) {
    const check = rateCheck("ai_increase", changes?.ambiguity_index.difference, limits.aiIncrease, limits.mode);
    checks.push(effect ? { ...check, text: `${check.text} (ambiguity counts both: ${splitText(effect)})` } : check);
  }
  if (limits.aiPureIncrease !== undefined) {
    const rise = changes?.ambiguity_pure.difference;
    checks.push(rateCheck("ai_pure_increase", rise, limits.aiPureIncrease, limits.mode));
  }
  if (limits.diDrop !== undefined) {
    const drop = changes && mirrored(changes.defensibility_index.difference);
    checks.push(rateCheck("di_drop", drop, limits.diDrop, limits.mode));
  }
  if (checks.length > 0 || limits.maxLeftOut !== undefined) {
    checks.push(leftOutCheck(effect, limits.maxLeftOut ?? MAX_LEFT_OUT));
  }
  return checks;
}

/** Decisions that become indefensible; to be safe, with those that may have unnoticed. */
function countCheck(effect: DiffEffect | null, limit: number, mode: CheckMode): DiffCheck {
  const known = effect?.new_indefensible.n ?? 0;
  const most = mode === "safe" ? (effect?.new_indefensible_at_most ?? known) : known;
  const undecided = most - known;
  const also = undecided > 0 ? `, and ${undecided} without a verdict may` : "";
  return {
    name: "new_indefensible",
    limit,
    value: most,
    by: undecided > 0 ? "worst_case" : "count",
    holds: most <= limit,
    text: `${known} ${known === 1 ? "decision becomes" : "decisions become"} indefensible${also}; at most ${limit} may`,
  };
}

function leftOutCheck(effect: DiffEffect | null, limit: number): DiffCheck {
  const {
    decisions,
    paired,
    different_action: other,
  } = effect?.counts ?? {
    decisions: 0,
    paired: 0,
    different_action: 0,
  };
  const left = decisions - paired;
  const value = decisions === 0 ? 0 : left / decisions;
  const why = [
    ...(left - other > 0 ? [`${left - other} without a verdict on one side`] : []),
    ...(other > 0 ? [`${other} with different actions on the two sides`] : []),
  ];
  const text = `${left} of ${decisions} decisions are left out${why.length > 0 ? ` (${why.join(", ")})` : ""}; at most ${percent(limit)} may be`;
  return { name: "left_out", limit, value, by: "share", holds: value <= limit + SLACK, text };
}

/** `sure`: only what is certainly beyond the limit fails; `safe`: only what is certainly within it passes. */
const BY = { point: "estimate", sure: "lower", safe: "upper" } as const;

const ENDS = {
  estimate: "",
  lower: "lower end of the 95% interval",
  upper: "upper end of the 95% interval",
  worst_case: "if every audit without a verdict had gone the worst way",
};

const SUBJECTS = {
  ai_increase: { name: "ambiguity", up: "rise", down: "fall" },
  ai_pure_increase: { name: "pure ambiguity", up: "rise", down: "fall" },
  di_drop: { name: "DI", up: "fall", down: "rise" },
} as const;

/** How far something moves, whichever way: "2.0 pp". */
const size = (share: number) => `${decimal(100 * Math.abs(share), 1)} pp`;

/** Ambiguity counts two things: decisions that can go either way, and decisions that the rules settle the other way. */
function splitText({ step: { changes } }: DiffEffect): string {
  const [all, pure] = [changes.ambiguity_index.difference.estimate, changes.ambiguity_pure.difference.estimate];
  if (all === null || pure === null) return "";
  return `${points(pure)} can go either way, ${points(all - pure)} are settled the other way`;
}

function rateCheck(name: keyof typeof SUBJECTS, rise: Estimate | undefined, limit: number, mode: CheckMode): DiffCheck {
  const { value, by } = judged(rise, mode);
  const text = `${foundText(name, value, by)}; ${limitText(name, limit)}`;
  return { name, limit, value, by, holds: value <= limit + SLACK, text };
}

type Held = { value: number; by: keyof typeof ENDS };

/** What is held against the limit. To be safe, also what the decisions that had to be left out could hide. */
function judged(rise: Estimate | undefined, mode: CheckMode): Held {
  const by = BY[mode];
  if (!rise || rise.estimate === null) return { value: 0, by };
  const value = by === "estimate" ? rise.estimate : wideInterval(rise)![by];
  const worst = mode === "safe" ? rise.worst_case?.upper : undefined;
  return worst !== undefined && worst > value + SLACK ? { value: worst, by: "worst_case" } : { value, by };
}

/** "ambiguity rises by 2.0 pp", "ambiguity falls by 3.0 pp at the least (upper end of the 95% interval)". */
function foundText(name: keyof typeof SUBJECTS, value: number, by: Held["by"]): string {
  const { name: index, up, down } = SUBJECTS[name];
  const against = value < -SLACK;
  const least = (by === "lower") !== against;
  const end = by === "estimate" ? "" : ` at the ${least ? "least" : "most"} (${ENDS[by]})`;
  return `${index} ${against ? down : up}s by ${size(value)}${end}`;
}

function limitText(name: keyof typeof SUBJECTS, limit: number): string {
  const { up, down } = SUBJECTS[name];
  if (limit < 0) return `it must ${down} by at least ${size(limit)}`;
  return `it may ${up} by at most ${size(limit)}`;
}

/** The same change with the other sign. */
function mirrored(estimate: Estimate): Estimate {
  if (estimate.estimate === null) return estimate;
  const turn = ({ lower, upper }: { lower: number; upper: number }) => ({ lower: -upper, upper: -lower });
  return {
    ...estimate,
    estimate: -estimate.estimate,
    ...turn(estimate),
    ...(estimate.cluster ? { cluster: { ...estimate.cluster, ...turn(estimate.cluster) } } : {}),
    ...(estimate.worst_case ? { worst_case: turn(estimate.worst_case) } : {}),
  };
}
