import type { Figure } from "../../core/figure.js";
import type { Level } from "../../core/records/level.js";
import { LEVELS } from "../../core/records/levels.js";
import { type ReportPage, SCORE_BINS } from "../../measures/report-page.js";
import { decimal, whole } from "../words/numbers.js";
import type { MaybeFigure, Missing } from "./missing.js";

export const NO_SCORES: Missing = {
  missing:
    "No verdict has an S: the auditor gave no probabilities. (S needs the probabilities of the level, of the precedent weight and of the inverse check.)",
};

/** How S is spread at each level that the auditor gave. */
export function scoreByLevelFigure({ calibration_details: details }: ReportPage): MaybeFigure {
  const totals = new Map<Level, number>(LEVELS.map((level) => [level, 0]));
  const counts = new Map<string, number>();
  for (const { level, bin, n } of details?.pds_by_level ?? []) {
    totals.set(level, (totals.get(level) ?? 0) + n);
    counts.set(`${level}/${bin}`, n);
  }
  const present = LEVELS.filter((level) => totals.get(level)! > 0);
  if (present.length === 0) return NO_SCORES;
  const rows = present.flatMap((level) =>
    Array.from({ length: SCORE_BINS }, (_, bin) => {
      const n = counts.get(`${level}/${bin}`) ?? 0;
      return { level, pds: (bin + 0.5) / SCORE_BINS, share: n / totals.get(level)!, n };
    }),
  );
  const medians = new Map(details?.pds_medians.map(({ level, median }) => [level, median]));
  const middles = present.map((level) => `${decimal(medians.get(level) ?? null, 2)} at level ${level}`);
  return {
    id: "score-by-level",
    title: `The median of S is ${middles.join(", ").replace(/, ([^,]*)$/, " and $1")}`,
    mark: "line",
    x: { field: "pds", label: "S", domain: [0, 1], format: "decimal" },
    y: { field: "share", label: "share of the level's verdicts", format: "percent" },
    series: "level",
    series_order: present,
    interval: "none",
    caption: `Each level's verdicts in ${SCORE_BINS} bins of S: ${present.map((level) => `${whole(totals.get(level)!)} at level ${level}`).join(", ")}. Where the curves lie over one another, S cannot tell the levels apart.`,
    paper: "fig:pds_validation A",
    rows,
  } satisfies Figure;
}
