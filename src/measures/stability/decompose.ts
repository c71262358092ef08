import { undefinedEstimate } from "../../core/estimate.js";
import type { Decomposition } from "../../experiments/stability/result.js";
import type { Rng } from "../../stats/random/create-rng.js";
import {
  type CrossedCells,
  type VarianceComponents,
  varianceComponents,
} from "../../stats/ranks/variance-components.js";
import { bootstrapEstimate } from "../../stats/resampling/stratified-bootstrap.js";
import type { Analysed, CellAnalysis } from "./analyse-cells.js";
import { type CrossedDesign, crossedDesign, FACTORS, type Factor } from "./replicates.js";
import { CaseBootstrap, type Statistic } from "./tallies.js";

/** Sources of variance. */
export type Source = "case" | Factor | `case_by_${Factor}` | "interactions" | "trace" | "token";

export interface DecomposeOptions {
  rng: Rng;
  draws: number;
}

/** Values to decompose: mean and variance within a cell, the number of replicates behind them, and the variance due to the last token. */
type Values = (cell: CellAnalysis) => { mean: number; within: number; count: number; token?: number } | null;

const VALUES: Record<Decomposition["of"], Values> = {
  p_defensible: ({ all: { pDefensible } }) => spreadOf(pDefensible),
  pds: ({ all: { pds } }) => spreadOf(pds),
  verdict: ({ all: { drawn, token } }) => {
    const spread = spreadOf(drawn);
    return spread && token !== null ? { ...spread, token } : null;
  },
  // Its estimation error replaces the variance within a cell: only variance beyond it is a component.
  sd_p_defensible: ({ all: { pDefensible }, sdError }) =>
    pDefensible.sd === null || sdError.pDefensible === null
      ? null
      : { mean: pDefensible.sd, within: sdError.pDefensible * pDefensible.n, count: pDefensible.n },
};

function spreadOf({ n, mean, variance }: { n: number; mean: number | null; variance: number | null }) {
  return mean === null || variance === null ? null : { mean, within: variance, count: n };
}

/**
 * Governance against sampling noise: how much of a score's variance is between cases, how much between repetitions of the same question, and how
 * much comes from temperature, prompt and auditor and from cases reacting differently to them.
 *
 * Formula: `varianceComponents` over cases × temperatures × prompts × auditors, over the cases that have every cell; share = component / sum,
 * components below 0 counted as 0; intervals by drawing cases. `verdict` is the emitted verdict, whose variance within a case is split into that of
 * the reasoning before the last token (trace) and of the last token's draw (token). `sd_p_defensible` decomposes the spread itself: if it were only
 * sampling noise, it would depend on temperature, not on the case.
 * Range: shares in [0, 1], sum 1.
 * Undefined when: fewer than two cases have every cell with two scored replicates; conditions are not crossed.
 * Differs from the paper: the paper infers the source of variance from one ratio.
 * @see paper §7.2, appendix A.4
 */
