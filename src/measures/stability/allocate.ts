import type { StabilityGroup } from "../../core/names.js";
import { type Rng, shuffle } from "../../stats/random/create-rng.js";
import { BOUNDARY_THRESHOLDS, CLASS_THRESHOLDS, LevelSequence } from "./level-sequence.js";

/** What must be settled about a case before its replicates stop. */
export type StopRule = "boundary" | "class";

/** A cell of the design during measurement. */
export interface OpenCell {
  sequence: LevelSequence;
  /** Replicates requested so far. */
  planned: number;
}

/** The cells that get the budget first: those closest to being settled, or those with the widest confidence sequence. */
export type AllocationOrder = "nearest" | "widest";

export interface AllocationLimits {
  stop: StopRule;
  /** Most replicates of a cell. */
  cap: number;
  /** Replicates that may still be requested in total; Infinity without a budget. */
  left: number;
  /** Default nearest. */
  order?: AllocationOrder;
}

/** With a budget, the share of the open cells that get a batch before all cells are reconsidered. */
const ROUND = 0.25;

/** Size of the first batch of each cell: fewer replicates would leave it without a class. */
export const FIRST_BATCH = 30;

/**
 * How many replicates a cell has after its next batch: a tenth more, at least ten. Small enough to stop close to the replicate that settles it,
 * large enough not to wait for single answers.
 *
 * Formula: min(cap, planned + max(10, ⌈planned / 10⌉)); the first batch is min(cap, 30).
 * Range: planned … cap.
 * Undefined when: never.
 * Differs from the paper: the paper draws 1,000 replicates at once.
 * @see `LevelSequence`
 * @example
 * nextBatch(30, 300) // => 40
 */
export function nextBatch(planned: number, cap: number): number {
  if (planned === 0) return Math.min(cap, FIRST_BATCH);
  return Math.min(cap, planned + Math.max(10, Math.ceil(planned / 10)));
}

/** Whether everything that `stop` requires is settled. */
export function isSettled(sequence: LevelSequence, stop: StopRule): boolean {
  if (sequence.boundary().value === null) return false;
  return stop === "boundary" || sequence.class().value !== null;
}

/**
 * Where the next replicates go: to cells that are not settled and are below the cap. Settled cells get none (successive elimination). Without a
 * budget every open cell gets its next batch; with one, the first quarter in order does.
 *
 * Formula: open = not settled and planned < cap, by `replicatesLeft` ascending (nearest) or by the width of the confidence sequence of P(level 3)
 * descending (widest), ties by index; each gets its next batch while the budget lasts, the last one possibly a part of it.
 * Why nearest: of 150 simulated cells with a budget of 6,000 it settles 42%, and widest first 32% (docs/guarantees.md).
 * Range: pairs of cell and new number of replicates; empty if nothing is left to do.
 * Undefined when: never.
 * Differs from the paper: the paper gives every case the same number of replicates.
 * @see Even-Dar, Mannor and Mansour (2006), Journal of Machine Learning Research 7:1079-1105
 */
export function allocate(cells: readonly OpenCell[], limits: AllocationLimits): Map<number, number> {
  const { stop, cap, order = "nearest" } = limits;
  const open: { cell: number; rank: number }[] = [];
  cells.forEach(({ sequence, planned }, cell) => {
    if (planned >= cap || isSettled(sequence, stop)) return;
    open.push({ cell, rank: order === "nearest" ? replicatesLeft(sequence, stop) : -width(sequence) });
  });
  open.sort((a, b) => a.rank - b.rank || a.cell - b.cell);
  const more = new Map<number, number>();
  let { left } = limits;
  const round = left === Number.POSITIVE_INFINITY ? open : open.slice(0, Math.ceil(ROUND * open.length));
  for (const { cell } of round) {
    const { planned } = cells[cell]!;
    const extra = Math.min(left, nextBatch(planned, cap) - planned);
    if (extra <= 0) break;
    more.set(cell, planned + extra);
    left -= extra;
  }
  return more;
}

function width(sequence: LevelSequence): number {
  const { lower, upper } = sequence.interval();
  return upper - lower;
}

/**
 * How many replicates settle a case that gives the same level every time. With fewer, even perfect agreement settles nothing, and a case remains
 * undetermined for lack of replicates rather than instability.
 *
 * Formula: the smallest t at which t equal levels settle what `stop` requires in a `LevelSequence`. Boundary: E ≥ 1/α against a share of .10, which
 * by symmetry is that of level 3 against .90; class: E ≥ 3/α against a share of .95.
 * Range: positive whole numbers, larger for smaller α.
 * Undefined when: never; α outside 0…1 is a RangeError.
 * Differs from the paper: not in the paper.
 * @see `LevelSequence`
 * @example
 * identicalReplicates(0.05, "boundary") // => 53
 */
