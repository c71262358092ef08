import type { Estimate } from "../../core/estimate.js";
import { decimal, percent, signed, whole, wideInterval } from "../../present/words/numbers.js";
import { normalQuantile } from "../../stats/distributions/normal.js";
import { compareStudies, type StudyVerdict } from "../../stats/tests/two-proportion-test.js";
import type { Circularity } from "../circularity/result.js";
import type { Dual } from "../dual/result.js";
import type { Scopes } from "../rules/scopes/result.js";
import type { Stability } from "../stability/result.js";
import type { Validate } from "../validate/result.js";
import type { StepResults } from "./build-replicate.js";
import type { Compared, Replicate } from "./result.js";

type Finding = Replicate["findings"][number];

/** What steps found that the paper has no table for. */
export function findingsOf({ stability, scopes, dual, validate, circularity }: StepResults): Finding[] {
  return [
    ...(stability ? [{ step: "stability" as const, text: stabilityText(stability) }] : []),
    ...(scopes ? [{ step: "scopes" as const, text: scopesText(scopes) }] : []),
    ...(dual ? [{ step: "dual" as const, text: dualText(dual) }] : []),
    ...(validate ? [{ step: "validate" as const, text: validateText(validate) }] : []),
    ...(circularity ? [{ step: "circularity" as const, text: circularityText(circularity) }] : []),
  ];
}

/** "12.3 % (11.0–13.6)", or why there is none. */
function rate(estimate: Estimate): string {
  const bounds = wideInterval(estimate);
  if (estimate.estimate === null || !bounds) return `undefined (${estimate.estimate === null ? estimate.reason : ""})`;
  const shown = (value: number) => (100 * value).toFixed(1);
  return `${shown(estimate.estimate)} % (${shown(bounds.lower)}–${shown(bounds.upper)})`;
}

const READINGS: Record<Stability["ratio_slope"]["pds"]["reading"], string> = {
  flat: "is flat over temperatures",
  falls: "falls towards 1 as temperature rises, as mere sampling noise would have it",
  rises: "rises with temperature",
  undecided: "may be flat or not: these cases cannot tell",
  undefined: "cannot be followed over temperatures",
};

function stabilityText({ ratio_slope, correlations, sequential }: Stability): string {
  const coupled = correlations.spread.find(({ x, y }) => x === "dominant_share" && y === "sd_pds");
  const disjoint = coupled?.disjoint.estimate ?? null;
  const saved = sequential.labels?.at_best.saved_against_paper ?? null;
  const parts = [
    `The ratio of spreads, Flippers over Stable, ${READINGS[ratio_slope.pds.reading]}; of 1 − p(L3) it ${READINGS[ratio_slope.p_defensible.reading]}.`,
    disjoint === null || coupled?.coupled.estimate == null
      ? ""
      : `Spread and consistency correlate at ${decimal(coupled.coupled.estimate)} on the same draws and at ${decimal(disjoint)} on disjoint ones.`,
    saved === null
      ? ""
      : `Stopping where a case is settled would have saved ${Math.round(100 * saved)} % of 1,000 replicates a case.`,
  ];
  return parts.filter(Boolean).join(" ");
}

function scopesText({ ambiguity, counts }: Scopes): string {
  const { both, classes } = ambiguity;
  return `Audited under the platform's rules alone, the community's alone and both (${whole(counts.paired)} decisions): AI is ${rate(both)} under both; ${rate(classes.platform)} are open under the platform's rules alone (measured AI_G), ${rate(classes.community)} under the community's alone (AI_C), ${rate(classes.either)} under either, ${rate(classes.together)} only where the two meet.`;
}

function dualText({ all }: Dual): string {
  const { ambiguous, determinate, model_error, inverse_check } = all;
  return `Decision and opposite audited apart (${whole(all.n)} decisions): both defensible ${rate(ambiguous)}, only the decision ${rate(determinate)}, only the opposite ${rate(model_error)}, neither ${rate(all.void)}. The inverse check finds ${rate(inverse_check.sensitivity)} of the opposites that are defensible when audited, and denies ${rate(inverse_check.specificity)} of the others.`;
}

