import { BOUNDARY_STATES, type BoundaryState, STABILITY_CLASSES, type StabilityClass } from "../../core/names.js";
import { logBeta } from "../../stats/distributions/special-functions.js";
import { confidenceSequence } from "../../stats/tests/mixture-e-value.js";

/** Smallest share of the most frequent level for each class but the last, as in the paper. */
export const CLASS_THRESHOLDS = [0.95, 0.8, 0.6] as const;

/** Shares of level 3 between which a case is boundary-unstable, as in the paper. */
export const BOUNDARY_THRESHOLDS = [0.1, 0.9] as const;

/** Fewest replicates for a class: with a single one, every case would be rock solid. */
export const LEAST_REPLICATES = 30;

/** Slack so that 0.95 computed from counts equals 0.95 despite rounding. */
const SLACK = 1e-12;

/**
 * Stability class of a case: how often repeated audits give its most frequent level.
 *
 * Formula: m = largest count / K; rock_solid for m in [.95, 1], mostly_stable in [.80, .95), moderate in [.60, .80), highly_unstable below;
 * thresholds with a slack of 1e-12.
 * Range: four classes, ordered.
 * Undefined when: K < 30: null. RangeError when a count is not within 0 to K.
 * Differs from the paper: the paper's classes touch ("80–95%"); here they are half-open, and K has a minimum.
 * @see paper §7.1
 * @example
 * stabilityClass(38, 40) // => "rock_solid"
 */
export function stabilityClass(largestCount: number, k: number): StabilityClass | null {
  checkCounts("largest count", largestCount, k);
  if (k < LEAST_REPLICATES) return null;
  const share = largestCount / k + SLACK;
  if (share >= CLASS_THRESHOLDS[0]) return "rock_solid";
  if (share >= CLASS_THRESHOLDS[1]) return "mostly_stable";
  return share >= CLASS_THRESHOLDS[2] ? "moderate" : "highly_unstable";
}

/**
 * Whether a case stays on one side of the boundary between defensible and indefensible. If it does not, a gate's verdict on it is a coin toss.
 *
 * Formula: p = count of level 3 / K; boundary_unstable iff .10 < p < .90 strictly, with a slack of 1e-12; else stably_defensible (p ≤ .10) or
 * stably_indefensible (p ≥ .90).
 * Range: three states. Rock solid cases are never boundary-unstable; this follows by arithmetic and is not a finding.
 * Undefined when: K < 30: null.
 * Differs from the paper: nothing, except the minimum K.
 * @see paper §7.1, appendix A.4
 * @example
 * boundaryState(4, 40) // => "stably_defensible"
 */
export function boundaryState(thirds: number, k: number): BoundaryState | null {
  checkCounts("level 3", thirds, k);
  if (k < LEAST_REPLICATES) return null;
  const share = thirds / k;
  if (share <= BOUNDARY_THRESHOLDS[0] + SLACK) return "stably_defensible";
  return share >= BOUNDARY_THRESHOLDS[1] - SLACK ? "stably_indefensible" : "boundary_unstable";
}

/** Counts may be sums of probabilities. */
function checkCounts(name: string, count: number, k: number): void {
  if (!(typeof count === "number" && typeof k === "number" && count >= 0 && count <= k + SLACK * k)) {
    throw new RangeError(`${name}: not within 0 to K; got ${String(count)} of K = ${String(k)}`);
  }
}

/** A settled value, or the values still possible. */
export interface Settled<Name extends string> {
  /** null: several values are still possible. */
  value: Name | null;
  /** Values not yet excluded; only one when settled. */
  between: Name[];
  /** Number of replicates after which it was settled. */
  at: number | null;
}

interface Logs {
  threshold: number;
  log: number;
  logRest: number;
}

function logsOf(thresholds: readonly number[]): Logs[] {
  return thresholds.map((threshold) => ({ threshold, log: Math.log(threshold), logRest: Math.log1p(-threshold) }));
}

const BOUNDARY_LOGS = logsOf(BOUNDARY_THRESHOLDS);
const CLASS_LOGS = logsOf(CLASS_THRESHOLDS);

/** Which side of a threshold a share is on; 0: unknown. */
type Side = -1 | 0 | 1;

/**
 * What the replicates of one case have settled so far about its class and its boundary state, by confidence sequences that may be checked after
 * every replicate: a settled state is wrong with probability at most α, however often it was checked and whenever sampling stopped.
 *
 * Formula: for each level the e-value against "the share is τ" (`logMixtureEValue`) at the five thresholds only. Boundary: level 3 at .10 and .90,
 * each excluded once E ≥ 1/α. Class: each level at .60, .80 and .95, excluded once E ≥ 3/α, since three levels share α. An excluded threshold stays
 * excluded, with the share on the side where it was then.
 * Range: see `Settled`.
 * Undefined when: never; before any replicate everything is possible.
 * Differs from the paper: the paper draws 1,000 replicates and uses the observed shares.
 * @see `logMixtureEValue`
 */
