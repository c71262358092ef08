import { type SimulatedAuditor, simulatedAuditorSchema } from "../../core/results/simulated-auditor.js";
import { logitNormalMean } from "../../stats/distributions/normal.js";
import { PAPER_RATES } from "../world/level-shares.js";

/**
 * The numbers printed in the paper about its auditor that this preset uses; nothing else is taken from the paper. Of a range over temperatures only
 * the ends are printed; which end belongs to T = 0.1 follows from the totals of the same table (see docs/simulated-auditor.md).
 * @see paper §5.4, §8 (table of archetypes), appendix A.2, A.3 (held-out table)
 */
export const PAPER_AUDITOR = {
  /** P(inverse check = Yes | level). */
  inverse: [
    [0.017, 0.029],
    [0.588, 0.614],
    [0.905, 0.861],
  ],
  /** Mean σ(ρ) by level. */
  yesProb: [
    [0.063, 0.083],
    [0.783, 0.809],
    [0.932, 0.91],
  ],
  /** Mean σ(ρ) where the answer is Yes, at T = 0.1: how closely σ(ρ) and the answer are related within a level. */
  yesProbOfYes: 0.894,
  /** "Uniformly high." */
  confidence: [0.95, 0.99],
  /** Share of High by level: midpoints of 86–90% and 57–85%; level 2 is "Medium/split". */
  high: [0.88, 0.35, 0.71],
  /** H[κ] of clean cases, bits per token. */
  citationBits: 0.078,
  /** Rank correlation of H[κ] between T = 0.1 and 1.0. */
  citationRank: 0.878,
  citationTokens: 25,
  /** Of 26,984 attempts: no verdict; no S. */
  unanswered: [49 / 26_984, 465 / 26_984],
  skipped: [472 / 26_984, 975 / 26_984],
} as const satisfies Record<string, unknown>;

/**
 * What traces hold, chosen so that what is *written* has the published rates in the Random Sample of the paper's world: traces
 * stray to other levels, and at T = 1 one written level in forty is not the one the trace leaned to. Solved by simulation, at the
 * four temperatures of the sweep; a test repeats it.
 */
const SOLVED = {
  inverse: [
    [0.0174, 0.0202, 0.025, 0.0265],
    [0.6122, 0.6151, 0.6467, 0.705],
    [0.861, 0.8468, 0.8281, 0.8197],
  ],
  yesProb: [
    [0.0629, 0.068, 0.0755, 0.0796],
    [0.7935, 0.7977, 0.8285, 0.8963],
    [0.9218, 0.9146, 0.9046, 0.9042],
  ],
  /** Share of Yes among traces that stray to level 2. */
  strayed: 0.9,
  /** Half the distance, in nats, of ρ between the answers Yes and No of one level. */
  separation: 1.6,
  /** Standard deviation of ρ within them, nats: assumed. */
  spread: 2,
} as const;

/** One value for each of the sweep's four temperatures. */
type Four = readonly [number, number, number, number];

interface Held {
  inverse: readonly [Four, Four, Four];
  yesProb: readonly [Four, Four, Four];
  strayed: number;
  separation: number;
  spread: number;
}

/** The paper's auditor, as far as it is published. Each number is marked as input, derived from inputs, or assumed. */
export function paperAuditor({ inverse, yesProb, strayed, separation, spread }: Held = SOLVED): SimulatedAuditor {
  const { confidence, high, citationBits, citationRank, unanswered, skipped } = PAPER_AUDITOR;
  const [, truth2, truth3] = PAPER_RATES.inverse;
  const means = inverse.map((rates, level) => answerMeans(yesProb[level]!, rates, separation, spread));
  const byLevel = <T>(value: (level: number) => T): [T, T, T] => [value(0), value(1), value(2)];
  return {
    seed: 1,
    family: "simulated",
    bias: 0,
    noise: 1,
    // Published levels are the auditor's own, and the world is made from them, so none is misread.
    confusion: [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
    inverse_missed: [0, missed(truth2, inverse[1]), missed(truth3, inverse[2])],
    inverse_invented: [[...inverse[0]], invented(truth2, inverse[1]), invented(truth3, inverse[2])],
    lean: {
      most: [0.3, 0.9, 2.2],
      contest_power: [1, 3, 1],
      elsewhere: [
        [0, 0.95, 0.05],
        [0.4, 0, 0.6],
        [0.1, 0.9, 0],
      ],
      inverse: [[...inverse[0]], strayed, [...inverse[2]]],
      temperature_power: 0.2,
      unsettled: 0.4,
      without_precedents: 0.1,
    },
    confidence: { least: confidence[0], most: confidence[1] },
    verbosity: 0.05,
    inverse: {
      yes: byLevel((level) => means[level]!.yes),
      no: byLevel((level) => means[level]!.no),
      spread,
      case_share: 0.5,
      emission: "reading",
    },
    weight: {
      shares: byLevel((level) => [high[level]!, 0.75 * (1 - high[level]!), 0.25 * (1 - high[level]!)]),
      without_precedents: [0.02, 0.08, 0.9],
      doubt: [0.05, 0.3, 0.12],
      spread: 0.8,
    },
    citation: {
      bits: [0.9 * citationBits, 1.5 * citationBits, 0.8 * citationBits],
      case_sd: 0.6,
      trace_sd: 0.4,
      temperature_mixing: 1 - (2 * Math.sin((Math.PI * citationRank) / 6)) ** 2,
      tokens: PAPER_AUDITOR.citationTokens,
      other: 0.05,
      invented: 0.005,
    },
    faults: {
      refusal: 0,
      truncation: [...unanswered],
      // Share with a verdict but no S, among those with a verdict.
      missing: [withoutSignal(0), withoutSignal(1)],
    },
  };

  function withoutSignal(end: 0 | 1): number {
    return (skipped[end] - unanswered[end]) / (1 - unanswered[end]);
  }
}

/** Miss rates that turn the world's share of derivable opposites into the wanted share of Yes, with the fewest errors. */
function missed(truth: number, wanted: Four): [number, number, number, number] {
  return four((i) => Math.max(0, 1 - wanted[i]! / truth));
}

function invented(truth: number, wanted: Four): [number, number, number, number] {
  return four((i) => Math.max(0, (wanted[i]! - truth) / (1 - truth)));
}

function four(value: (i: number) => number): [number, number, number, number] {
  return [value(0), value(1), value(2), value(3)];
}

/** Means of σ(ρ) for the answers Yes and No that together give a level's mean; their locations are 2 · separation nats apart. */
function answerMeans(mean: Four, yes: Four, separation: number, spread: number) {
  const parts = mean.map((one, i) => answerMeansAt(one, yes[i]!, separation, spread));
  return { yes: four((i) => parts[i]!.yes), no: four((i) => parts[i]!.no) };
}

function answerMeansAt(mean: number, yes: number, separation: number, spread: number): { yes: number; no: number } {
  let [low, high] = [-30, 30];
  const of = (location: number) => ({
    yes: logitNormalMean(location + separation, spread),
    no: logitNormalMean(location - separation, spread),
  });
  for (let i = 0; i < 60; i++) {
    const middle = (low + high) / 2;
    const parts = of(middle);
    if (yes * parts.yes + (1 - yes) * parts.no < mean) low = middle;
    else high = middle;
  }
  return of((low + high) / 2);
}

/** A named auditor with every setting spelled out. */
export function auditorPreset(name: "default" | "paper"): SimulatedAuditor {
  return name === "paper" ? paperAuditor() : simulatedAuditorSchema.parse({});
}
