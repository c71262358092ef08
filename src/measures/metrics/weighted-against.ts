import type { Estimate } from "../../core/estimate.js";
import type { ReportAgainst } from "../../core/results/report.js";
import { drawnProportion, drawnStrata } from "../../stats/intervals/drawn-proportion.js";
import { stratifiedJackknife } from "../../stats/intervals/stratified-jackknife.js";
import { stratifiedProportion } from "../../stats/intervals/stratified-proportion.js";
import type { JudgedPair, JudgedSample } from "./against.js";

/** Fields known for all verdicts of a population, which can therefore select a part of it. */
export type Audited = Pick<JudgedPair, "level" | "inverse" | "disagrees">;

/**
 * A share of the population that the labelled decisions were drawn from.
 *
 * Formula: `drawnProportion` for labels with their own probabilities (`by_stratum`), otherwise `stratifiedProportion`: cells are verdicts
 * (`by_verdict`), or there is one (`random`).
 * Undefined when: a part of the population has no label (`stratum_unlabelled`), or no label has an answer.
 * @param of null: the label has no answer
 * @param within the part of the population that the share refers to
 */
export function populationShare<P extends JudgedPair>(
  pairs: readonly P[],
  sample: JudgedSample,
  of: (pair: P) => boolean | null,
  within: (pair: Audited) => boolean = () => true,
): Estimate {
  const said = pairs.filter((pair) => of(pair) !== null && within(pair));
  if (sample.design.weighted !== "by_stratum") return stratifiedProportion(cellsOf(said, sample, { of, within }));
  const labels = said.map((pair) => ({ ...drawnAt(pair), yes: of(pair) === true, predicted: false, count: 1 }));
  // For a part of the labels, the draw did not fix the number in each stratum.
  const share = drawnProportion(labels, { sizes: said.length === pairs.length ? "known" : "estimated" });
  if (share.estimate === null) return share;
  const { estimate, lower, upper, level, method, k, n, warnings } = share;
  return { estimate, lower, upper, level, method, k, n, ...(warnings ? { warnings } : {}) };
}

/**
 * A statistic (a correlation, κ, an area) of the population that the labelled decisions were drawn from, by `stratifiedJackknife`.
 * @param rows the labelled decisions that have the values needed
 */
export function populationStatistic(
  rows: readonly JudgedPair[],
  { pairs, sample }: { pairs: readonly JudgedPair[]; sample: JudgedSample },
  statistic: (weights: Float64Array) => number | null,
  bounds: readonly [number, number],
): Estimate {
  if (sample.design.weighted === "by_stratum") {
    const sizes = rows.length === pairs.length ? "known" : "estimated";
    const strata = drawnStrata(rows.map(drawnAt), { sizes });
    return stratifiedJackknife(strata.stratum, strata.sizes, statistic, { bounds });
  }
  const cells = cellsOf(rows, sample);
  const index = new Map(cells.map(({ name }, i) => [name, i]));
  return stratifiedJackknife(
    rows.map((pair) => index.get(cellOf(pair, sample))!),
    cells.map(({ size }) => size),
    statistic,
    { bounds },
  );
}

function drawnAt({ cell = "", inclusion }: JudgedPair) {
  return { cell, inclusion: inclusion ?? 1 };
}

function cellOf({ cell = "" }: { cell?: string }, { design }: JudgedSample): string {
  return design.weighted === "by_verdict" ? cell : "";
}

/** Cells with their sizes, their labelled rows, and how many of these have a property. */
function cellsOf<P extends JudgedPair>(
  pairs: readonly P[],
  sample: JudgedSample,
  {
    of = () => false,
    within = () => true,
  }: { of?: (pair: P) => boolean | null; within?: (pair: Audited) => boolean } = {},
) {
  const cells = new Map<string, { name: string; k: number; n: number; size: number }>();
  const at = (name: string) => {
    const cell = cells.get(name) ?? { name, k: 0, n: 0, size: 0 };
    cells.set(name, cell);
    return cell;
  };
  for (const one of sample.population) if (within(one)) at(cellOf(one, sample)).size += one.n;
  for (const pair of pairs) {
    const cell = at(cellOf(pair, sample));
    cell.n += 1;
    if (of(pair)) cell.k += 1;
  }
  return [...cells.values()];
}

