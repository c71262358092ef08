/** Means of a complete table: every case under every combination of conditions. */
export interface CrossedCells {
  cases: number;
  /** Levels of each factor other than the case; factors with one level are allowed and have no component. */
  levels: readonly number[];
  /** Mean of each cell, case by case; within a case the last factor varies fastest. */
  mean: ArrayLike<number>;
  /** Variance within each cell, with divisor n − 1. */
  within: ArrayLike<number>;
  /** Number of replicates in each cell, at least 2. */
  count: ArrayLike<number>;
}

export interface VarianceComponent {
  /** Factors other than the case, by their index in `levels`. */
  factors: number[];
  /** Whether the case is included: alone, or in how differently cases react to the factors. */
  with_case: boolean;
  /** May be negative, as the estimate of a small variance. */
  component: number;
  degrees: number;
}

export interface VarianceComponents {
  effects: VarianceComponent[];
  /** Mean variance within a cell: repetitions under equal conditions. */
  within: number;
}

/**
 * Components of variance of a crossed design: what makes scores differ. By the method of moments on cell means, so that
 * cells with many replicates weigh no more than others.
 *
 * Formula: for each set S of factors, MS_S is the mean square of its effect (marginal means, inclusion and exclusion) over
 * cells, and E MS_S = v + Σ_{S' ⊇ S} σ²_{S'} Π_{f ∉ S'} n_f with v = mean of s²/K; solved from the largest set down. Within:
 * the mean of s². All factors count as random (the unrestricted model); that of one with chosen levels, such as
 * temperature, is the variance among these levels. Cases may be weighted, as in a bootstrap.
 * Range: real; a component below 0 is left as it is here.
 * Undefined when: fewer than two cases: null. RangeError when a cell has fewer than 2 replicates or sizes do not fit.
 * Differs from the paper: the paper infers the source of variance from one ratio.
 * @see Searle, Casella and McCulloch (1992), Variance Components, chapters 4 and 5 (unweighted means)
 * @example
 * varianceComponents({ cases: 2, levels: [1], mean: [1, 3], within: [1, 1], count: [4, 4] })().effects[0].component // => 1.75
 */
export function varianceComponents(cells: CrossedCells): (weights?: ArrayLike<number>) => VarianceComponents | null {
  check(cells);
  const sets = factorSets(cells.levels);
  const design = caseEffects(cells, sets);
  return (weights) => solve(cells, sets, design, weights ?? new Float64Array(cells.cases).fill(1));
}

interface FactorSet {
  factors: number[];
  /** Number of combinations of their levels. */
  size: number;
  /** Number of combinations of the levels of all other factors. */
  outside: number;
  degrees: number;
}

/** Every set of factors with more than one level, smaller sets first. */
function factorSets(levels: readonly number[]): FactorSet[] {
  const used = levels.map((_, factor) => factor).filter((factor) => levels[factor]! > 1);
  const all = levels.reduce((product, count) => product * count, 1);
  const sets = Array.from({ length: 2 ** used.length }, (_, bits) => {
    const factors = used.filter((_, place) => bits & (1 << place));
    const size = factors.reduce((product, factor) => product * levels[factor]!, 1);
    const degrees = factors.reduce((product, factor) => product * (levels[factor]! - 1), 1);
    return { factors, size, outside: all / size, degrees };
  });
  return sets.sort((a, b) => a.factors.length - b.factors.length);
}

interface CaseEffects {
  /** Per set: cases × size effects of the set within each case. */
  effect: Float64Array[];
  /** Per case: mean over its cells of s², and of s²/K. */
  within: Float64Array;
  error: Float64Array;
}

/** The effects of each set of factors within each case. They are linear in the case, so they need computing only once for all weights. */
function caseEffects(cells: CrossedCells, sets: readonly FactorSet[]): CaseEffects {
  const perCase = cells.levels.reduce((product, count) => product * count, 1);
  const effect = sets.map((set) => new Float64Array(cells.cases * set.size));
  const index = sets.map((set) => marginalIndex(cells.levels, set));
  const within = new Float64Array(cells.cases);
  const error = new Float64Array(cells.cases);
  for (let c = 0; c < cells.cases; c += 1) {
    const first = c * perCase;
    for (let cell = 0; cell < perCase; cell += 1) {
      within[c]! += cells.within[first + cell]! / perCase;
      error[c]! += cells.within[first + cell]! / cells.count[first + cell]! / perCase;
    }
    sets.forEach((set, s) => {
      const own = effect[s]!.subarray(c * set.size, (c + 1) * set.size);
      for (let cell = 0; cell < perCase; cell += 1) own[index[s]![cell]!]! += cells.mean[first + cell]! / set.outside;
      // Subtract the effects of the subsets of this set.
      sets.forEach((smaller, r) => {
        if (r === s || !smaller.factors.every((factor) => set.factors.includes(factor))) return;
        const seen = new Uint8Array(set.size);
        for (let cell = 0; cell < perCase; cell += 1) {
          const at = index[s]![cell]!;
          if (seen[at]) continue;
          seen[at] = 1;
          own[at]! -= effect[r]![c * smaller.size + index[r]![cell]!]!;
        }
      });
    });
  }
  return { effect, within, error };
}