export function decompose(analysed: Analysed, of: Decomposition["of"], options: DecomposeOptions): Decomposition {
  const design = crossedDesign(analysed.replicates.conditions);
  const notVaried = FACTORS.filter((factor) => design === null || design.levels[factor] < 2);
  const not_estimated = notVaried.flatMap((factor): Source[] => [factor, `case_by_${factor}`]);
  const empty = (reason: string): Decomposition => ({
    of,
    cases: 0,
    total: null,
    components: [],
    not_estimated,
    reason,
  });
  if (!design) return empty("the conditions are not crossed: no temperature is shared by all runs and templates");
  const table = tableOf(analysed, design, VALUES[of]);
  if (table.cases.length < 2) {
    return empty("fewer than two cases have two scored replicates under every condition");
  }
  const components = varianceComponents(table.crossed);
  const own = new Float64Array(table.cases.length);
  const sums = (weights: Float64Array) => {
    table.cases.forEach((row, i) => {
      own[i] = weights[row]!;
    });
    const solved = components(own);
    return solved && named(solved, of, mean(table.token, own));
  };
  const whole = sums(new Float64Array(analysed.groups.length).fill(1))!;
  const bootstrap = new CaseBootstrap();
  // All shares of a draw come from one solution, computed when the first is requested.
  let solved: Map<Source, number> | null = null;
  const askShare =
    (source: Source, place: number): Statistic =>
    (weights) => {
      if (place === 0) solved = sums(weights);
      return solved && shareOf(solved, source);
    };
  const sources = [...whole.keys()];
  const answers = sources.map((source, place) => bootstrap.ask(askShare(source, place)));
  bootstrap.run(analysed.groups, options);
  const total = sources.reduce((sum, source) => sum + Math.max(0, whole.get(source)!), 0);
  const cases = table.cases.length;
  return {
    of,
    cases,
    total,
    components: sources.map((source, place) => ({
      source,
      variance: Math.max(0, whole.get(source)!),
      share:
        total > 0
          ? bootstrapEstimate(answers[place]!(), cases, "no variance")
          : undefinedEstimate("no variance", cases),
      truncated: whole.get(source)! < 0,
    })),
    not_estimated,
  };
}

interface Table {
  /** Indices of the cases that have every cell. */
  cases: number[];
  crossed: CrossedCells;
  /** Mean of p(1 − p) for each of them; empty if not requested. */
  token: Float64Array;
}

function tableOf({ replicates, cells }: Analysed, design: CrossedDesign, values: Values): Table {
  const { decisions, conditions } = replicates;
  const rows = decisions.map((_, i) => design.conditions.map((j) => values(cells[i * conditions.length + j]!)));
  const cases = [...rows.keys()].filter((i) => rows[i]!.every((cell) => cell !== null && cell.count >= 2));
  const used = cases.flatMap((i) => rows[i]!.map((cell) => cell!));
  const width = design.conditions.length;
  const hasToken = used.some(({ token }) => token !== undefined);
  return {
    cases,
    crossed: {
      cases: cases.length,
      levels: FACTORS.map((factor) => design.levels[factor]),
      mean: used.map((cell) => cell.mean),
      within: used.map((cell) => cell.within),
      count: used.map((cell) => cell.count),
    },
    token: Float64Array.from({ length: hasToken ? cases.length : 0 }, (_, c) => {
      const own = used.slice(c * width, (c + 1) * width);
      return own.reduce((sum, cell) => sum + (cell.token ?? 0), 0) / width;
    }),
  };
}

function mean(values: Float64Array, weights: Float64Array): number | null {
  if (values.length === 0) return null;
  let [sum, total] = [0, 0];
  for (let i = 0; i < values.length; i += 1) {
    sum += weights[i]! * values[i]!;
    total += weights[i]!;
  }
  return total === 0 ? null : sum / total;
}

/** Components by the names of their sources. Interactions of several conditions are summed. */
function named(
  { effects, within }: VarianceComponents,
  of: Decomposition["of"],
  token: number | null,
): Map<Source, number> {
  const sums = new Map<Source, number>([["case", 0]]);
  const add = (source: Source, variance: number) => sums.set(source, (sums.get(source) ?? 0) + variance);
  for (const { factors, with_case, component } of effects) {
    const [factor] = factors;
    if (factor === undefined) add("case", component);
    else if (factors.length > 1) add("interactions", component);
    else add(with_case ? `case_by_${FACTORS[factor]!}` : FACTORS[factor]!, component);
  }
  if (of !== "sd_p_defensible") add("trace", within);
  if (token !== null) add("token", token);
  return sums;
}

function shareOf(sums: ReadonlyMap<Source, number>, source: Source): number | null {
  let total = 0;
  for (const variance of sums.values()) total += Math.max(0, variance);
  return total > 0 ? Math.max(0, sums.get(source) ?? 0) / total : null;
}
