import type { Selective, Thresholds } from "../../../core/gate.js";
import { countingThreads, DEFAULT_THREAD_CAP } from "../gate-input.js";
import { learnThenTest, percent, type RiskLimits, type SelectiveResult } from "./learn-then-test.js";
import { groupScores } from "./score-groups.js";

/** Scored rows from which a community gets its own threshold. */
export const OWN_THRESHOLD_ROWS = 150;

export interface ChooseThresholdsOptions extends RiskLimits {
  /** Default `OWN_THRESHOLD_ROWS`. */
  ownFrom?: number | undefined;
  /** `each`: every threshold at δ; `all`: each at δ / number of thresholds, so that all hold at once. Default each. */
  hold?: "each" | "all" | undefined;
  /** Also separate thresholds for restricting and other decisions (Mondrian). Default: if `positive` is given. */
  byDecision?: boolean | undefined;
  /** Communities that no threshold may automate, because the rows are not about them: by restricting and other decisions. */
  withheld?: { restricting: readonly string[]; other: readonly string[] } | undefined;
  /** Most decisions that one thread counts as. Default `DEFAULT_THREAD_CAP`. */
  threadCap?: number | undefined;
  /** Whether communities were chosen on decisions other than these rows; the promise then says so. */
  chosenApart?: boolean | undefined;
}

/** Why a community is withheld. */
export const WITHHELD =
  "it passes on all decisions, but not on the part of them by which communities are chosen for thresholds, so none was certified for it";

/** Thresholds of one part of the rows. */
export interface ThresholdSet {
  /** For communities without their own threshold: fitted on their pooled rows. */
  pooled: SelectiveResult;
  by_community: Record<string, SelectiveResult>;
  /** Communities without any threshold, whatever the pooled one is; see `WITHHELD`. */
  withheld: string[];
}

export interface ThresholdChoice extends ThresholdSet {
  method: "learn_then_test";
  risk: number;
  delta: number;
  hold: "each" | "all";
  /** The probability, allotted to each threshold, of breaking its promise. */
  delta_each: number;
  /** The promise in words. */
  promise: string;
  /** Rows with a score. */
  n: number;
  /** Null if decisions were not separated. */
  by_decision: { restricting: ThresholdSet; other: ThresholdSet } | null;
}

/**
 * Thresholds for a fleet: one for each community with enough rows, one for all others together, and both again for restricting and other decisions.
 * The pooled threshold is fitted on the rows of the communities that will use it: fitted on all rows, its promise would be about a mixture dominated
 * by the large communities, but applied in the small ones. It holds for these communities together, not for each.
 *
 * Every promise assumes that the rows (or their threads, if some rows have one) are independent and like future ones, and that neither the score was
 * fitted nor the communities chosen on them: thresholds need rows that calibration and gate have not seen. A community chosen with the help of these
 * rows must be withheld.
 */
export function chooseThresholds(rows: SelectiveRows, options: ChooseThresholdsOptions): ThresholdChoice {
  refuseRemovedMethod(options);
  const { risk, delta, hold = "each", threadCap = DEFAULT_THREAD_CAP } = options;
  const parted = options.byDecision ?? rows.positive !== undefined;
  if (parted && rows.positive === undefined) {
    throw new RangeError("decisions: not given; got no column `positive`, expected one for thresholds by decision");
  }
  const parts = [partitionRows(rows, options.ownFrom ?? OWN_THRESHOLD_ROWS, null)];
  if (parted)
    for (const positive of [1, 0]) parts.push(partitionRows(rows, options.ownFrom ?? OWN_THRESHOLD_ROWS, positive));
  // Thresholds by decision replace the others instead of adding to them, so only the larger of the two sets is active.
  const inForce = Math.max(
    parts[0]!.size,
    parts.slice(1).reduce((sum, part) => sum + part.size, 0),
  );
  const each = hold === "all" ? delta / inForce : delta;
  const { restricting: closed = [], other: shut = [] } = options.withheld ?? {};
  const withheld = [[...new Set([...closed, ...shut])], [...closed], [...shut]];
  const [whole, restricting, other] = parts.map(({ own, rest, unscored }, part): ThresholdSet => {
    const certify = (indices: Int32Array) =>
      learnThenTest(groupScores(...pickRows(rows, indices, threadCap)), { risk, delta: each });
    const pooled = certify(rest);
    if (own.size > 0 && rest.length === unscored)
      pooled.reason = "every community with scores has a threshold of its own";
    const by_community = Object.fromEntries([...own].map(([name, indices]) => [name, certify(indices)]));
    return { pooled, by_community, withheld: withheld[part]! };
  });
  const scored = rows.score.reduce((count, score) => count + (Number.isNaN(score) ? 0 : 1), 0);
  const { chosenApart } = options;
  const about = chosenApart === undefined ? "" : `; ${chosenApart ? APART : TOGETHER}`;
  const counting = rows.thread?.some((thread) => thread >= 0) ? `, ${countingThreads(threadCap)}` : "";
  const promise = `${promiseOf({ risk, delta, hold, count: inForce, counting })}${about}`;
  return {
    ...whole!,
    method: "learn_then_test",
    risk,
    delta,
    hold,
    delta_each: each,
    promise,
    n: scored,
    by_decision: parted ? { restricting: restricting!, other: other! } : null,
  };
}