/** For each cell of a case, its index among the combinations of the set's levels. */
function marginalIndex(levels: readonly number[], set: FactorSet): Int32Array {
  const cells = levels.reduce((product, count) => product * count, 1);
  return Int32Array.from({ length: cells }, (_, cell) => {
    let rest = cell;
    let [place, stride] = [0, 1];
    for (let factor = levels.length - 1; factor >= 0; factor -= 1) {
      const level = rest % levels[factor]!;
      rest = Math.floor(rest / levels[factor]!);
      if (!set.factors.includes(factor)) continue;
      place += stride * level;
      stride *= levels[factor]!;
    }
    return place;
  });
}

function solve(
  cells: CrossedCells,
  sets: readonly FactorSet[],
  design: CaseEffects,
  weights: ArrayLike<number>,
): VarianceComponents | null {
  let [cases, within, error] = [0, 0, 0];
  for (let c = 0; c < cells.cases; c += 1) {
    cases += weights[c]!;
    within += weights[c]! * design.within[c]!;
    error += weights[c]! * design.error[c]!;
  }
  if (cases < 2) return null;
  error /= cases;
  const effects: VarianceComponent[] = [];
  // From the largest set down; each set with the case before the same set without it.
  for (let s = sets.length - 1; s >= 0; s -= 1) {
    const set = sets[s]!;
    const { between, common } = squares(design.effect[s]!, set.size, cells.cases, weights, cases);
    const withCase = { factors: set.factors, with_case: true, degrees: set.degrees * (cases - 1) };
    effects.push({ ...withCase, component: component(withCase, (between * set.outside) / withCase.degrees) });
    if (set.factors.length === 0) continue;
    const alone = { factors: set.factors, with_case: false, degrees: set.degrees };
    effects.push({ ...alone, component: component(alone, (common * cases * set.outside) / alone.degrees) });
  }
  return { effects: effects.reverse(), within: within / cases };

  function component(own: Omit<VarianceComponent, "component">, meanSquare: number): number {
    let rest = meanSquare - error;
    for (const larger of effects) {
      if (own.with_case && !larger.with_case) continue;
      if (!own.factors.every((factor) => larger.factors.includes(factor))) continue;
      rest -= larger.component * copies(larger);
    }
    return rest / copies(own);
  }

  /** Number of cells that share one value of an effect. */
  function copies({ factors, with_case }: Omit<VarianceComponent, "component">): number {
    const { outside } = sets.find((set) => set.factors === factors)!;
    return with_case ? outside : outside * cases;
  }
}

/** Sums of squares of one set's effects: of the cases about their mean, and of that mean. */
function squares(
  effect: Float64Array,
  size: number,
  rows: number,
  weights: ArrayLike<number>,
  cases: number,
): { between: number; common: number } {
  let [between, common] = [0, 0];
  for (let at = 0; at < size; at += 1) {
    let sum = 0;
    for (let c = 0; c < rows; c += 1) sum += weights[c]! * effect[c * size + at]!;
    const mean = sum / cases;
    common += mean * mean;
    for (let c = 0; c < rows; c += 1) between += weights[c]! * (effect[c * size + at]! - mean) ** 2;
  }
  return { between, common };
}

function check({ cases, levels, mean, within, count }: CrossedCells): void {
  const cells = levels.reduce((product, size) => product * size, cases);
  if (mean.length !== cells || within.length !== cells || count.length !== cells) {
    throw new RangeError(`cells: of different number; got ${mean.length}, expected ${cells} as cases times levels`);
  }
  for (let i = 0; i < cells; i += 1) {
    if (count[i]! >= 2 && within[i]! >= 0 && Number.isFinite(mean[i]!)) continue;
    throw new RangeError(
      `cell: not usable; got mean ${mean[i]}, variance ${within[i]}, n = ${count[i]}, expected n ≥ 2`,
    );
  }
}
