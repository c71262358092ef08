import type { Compared } from "../../core/results/replicate.js";
import { normalQuantile } from "../../stats/distributions/normal-quantile.js";
import { compareStudies, type StudyVerdict } from "../../stats/tests/compare-studies.js";

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
