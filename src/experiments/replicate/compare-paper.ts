import type { Compared, StepRecord } from "../../core/results/replicate.js";
import { wideInterval } from "../../present/words/wide-interval.js";
import type { Accessor, Accessors } from "./accessor.js";
import { AGREEMENT } from "./agreement-accessors.js";
import type { Found } from "./found.js";
import { GOVERNANCE } from "./governance-accessors.js";
import { judgeDifference, marginOf } from "./judge-difference.js";
import type { PaperValue } from "./paper-value.js";
import { PAPER_VALUES } from "./paper-values.js";
import type { StepResults } from "./results.js";
import { ROBUSTNESS } from "./robustness-accessors.js";
import { SIGNALS } from "./signal-accessors.js";
import { simulatedReason } from "./simulated-reasons.js";

/** Where our value of every printed number comes from, by its id. */
export const ACCESSORS: Accessors = { ...AGREEMENT, ...SIGNALS, ...GOVERNANCE, ...ROBUSTNESS };

export interface CompareSettings {
  /** The world was made with the paper's rates: which numbers went in matters. */
  paperRates: boolean;
  /** And in the paper's sizes: otherwise counts are no subject of comparison. */
  paperSizes: boolean;
  /** What was done, and why not. */
  steps: readonly StepRecord[];
}

/** Every printed number of the paper beside ours. */
export function comparePaper(results: StepResults, { paperRates, paperSizes, steps }: CompareSettings): Compared[] {
  const records = new Map(steps.map((one) => [one.step, one]));
  return PAPER_VALUES.map((printed) => {
    const accessor = ACCESSORS[printed.id]!;
    const record = records.get(accessor.step);
    const ours = oursOf(printed, accessor, results, record);
    const { id, place, what, value: paper, unit, digits, role, caveat = null } = printed;
    const comparable = unit !== "count" || paperSizes;
    return {
      id,
      place,
      what,
      unit,
      digits,
      role: paperRates ? role : null,
      caveat,
      why: paperRates ? simulatedReason(id) : null,
      step: accessor.step,
      paper,
      ours,
      beside: besideOf(accessor, results),
      difference: ours.value === null ? null : ours.value - paper,
      within: comparable ? isWithin(ours, printed) : null,
      verdict: comparable ? judgeDifference({ id, unit, digits, paper, ours }) : null,
      margin: marginOf({ unit, paper }),
      // A step that was done and found nothing would find nothing again.
      command: results[accessor.step] === undefined ? (record?.command ?? commandFor(accessor.step)) : null,
    };
  });
}

function oursOf(
  printed: PaperValue,
  { step, find }: Accessor,
  results: StepResults,
  record: StepRecord | undefined,
): Compared["ours"] {
  const none = { value: null, lower: null, upper: null, n: 0, method: null };
  if (results[step] === undefined) {
    const reason = record?.reason ?? (record?.status === "left_out" ? "the step was left out" : "it was not done");
    return { ...none, reason };
  }
  return flat(find(results), printed);
}

/** A number that cannot come out otherwise says nothing. */
const BY_CONSTRUCTION = "by construction";

function flat(found: Found, { unit }: PaperValue): Compared["ours"] {
  if ("plain" in found) {
    const method = unit === "count" ? "count" : null;
    return { value: found.plain, lower: null, upper: null, n: found.n, method, reason: null };
  }
  if (found.estimate === null) {
    return { value: null, lower: null, upper: null, n: found.n, method: null, reason: found.reason };
  }
  if (found.method === BY_CONSTRUCTION) {
    return { value: found.estimate, lower: null, upper: null, n: found.n, method: found.method, reason: null };
  }
  const bounds = wideInterval(found)!;
  const clustered = found.cluster?.lower === bounds.lower && found.cluster.upper === bounds.upper;
  // A t interval of shares does not know that they end at 0 and 1.
  const within = (value: number) => (unit === "share" ? Math.min(1, Math.max(0, value)) : value);
  return {
    value: found.estimate,
    lower: within(bounds.lower),
    upper: within(bounds.upper),
    n: found.n,
    method: clustered ? found.cluster!.method : found.method,
    reason: null,
  };
}

function besideOf({ step, beside }: Accessor, results: StepResults): Compared["beside"] {
  if (!beside || results[step] === undefined) return null;
  const { what, estimate } = beside(results);
  return estimate.estimate === null ? null : { what, value: estimate.estimate };
}

/** The printed number stands for everything that rounds to it. */
function isWithin({ lower, upper }: Compared["ours"], { value, digits, unit }: PaperValue): boolean | null {
  if (lower === null || upper === null) return null;
  const half = unit === "count" ? 0.5 : 0.5 * 10 ** -digits;
  return value + half >= lower && value - half <= upper;
}

function commandFor(step: Compared["step"]): string {
  return `defensible replicate --only ${step}`;
}
