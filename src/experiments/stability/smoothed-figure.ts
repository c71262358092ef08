import type { Figure } from "../../core/figure.js";
import type { CaseRow } from "../../measures/stability/case-row.js";
import { lowess } from "../../stats/optimise/lowess.js";

/** The LOWESS curves of spread over consistency, one for each temperature and score, where they stay among the cases. */
export function smoothed(cases: readonly CaseRow[]): Figure {
  const temperatures = [...new Set(cases.map(({ temperature }) => temperature))];
  const rows = temperatures.flatMap((temperature) =>
    (["sd_pds", "sd_p_defensible"] as const).flatMap((score) => {
      const known = cases.filter(
        (row) => row.temperature === temperature && row.dominant_share !== null && row[score] !== null,
      );
      const curve = lowess(
        known.map((row) => row.dominant_share!),
        known.map((row) => row[score]!),
      );
      // Where nearly all cases share one x, local lines may run far out of what a spread can be.
      const most = known.reduce((largest, row) => Math.max(largest, row[score]!), 0);
      return curve.x
        .map((x, i) => ({ temperature, score, dominant_share: x, value: curve.y[i]! }))
        .filter(({ value }) => value >= 0 && value <= most);
    }),
  );
  return {
    id: "stability-consistency-curve",
    title: "Spread over consistency, smoothed, at each temperature",
    mark: "line",
    x: { field: "dominant_share", label: "share of the commonest level", format: "percent" },
    y: { field: "value", label: "sd, LOWESS (2/3 of the cases, 3 rounds)", format: "decimal" },
    series: "temperature",
    choose: ["score"],
    caption:
      "Only where the curve stays among the cases: with few of them at one end, local lines run out of what a spread can be.",
    title_of_all: true,
    paper: "fig:temp_sweep",
    rows,
  };
}
