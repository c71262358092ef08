import { describe, expect, it } from "vitest";
import { bernoulliCusum } from "../measures/gate/drift/cusum.js";
import { inverseLogOdds, labelConfidence, probabilisticDefensibilitySignal } from "../measures/signals/components.js";
import { PAPER_WEIGHTS } from "../measures/signals/weights.js";
import { weightedSpearman } from "../stats/ranks/spearman.js";
import { brierScore, calibrationError, ece, evaluateScore, logLoss } from "./calibration.js";
import { stabilityClass } from "./stability.js";
import {
  auroc,
  averageRanks,
  binomialCdf,
  entropyBits,
  holm,
  quantile,
  sdEstimate,
  spearman,
  weightedProportion,
  wilsonInterval,
} from "./stats.js";

/** What plain JavaScript hands over where the project's JSON says that there is no number. */
const ABSENT = null as unknown as number;

describe("public functions refuse what is no number instead of taking it for 0", () => {
  it.each<[string, () => unknown]>([
    ["auroc", () => auroc([ABSENT, 0.9], [0.1])],
    ["sdEstimate", () => sdEstimate([ABSENT, 1, 2])],
    ["spearman", () => spearman([1, 2, 3, ABSENT], [1, 2, 3, 4])],
    ["wilsonInterval", () => wilsonInterval(ABSENT, 4)],
    ["holm", () => holm([ABSENT, 0.2])],
    ["quantile", () => quantile([ABSENT, 1], 0)],
    ["quantile between", () => quantile([1, ABSENT], 0.5)],
    ["weightedSpearman", () => weightedSpearman([Number.NaN, 2, 3, 4], [1, 3, 2, 4])],
    ["averageRanks", () => averageRanks([ABSENT, 1])],
    ["entropyBits", () => entropyBits([ABSENT, 0.5, 0.5])],
    ["weightedProportion", () => weightedProportion(ABSENT, 10, 40)],
    ["evaluateScore", () => evaluateScore([ABSENT, 0.5] as unknown as Float64Array, Uint8Array.of(0, 1), { seed: 1 })],
    ["logLoss of null", () => logLoss([ABSENT], [1])],
    ["logLoss of NaN", () => logLoss([Number.NaN], [1])],
    ["logLoss of 2", () => logLoss([2], [1])],
    ["brierScore of NaN", () => brierScore([Number.NaN], [1], [0, 1])],
    ["brierScore unsorted", () => brierScore([0.9, 0.1], [1, 0], [0, 2])],
    ["calibrationError", () => calibrationError({ n: [1], scores: [Number.NaN], positives: [1] })],
    ["labelConfidence", () => labelConfidence([Number.NaN, 0.5, 0.5])],
    [
      "S",
      () =>
        probabilisticDefensibilitySignal(
          { lambda_nats: Number.NaN, h_weight_bits: 0, h_citation_bits: 0, inverse_yes_prob: 0 },
          PAPER_WEIGHTS,
        ),
    ],
    ["stabilityClass of NaN", () => stabilityClass(Number.NaN, 40)],
    ["stabilityClass of more than all", () => stabilityClass(50, 40)],
    ["binomialCdf of a fraction", () => binomialCdf(0.5, 2, 0.5)],
    [
      "bernoulliCusum without a threshold",
      () =>
        bernoulliCusum([1], { p0: 0.1, p1: 0.2, up: 6, down: 1, unit_nats: 0.1 } as Parameters<
          typeof bernoulliCusum
        >[1]),
    ],
  ])("%s", (_, call) => {
    expect(call).toThrow(RangeError);
  });
});

describe("small public functions", () => {
  it("knows the law of no trials", () => {
    expect(binomialCdf(0, 0, 0.1)).toBe(1);
  });

  it("does not clip log-odds in the paper's mode", () => {
    expect(inverseLogOdds([1, 1e-26], "paper").log_odds).toBeCloseTo(26 * Math.LN10, 9);
    expect(inverseLogOdds([1, 0], "paper").log_odds).toBeNull();
  });

  it("has the paper's ECE in one call, equal to the evaluation's", () => {
    const scores = Float64Array.from({ length: 137 }, (_, i) => ((i * 37) % 101) / 100);
    const outcomes = Uint8Array.from({ length: 137 }, (_, i) => ((i * 53) % 97 < 60 ? 1 : 0));
    const { equal_frequency } = evaluateScore(scores, outcomes, { seed: 1, draws: 0 }).ece;
    expect(ece(scores, outcomes)).toBeCloseTo(equal_frequency.value!, 12);
    expect(ece([], [])).toBeNull();
  });
});
