import type { Estimate } from "../../core/estimate.js";
import { groupBy } from "../../core/text-checks.js";
import { newcombeInterval } from "../../stats/intervals/two-proportions.js";
import { holm } from "../../stats/tests/multiple-testing.js";
import { twoProportionTest } from "../../stats/tests/two-proportion-test.js";
import { shareEstimate } from "../metrics/indices.js";

/** Counts of the verdicts with one value of one property of the decisions, such as language = de. */
export interface SliceCounts {
  /** Name of the property, for example `language`. */
  slice: string;
  value: string;
  n: number;
  indefensible: number;
  inverse_yes: number;
  /** Verdicts that the gate would automate, and the indefensible ones among them. */
  automated: number;
  automated_indefensible: number;
  /**
   * The decisions to compare with. Default: all other values of the property. Required if decisions can have several (tags): avoids double counts.
   */
  rest?: SliceTotals | undefined;
  /** The same counts by community, for intervals. Default: decisions are independent. */
  communities?: readonly SliceCell[] | undefined;
}

export type SliceCell = SliceTotals & Pick<SliceCounts, "inverse_yes">;

export type SliceTotals = Pick<SliceCounts, "n" | "indefensible" | "automated" | "automated_indefensible">;

const TOTALS = ["n", "indefensible", "automated", "automated_indefensible"] as const satisfies (keyof SliceTotals)[];

export const SLICE_MEASURES = ["indefensible", "automated", "automated_indefensible"] as const;
export type SliceMeasure = (typeof SLICE_MEASURES)[number];

/** One value compared with all others of the same property, on one measure. */
export interface SliceTest {
  /** Rate here minus rate elsewhere, with its Newcombe interval; null if one side is empty. */
  difference: number | null;
  lower: number | null;
  upper: number | null;
  p: number | null;
  /** Holm-adjusted over all tests of all slices. */
  adjusted_p: number | null;
  method: "score" | "fisher" | null;
}

export interface SliceRow extends Omit<SliceCounts, "communities"> {
  di: Estimate;
  indefensible_rate: Estimate;
  ambiguity: Estimate;
  automation_rate: Estimate;
  /** Among the automated decisions of the slice, like the fleet's rate. The test of the same name uses the share of all its decisions. */
  automated_indefensible_rate: Estimate;
  tests: Record<SliceMeasure, SliceTest>;
}

export interface SliceReport {
  rows: SliceRow[];
  /** Tests that share the error rate; a property with two values is tested once for both. */
  tests: number;
  alpha: number;
  /** Plain sentences. Names and values in them are not escaped: escape before showing. */
  warnings: { slice: string; value: string; measure: SliceMeasure; text: string }[];
  /** Assumptions of the tests. */
  note: string;
}

/**
 * Rates by slice (language, tag, kind, region), each value against the rest, to detect automation that affects one value more.
 *
 * Formula: rates k/n with both intervals of `shareEstimate`, as a report's; two-sided tests of value against rest (`twoProportionTest`) on the
 * indefensible, the automated and the indefensible automated share of all decisions, Holm over all of them; warning at adjusted p ≤ α.
 * Range: rates in [0, 1], adjusted p in [0, 1].
 * Undefined when: a value, or all others together, have no rows: that test is null and not counted. `automated_indefensible_rate`: no decision is
 * automated.
 * Differs from the paper: not in the paper.
 * @see Holm (1979), Scandinavian Journal of Statistics 6:65-70
 * @example
 * sliceReport([]).tests // => 0
 */
export function sliceReport(counts: readonly SliceCounts[], alpha = 0.05): SliceReport {
  if (!(alpha > 0 && alpha < 1)) throw new RangeError(`alpha: not an error rate; got ${alpha}, expected 0 to 1`);
  const slices = groupBy(counts, ({ slice }) => slice);
  const totals = new Map([...slices].map(([slice, members]) => [slice, totalOf(members)]));
  const rows = counts.map((count) => sliceRow(count, totals.get(count.slice)!));
  const rowOf = new Map(counts.map((count, i) => [count, rows[i]!]));
  const family: SliceTest[][] = [];
  for (const members of slices.values()) {
    for (const measure of SLICE_MEASURES) {
      const tests = members.map((member) => rowOf.get(member)!.tests[measure]).filter((test) => test.p !== null);
      // With two values the second test mirrors the first.
      if (tests.length === 2 && areMirrored(members)) family.push(tests);
      else for (const test of tests) family.push([test]);
    }
  }
  const adjusted = holm(family.map((tests) => tests[0]!.p!));
  family.forEach((tests, i) => {
    for (const test of tests) test.adjusted_p = adjusted[i]!;
  });
  const note =
    "Tests take decisions as independent; decisions of one community are not, so a warning is a reason to look, not a proof.";
  const mirrored = new Set(family.flatMap((tests) => (tests.length > 1 ? tests : [])));
  return { rows, tests: family.length, alpha, warnings: warningsOf(rows, alpha, mirrored), note };
}

