import type { Estimate } from "../../../core/estimate.js";
import { proportion, weightedProportion, wilsonInterval } from "../../../stats/intervals/proportion.js";
import type { BoundedUnits } from "../../../stats/tests/bounded-e-value.js";
import { checkThreadCap } from "../gate-input.js";

/** Rows by falling score, equal scores together: all that a threshold can distinguish, so every method uses this. */
export interface ScoreGroups {
  /** All rows, including unscored ones. */
  rows: number;
  scored: number;
  /** Every loss is 0 or 1. */
  binary: boolean;
  /** Distinct scores, falling. */
  threshold: Float64Array;
  /** Rows whose score is at least the threshold. */
  n: Uint32Array;
  /** Their loss: how many of them are indefensible. */
  k: Float64Array;
  /** For rows with weights, such as labels drawn with unequal probabilities. */
  weighted?: WeightedGroups;
  /** Some rows belong to threads, each of which counts as at most this many decisions. */
  threads?: { cap: number };
  /** The first n rows as units of an e-value; absent: each row is a unit, and all count the same. */
  units?: (n: number) => BoundedUnits[];
  /** Effective number of independent, equally weighted rows; absent: the number of rows. */
  effective?: number;
}

export interface RowThreads {
  /** Number of each row's thread; −1: none, the row is a thread of its own. */
  of: Int32Array;
  /** A thread counts as at most this many decisions. */
  cap: number;
}

export interface WeightedGroups {
  /** Weight of all rows, including unscored ones. */
  rows: number;
  /** `n` and `k` of the groups, with each row counted by its weight. */
  n: Float64Array;
  k: Float64Array;
}

/**
 * Sorts rows by score and counts, for each distinct score, what automating from that score on would include. Done once for every method.
 *
 * Formula: n(τ) = #{s_i ≥ τ}, k(τ) = Σ loss_i over s_i ≥ τ, for each distinct score τ.
 * Rows with weights w: also Σw over s_i ≥ τ, and Σw·loss_i.
 * Rows with weights or in threads: units t of the rows with s_i ≥ τ, with W_t = Σ_{i∈t} w_i/w_max: u_t = min(1, W_t/m), x_t = Σ_{i∈t} w_i·loss_i /
 * Σ_{i∈t} w_i.
 * A row without a thread is a thread of its own. m is the cap, but at most the rows of the largest thread; with m = 1 every row is a unit.
 * n_eff = (Σw)²/Σ_t(Σ_{i∈t} w_i)², over all rows.
 * Range: n and k rise as τ falls. A score of NaN is "unscored": counted in `rows`, never automated.
 * Undefined when: never; without scores the arrays are empty. RangeError for an infinite score, a loss outside 0 to 1, a weight not above 0, an
 * invalid thread or cap, or unequal lengths.
 * Differs from the paper: the paper has no selective automation.
 * @see `learnThenTest`, `riskCoverageCurve`
 * @example
 * groupScores(Float64Array.of(0.9, 0.5, 0.9), Uint8Array.of(0, 1, 1)).k // => [1, 2]
 */
export function groupScores(
  score: Float64Array,
  loss: Uint8Array | Float64Array,
  weight?: Float64Array,
  threads?: RowThreads,
): ScoreGroups {
  if (score.length !== loss.length) {
    throw new RangeError(`losses: not one for each score; got ${loss.length}, expected ${score.length}`);
  }
  const groups = loss instanceof Uint8Array ? groupBinary(score, loss) : groupSoft(score, loss);
  if (threads) checkThreads(threads, score.length);
  const threaded = threads && withUsedCap(threads);
  if (weight || threaded) {
    const order = rankedRows(score);
    if (weight) groups.weighted = weightedGroups(groups, order, loss, weight);
    if (threaded) groups.threads = { cap: threads!.cap };
    Object.assign(groups, dependentUnits(order, loss, weight, threaded));
  }
  if (groups.scored > 0 && !(Number.isFinite(groups.threshold[0]) && Number.isFinite(groups.threshold.at(-1)))) {
    throw new RangeError("score: not finite; got an infinite score, expected numbers, or NaN for no score");
  }
  return groups;
}

