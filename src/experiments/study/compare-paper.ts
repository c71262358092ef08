import { undefinedEstimate } from "../../core/estimate.js";
import { wideInterval } from "../../present/words/numbers.js";
import type { GapColumn } from "../gap/result.js";
import type { Humans } from "../humans/result.js";
import { type Accessor, type Accessors, accessors, counted, type Found } from "./accessor.js";
import type { StepResults } from "./build-replicate.js";
import { judgeDifference, marginOf } from "./findings.js";
import { GOVERNANCE } from "./governance-accessors.js";
import type { PaperValue } from "./paper-robustness.js";
import { PAPER_VALUES } from "./paper-values.js";
import type { Compared, StepRecord } from "./result.js";
import { ROBUSTNESS } from "./robustness-accessors.js";
import { SIGNALS } from "./signal-accessors.js";

/** Why the world and the auditor that are made from the paper's rates give other numbers than it prints; the first that fits an id. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/^gap\..*accurate/, "the world follows the printed counts, which give 6.1 % for the Balanced Sample"],
  [/^gap\./, "communities are few and differ: the fit holds on average over worlds"],
  [/^levels\./, "the lowest and the highest of four sampled means lie farther out than what was planted"],
  [
    /^sigma\.expert\./,
    "the auditor has the σ(ρ) of the levels in the Random Sample, the paper's experts' set another (0.474 and 0.304 for Yes and No)",
  ],
  [/^sigma\..*\.ai$/, "the world is made with the 18.3 % of T = 0.2, and no auditor of one kind gives both"],
  [/^sigma\./, "fewer cases of level 2 than an AI of 22 % would need: σ(ρ) of No is lower and ranks agree better"],
  [
    /^weights\..*\.beta$/,
    "the best weight of entropy is 0 in this world, and both searches, over the simplex and over a softmax, find it; the paper's is the optimum of other data",
  ],
  [
    /^weights\./,
    "σ(ρ) tells the levels apart better here than a loss of 0.313 allows, whatever its spread: γ is larger",
  ],
  [/^heldout\..*\.(ece|s_)/, "with a larger γ S falls farther where the inverse check says Yes"],
  [/^heldout\./, "the auditor's wavering between levels"],
  [/^signal\./, "half of the disagreements are about unwritten norms, and these sit on clear cases here"],
  [
    /^states\./,
    "states are fitted as they are seen, but no world of this kind has all of the printed numbers: see docs/paper.md",
  ],
  [
    /^gate\./,
    "states and the standard gate's coverage are fitted; the rest of the gate table follows from sizes and scatter that are assumed",
  ],
  [/^tiers\./, "fitted on average over worlds; this is one"],
  [
    /^stability\..*(stable|flip_|rock_solid|moderate|unstable|ratio|instability|consistency)/,
    "ten pilot audits at one level leave few unstable cases among the Stable; how the paper chose its own is not printed",
  ],
  [/^stability\./, "how contested cases are, and how traces stray, is assumed"],
  [
    /^attack\./,
    "the simulated auditor reads no text: an attack is noticed because its decision is wrong in truth, not by its words",
  ],
  [/^humans\./, "the raters are simulated, with assumed errors"],
  [/^datasets\./, "audits that gave no verdict"],
];

function simulatedReason(id: string): string | null {
  return REASONS.find(([pattern]) => pattern.test(id))?.[1] ?? null;
}

const ofColumn: Record<string, (column: GapColumn) => Found> = {
  f1: ({ agreement }) => agreement.f1,
  di: ({ defensibility_index }) => defensibility_index,
  gap: ({ gap }) => gap.di_minus_f1,
  ai: ({ ambiguity_index }) => ambiguity_index,
  fn_defensible: ({ trap }) => trap.fn_defensible,
  accurate_indefensible: ({ trap }) => trap.accurate_but_indefensible.joint,
};

/** Datasets, the agreement gap, people. */
const AGREEMENT: Accessors = {
  ...accessors("gap", {
    "datasets.random": ({ random }) => counted(random.counts.verdicts),
    "datasets.balanced": ({ balanced }) => counted(balanced.counts.verdicts),
    ...Object.fromEntries(
      (["random", "balanced"] as const).flatMap((cohort) =>
        Object.entries(ofColumn).map(([field, find]) => [
          `gap.${cohort}.${field}`,
          (gap: Record<typeof cohort, GapColumn>) => find(gap[cohort]),
        ]),
      ),
    ),
    "gap.balanced.model_error": ({ balanced }) => balanced.root_causes.model_error,
    "gap.balanced.disagreements": ({ balanced: { agreement } }) =>
      agreement.n_labelled === 0
        ? undefinedEstimate("no decision has a human label")
        : counted(agreement.confusion.fp + agreement.confusion.fn),
  }),
  ...accessors("humans", {
    "humans.pds": (humans) => correlation(humans, "pds"),
    "humans.level": (humans) => correlation(humans, "level"),
  }),
};

function correlation({ correlations }: Humans, signal: string): Found {
  return (
    correlations.find((one) => one.signal === signal)?.spearman ?? undefinedEstimate(`no ratings against ${signal}`)
  );
}

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