export function identicalReplicates(alpha: number, stop: StopRule): number {
  const sequence = new LevelSequence(alpha);
  while (!isSettled(sequence, stop)) sequence.addLevel(1);
  return sequence.replicates;
}

/**
 * Estimated number of further replicates until a case is settled, if its shares stay as observed. A budget settles most cases if it goes to the
 * smallest first.
 *
 * Formula: ln E grows by KL(p ‖ τ) per replicate and loses ½ ln t to the mixture, so n ≈ (ln(1/α) + ½ ln(t + 1)) / min_τ KL(p ‖ τ), minus the t so
 * far; p = (k + ½)/(t + 1) of level 3 for the boundary, of the most frequent level (with α/3) for the class; the larger of the two.
 * Range: negative if it could already have been settled; large close to a threshold.
 * Undefined when: never.
 * Differs from the paper: not in the paper.
 * @see `LevelSequence`
 */
export function replicatesLeft(sequence: LevelSequence, stop: StopRule): number {
  const { replicates: t, sums, alpha } = sequence;
  const needed = (sum: number, thresholds: readonly number[], level: number) => {
    const p = (sum + 0.5) / (t + 1);
    const nearest = Math.min(...thresholds.map((threshold) => divergence(p, threshold)));
    // Close to a threshold the number is unbounded; any large number sorts last.
    return (Math.log(1 / level) + 0.5 * Math.log(t + 1)) / Math.max(nearest, 1e-9);
  };
  const boundary = sequence.boundary().value === null ? needed(sums[2], BOUNDARY_THRESHOLDS, alpha) : 0;
  if (stop === "boundary" || sequence.class().value !== null) return boundary - t;
  return Math.max(boundary, needed(Math.max(...sums), CLASS_THRESHOLDS, alpha / 3)) - t;
}

/** Kullback–Leibler divergence of two Bernoulli distributions, in nats. */
function divergence(p: number, q: number): number {
  return p * Math.log(p / q) + (1 - p) * Math.log((1 - p) / (1 - q));
}

/** Pilot verdicts of a candidate, by level. */
export interface PilotCase {
  decision_id: string;
  counts: readonly [number, number, number];
}

/** What makes a case a Flipper: more than one level, or verdicts on both sides of the boundary between level 2 and level 3. */
export type FlipperRule = "level" | "boundary";

export interface ChosenCase {
  decision_id: string;
  group: StabilityGroup;
}

/**
 * The group of a candidate by its pilot replicates, which are not used in the later measurement.
 *
 * Formula: flipper iff the pilot shows more than one level (rule `level`), or level 3 and another (rule `boundary`).
 * Range: flipper or stable.
 * Undefined when: the pilot has no verdict: null; with only one verdict nothing can flip, and every case is stable.
 * Differs from the paper: the paper says "by pre-evaluation" without a rule.
 * @see paper §7.2
 * @example
 * pilotGroup([8, 2, 0], "boundary") // => "stable"
 */
export function pilotGroup(counts: PilotCase["counts"], rule: FlipperRule): StabilityGroup | null {
  const [one, two, three] = counts;
  if (one + two + three === 0) return null;
  const sides = rule === "level" ? [one, two, three] : [one + two, three];
  return sides.filter((count) => count > 0).length > 1 ? "flipper" : "stable";
}

/**
 * Cases to measure, drawn from the candidates: up to half Flippers and up to half Stable.
 *
 * Formula: within each group a random order by seed, the first ⌊cases / 2⌋; the result is sorted by id.
 * Range: at most `cases`; fewer if a group is small, since filling up with the other group would change the comparison.
 * Undefined when: never; no candidates give no cases.
 * Differs from the paper: the paper has 50 of each but reports neither the number of candidates nor the selection.
 * @see paper §7.2
 * @example
 * chooseCases([{ decision_id: "a", counts: [3, 0, 0] }], { cases: 2, rule: "level", rng: { int: () => 0 } }).length // => 1
 */
export function chooseCases(
  pilot: readonly PilotCase[],
  { cases, rule, rng }: { cases: number; rule: FlipperRule; rng: Pick<Rng, "int"> },
): ChosenCase[] {
  const half = Math.floor(cases / 2);
  const sorted = [...pilot].sort((a, b) => (a.decision_id < b.decision_id ? -1 : 1));
  const chosen = (["flipper", "stable"] as const).flatMap((group) => {
    const members = sorted.filter(({ counts }) => pilotGroup(counts, rule) === group);
    return shuffle(members, rng)
      .slice(0, half)
      .map(({ decision_id }) => ({ decision_id, group }));
  });
  return chosen.sort((a, b) => (a.decision_id < b.decision_id ? -1 : 1));
}