/**
 * The threads with the cap lowered to the largest of them: no thread has more to count, and a larger cap would only make each count less. Sizes are
 * known before losses. Undefined if no thread has two rows: each row is then a unit.
 */
function withUsedCap({ of, cap }: RowThreads): RowThreads | undefined {
  const sizes = new Map<number, number>();
  let largest = 1;
  for (const thread of of) {
    if (thread < 0) continue;
    const size = (sizes.get(thread) ?? 0) + 1;
    sizes.set(thread, size);
    largest = Math.max(largest, size);
  }
  return largest > 1 ? { of, cap: Math.min(cap, largest) } : undefined;
}

function checkThreads({ of, cap }: RowThreads, rows: number): void {
  checkThreadCap(cap);
  if (of.length === rows && of.every((thread) => thread >= -1)) return;
  throw new RangeError(`threads: not a number from −1 on for each of ${rows} scores; got ${of.length} of them`);
}

/** Scored rows by falling score. A threshold never separates equal scores, so their order does not matter. */
function rankedRows(score: Float64Array): Int32Array {
  return Int32Array.from(score.keys())
    .filter((i) => !Number.isNaN(score[i]!))
    .sort((a, b) => score[b]! - score[a]!);
}

function weightedGroups(
  groups: ScoreGroups,
  order: Int32Array,
  loss: ArrayLike<number>,
  weight: Float64Array,
): WeightedGroups {
  if (weight.length !== loss.length || !weight.every((one) => one > 0 && Number.isFinite(one))) {
    throw new RangeError(`weights: not one above 0 for each score; got ${weight.length} for ${loss.length} scores`);
  }
  let [sum, lost, next] = [0, 0, 0];
  const n = new Float64Array(groups.n.length);
  const k = new Float64Array(groups.n.length);
  for (let group = 0; group < n.length; group += 1) {
    for (; next < groups.n[group]!; next += 1) {
      sum += weight[order[next]!]!;
      lost += weight[order[next]!]! * loss[order[next]!]!;
    }
    n[group] = sum;
    k[group] = lost;
  }
  return { rows: weight.reduce((total, one) => total + one, 0), n, k };
}

/** Rows with weights or in threads as units, at any threshold and in total. */
function dependentUnits(
  order: Int32Array,
  loss: ArrayLike<number>,
  weight: Float64Array | undefined,
  threads: RowThreads | undefined,
): Required<Pick<ScoreGroups, "units" | "effective">> {
  const cap = threads?.cap ?? 1;
  const most = weight ? weight.reduce((largest, one) => Math.max(largest, one), 0) : 1;
  const weightOf = (i: number): number => (weight ? weight[i]! : 1);
  const { unit, count } = numberUnits(loss.length, threads);
  const units = (first: number): BoundedUnits[] => {
    const sums = new Float64Array(count);
    const lost = new Float64Array(count);
    const found: number[] = [];
    for (let at = 0; at < first; at += 1) {
      const i = order[at]!;
      const own = weightOf(i) / most;
      if (sums[unit[i]!] === 0) found.push(unit[i]!);
      sums[unit[i]!]! += own;
      lost[unit[i]!]! += own * loss[i]!;
    }
    return found.map((one) => ({ weight: Math.min(1, sums[one]! / cap), value: Math.min(1, lost[one]! / sums[one]!) }));
  };
  const sizes = new Float64Array(count);
  for (let i = 0; i < loss.length; i += 1) sizes[unit[i]!]! += weightOf(i);
  const [sum, squares] = [0, 1].map((power) => sizes.reduce((total, size) => total + size * size ** power, 0));
  return { units, effective: sum! ** 2 / squares! };
}

/** The unit of each row: its thread, or the row itself. */
function numberUnits(rows: number, threads: RowThreads | undefined): { unit: Int32Array; count: number } {
  const known = new Map<number, number>();
  let count = 0;
  const unit = Int32Array.from({ length: rows }, (_, i) => {
    const thread = threads?.of[i] ?? -1;
    const number = known.get(thread) ?? count++;
    if (thread >= 0) known.set(thread, number);
    return number;
  });
  return { unit, count };
}

