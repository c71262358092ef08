import type { Figure } from "../../core/figure.js";
import { BOUNDARY_THRESHOLDS } from "../../measures/stability/level-sequence.js";
import { byCount, plural } from "../../present/words/numbers.js";
import type { CaseRow } from "./result.js";

/** How often each case was found at each level, sorted by the share of level 3. */
export function levelDistribution(cases: readonly CaseRow[]): Figure {
  const sorted = cases
    .filter(({ p_level_3 }) => p_level_3 !== null)
    .sort((a, b) => a.p_level_3! - b.p_level_3! || b.levels["1"] / b.k - a.levels["1"] / a.k);
  const zone = (name: CaseRow["boundary"]) => sorted.filter(({ boundary }) => boundary === name).length;
  const open = zone("undetermined");
  return {
    id: "stability-levels",
    title: `Of ${plural(sorted.length, "case")}, ${zone("stably_defensible")} ${byCount(zone("stably_defensible"), "is", "are")} stably defensible, ${zone("boundary_unstable")} boundary-unstable and ${zone("stably_indefensible")} stably indefensible${open > 0 ? `; ${open} undetermined` : ""}`,
    mark: "bar",
    x: { field: "case", label: "case, by share of level 3", format: "whole" },
    y: { field: "share", label: "share of replicates", format: "percent", domain: [0, 1] },
    series: "level",
    series_order: ["1", "2", "3"],
    stack: true,
    name: "decision_id",
    interval: "none",
    references: zoneLines(sorted),
    caption:
      "A bar is a case; dashed lines mark where the share of level 3 passes 10 and 90%. Left of the first a verdict is stably defensible, from the second on stably indefensible, between them a matter of luck; undetermined where too few audits settle it.",
    paper: "fig:level_distribution",
    rows: sorted.flatMap(({ decision_id, levels, k, boundary, temperature }, index) =>
      (["1", "2", "3"] as const).map((level) => ({
        case: index + 1,
        decision_id,
        temperature,
        level,
        share: levels[level] / k,
        boundary,
      })),
    ),
  };
}

/** Where one zone ends and the next begins, between two bars. */
function zoneLines(sorted: readonly CaseRow[]): NonNullable<Figure["references"]> {
  const [low, high] = BOUNDARY_THRESHOLDS;
  const defensible = sorted.filter(({ p_level_3 }) => p_level_3! <= low + 1e-12).length;
  const unstable = sorted.filter(({ p_level_3 }) => p_level_3! < high - 1e-12).length;
  const line = (value: number, label: string) =>
    value === 0 || value === sorted.length ? [] : [{ axis: "x" as const, value: value + 0.5, label }];
  return [...line(defensible, "10% level 3"), ...(unstable > defensible ? line(unstable, "90%") : [])];
}
