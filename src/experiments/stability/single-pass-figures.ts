import type { Figure, FigureAxis, FigureRow } from "../../core/figure.js";
import { type Analysed, cellOf } from "../../measures/stability/analyse-cells.js";
import type { StabilityAnalysis } from "../../measures/stability/analyse-stability.js";
import { dominantShare } from "../../measures/stability/cell-stats.js";
import { correlationTitle, DISJOINT } from "./case-figures.js";

interface Panel {
  id: string;
  paper: string;
  /** The correlation in the title. */
  of: { x: "pds" | "pds_mean"; y: "sd_pds" | "dominant_share" };
  x: FigureAxis;
  y: FigureAxis;
}

const SINGLE: FigureAxis = { field: "pds", label: "S of one audit", format: "decimal" };
const SPREAD: FigureAxis = { field: "sd_pds", label: "sd of S", format: "decimal" };

const PANELS: readonly Panel[] = [
  {
    id: "stability-single-spread",
    paper: "fig:monte_carlo A",
    of: { x: "pds", y: "sd_pds" },
    x: SINGLE,
    y: SPREAD,
  },
  {
    id: "stability-mean-spread",
    paper: "fig:monte_carlo B",
    of: { x: "pds_mean", y: "sd_pds" },
    x: { field: "mean_pds", label: "mean S of a case", format: "decimal" },
    y: SPREAD,
  },
  {
    id: "stability-single-consistency",
    paper: "fig:monte_carlo C",
    of: { x: "pds", y: "dominant_share" },
    x: SINGLE,
    y: { field: "dominant_share", label: "share of the commonest level", format: "percent" },
  },
];

/** Whether the score of a single audit, or its mean, foretells how stable the case is. */
export function singlePassFigures(analysed: Analysed, { correlations, temperatures }: StabilityAnalysis): Figure[] {
  const rows = pointsOf(analysed);
  const first = temperatures[0]?.temperature ?? null;
  return PANELS.map(({ id, paper, of, x, y }) => ({
    id,
    title: correlationTitle(
      correlations.signals.find((row) => row.x === of.x && row.y === of.y && row.temperature === first),
      { x: x.label, y: `The ${y.label}` },
    ),
    mark: "point",
    x,
    y,
    ...(rows.some(({ group }) => group !== null) ? { series: "group" } : {}),
    choose: ["temperature"],
    name: "decision_id",
    caption: `One audit: the first with a verdict. ${DISJOINT}`,
    paper,
    rows: rows.flatMap(({ decision_id, temperature, group, ...row }): FigureRow[] =>
      row[x.field] == null || row[y.field] == null
        ? []
        : [
            {
              decision_id: decision_id!,
              temperature: temperature!,
              group: group!,
              [x.field]: row[x.field]!,
              [y.field]: row[y.field]!,
            },
          ],
    ),
  }));
}

function pointsOf(analysed: Analysed): FigureRow[] {
  const { replicates, groups, line } = analysed;
  return line.flatMap((condition) =>
    replicates.decisions.map((decision_id, i) => {
      const { all } = cellOf(analysed, i, condition);
      const single = all.first?.pds;
      return {
        decision_id,
        temperature: replicates.conditions[condition]!.temperature,
        group: groups[i] ?? null,
        pds: single === undefined || Number.isNaN(single) ? null : single,
        mean_pds: all.pds.mean,
        sd_pds: all.pds.sd,
        dominant_share: dominantShare(all),
      };
    }),
  );
}