/** Every rate of the whole population, from decisions drawn by a design. Statistics of a random sample are taken unweighted. */
export function weightedRates(pairs: readonly JudgedPair[], sample: JudgedSample, counted: ReportAgainst) {
  const rate = (of: (pair: JudgedPair) => boolean | null, within?: (pair: Audited) => boolean) =>
    populationShare(pairs, sample, of, within);
  const answered = pairs.filter(({ targetInverse }) => targetInverse !== null);
  const scored = pairs.filter(({ indefensibleScore }) => indefensibleScore !== null);
  const atRandom = sample.design.weighted === "random";
  const statistic = (
    plain: Estimate,
    rows: readonly JudgedPair[],
    of: (weights: Float64Array) => number | null,
    bounds: readonly [number, number],
  ) => (atRandom ? plain : populationStatistic(rows, { pairs, sample }, of, bounds));
  const defends = ({ targetLevel }: JudgedPair) => targetLevel < 3;
  const none = (estimate: Estimate, from: Estimate) => (from.estimate === null && from.n === 0 ? from : estimate);
  const { confirmed } = counted;
  return {
    defensibility_index: rate(defends),
    ambiguity_index: none(
      rate(({ targetInverse }) => targetInverse),
      counted.ambiguity_index!,
    ),
    confirmed: confirmed && {
      disagreements_defensible: none(
        rate(defends, ({ disagrees, level }) => disagrees === true && level < 3),
        confirmed.disagreements_defensible,
      ),
      agreed_indefensible: none(
        rate(
          (pair) => !defends(pair),
          ({ disagrees, level }) => disagrees === false && level === 3,
        ),
        confirmed.agreed_indefensible,
      ),
      model_error: none(
        rate(
          (pair) => !defends(pair),
          ({ disagrees, level }) => disagrees === true && level === 3,
        ),
        confirmed.model_error,
      ),
      implicit_norm: none(
        rate(
          (pair) => (pair.targetInverse === null ? null : defends(pair) && !pair.targetInverse),
          ({ disagrees, level, inverse }) => disagrees === true && level < 3 && !inverse,
        ),
        confirmed.implicit_norm,
      ),
    },
    level_accuracy: rate(({ level, targetLevel }) => level === targetLevel),
    level_balanced_accuracy: statistic(
      counted.level_balanced_accuracy,
      pairs,
      (w) => weightedBalance(pairs, w),
      [0, 1],
    ),
    level_kappa: statistic(
      counted.level_kappa,
      pairs,
      (w) => weightedKappa(pairs, w, (one) => [one.targetLevel - 1, one.level - 1], 3),
      [-1, 1],
    ),
    level3_auroc: statistic(counted.level3_auroc, scored, weightedArea(scored), [0, 1]),
    inverse_accuracy: none(
      rate(({ inverse, targetInverse }) => (targetInverse === null ? null : inverse === targetInverse)),
      counted.inverse_accuracy,
    ),
    inverse_kappa: none(
      statistic(
        counted.inverse_kappa,
        answered,
        (w) => weightedKappa(answered, w, (one) => [one.targetInverse ? 0 : 1, one.inverse ? 0 : 1], 2),
        [-1, 1],
      ),
      counted.inverse_kappa,
    ),
  };
}

/** Mean, over the target's classes, of the share that the audit found; null without rows. */
function weightedBalance(pairs: readonly JudgedPair[], weights: Float64Array): number | null {
  const found = [0, 0, 0];
  const all = [0, 0, 0];
  pairs.forEach(({ level, targetLevel }, i) => {
    all[targetLevel - 1]! += weights[i]!;
    if (level === targetLevel) found[targetLevel - 1]! += weights[i]!;
  });
  const recalls = all.flatMap((sum, c) => (sum > 0 ? [found[c]! / sum] : []));
  return recalls.length === 0 ? null : recalls.reduce((sum, recall) => sum + recall, 0) / recalls.length;
}

function weightedKappa(
  pairs: readonly JudgedPair[],
  weights: Float64Array,
  place: (pair: JudgedPair) => [number, number],
  size: number,
): number | null {
  const rows = new Float64Array(size);
  const columns = new Float64Array(size);
  let [total, agreeing] = [0, 0];
  pairs.forEach((pair, i) => {
    const [row, column] = place(pair);
    rows[row]! += weights[i]!;
    columns[column]! += weights[i]!;
    total += weights[i]!;
    if (row === column) agreeing += weights[i]!;
  });
  const chance = rows.reduce((sum, row, i) => sum + row * columns[i]!, 0) / total ** 2;
  return total === 0 || chance > 1 - 1e-12 ? null : (agreeing / total - chance) / (1 - chance);
}

/** Area under the curve of 1 − p_defensible for the target's level 3, from weighted rows. */
function weightedArea(pairs: readonly JudgedPair[]): (weights: Float64Array) => number | null {
  const order = pairs.map((_, i) => i).sort((a, b) => pairs[a]!.indefensibleScore! - pairs[b]!.indefensibleScore!);
  return (weights) => {
    let [below, positives, area] = [0, 0, 0];
    for (let from = 0; from < order.length; ) {
      let [yes, no] = [0, 0];
      const score = pairs[order[from]!]!.indefensibleScore!;
      for (; from < order.length && pairs[order[from]!]!.indefensibleScore === score; from += 1) {
        const row = order[from]!;
        if (pairs[row]!.targetLevel === 3) yes += weights[row]!;
        else no += weights[row]!;
      }
      area += yes * (below + no / 2);
      below += no;
      positives += yes;
    }
    return positives === 0 || below === 0 ? null : area / (positives * below);
  };
}
