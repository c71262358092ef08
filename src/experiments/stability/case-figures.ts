import type { Figure, FigureAxis, FigureRow } from "../../core/figure.js";
import { STABILITY_CLASSES } from "../../core/names.js";
import { STANDARD_LIMITS } from "../../measures/gate/gate-input.js";
import type { Analysed } from "../../measures/stability/analyse-cells.js";
import type { StabilityAnalysis } from "../../measures/stability/analyse-stability.js";
import { lowess } from "../../stats/optimise/lowess.js";
import { correlationTitle, DISJOINT, levelDistribution } from "./group-figures.js";
import type { CaseRow } from "./result.js";

/** Cases under the conditions that differ only in temperature. */
export function casesOnLine({ replicates, line }: Analysed, { cases }: StabilityAnalysis): CaseRow[] {
  const arms = line.map((condition) => replicates.conditions[condition]!);
  return cases.filter(({ arm, run, template }) =>
    arms.some((one) => one.arm === arm && one.run === run && one.template === template),
  );
}

export function caseFigures(analysed: Analysed, analysis: StabilityAnalysis): Figure[] {
  const onLine = casesOnLine(analysed, analysis);
  const coldest = onLine.filter(({ temperature }) => temperature === analysis.temperatures[0]?.temperature);
  const scatter = scatterOf(analysis);
  const curve = smoothed(onLine);
  return [
    levelDistribution(coldest),
    withCurve({ ...scatter(onLine, CONSISTENCY, P_DEFENSIBLE), id: "stability-consistency" }, curve),
    curve,
    {
      ...scatter(onLine, LEVEL_3, P_DEFENSIBLE),
      id: "stability-level-3",
      paper: "§7",
      references: [LEVEL_3_LIMIT],
      caption: DISJOINT,
    },
    { ...scatter(onLine, INVERSE, P_DEFENSIBLE), id: "stability-inverse", paper: "§7", references: [INVERSE_LIMIT] },
    withCurve(
      { ...known(scatter(onLine, CONSISTENCY, S)), id: "stability-pds-consistency" },
      curve,
      "fig:temp_sweep, fig:corrected_pds left",
    ),
    ...spreadOfS(coldest, scatter),
    spreadByClass(onLine),
  ];
}

type Partner = FigureAxis & { field: "dominant_share" | "p_level_3" | "mean_inverse_yes_prob"; partner: string };
type Spread = FigureAxis & { field: "sd_pds" | "sd_p_defensible" };

const SHARE = { format: "percent", domain: [0, 1] } satisfies Partial<FigureAxis>;
const CONSISTENCY: Partner = {
  field: "dominant_share",
  partner: "dominant_share",
  label: "share of the commonest level",
  format: "percent",
};
const LEVEL_3: Partner = { field: "p_level_3", partner: "level_3_share", label: "share of level 3", ...SHARE };
const INVERSE: Partner = {
  field: "mean_inverse_yes_prob",
  partner: "mean_inverse_yes_prob",
  label: "mean σ(ρ), the probability that the opposite is defensible",
  ...SHARE,
};
const P_DEFENSIBLE: Spread = { field: "sd_p_defensible", label: "sd of P(defensible)", format: "decimal" };
const S: Spread = { field: "sd_pds", label: "sd of S", format: "decimal" };

const LEVEL_3_LIMIT = {
  axis: "x",
  value: 1 - STANDARD_LIMITS.di,
  label: "the gate's limit of indefensible decisions",
} as const;
const INVERSE_LIMIT = { axis: "x", value: STANDARD_LIMITS.ai, label: "the gate's limit of ambiguity" } as const;