function validateText({ run, worlds }: Validate): string {
  const parts: string[] = [];
  for (const [quantity, name] of [
    ["defensibility_index", "DI"],
    ["ambiguity_index", "AI"],
  ] as const) {
    const one = run?.quantities.find((row) => row.quantity === quantity);
    if (one?.truth == null || one.error === null) continue;
    parts.push(`${name} is ${percent(one.truth)} in truth and measured ${signed(100 * one.error, 1)} points off it.`);
  }
  for (const { name, estimators } of worlds?.conditions ?? []) {
    const index = estimators.find(({ quantity }) => quantity === "defensibility_index");
    if (!index || index.error.estimate === null) continue;
    const points = 100 * index.error.estimate;
    parts.push(
      `Over ${worlds!.count} worlds, ${name}: DI is ${Math.abs(points).toFixed(1)} points too ${points < 0 ? "low" : "high"} on average.`,
    );
  }
  return parts.join(" ");
}

const VERDICTS = {
  supports: "supports",
  does_not_support: "does not support",
  cannot_tell: "cannot tell",
  not_available: "not available",
} as const;

function circularityText({ channels }: Circularity): string {
  const told = channels.map(({ title, verdict }) => `${title.split(":")[0]!.toLowerCase()} ${VERDICTS[verdict]}`);
  return `Do the indices measure the rules, or the auditor's taste? By channel: ${told.join("; ")}.`;
}

/** Differences up to here count as none: two points of a share, a tenth of any other number. The limits are ours. */
const SHARE_MARGIN = 0.02;
const RELATIVE_MARGIN = 0.1;

/** Rows behind the printed shares, as far as the paper prints them. Decisions of a community resemble each other, so these are upper limits. */
const PRINTED_ROWS: readonly (readonly [RegExp, number])[] = [
  [/^gap\.random\.(di|ai|accurate_indefensible)$/, 26_902],
  [/^gap\.balanced\.(di|ai|accurate_indefensible)$/, 19_899],
  [/^gap\.balanced\.(fn_defensible|model_error)$/, 6760],
  [/^sigma\.(0\.1|0\.3|0\.7|1)\.ai$/, 26_519],
  [/^sigma\.expert\.ai$/, 199],
  [/^heldout\..*\.(di|extracted)$/, 26_009],
  [/^gate\..*\.(coverage|di|ai|indefensible)$/, 109_186],
  [/^tiers\.(title|sidebar|wiki)\.(di|ai)$/, 37_286],
  [/^stability\..*\.(flip_flippers|flip_stable)$/, 50],
  [
    /^stability\..*\.(rock_solid|mostly_stable|moderate|highly_unstable|stably_defensible|boundary_unstable|stably_indefensible)$/,
    100,
  ],
  [/^attack\.action_flip\./, 123],
  [/^attack\.hallucinated\./, 77],
];

/** Cases behind the printed rank correlations. */
const PRINTED_CASES: readonly (readonly [RegExp, number])[] = [
  [/^humans\./, 30],
  [/^sigma\.(0\.1|0\.3|0\.7|1)\.spearman$/, 26_519],
  [/^sigma\.expert\.spearman$/, 199],
  [/^stability\..*(h_kappa_rank|sd_consistency|_instability)$/, 100],
];

type Row = Pick<Compared, "id" | "unit" | "digits" | "paper" | "ours">;

/** Whether our number and the printed one are the same; null: ours has no interval. */
export function judgeDifference(row: Row): StudyVerdict | null {
  const { paper, ours } = row;
  if (ours.value === null || ours.lower === null || ours.upper === null) return null;
  const own = ((ours.upper - ours.lower) / (2 * normalQuantile(0.975))) ** 2;
  return compareStudies({
    difference: ours.value - paper,
    variance: own + printedVariance(row),
    margin: marginOf(row),
  });
}

export function marginOf({ unit, paper }: Pick<Compared, "unit" | "paper">): number {
  return unit === "share" || unit === "points" ? SHARE_MARGIN : RELATIVE_MARGIN * Math.abs(paper);
}

/**
 * What is known of the printed number's own error: its rounding (uniform over the last digit), and its sampling where the paper prints how many rows
 * it rests on: p(1 − p)/n of a share, (1 − ρ²)²(1 + ρ²/2)/(n − 3) of a rank correlation (Bonett and Wright). Of other numbers the rounding alone.
 */
export function printedVariance({ id, unit, digits, paper }: Omit<Row, "ours">): number {
  const last = unit === "count" ? 1 : 10 ** -digits;
  const rounding = (last * last) / 12;
  const rows = PRINTED_ROWS.find(([pattern]) => pattern.test(id))?.[1];
  if (rows !== undefined) return rounding + (paper * (1 - paper)) / rows;
  const cases = PRINTED_CASES.find(([pattern]) => pattern.test(id))?.[1];
  return cases === undefined ? rounding : rounding + ((1 - paper ** 2) ** 2 * (1 + paper ** 2 / 2)) / (cases - 3);
}
