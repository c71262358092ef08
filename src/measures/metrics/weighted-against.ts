import type { Estimate } from "../../core/estimate.js";
import type { ReportAgainst } from "../../core/results/report.js";
import { stratifiedJackknife } from "../../stats/intervals/stratified-jackknife.js";
import { stratifiedProportion } from "../../stats/intervals/stratified-proportion.js";
import type { JudgedPair, JudgedSample } from "./against.js";

/** Of decisions that were drawn in cells: every rate of the whole population. */
export function weightedRates(pairs: readonly JudgedPair[], sample: JudgedSample, counted: ReportAgainst) {
  const rate = (
    of: (pair: JudgedPair) => boolean | null,
    within: (pair: Pick<JudgedPair, "level" | "inverse" | "disagrees">) => boolean = () => true,
  ) => {
    const cells = cellsOf(
      pairs.filter((pair) => of(pair) !== null),
      sample,
      within,
      of,
    );
    return stratifiedProportion(cells);
  };
  const answered = pairs.filter(({ targetInverse }) => targetInverse !== null);
  const scored = pairs.filter(({ indefensibleScore }) => indefensibleScore !== null);
  const statistic = (
    rows: readonly JudgedPair[],
    of: (weights: Float64Array) => number | null,
    bounds: readonly [number, number],
  ) => {
    const cells = cellsOf(rows, sample);
    const index = new Map(cells.map(({ name }, i) => [name, i]));
    const stratum = rows.map(({ cell = "" }) => index.get(cell)!);
    return stratifiedJackknife(
      stratum,
      cells.map(({ size }) => size),
      of,
      { bounds },
    );
  };
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
    level_balanced_accuracy: statistic(pairs, (w) => weightedBalance(pairs, w), [0, 1]),
    level_kappa: statistic(
      pairs,
      (w) => weightedKappa(pairs, w, (one) => [one.targetLevel - 1, one.level - 1], 3),
      [-1, 1],
    ),
    level3_auroc: statistic(scored, weightedArea(scored), [0, 1]),
    inverse_accuracy: none(
      rate(({ inverse, targetInverse }) => (targetInverse === null ? null : inverse === targetInverse)),
      counted.inverse_accuracy,
    ),
    inverse_kappa: none(
      statistic(
        answered,
        (w) => weightedKappa(answered, w, (one) => [one.targetInverse ? 0 : 1, one.inverse ? 0 : 1], 2),
        [-1, 1],
      ),
      counted.inverse_kappa,
    ),
  };
}

/** Cells with their sizes, labelled rows and, of these, how many have a property. */
function cellsOf(
  pairs: readonly JudgedPair[],
  { design, population }: JudgedSample,
  within: (pair: Pick<JudgedPair, "level" | "inverse" | "disagrees">) => boolean = () => true,
  of: (pair: JudgedPair) => boolean | null = () => false,
) {
  const cells = new Map<string, { name: string; k: number; n: number; size: number }>();
  const at = (name: string) => {
    const cell = cells.get(name) ?? { name, k: 0, n: 0, size: 0 };
    cells.set(name, cell);
    return cell;
  };
  if (design.weighted === "by_verdict") {
    for (const one of population) if (within(one)) at(one.cell).size += one.n;
  }
  for (const pair of pairs) {
    if (!within(pair)) continue;
    const cell = at(pair.cell ?? "");
    cell.n += 1;
    if (of(pair)) cell.k += 1;
    if (design.weighted === "by_stratum") cell.size += 1 / (pair.inclusion ?? 1);
  }
  return [...cells.values()];
}

/** Mean share of each class of the target that the audit found; null without a row. */
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

/** Area under the curve of 1 − p_defensible for the target's level 3, of rows with weights. */
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
