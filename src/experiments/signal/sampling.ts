import type { ReplicateColumns } from "../../analysis/replicate-columns.js";
import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { samplingLaw } from "../../measures/stability/cell-stats.js";
import { meanOf } from "../../stats/intervals/mean-estimate.js";
import { auroc } from "../../stats/ranks/auroc.js";
import type { SamplingComparison } from "./result.js";

/** Why p(L3) at the temperature of the draws is undefined. */
export const UNKNOWN_SPACE =
  "it is not known whether the probabilities are before or after temperature (logprob_space), so that the law of the draws is not known";

/** p(L3) of each row under the law from which levels are drawn at a temperature; NaN if the row does not determine that law. */
export function temperedLevel3(
  { p1, p2, p3, unitSpace }: Pick<ReplicateColumns, "p1" | "p2" | "p3" | "unitSpace">,
  temperature: number,
): Float64Array {
  return p3.map((third, i) => {
    if (unitSpace[i] === 0) return Number.NaN;
    // A row may have p(L3) only.
    if (temperature === 1) return third;
    return samplingLaw(p1[i]!, p2[i]!, third, temperature)?.[2] ?? Number.NaN;
  });
}

/** Numbers of samples that are tried. */
const STEPS = [1, 2, 5, 10, 20, 50, 100, 200, 500] as const;

/** With fewer replicates, one of the two sides would be too small. */
export const LEAST_REPLICATES = 4;

/** Replicates of a decision: the first half estimates the frequency of the second. */
interface Halves {
  /** First row, first row of the second half, end. */
  from: number;
  middle: number;
  to: number;
  /** Share of level 3 in the second half. */
  frequency: number;
  /** Unbiased variance of `frequency` as an estimate of the underlying rate. */
  noise: number;
}

/**
 * Compares p(L3) of one pass with the frequency of K samples, as estimates of how often level 3 is drawn.
 *
 * Each decision's replicates are split in two: the second half gives the frequency f with variance v = f(1−f)/(R−1); estimates come from
 * the first half, so that no draw is on both sides. Error of an estimate e: (e − f)² − v, unbiased for (e − true rate)². One pass: e =
 * p(L3) of each replicate of the first half, as read and, if known, under the law of the draws (`samplingLaw`). K samples: e = share of
 * level 3 in each whole block of K. Means are over decisions with at least K replicates in their first half.
 */
export function compareSampling(name: string, columns: ReplicateColumns): SamplingComparison {
  const halves = cut(columns);
  const { temperature } = columns;
  const raw = passError(halves, columns.p3);
  const unknown = raw.estimate !== null && !columns.unitSpace.includes(1);
  const tempered = temperature === null || unknown ? null : temperedLevel3(columns, temperature);
  const atTemperature = tempered
    ? passError(halves, tempered)
    : undefinedEstimate(unknown ? UNKNOWN_SPACE : "the rows do not say one temperature", halves.length);
  const largest = halves.reduce((most, { from, middle }) => Math.max(most, middle - from), 0);
  const frequency = [...new Set([...STEPS, largest])]
    .sort((a, b) => a - b)
    .flatMap((samples) => {
      const enough = halves.filter(({ from, middle }) => middle - from >= samples);
      if (enough.length === 0) return [];
      const mse = meanOf(enough.map((half) => blockError(columns, half, samples)));
      const first = (half: Halves) => share(columns, half.from, half.from + samples);
      return [{ samples, decisions: enough.length, mse, auroc: separation(enough, first) }];
    });
  const best = atTemperature.estimate === null && !unknown ? raw : atTemperature;
  const binomial = halves.reduce((sum, { from, middle, to, frequency: f }) => {
    const rows = to - middle;
    return sum + (middle > from ? (f * (1 - f) * rows) / (rows - 1) : 0);
  }, 0);
  return {
    name,
    temperature,
    decisions: halves.length,
    reference_replicates: spanOf(halves.map(({ middle, to }) => to - middle)),
    method: "disjoint replicates",
    logprob: {
      raw_mse: raw,
      tempered_mse: atTemperature,
      auroc: separation(halves, ({ from }) => (tempered ?? columns.p3)[from]!),
    },
    frequency,
    ...matching(best, frequency, binomial / halves.length),
  };
}

/** The number of samples whose error is at most that of one pass. `noise`: the mean error of a single sample. */
function matching(
  best: Estimate,
  frequency: SamplingComparison["frequency"],
  noise: number,
): Pick<SamplingComparison, "samples_that_match" | "equivalent_samples" | "reason"> {
  if (best.estimate === null) return { samples_that_match: null, equivalent_samples: null, reason: best.reason };
  const match = frequency.find(({ mse }) => (mse.estimate ?? Infinity) <= best.estimate!);
  const few = `${frequency.at(-1)?.samples ?? 0} samples, the most that can be tried, have a larger error than one pass`;
  return {
    samples_that_match: match?.samples ?? null,
    equivalent_samples: best.estimate > 0 && noise > 0 ? noise / best.estimate : null,
    reason: match ? null : few,
  };
}

/** Minimum and maximum without spreading: the number of call arguments is limited. */
function spanOf(sizes: readonly number[]): { least: number; most: number } {
  let [least, most] = [sizes[0] ?? 0, sizes[0] ?? 0];
  for (const size of sizes) {
    if (size < least) least = size;
    if (size > most) most = size;
  }
  return { least, most };
}