/** `method` was an option; a caller that still requests another method must not silently get this one. */
function refuseRemovedMethod(options: object): void {
  const method = "method" in options ? options.method : undefined;
  if (method === undefined || method === "learn_then_test") return;
  throw new RangeError(
    `method: removed; got ${String(method)}, expected none. Thresholds are chosen by Learn-then-Test: leave \`method\` out.`,
  );
}

const APART =
  "communities are chosen on one half of the decisions and thresholds certified on the other, for the decisions of all communities that were chosen; the gate on all decisions may take some of these out again";
const TOGETHER = "it is about the decisions of all communities together, of which the gate lets a part through";

function promiseOf({
  risk,
  delta,
  hold,
  count,
  counting,
}: RiskLimits & { hold: "each" | "all"; count: number; counting: string }): string {
  const share = `at most ${percent(risk)} of the decisions it automates are indefensible${counting}`;
  if (hold === "all")
    return `with ${percent(1 - delta)} confidence all ${count} thresholds hold at once: of each, ${share}`;
  return `each of ${count} thresholds holds with ${percent(1 - delta)} confidence by itself: ${share}; about ${percent(delta)} of such thresholds may not hold`;
}

/** The record of a choice in Gate JSON. */
export function selectiveRecord(
  choice: ThresholdChoice,
  score: Selective["score"],
  calibrationId: string | null,
): Selective {
  return {
    score,
    calibration_id: calibrationId,
    method: choice.method,
    risk: choice.risk,
    delta: choice.delta,
    n: choice.n,
    ...thresholdsOf(choice),
    delta_each: choice.delta_each,
    promise: choice.promise,
    by_decision: choice.by_decision && {
      restricting: thresholdsOf(choice.by_decision.restricting),
      other: thresholdsOf(choice.by_decision.other),
    },
  };
}

function thresholdsOf(set: ThresholdSet): Thresholds {
  const own = Object.entries(set.by_community).map(([name, { threshold }]): [string, number | null] => [
    name,
    threshold,
  ]);
  return {
    threshold: set.pooled.threshold,
    reason: set.pooled.reason,
    by_community: Object.fromEntries([...own, ...set.withheld.map((name): [string, null] => [name, null])]),
    withheld: set.withheld,
  };
}

export interface SelectiveRows {
  /** NaN: unscored, never automated. */
  score: Float64Array;
  /** 1: level 3. */
  indefensible: Uint8Array;
  /** Index into `communities`. */
  community: Int32Array;
  communities: readonly string[];
  /** 1: the decision restricts. Needed for thresholds by decision. */
  positive?: Uint8Array | undefined;
  /** How many decisions each label represents, if they were drawn with unequal probabilities. */
  weight?: Float64Array | undefined;
  /** Number of each row's thread; −1: none. Absent: decisions are independent. */
  thread?: Int32Array | undefined;
}

/** Rows of the communities with their own threshold, and of all others together. */
interface Partition {
  own: Map<string, Int32Array>;
  rest: Int32Array;
  /** Rows of the others without a score. */
  unscored: number;
  /** Number of thresholds. */
  size: number;
}

/** Partitions the rows, of one kind of decision or of all. */
function partitionRows(rows: SelectiveRows, ownFrom: number, positive: number | null): Partition {
  const belongs = (i: number): boolean => positive === null || rows.positive![i] === positive;
  const scored = new Int32Array(rows.communities.length);
  const all = new Int32Array(rows.communities.length);
  for (let i = 0; i < rows.score.length; i += 1) {
    if (!belongs(i)) continue;
    const community = rows.community[i]!;
    if (!(community >= 0 && community < all.length)) {
      throw new RangeError(`community: no such index; got ${community}, expected 0 to ${all.length - 1}`);
    }
    all[community]! += 1;
    if (!Number.isNaN(rows.score[i])) scored[community]! += 1;
  }
  const lists = Array.from(scored, (n, c) => (n >= ownFrom ? new Int32Array(all[c]!) : null));
  const rest = new Int32Array(all.reduce((sum, n, c) => sum + (lists[c] ? 0 : n), 0));
  const filled = new Int32Array(lists.length);
  let used = 0;
  let unscored = 0;
  for (let i = 0; i < rows.score.length; i += 1) {
    if (!belongs(i)) continue;
    const community = rows.community[i]!;
    const list = lists[community];
    if (list) list[filled[community]!++] = i;
    else {
      rest[used++] = i;
      if (Number.isNaN(rows.score[i])) unscored += 1;
    }
  }
  const own = new Map<string, Int32Array>();
  for (const [c, list] of lists.entries()) if (list) own.set(rows.communities[c]!, list);
  return { own, rest, unscored, size: own.size + (rest.length > unscored || own.size === 0 ? 1 : 0) };
}

/** Scores, losses and, if present, weights and threads of some rows. */
function pickRows(rows: SelectiveRows, indices: Int32Array, cap: number): Parameters<typeof groupScores> {
  const score = new Float64Array(indices.length);
  const loss = new Uint8Array(indices.length);
  for (let i = 0; i < indices.length; i += 1) {
    score[i] = rows.score[indices[i]!]!;
    loss[i] = rows.indefensible[indices[i]!]!;
  }
  const { weight, thread } = rows;
  return [
    score,
    loss,
    weight && Float64Array.from(indices, (i) => weight[i]!),
    thread && { of: Int32Array.from(indices, (i) => thread[i]!), cap },
  ];
}