/** Scatter plots of one analysis, whose titles state the correlations at the first temperature. */
function scatterOf({ correlations, temperatures }: StabilityAnalysis) {
  return (cases: readonly CaseRow[], { partner, ...x }: Partner, y: Spread) => {
    const found = correlations.spread.find(
      (row) => row.x === partner && row.y === y.field && row.temperature === (temperatures[0]?.temperature ?? null),
    );
    const words = { x: `the ${x.label.split(",")[0]}`, y: `The ${y.label}` };
    return {
      title: correlationTitle(found, words),
      mark: "point" as const,
      x,
      y,
      ...(new Set(cases.map(({ temperature }) => temperature)).size > 1 ? { series: "temperature" } : {}),
      name: "decision_id",
      rows: cases
        .filter((row) => row[x.field] !== null && (row.sd_pds !== null || row.sd_p_defensible !== null))
        .map((row) => ({
          decision_id: row.decision_id,
          temperature: row.temperature,
          group: row.group,
          [x.field]: row[x.field],
          sd_pds: row.sd_pds,
          sd_p_defensible: row.sd_p_defensible,
        })),
    };
  };
}

/** The same with a panel and a smoothed curve for each temperature. */
function withCurve(figure: Figure, smooth: Figure, paper = "fig:temp_sweep"): Figure {
  const { field } = figure.y;
  const drawn = ({ score }: FigureRow) => score === field;
  return {
    ...figure,
    facet: "temperature",
    curve: {
      label: "LOWESS",
      rows: smooth.rows.filter(drawn).map(({ score: _, value, ...row }) => ({ ...row, [field]: value! })),
    },
    caption: `A point is a case at one temperature, the line their LOWESS curve, where it stays among them. ${DISJOINT}`,
    paper,
  };
}

/** Without cases whose spread of S is unknown. */
function known<Scatter extends Pick<Figure, "rows">>(figure: Scatter): Scatter {
  return { ...figure, rows: figure.rows.filter(({ sd_pds }) => sd_pds !== null) };
}

/** The paper's pictures of the spread of S at its lowest temperature. */
function spreadOfS(coldest: readonly CaseRow[], scatter: ReturnType<typeof scatterOf>): Figure[] {
  const limits =
    "The dashed line is the gate's limit for a community's share, held here against the share of one case's audits.";
  return [
    {
      ...known(scatter(coldest, LEVEL_3, S)),
      id: "stability-pds-level-3",
      paper: "fig:corrected_pds centre",
      references: [LEVEL_3_LIMIT],
      caption: limits,
    },
    {
      ...known(scatter(coldest, INVERSE, S)),
      id: "stability-pds-inverse",
      paper: "fig:corrected_pds right, fig:monte_carlo E",
      references: [INVERSE_LIMIT],
      caption: `${limits} The paper draws its line at 20%, its gate's limit is 15%.`,
    },
  ];
}

/** The spread of each case, by the frequency of its most common level. */
function spreadByClass(cases: readonly CaseRow[]): Figure {
  const rows = cases
    .filter(({ plug_in, sd_p_defensible }) => plug_in.class !== null && sd_p_defensible !== null)
    .map(({ decision_id, temperature, plug_in, sd_pds, sd_p_defensible }) => ({
      decision_id,
      temperature,
      class: plug_in.class,
      sd_pds,
      sd_p_defensible,
    }));
  const first = rows[0]?.temperature ?? null;
  const means = STABILITY_CLASSES.flatMap((name) => {
    const own = rows.filter((row) => row.class === name && row.temperature === first);
    const mean = own.reduce((sum, { sd_p_defensible }) => sum + sd_p_defensible!, 0) / own.length;
    return own.length === 0 ? [] : [`${mean.toFixed(3)} in ${own.length} ${name.replaceAll("_", " ")}`];
  });
  const at = first === null ? "" : ` at T\u00a0=\u00a0${first}`;
  return {
    id: "stability-classes",
    title: means.length > 0 ? `Mean sd of P(defensible)${at}: ${means.join(", ")} cases` : "Spread by stability class",
    mark: "point",
    x: { field: "class", label: "class by the shares as they are", order: [...STABILITY_CLASSES] },
    y: { field: "sd_p_defensible", label: "sd of P(defensible)", format: "decimal" },
    choose: ["temperature"],
    name: "decision_id",
    paper: "fig:monte_carlo D",
    rows,
  };
}

/** The LOWESS curves of spread over consistency, one for each temperature and score, clipped to the range of the cases. */
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
      // If nearly all cases share one x, local lines may run far outside the possible range of a spread.
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