/** Two values that partition the decisions: each is the other's rest. */
function areMirrored(members: readonly SliceCounts[]): boolean {
  const [first, second] = members;
  if (members.length !== 2 || !first || !second) return members.every(({ rest }) => rest === undefined);
  const same = (rest: SliceTotals | undefined, other: SliceTotals) =>
    rest === undefined || TOTALS.every((name) => rest[name] === other[name]);
  return same(first.rest, second) && same(second.rest, first);
}

function totalOf(members: readonly SliceCounts[]): SliceTotals {
  const sum = (of: keyof SliceTotals) => members.reduce((total, member) => total + member[of], 0);
  return {
    n: sum("n"),
    indefensible: sum("indefensible"),
    automated: sum("automated"),
    automated_indefensible: sum("automated_indefensible"),
  };
}

function sliceRow({ communities, ...count }: SliceCounts, total: SliceTotals): SliceRow {
  const rest = (of: keyof SliceTotals) => count.rest?.[of] ?? total[of] - count[of];
  const test = (measure: SliceMeasure): SliceTest => {
    const [k2, n2] = [rest(measure), rest("n")];
    const { p, method } = twoProportionTest(count[measure], count.n, k2, n2);
    if (p === null) return { difference: null, lower: null, upper: null, p, adjusted_p: null, method };
    const { lower, upper } = newcombeInterval(count[measure], count.n, k2, n2);
    return { difference: count[measure] / count.n - k2 / n2, lower, upper, p, adjusted_p: null, method };
  };
  const rate = (k: (cell: SliceCell) => number, of: "n" | "automated" = "n", empty = "no rows") =>
    shareEstimate(
      (communities ?? [count]).map((cell) => ({ k: k(cell), n: cell[of] })),
      empty,
    );
  return {
    ...count,
    di: rate((cell) => cell.n - cell.indefensible),
    indefensible_rate: rate((cell) => cell.indefensible),
    ambiguity: rate((cell) => cell.inverse_yes),
    automation_rate: rate((cell) => cell.automated),
    automated_indefensible_rate: rate((cell) => cell.automated_indefensible, "automated", "no decision is automated"),
    tests: {
      indefensible: test("indefensible"),
      automated: test("automated"),
      automated_indefensible: test("automated_indefensible"),
    },
  };
}

const SAID: Record<SliceMeasure, string> = {
  indefensible: "indefensible",
  automated: "automated",
  automated_indefensible: "automated and indefensible",
};

/**
 * Harm is one-sided; the automation rate is reported in both directions, since less automation is also a difference. For a property with two values
 * both directions are the same difference, which is reported once.
 */
function warningsOf(
  rows: readonly SliceRow[],
  alpha: number,
  mirrored: ReadonlySet<SliceTest>,
): SliceReport["warnings"] {
  const warnings: SliceReport["warnings"] = [];
  for (const row of rows) {
    for (const measure of SLICE_MEASURES) {
      const { difference, adjusted_p } = row.tests[measure];
      if (difference === null || adjusted_p === null || adjusted_p > alpha) continue;
      if (difference < 0 && (measure !== "automated" || mirrored.has(row.tests[measure]))) continue;
      const here = percent(row[measure] / row.n);
      const there = percent(row[measure] / row.n - difference);
      const text = `${row.slice} = ${row.value}: ${here} of ${row.n.toLocaleString("en")} decisions are ${SAID[measure]}, ${there} elsewhere.`;
      warnings.push({ slice: row.slice, value: row.value, measure, text });
    }
  }
  return warnings;
}

function percent(share: number): string {
  return `${(100 * Math.max(0, share)).toFixed(1)}%`;
}
