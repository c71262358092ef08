import { CONFIDENCE_LEVEL, undefinedEstimate } from "../../core/estimate.js";
import type { RatioSlope, Slope, TemperatureRow } from "../../experiments/stability/result.js";
import type { Rng } from "../../stats/random/create-rng.js";
import { bootstrapEstimate } from "../../stats/resampling/stratified-bootstrap.js";
import type { Analysed, CellAnalysis } from "./analyse-cells.js";
import { groupMeans, weightedMean, withoutGroup } from "./group-means.js";
import { drawsCheck, raoBlackwellGain } from "./replicates.js";
import { ascendingTemperatures, askRatioSlope, askSlope } from "./slopes.js";
import {
  boundaryCounts,
  CaseBootstrap,
  type CellState,
  caseColumn,
  cellsOf,
  classCounts,
  classShares,
  rankCorrelation,
  type Statistic,
  unstableShare,
} from "./tallies.js";

export interface TemperatureTable {
  temperatures: TemperatureRow[];
  ratio_slope: { pds: RatioSlope; p_defensible: RatioSlope };
  defensibility_slope: Slope;
  /** Rank correlation of H[κ] between the two halves of the replicates at the lowest temperature: an upper limit for other correlations. */
  h_citation_split_half: number | null;
}

export interface TableOptions {
  rng: Rng;
  draws: number;
  /** Determines the class and boundary state of a case. */
  stateOf: (cell: CellAnalysis) => CellState;
}

/**
 * All rows of the paper's temperature sweep with intervals over cases, and tests of the paper's conclusions from it. One bootstrap over cases
 * serves all numbers, so temperatures stay paired.
 *
 * Formula: means of case values; DI = mean over cases of the share of levels 1 and 2, so a case with more replicates has no more weight; slopes as
 * in `askSlope` and `askRatioSlope`.
 * Range: see each field.
 * Undefined when: no case has the averaged value; groups without a pilot; slopes with one temperature.
 * Differs from the paper: intervals, tests and p_defensible are added.
 * @see paper §7.2, table 5
 */
export function temperatureTable(analysed: Analysed, options: TableOptions): TemperatureTable {
  const { replicates, line, groups } = analysed;
  const bootstrap = new CaseBootstrap();
  const columns = line.map((condition) => askColumn(analysed, bootstrap, condition, line[0]!));
  const temperatures = ascendingTemperatures(line.map((condition) => replicates.conditions[condition]!.temperature));
  const pds = askRatioSlope(
    bootstrap,
    temperatures,
    columns.map((column) => column.pds.quotient),
  );
  const pDefensible = askRatioSlope(
    bootstrap,
    temperatures,
    columns.map((column) => column.pDefensible.quotient),
  );
  const index = askSlope(
    bootstrap,
    temperatures,
    columns.map((column) => column.meanDefensible),
  );
  bootstrap.run(groups, { rng: options.rng, draws: options.draws });
  const cases = replicates.decisions.length;
  const noRatio = withoutGroup(groups) ?? "the ratio of Flippers to Stable is undefined at one of the temperatures";
  return {
    temperatures: columns.map((column) => column.row(options)),
    ratio_slope: { pds: pds(cases, noRatio), p_defensible: pDefensible(cases, noRatio) },
    defensibility_slope: index(cases),
    h_citation_split_half: line.length === 0 ? null : splitHalf(analysed, line[0]!),
  };
}

function askColumn(analysed: Analysed, bootstrap: CaseBootstrap, condition: number, first: number) {
  const { replicates, groups } = analysed;
  const defensible = caseColumn(analysed, condition, defensibleShare);
  const before = caseColumn(analysed, first, defensibleShare);
  const change = defensible.map((value, i) => value - before[i]!);
  const meanDefensible: Statistic = (weights) => weightedMean(defensible, weights);
  const citationBits = ({ all }: CellAnalysis) => all.citationBits.mean;
  const pds = groupMeans(analysed, bootstrap, condition, ({ all }) => all.pds.sd);
  const pDefensible = groupMeans(analysed, bootstrap, condition, ({ all }) => all.pDefensible.sd);
  const citation = bootstrap.ask(
    rankCorrelation(caseColumn(analysed, first, citationBits), caseColumn(analysed, condition, citationBits)),
  );
  const index = bootstrap.ask(meanDefensible);
  const changed = bootstrap.ask((weights) => weightedMean(change, weights));
  const row = ({ stateOf }: TableOptions): TemperatureRow => {
    const cells = cellsOf(analysed, condition);
    const n = cells.length;
    const ofGroup = (name: "flipper" | "stable") =>
      groups.includes(name)
        ? unstableShare(cells.filter((cell) => groups[cell.case] === name))
        : undefinedEstimate(withoutGroup(groups, name)!, 0);
    const noCitation = "no citation entropy, or too few cases";
    return {
      ...replicates.conditions[condition]!,
      cases: n,
      replicates: sizes(cells),
      sd_pds: pds.result(),
      sd_p_defensible: pDefensible.result(),
      boundary_flip_rate: { all: unstableShare(cells), flippers: ofGroup("flipper"), stable: ofGroup("stable") },
      h_citation_rank_correlation:
        condition === first && citation().value !== null
          ? { estimate: 1, lower: 1, upper: 1, level: CONFIDENCE_LEVEL, method: "by construction", n }
          : bootstrapEstimate(citation(), n, noCitation),
      defensibility_index: bootstrapEstimate(index(), n, "no verdicts"),
      defensibility_index_change:
        condition === first
          ? undefinedEstimate("the temperature that the others are compared with", n)
          : bootstrapEstimate(changed(), n, "no case has verdicts at both temperatures"),
      classes: classCounts(cells, stateOf),
      class_shares: classShares(cells),
      boundaries: boundaryCounts(cells, stateOf),
      draws: drawsCheck(replicates, condition),
      rao_blackwell_gain: raoBlackwellGain(cells.map(({ all }) => all)),
    };
  };
  return { pds, pDefensible, meanDefensible, row };
}

function defensibleShare({ all }: CellAnalysis): number | null {
  return all.k === 0 ? null : (all.counts[0] + all.counts[1]) / all.k;
}

function sizes(cells: readonly CellAnalysis[]): TemperatureRow["replicates"] {
  let [least, most, sum] = [cells.length === 0 ? 0 : Number.POSITIVE_INFINITY, 0, 0];
  for (const { all } of cells) {
    least = Math.min(least, all.k);
    most = Math.max(most, all.k);
    sum += all.k;
  }
  return { least, mean: cells.length === 0 ? 0 : sum / cells.length, most };
}

function splitHalf(analysed: Analysed, condition: number): number | null {
  const half = (value: (cell: CellAnalysis) => number | null) => caseColumn(analysed, condition, value);
  const cases = analysed.replicates.decisions.length;
  return rankCorrelation(
    half(({ even }) => even.citationBits.mean),
    half(({ odd }) => odd.citationBits.mean),
  )(new Float64Array(cases).fill(1));
}
