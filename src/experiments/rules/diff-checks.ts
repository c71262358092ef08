import type { Estimate } from "../../domain/estimate.js";
import type { CheckMode, DiffCheck, DiffEffect } from "../../domain/rules-diff.js";
import { wideInterval } from "../wide-interval.js";

/** Limits of a change; what is undefined is not checked. */
export interface DiffLimits {
  /** Most decisions that may become indefensible. */
  newIndefensible?: number;
  /** How far AI and AI_pure may rise, and DI fall, as fractions. */
  aiIncrease?: number;
  aiPureIncrease?: number;
  diDrop?: number;
  mode: CheckMode;
}

/** Rates are ratios of counts: a change of exactly the limit must pass. */
const SLACK = 1e-9;

/** Holds a change against its limits. Without an effect nothing changed, and every limit holds. */
export function checkDiff(effect: DiffEffect | null, limits: DiffLimits): DiffCheck[] {
  const checks: DiffCheck[] = [];
  if (limits.newIndefensible !== undefined) {
    const n = effect?.new_indefensible.n ?? 0;
    const holds = n <= limits.newIndefensible;
    const text = `${n} ${n === 1 ? "decision becomes" : "decisions become"} indefensible; at most ${limits.newIndefensible} may`;
    checks.push({ name: "new_indefensible", limit: limits.newIndefensible, value: n, by: "count", holds, text });
  }
  const changes = effect?.step.changes;
  if (limits.aiIncrease !== undefined) {
    const check = rateCheck("ai_increase", changes?.ambiguity_index.difference, limits.aiIncrease, limits.mode);
    checks.push(effect ? { ...check, text: `${check.text} (AI counts both: ${splitText(effect)})` } : check);
  }
  if (limits.aiPureIncrease !== undefined) {
    const rise = changes?.ambiguity_pure.difference;
    checks.push(rateCheck("ai_pure_increase", rise, limits.aiPureIncrease, limits.mode));
  }
  if (limits.diDrop !== undefined) {
    const drop = changes && mirrored(changes.defensibility_index.difference);
    checks.push(rateCheck("di_drop", drop, limits.diDrop, limits.mode));
  }
  return checks;
}

/** `sure`: only what is certainly beyond the limit fails; `safe`: only what is certainly within it passes. */
const BY = { point: "estimate", sure: "lower", safe: "upper" } as const;

const WORDS = {
  estimate: "",
  lower: " at the least (lower end of the 95 % interval)",
  upper: " at the most (upper end of the 95 % interval)",
};

const SUBJECTS = { ai_increase: "AI rises", ai_pure_increase: "AI_pure rises", di_drop: "DI falls" };

const points = (share: number) => `${(100 * share).toFixed(1).replace("-", "−")} pp`;

/** AI counts two things: decisions that can go either way, and decisions that the rules settle the other way. */
export function splitText({ step: { changes } }: DiffEffect): string {
  const [all, pure] = [changes.ambiguity_index.difference.estimate, changes.ambiguity_pure.difference.estimate];
  if (all === null || pure === null) return "";
  const signed = (share: number) => `${share >= 0 ? "+" : ""}${points(share)}`;
  return `${signed(pure)} can go either way, ${signed(all - pure)} are settled the other way`;
}

function rateCheck(name: keyof typeof SUBJECTS, rise: Estimate | undefined, limit: number, mode: CheckMode): DiffCheck {
  const by = BY[mode];
  const value = !rise || rise.estimate === null ? 0 : by === "estimate" ? rise.estimate : wideInterval(rise)![by];
  const text = `${SUBJECTS[name]} by ${points(value)}${WORDS[by]}; at most ${points(limit)} is allowed`;
  return { name, limit, value, by, holds: value <= limit + SLACK, text };
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
  };
}