/** Share of all rows, including unscored ones, automated by a threshold that n rows reach; weighted rows use their weights. */
export function coverageOf({ n: counts, rows, weighted, effective = rows }: ScoreGroups, n: number): Estimate {
  if (weighted) {
    const group = counts.indexOf(n);
    return weightedProportion(group < 0 ? 0 : weighted.n[group]! / weighted.rows, effective, rows);
  }
  const share = proportion(n, rows);
  if (share.estimate === null || effective === rows) return share;
  return { ...share, ...wilsonInterval(share.estimate * effective, effective) };
}

/** Two sorts without a comparator, then a merge: several times faster than one sort of row numbers. */
function groupBinary(score: Float64Array, loss: Uint8Array): ScoreGroups {
  const good = new Float64Array(score.length);
  const bad = new Float64Array(score.length);
  let goods = 0;
  let bads = 0;
  for (let i = 0; i < score.length; i += 1) {
    const s = score[i]!;
    const y = loss[i]!;
    if (y > 1) throw wrongLoss(y);
    if (Number.isNaN(s)) continue;
    if (y === 1) bad[bads++] = s;
    else good[goods++] = s;
  }
  good.subarray(0, goods).sort();
  bad.subarray(0, bads).sort();
  const builder = new GroupBuilder(score.length, goods + bads, true);
  let g = goods - 1;
  let b = bads - 1;
  while (g >= 0 || b >= 0) {
    const top = g < 0 ? bad[b]! : b < 0 ? good[g]! : Math.max(good[g]!, bad[b]!);
    const fromG = g;
    const fromB = b;
    while (g >= 0 && good[g] === top) g -= 1;
    while (b >= 0 && bad[b] === top) b -= 1;
    builder.add(top, fromG - g + (fromB - b), fromB - b);
  }
  return builder.done();
}

function groupSoft(score: Float64Array, loss: Float64Array): ScoreGroups {
  const order = new Uint32Array(score.length);
  let scored = 0;
  let binary = true;
  for (let i = 0; i < score.length; i += 1) {
    const y = loss[i]!;
    if (!(y >= 0 && y <= 1)) throw wrongLoss(y);
    if (y !== 0 && y !== 1) binary = false;
    if (!Number.isNaN(score[i])) order[scored++] = i;
  }
  // Equal scores by rising loss: the last digit of a sum of fractions depends on its order, and rows have no order.
  const sorted = order.subarray(0, scored).sort((i, j) => score[j]! - score[i]! || loss[i]! - loss[j]!);
  const builder = new GroupBuilder(score.length, scored, binary);
  for (let i = 0; i < scored; ) {
    const top = score[sorted[i]!]!;
    const from = i;
    let sum = 0;
    for (; i < scored && score[sorted[i]!] === top; i += 1) sum += loss[sorted[i]!]!;
    builder.add(top, i - from, sum);
  }
  return builder.done();
}

class GroupBuilder {
  readonly #rows: number;
  readonly #scored: number;
  readonly #binary: boolean;
  readonly #threshold: Float64Array;
  readonly #n: Uint32Array;
  readonly #k: Float64Array;
  #size = 0;
  #seen = 0;
  #sum = 0;

  constructor(rows: number, scored: number, binary: boolean) {
    this.#rows = rows;
    this.#scored = scored;
    this.#binary = binary;
    this.#threshold = new Float64Array(scored);
    this.#n = new Uint32Array(scored);
    this.#k = new Float64Array(scored);
  }

  add(threshold: number, rows: number, loss: number): void {
    this.#seen += rows;
    this.#sum += loss;
    this.#threshold[this.#size] = threshold;
    this.#n[this.#size] = this.#seen;
    this.#k[this.#size] = this.#sum;
    this.#size += 1;
  }

  done(): ScoreGroups {
    return {
      rows: this.#rows,
      scored: this.#scored,
      binary: this.#binary,
      threshold: this.#threshold.slice(0, this.#size),
      n: this.#n.slice(0, this.#size),
      k: this.#k.slice(0, this.#size),
    };
  }
}

function wrongLoss(value: number): RangeError {
  return new RangeError(
    `loss: outside its range; got ${value}, expected 0 (defensible) to 1 (indefensible), only these two in a Uint8Array`,
  );
}
