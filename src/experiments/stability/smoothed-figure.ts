import type { Figure } from "../../domain/figure.js";
import type { CaseRow } from "../../stability/case-row.js";
import { lowess } from "../../stats/lowess.js";

/** The LOWESS curves of spread over consistency, one for each temperature and score. */
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
      return curve.x.map((x, i) => ({ temperature, score, dominant_share: x, value: curve.y[i]! }));
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
    title_of_all: true,
    paper: "fig:temp_sweep",
    rows,
  };
}
