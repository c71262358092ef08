import type { Figure } from "../../domain/figure.js";
import type { Analysed } from "../../stability/analyse-cells.js";
import type { StabilityAnalysis } from "../../stability/analyse-stability.js";
import type { CaseRow } from "../../stability/case-row.js";
import { lowess } from "../../stats/lowess.js";

/** Pictures with a point or a bar for each case. */
export function caseFigures({ replicates, line }: Analysed, { cases, temperatures }: StabilityAnalysis): Figure[] {
  const arms = new Set(line.map((condition) => replicates.conditions[condition]!));
  const onLine = cases.filter(({ arm, run, template }) =>
    [...arms].some((one) => one.arm === arm && one.run === run && one.template === template),
  );
  const coldest = onLine.filter(({ temperature }) => temperature === temperatures[0]?.temperature);
  return [
    levelDistribution(coldest),
    scatter(onLine, {
      id: "stability-consistency",
      title: "Spread against the share of the commonest level; both fall together because they count the same draws",
      paper: "fig:temp_sweep",
      field: "dominant_share",
      label: "share of the commonest level",
    }),
    smooth(onLine),
    scatter(onLine, {
      id: "stability-level-3",
      title: "Spread against the share of level 3: largest where the case stands on the line",
      paper: "§7",
      field: "p_level_3",
      label: "share of level 3",
    }),
    scatter(onLine, {
      id: "stability-inverse",
      title: "Spread against the mean probability that the opposite is defensible",
      paper: "fig:monte_carlo E",
      field: "mean_inverse_yes_prob",
      label: "mean σ(ρ)",
    }),
    spreadByClass(onLine),
  ];
}

function levelDistribution(cases: readonly CaseRow[]): Figure {
  const sorted = cases
    .filter(({ p_level_3 }) => p_level_3 !== null)
    .sort((a, b) => a.p_level_3! - b.p_level_3! || b.levels["1"] / b.k - a.levels["1"] / a.k);
  const zone = (name: CaseRow["boundary"]) => sorted.filter(({ boundary }) => boundary === name).length;
  const open = zone("undetermined");
  return {
    id: "stability-levels",
    title: `Of ${sorted.length} cases, ${zone("stably_defensible")} are stably defensible, ${zone("boundary_unstable")} boundary-unstable and ${zone("stably_indefensible")} stably indefensible${open > 0 ? `; ${open} undetermined` : ""}`,
    mark: "bar",
    x: { field: "case", label: "case, by share of level 3" },
    y: { field: "share", label: "share of replicates" },
    series: "level",
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

interface Scatter {
  id: string;
  title: string;
  paper: string;
  field: "dominant_share" | "p_level_3" | "mean_inverse_yes_prob";
  label: string;
}

function scatter(cases: readonly CaseRow[], { id, title, paper, field, label }: Scatter): Figure {
  return {
    id,
    title,
    mark: "point",
    x: { field, label },
    y: { field: "sd_p_defensible", label: "sd of p_defensible" },
    series: "temperature",
    paper,
    rows: cases
      .filter((row) => row[field] !== null && (row.sd_pds !== null || row.sd_p_defensible !== null))
      .map((row) => ({
        decision_id: row.decision_id,
        temperature: row.temperature,
        group: row.group,
        [field]: row[field],
        sd_pds: row.sd_pds,
        sd_p_defensible: row.sd_p_defensible,
      })),
  };
}

/** The LOWESS curves of spread over consistency, one for each temperature and score. */
function smooth(cases: readonly CaseRow[]): Figure {
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
    x: { field: "dominant_share", label: "share of the commonest level" },
    y: { field: "value", label: "sd, LOWESS (2/3 of the cases, 3 rounds)" },
    series: "temperature",
    paper: "fig:temp_sweep",
    rows,
  };
}

function spreadByClass(cases: readonly CaseRow[]): Figure {
  return {
    id: "stability-classes",
    title: "Spread by stability class",
    mark: "point",
    x: { field: "class", label: "class by the shares as they are" },
    y: { field: "sd_p_defensible", label: "sd of p_defensible" },
    series: "temperature",
    paper: "fig:monte_carlo D",
    rows: cases
      .filter(({ plug_in, sd_p_defensible }) => plug_in.class !== null && sd_p_defensible !== null)
      .map(({ decision_id, temperature, plug_in, sd_pds, sd_p_defensible }) => ({
        decision_id,
        temperature,
        class: plug_in.class,
        sd_pds,
        sd_p_defensible,
      })),
  };
}
