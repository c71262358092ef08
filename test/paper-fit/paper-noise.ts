import type { TrueVerdict } from "../../src/core/records/label.js";
import { type CompiledAuditor, compileAuditor } from "../../src/simulation/auditor/draw-audit.js";
import { paperAuditor } from "../../src/simulation/auditor/paper-auditor.js";
import type { VerdictNumber } from "../../src/simulation/world/draw-content.js";
import type { LatentRates } from "../../src/simulation/world/level-shares.js";
import { WORLD } from "../../src/simulation/world/presets.js";
import { betaQuantile } from "../../src/stats/distributions/incomplete-beta.js";
import { type WrittenShares, writtenShares } from "./written-shares.js";

/** The temperature of the paper's audits. */
const PAPER_TEMPERATURE = 0.2;

const VERDICTS: readonly TrueVerdict[] = [
  { level: 1, inverse: false },
  { level: 2, inverse: false },
  { level: 2, inverse: true },
  { level: 3, inverse: true },
  { level: 3, inverse: false },
];

export type Contested = "settled" | "implied" | "open" | "void";

const QUANTILES = 100;
let compiled: CompiledAuditor | null = null;
const known = new Map<string, WrittenShares>();

/** What the paper's auditor writes of decisions with one true verdict; `unsettled`: only the text shown leaves the case open. */
export function writtenOf(verdict: VerdictNumber, content: Contested, unsettled = false): WrittenShares {
  const key = `${verdict} ${content} ${unsettled}`;
  let written = known.get(key);
  if (!written) {
    compiled ??= compileAuditor(paperAuditor());
    const auditor = compiled;
    const least = unsettled ? auditor.settings.lean.unsettled : 0;
    const contests = contestsOf(content).map((contest) => Math.max(contest, least));
    written = writtenShares(VERDICTS[verdict]!, contests, auditor, PAPER_TEMPERATURE);
    known.set(key, written);
  }
  return written;
}

/** Equally likely values of a beta law. */
function contestsOf(content: Contested): number[] {
  const { concentration, [content]: mean } = WORLD.contest;
  return Array.from({ length: QUANTILES }, (_, i) =>
    betaQuantile((i + 0.5) / QUANTILES, mean * concentration, (1 - mean) * concentration),
  );
}

/** A part of a cohort: its share, and what is written of it. */
export type Part = readonly [share: number, written: WrittenShares];

/** The parts of content with given rates, by its truth. */
export function partsOf({ open, void: voided, implied, error }: LatentRates): Part[] {
  const clear = 1 - open - voided;
  return [
    [clear * (1 - error) * (1 - implied), writtenOf(0, "settled")],
    [clear * (1 - error) * implied, writtenOf(1, "implied")],
    [open, writtenOf(2, "open")],
    [clear * error * (1 - implied), writtenOf(3, "settled")],
    [clear * error * implied, writtenOf(3, "implied")],
    [voided, writtenOf(4, "void")],
  ];
}

/** DI, AI and level 1 as written. */
export function writtenRates(parts: readonly Part[]): { di: number; ai: number; level1: number } {
  const sum = (value: (written: WrittenShares) => number) =>
    parts.reduce((total, [share, written]) => total + share * value(written), 0);
  return {
    di: 1 - sum(({ levels }) => levels[2]),
    ai: sum(({ inverse }) => inverse),
    level1: sum(({ levels }) => levels[0]),
  };
}

const STEPS = 60;
const CLOSE = 1e-10;
/** Where slopes break off, those of the other side may help. */
const NUDGES = [1e-6, -1e-6];
const LEAST_PART = 1e-4;

/**
 * Shares at which as many expected numbers are the wanted ones.
 *
 * Formula: Newton's method on log-odds, so that no share leaves (0, 1): x ← x − J⁻¹ (f(x) − wanted), J by differences, the step halved until the
 * largest miss falls.
 * Range: each in (0, 1).
 * Undefined when: no step makes the misses smaller, or 60 do not end it: RangeError. The numbers then contradict each other, or the start is bad.
 * Differs from the paper: not in the paper.
 * @see Dennis and Schnabel (1996), Numerical Methods for Unconstrained Optimization and Nonlinear Equations
 * @example solveShares(([x]) => [x * x], [0.25], [0.3]).map((x) => x.toFixed(6)) // => [ '0.500000' ]
 */
export function solveShares(
  expected: (shares: readonly number[]) => readonly number[],
  wanted: readonly number[],
  start: readonly number[],
): number[] {
  const misses = (x: readonly number[]) => expected(x.map(sigmoid)).map((value, i) => value - wanted[i]!);
  let x = start.map((share) => Math.log(share / (1 - share)));
  let missed = misses(x);
  /** A step along the slopes that a nudge shows; null where it does not help. */
  const stepBy = (nudge: number) => {
    const columns = x.map((_, i) =>
      misses(x.map((value, k) => (k === i ? value + nudge : value))).map((miss, k) => (miss - missed[k]!) / nudge),
    );
    const rows = missed.map((_, row) => columns.map((column) => column[row]!));
    const change = solveLinear(rows, missed);
    for (let part = 1; part > LEAST_PART; part /= 2) {
      const next = x.map((value, i) => value - part * change[i]!);
      const then = misses(next);
      if (largest(then) < largest(missed)) return { next, then };
    }
    return null;
  };
  for (let step = 0; step < STEPS && largest(missed) >= CLOSE; step++) {
    let better: ReturnType<typeof stepBy> = null;
    for (const nudge of NUDGES) better ??= stepBy(nudge);
    if (!better) break;
    x = better.next;
    missed = better.then;
  }
  if (largest(missed) < CLOSE) return x.map(sigmoid);
  throw new RangeError(`no shares give the wanted numbers; the nearest miss them by ${missed.join(", ")}`);
}

const largest = (misses: readonly number[]) => Math.max(...misses.map(Math.abs));

const sigmoid = (x: number) => 1 / (1 + Math.exp(-x));

/** Gaussian elimination with the largest pivot. */
function solveLinear(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, i) => [...row, right[i]!]);
  const n = rows.length;
  for (let k = 0; k < n; k++) {
    let pivot = k;
    for (let i = k + 1; i < n; i++) if (Math.abs(rows[i]![k]!) > Math.abs(rows[pivot]![k]!)) pivot = i;
    [rows[k], rows[pivot]] = [rows[pivot]!, rows[k]!];
    for (let i = 0; i < n; i++) {
      if (i === k) continue;
      const factor = rows[i]![k]! / rows[k]![k]!;
      for (let j = k; j <= n; j++) rows[i]![j]! -= factor * rows[k]![j]!;
    }
  }
  return rows.map((row, k) => row[n]! / row[k]!);
}
