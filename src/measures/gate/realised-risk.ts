import type { Level } from "../../core/records/level.js";
import {
  REALISED_KEYS,
  type RealisedCell,
  type RealisedKey,
  type RealisedRate,
} from "../../core/results/realised-risk.js";
import { groupBy } from "../../core/text-checks.js";
import { clopperPearsonBound } from "../../stats/intervals/proportion.js";
import { type BoundedUnits, boundedUpperBound } from "../../stats/tests/bounded-e-value.js";

const DAY = 86_400_000;

/** A review pending for longer counts as bad in the bounds. */
const PENDING_DAYS = 14;
/** A thread closes this many days after its first drawn decision; later decisions do not enter the anytime bound. */
const THREAD_DAYS = 7;

/** A decision that would have been automated but that the random draw sent to review. */
export interface RandomReview {
  community: string;
  /** The gate cohort it was routed by. */
  cohort: string;
  action: string;
  language: string | null;
  /** null: a thread of its own. */
  thread: string | null;
  /** Probability with which it was drawn. */
  share: number;
  /** When it was routed, in ms since 1970. */
  routed: number;
  /** The reviewers' answer; null: none yet. */
  answer: { level: Level | null; overturned: boolean } | null;
}

export type RealisedLoss = "risk" | "overturned";

export interface RealisedOptions {
  /** Now, in ms since 1970. */
  now: number;
  delta: number;
  /** A thread counts as at most this many reviews. */
  threadCap: number;
}

/**
 * The rate of bad outcomes among decisions that would have been automated, estimated from random reviews drawn with known probabilities π.
 *
 * Formula: estimate Σ x_i/π_i ÷ Σ 1/π_i over known answers. Bounds over threads t: w_i = π_min/π_i, x_t = Σ w_i x_i ÷ Σ w_i, u_t = min(1, Σ w_i /
 * m), U = sup{r : E(r) < 1/δ} (`boundedUpperBound`); m = max Σ w_i, at most the cap. With a single share and one review per thread, m = 1, and at
 * one look the bound is Clopper–Pearson of k of n. x = 1 for reviews without the required answer and for those pending for more than 14 days.
 * Threads enter in the order of routing, up to the first with a review pending for less. For the anytime bound, a thread with an id also closes 7
 * days after its first review was drawn.
 * Range: 0 ≤ estimate ≤ 1; bounds in (0, 1].
 * Undefined when: no review was drawn (`no_reviews`), none has a level (`no_levels`) or any answer (`no_answers`), all are pending
 * (`reviews_open`): estimate null. Without a closed thread the bounds are null.
 * Differs from the paper: the paper does not measure the automated decisions.
 * @see docs/outcomes.md
 */
export function realisedRate(
  reviews: readonly RandomReview[],
  loss: RealisedLoss,
  options: RealisedOptions,
): RealisedRate {
  return bounded(reviews, loss, options, [options.delta]).rate;
}

/** The rates of each community, action, language and week, with bounds that hold for all of them simultaneously. */
export function realisedCells(reviews: readonly RandomReview[], options: RealisedOptions): RealisedCell[] {
  const cells = REALISED_KEYS.flatMap((by) =>
    [...groupBy(reviews, (review) => cellOf(review, by))]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([value, members]) => ({ by, value, members })),
  );
  const deltas = [options.delta, options.delta / Math.max(1, cells.length)];
  const rates = (members: readonly RandomReview[], loss: RealisedLoss) => {
    const { rate, uppers } = bounded(members, loss, options, deltas);
    return { ...rate, upper_all: uppers[1]! };
  };
  return cells.map(({ by, value, members }) => ({
    by,
    value,
    drawn: members.length,
    risk: rates(members, "risk"),
    overturned: rates(members, "overturned"),
  }));
}

/** A thread that entered a bound, and when its last decision was routed. */
export interface ReviewedThread {
  weight: number;
  value: number;
  time: number;
}

/**
 * Threads whose reviews are all answered or overdue, in the order of routing, for a detector that may be checked at any time. `missing`: the value
 * that a missing answer counts as.
 */
export function closedThreads(
  reviews: readonly RandomReview[],
  loss: RealisedLoss,
  options: Pick<RealisedOptions, "now" | "threadCap"> & { missing: 0 | 1 },
): ReviewedThread[] {
  return enter(threadsOf(reviews), loss, options, true, options.missing).units;
}