function cut({ decisions, start, level }: ReplicateColumns): Halves[] {
  return Array.from({ length: decisions }, (_, d) => {
    const from = start[d]!;
    const to = start[d + 1]!;
    const middle = from + Math.floor((to - from) / 2);
    let indefensible = 0;
    for (let i = middle; i < to; i++) if (level[i] === 3) indefensible++;
    const rows = to - middle;
    const frequency = indefensible / rows;
    return { from, middle, to, frequency, noise: (frequency * (1 - frequency)) / (rows - 1) };
  });
}

/** Mean squared error of one pass; each decision counts once, by the mean over the replicates of its first half. */
function passError(halves: readonly Halves[], p3: Float64Array): Estimate {
  const errors: number[] = [];
  for (const { from, middle, frequency, noise } of halves) {
    let sum = 0;
    let n = 0;
    for (let i = from; i < middle; i++) {
      const p = p3[i]!;
      if (Number.isNaN(p)) continue;
      sum += (p - frequency) ** 2;
      n++;
    }
    if (n > 0) errors.push(sum / n - noise);
  }
  return meanOf(errors, "no replicate has level probabilities");
}

function blockError(columns: ReplicateColumns, half: Halves, samples: number): number {
  let sum = 0;
  let blocks = 0;
  for (let at = half.from; at + samples <= half.middle; at += samples) {
    sum += (share(columns, at, at + samples) - half.frequency) ** 2;
    blocks++;
  }
  return sum / blocks - half.noise;
}

function share({ level }: ReplicateColumns, from: number, to: number): number {
  let count = 0;
  for (let i = from; i < to; i++) if (level[i] === 3) count++;
  return count / (to - from);
}

/** AUROC for decisions that are mostly level 3 in the second half. */
function separation(halves: readonly Halves[], score: (half: Halves) => number): Estimate {
  const of = (indefensible: boolean) =>
    halves
      .filter(({ frequency }) => frequency > 0.5 === indefensible)
      .map(score)
      .filter((value) => !Number.isNaN(value));
  return auroc(of(true), of(false));
}

/** Decisions whose probabilities one run read and another run drew samples of. */
interface DrawnPairs {
  p1: Float64Array;
  p2: Float64Array;
  p3: Float64Array;
  /** 1: the probabilities are those at temperature 1; 0: unknown. */
  unitSpace: Uint8Array;
  /** Smoothed share of level 3 among the draws, (k + ½)/(K + 3⁄2), and K. */
  drawn: Float64Array;
  draws: Float64Array;
  /** Temperature of the draws; null if unknown. */
  temperature: number | null;
}

const NO_ROWS = "no decision has both probabilities and two draws";

/**
 * The same comparison if only frequencies of draws were kept: a run with signal `sampling` against one with signal `logprobs`.
 *
 * f = k/K. Error of one pass: (p − f)² − f(1−f)/(K−1). Error of K' samples: f(1−f)/K' · K/(K−1), the binomial variance, since single draws
 * are not kept. Both are unbiased for the error against the rate behind f. Decisions with fewer than two draws are left out.
 */
export function compareDraws(name: string, pairs: DrawnPairs): SamplingComparison {
  const rows: { f: number; k: number; raw: number; tempered: number }[] = [];
  const unknown = pairs.p3.length > 0 && !pairs.unitSpace.includes(1);
  const tempered = pairs.temperature === null || unknown ? null : temperedLevel3(pairs, pairs.temperature);
  for (let i = 0; i < pairs.p3.length; i++) {
    const k = pairs.draws[i]!;
    if (!(k >= 2) || Number.isNaN(pairs.p3[i]!)) continue;
    const count = Math.round(pairs.drawn[i]! * (k + 1.5) - 0.5);
    rows.push({ f: count / k, k, raw: pairs.p3[i]!, tempered: tempered?.[i] ?? Number.NaN });
  }
  const noise = (f: number, k: number) => (f * (1 - f)) / (k - 1);
  const error = (of: "raw" | "tempered") => {
    const kept = rows.filter((row) => !Number.isNaN(row[of]));
    return meanOf(
      kept.map((row) => (row[of] - row.f) ** 2 - noise(row.f, row.k)),
      NO_ROWS,
    );
  };
  const binomial = meanOf(
    rows.map(({ f, k }) => noise(f, k) * k),
    NO_ROWS,
  );
  const best = tempered
    ? error("tempered")
    : unknown && rows.length > 0
      ? undefinedEstimate(UNKNOWN_SPACE, rows.length)
      : error("raw");
  const frequency = STEPS.filter((samples) => rows.some(({ k }) => k >= samples)).map((samples) => ({
    samples,
    decisions: rows.length,
    mse: scaled(binomial, 1 / samples),
    auroc: undefinedEstimate("single draws are not kept", rows.length),
  }));
  const scores = (indefensible: boolean) =>
    rows.filter(({ f }) => f > 0.5 === indefensible).map((row) => (tempered ? row.tempered : row.raw));
  return {
    name,
    temperature: pairs.temperature,
    decisions: rows.length,
    reference_replicates: spanOf(rows.map(({ k }) => k)),
    method: "binomial variance of draws",
    logprob: {
      raw_mse: error("raw"),
      tempered_mse: tempered
        ? error("tempered")
        : undefinedEstimate(unknown ? UNKNOWN_SPACE : "the draws do not say one temperature", rows.length),
      auroc: auroc(scores(true), scores(false)),
    },
    frequency,
    ...matching(best, frequency, binomial.estimate ?? 0),
  };
}

function scaled(estimate: Estimate, factor: number): Estimate {
  if (estimate.estimate === null) return estimate;
  const { estimate: value, lower, upper } = estimate;
  return { ...estimate, estimate: value * factor, lower: lower * factor, upper: upper * factor };
}