export class LevelSequence {
  readonly sums: [number, number, number] = [0, 0, 0];
  replicates = 0;
  readonly #boundary: Side[] = BOUNDARY_THRESHOLDS.map(() => 0);
  readonly #levels: Side[][] = [0, 1, 2].map(() => CLASS_THRESHOLDS.map(() => 0));
  #boundaryAt: number | null = null;
  #classAt: number | null = null;
  readonly #limit: number;
  readonly #classLimit: number;

  constructor(readonly alpha: number) {
    if (!(alpha > 0 && alpha < 1)) throw new RangeError(`alpha: got ${alpha}, expected a number between 0 and 1`);
    this.#limit = Math.log(1 / alpha);
    this.#classLimit = Math.log(3 / alpha);
  }

  /** Adds a replicate's level, 1 to 3. */
  addLevel(level: number): void {
    this.add(level === 1 ? 1 : 0, level === 2 ? 1 : 0, level === 3 ? 1 : 0);
  }

  /** Adds a replicate's probabilities of the three levels, at the temperature of the draws. */
  add(p1: number, p2: number, p3: number): void {
    this.replicates += 1;
    // Rounding must not push a sum above the number of replicates.
    this.sums[0] = Math.min(this.replicates, this.sums[0] + p1);
    this.sums[1] = Math.min(this.replicates, this.sums[1] + p2);
    this.sums[2] = Math.min(this.replicates, this.sums[2] + p3);
    const [boundaryOpen, classOpen] = [this.#boundaryAt === null, this.#classAt === null];
    let changed = false;
    for (let level = classOpen ? 0 : 2; level < 3; level += 1) {
      if (level === 2 && boundaryOpen && this.#exclude(level, this.#boundary, BOUNDARY_LOGS, this.#limit)) {
        if (this.#openBoundaries().length === 1) this.#boundaryAt = this.replicates;
      }
      if (classOpen && this.#exclude(level, this.#levels[level]!, CLASS_LOGS, this.#classLimit)) changed = true;
    }
    if (changed && this.#openClasses().length === 1) this.#classAt = this.replicates;
  }

  boundary(): Settled<BoundaryState> {
    return settled(this.#openBoundaries(), BOUNDARY_STATES, this.#boundaryAt);
  }

  class(): Settled<StabilityClass> {
    return settled(this.#openClasses(), STABILITY_CLASSES, this.#classAt);
  }

  /** Confidence sequence for the share of level 3. Replicates are best spent where it is wide. */
  interval(): { lower: number; upper: number } {
    return confidenceSequence(this.sums[2], this.replicates, this.alpha);
  }

  /** Excludes thresholds; true if a new one was excluded. The logarithm of the beta function is slow, so it is computed once for all. */
  #exclude(level: number, sides: Side[], thresholds: readonly Logs[], limit: number): boolean {
    if (!sides.includes(0)) return false;
    const sum = this.sums[level]!;
    const rest = this.replicates - sum;
    const mixture = logBeta(0.5 + sum, 0.5 + rest) - Math.log(Math.PI);
    let excluded = false;
    for (let i = 0; i < thresholds.length; i += 1) {
      if (sides[i] !== 0) continue;
      const { threshold, log, logRest } = thresholds[i]!;
      if (mixture - sum * log - rest * logRest < limit) continue;
      sides[i] = sum > threshold * this.replicates ? 1 : -1;
      excluded = true;
    }
    return excluded;
  }

  #openBoundaries(): BoundaryState[] {
    const [low, high] = this.#boundary as [Side, Side];
    const open: BoundaryState[] = [];
    if (low !== 1 && high !== 1) open.push("stably_defensible");
    if (low !== -1 && high !== 1) open.push("boundary_unstable");
    if (low !== -1 && high !== -1) open.push("stably_indefensible");
    return open;
  }

  #openClasses(): StabilityClass[] {
    // The largest share is above a threshold if any share is, and below it if all are.
    const above = CLASS_THRESHOLDS.map((_, i) => this.#levels.some((sides) => sides[i] === 1));
    const below = CLASS_THRESHOLDS.map((_, i) => this.#levels.every((sides) => sides[i] === -1));
    return STABILITY_CLASSES.filter((_, i) => {
      const tooLow = i < below.length && below[i]!;
      const tooHigh = i > 0 && above[i - 1]!;
      return !tooLow && !tooHigh;
    });
  }
}

function settled<Name extends string>(open: Name[], all: readonly Name[], at: number | null): Settled<Name> {
  // Contradictory exclusions have probability at most α, and settle nothing.
  if (open.length === 0) return { value: null, between: [...all], at: null };
  return { value: open.length === 1 ? open[0]! : null, between: open, at };
}