function bounded(
  reviews: readonly RandomReview[],
  loss: RealisedLoss,
  options: RealisedOptions,
  deltas: readonly number[],
): { rate: RealisedRate; uppers: RealisedRate["upper"][] } {
  const threads = threadsOf(reviews);
  const once = enter(threads, loss, options, false);
  const anytime = enter(threads, loss, options, true);
  const simple = once.simple ? sum(once.units) : null;
  const uppers = deltas.map((delta) => ({
    once:
      once.units.length === 0
        ? null
        : simple
          ? clopperPearsonBound(simple.k, simple.n, delta)
          : boundedUpperBound(once.units, delta),
    anytime: anytime.units.length === 0 ? null : boundedUpperBound(anytime.units, delta),
  }));
  return {
    uppers,
    rate: {
      ...tally(reviews, loss, options.now),
      threads: once.units.length,
      largest_thread: once.largest,
      method: methodOf(),
      upper: uppers[0]!,
    },
  };

  function methodOf(): RealisedRate["method"] {
    if (once.units.length === 0) return null;
    return simple ? "clopper_pearson" : "e_value";
  }
}

type Tally = Omit<RealisedRate, "threads" | "largest_thread" | "method" | "upper">;

function tally(reviews: readonly RandomReview[], loss: RealisedLoss, now: number): Tally {
  let [k, n, missing, open, bad, all] = [0, 0, 0, 0, 0, 0];
  for (const review of reviews) {
    const x = lossOf(review, loss);
    if (x !== null) {
      n += 1;
      k += x;
      bad += x / review.share;
      all += 1 / review.share;
    } else if (isOpen(review, now)) open += 1;
    else missing += 1;
  }
  const counts = { k, n, missing, open };
  if (n > 0) return { estimate: bad / all, ...counts };
  return { estimate: null, ...counts, reason: whyUndefined(reviews, missing) };
}

function whyUndefined(reviews: readonly RandomReview[], missing: number): NonNullable<RealisedRate["reason"]> {
  if (reviews.length === 0) return "no_reviews";
  if (missing === 0) return "reviews_open";
  return reviews.some(({ answer }) => answer !== null) ? "no_levels" : "no_answers";
}

/** 1: bad; 0: good; null: unknown. */
function lossOf({ answer }: RandomReview, loss: RealisedLoss): 0 | 1 | null {
  if (answer === null) return null;
  if (loss === "overturned") return answer.overturned ? 1 : 0;
  return answer.level === null ? null : answer.level === 3 ? 1 : 0;
}

function isOpen({ answer, routed }: RandomReview, now: number): boolean {
  return answer === null && now - routed <= PENDING_DAYS * DAY;
}

/** Threads in the order in which their first decisions were routed. */
function threadsOf(reviews: readonly RandomReview[]): RandomReview[][] {
  const ordered = [...reviews].sort((a, b) => a.routed - b.routed);
  let alone = 0;
  const key = ({ community, thread }: RandomReview) =>
    thread === null ? `${alone++}` : JSON.stringify([community, thread]);
  return [...groupBy(ordered, key).values()];
}

function enter(
  threads: readonly RandomReview[][],
  loss: RealisedLoss,
  { now, threadCap }: Pick<RealisedOptions, "now" | "threadCap">,
  anytime: boolean,
  missing: 0 | 1 = 1,
): { units: ReviewedThread[]; simple: boolean; largest: number } {
  const least = threads.reduce((min, thread) => thread.reduce((low, { share }) => Math.min(low, share), min), 1);
  const alone = threads.every((thread) => thread.length === 1);
  const cap = Math.min(threadCap, largestWeight(threads, least));
  const simple = alone && threads.every(([review]) => review!.share === least);
  const units: ReviewedThread[] = [];
  let largest = 0;
  for (const thread of threads) {
    const closes = thread[0]!.routed + THREAD_DAYS * DAY;
    if (thread.some((review) => isOpen(review, now)) || (anytime && thread[0]!.thread !== null && now < closes)) break;
    largest = Math.max(largest, thread.length);
    let [weights, bad] = [0, 0];
    for (const review of thread) {
      if (anytime && review.routed > closes) continue;
      const w = least / review.share;
      weights += w;
      bad += w * (lossOf(review, loss) ?? missing);
    }
    units.push({ weight: Math.min(1, weights / cap), value: Math.min(1, bad / weights), time: thread.at(-1)!.routed });
  }
  return { units, simple, largest };
}

/** Weight of the largest thread's reviews. A larger cap would only scale all weights down. */
function largestWeight(threads: readonly RandomReview[][], least: number): number {
  return threads.reduce(
    (max, thread) =>
      Math.max(
        max,
        thread.reduce((all, { share }) => all + least / share, 0),
      ),
    1,
  );
}

function sum(units: readonly BoundedUnits[]): { k: number; n: number } {
  return { k: units.reduce((total, { value }) => total + value, 0), n: units.length };
}

function cellOf({ community, action, language, routed }: RandomReview, by: RealisedKey): string {
  if (by === "community") return community;
  if (by === "action") return action;
  if (by === "language") return language ?? "unknown";
  // The Monday on which the week began, UTC.
  const day = Math.floor(routed / DAY);
  return new Date((day - ((day + 3) % 7)) * DAY).toISOString().slice(0, 10);
}
