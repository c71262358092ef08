import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/simulated-auditor.js";
import { createRng } from "../../stats/random/create-rng.js";
import { caseOf, drawsOf, perfect, shareOf, slack, truthOf } from "./auditor.suite.js";
import { drawAudit, drawTempered, type SimulatedDraw } from "./draw-audit.js";
import { readCase } from "./read-case.js";
import { allLaws, citationProfile, citationSignals, lawIndex } from "./token-entropies.js";

const COUNT = 10_000;
const law = (bits: number) => allLaws()[lawIndex(bits)]!;

/** One draw of each of many cases. */
function singles(truth: ReturnType<typeof truthOf>, auditor: ReturnType<typeof perfect>, temperature: number) {
  return Array.from({ length: COUNT }, (_, i) => drawsOf(caseOf(`case-${i}`, truth), auditor, temperature, 1)[0]!);
}

const yesProb = (draw: SimulatedDraw) => 1 / (1 + Math.exp(-draw.inverseLogOdds));
const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("a simulated trace", () => {
  it("leans elsewhere at the stated rate", () => {
    const auditor = perfect({
      verbosity: 0,
      lean: { most: [0, 0.8, 0], contest_power: [1, 1, 1], temperature_power: 0.2 },
    });
    const p = 0.8 * 0.5 * 0.3 ** 0.2;
    const draws = drawsOf(caseOf("a", truthOf(2, true, 0.5)), auditor, 0.3, COUNT);
    const stray = shareOf(draws, (draw) => draw.levelProbs[1] < 0.5);
    expect(Math.abs(stray - p)).toBeLessThan(slack(p, COUNT));
  });

  it("is sure of the level it leans to, within the stated limits", () => {
    const draws = singles(truthOf(1, false), perfect({ verbosity: 0, confidence: { least: 0.9, most: 0.99 } }), 0.2);
    const doubts = draws.map((draw) => 1 - draw.levelProbs[0]);
    expect(Math.min(...doubts)).toBeGreaterThan(0.01 - 1e-6);
    expect(Math.max(...doubts)).toBeLessThan(0.1 + 1e-6);
    // Log-uniform on [a, b]: mean (b − a)/ln(b/a).
    expect(mean(doubts)).toBeCloseTo(0.09 / Math.log(10), 2);
  });

  it("shows as much of the spread of traces in its token as verbosity says", () => {
    const truth = truthOf(2, true, 1);
    const shown = (verbosity: number) => {
      const auditor = perfect({ verbosity, lean: { most: [0, 0.4, 0] } });
      const reading = readCase(caseOf("a", truth), auditor, 1);
      const draws = drawsOf(caseOf("a", truth), auditor, 1, 2000);
      return { stray: 1 - reading.leans[1], doubt: mean(draws.map((draw) => 1 - draw.levelProbs[1])), draws };
    };
    const all = shown(1);
    expect(all.doubt).toBeCloseTo(all.stray, 6);
    // With verbosity 0 each token is sure, one way or the other.
    for (const draw of shown(0).draws) expect(Math.max(...draw.levelProbs)).toBeGreaterThan(0.949);
  });

  it("writes labels drawn from the temperature-scaled distribution it shows", () => {
    const probs = [0.6, 0.3, 0.1] as const;
    for (const temperature of [0.5, 1, 2]) {
      const powers = probs.map((p) => p ** (1 / temperature));
      const total = powers[0]! + powers[1]! + powers[2]!;
      const rng = createRng("tempered");
      const counts = [0, 0, 0];
      for (let i = 0; i < COUNT; i++) counts[drawTempered(probs, temperature, rng)]! += 1;
      // Chi-square with 2 degrees of freedom: 13.8 is exceeded once in 1,000.
      const chiSquare = counts.reduce((sum, count, i) => {
        const expected = (COUNT * powers[i]!) / total;
        return sum + (count - expected) ** 2 / expected;
      }, 0);
      expect(chiSquare).toBeLessThan(13.8);
    }
    expect(drawTempered([0.2, 0.4, 0.4], 0, { next: () => 0.5 })).toBe(2);
  });

  it("answers the inverse check by its own probability where emission is `signal`", () => {
    const draws = singles(truthOf(2, true), perfect(), 1);
    const p = mean(draws.map(yesProb));
    expect(Math.abs(shareOf(draws, (draw) => draw.inverse) - p)).toBeLessThan(slack(p, COUNT));
    expect(p).toBeCloseTo(0.9, 2);
    const greedy = singles(truthOf(2, true), perfect(), 0);
    for (const draw of greedy) expect(draw.inverse).toBe(draw.inverseLogOdds > 0);
  });

  it("answers it by what it holds where emission is `reading`, with the stated means of σ(ρ)", () => {
    const auditor = perfect({ inverse: { emission: "reading", yes: [0.5, [0.7, 0.8], 0.9], no: [0.1, 0.4, 0.2] } });
    const held = singles(truthOf(2, true), auditor, 1);
    expect(shareOf(held, (draw) => draw.inverse)).toBe(1);
    expect(mean(held.map(yesProb))).toBeCloseTo(0.8, 2);
    const denied = singles(truthOf(2, false), auditor, 0.1);
    expect(shareOf(denied, (draw) => draw.inverse)).toBe(0);
    expect(mean(denied.map(yesProb))).toBeCloseTo(0.4, 2);
  });

  it("weighs precedents by the stated shares, as Low where there are none", () => {
    const auditor = perfect({
      weight: {
        shares: [
          [0.88, 0.09, 0.03],
          [1, 0, 0],
          [1, 0, 0],
        ],
        doubt: [1e-6, 0.1, 0.1],
      },
    });
    const draws = singles(truthOf(1, false), auditor, 0.2);
    [0.88, 0.09, 0.03].forEach((p, weight) => {
      expect(Math.abs(shareOf(draws, (draw) => draw.weight === weight) - p)).toBeLessThan(slack(p, COUNT));
    });
    const shown = { tier: "wiki", scopes: "both", opposite: false, precedents: false } as const;
    const low = drawsOf(
      caseOf("a", truthOf(1, false), { shown }),
      perfect({ weight: { without_precedents: [0, 0, 1] } }),
      0.2,
      200,
    );
    expect(shareOf(low, (draw) => draw.weight === 2)).toBeGreaterThan(0.95);
  });

  it("has citation entropies with the stated mean, most of whose spread is the case's", () => {
    const auditor = perfect({ citation: { bits: [0.08, 0.2, 0.1], case_sd: 0.6, trace_sd: 0.3 } });
    const draws = singles(truthOf(1, false), auditor, 0.1);
    expect(mean(draws.map((draw) => draw.citationBits))).toBeCloseTo(0.08, 2);
    const logs = draws.map((draw) => Math.log(draw.citationBits));
    expect(variance(logs)).toBeCloseTo(0.36 + 0.09, 1);
    const within = drawsOf(caseOf("a", truthOf(1, false)), auditor, 0.1, 5000);
    expect(variance(within.map((draw) => Math.log(draw.citationBits)))).toBeCloseTo(0.09, 2);
  });

  it("orders cases by citation entropy much the same at another temperature", () => {
    const auditor = perfect({ citation: { temperature_mixing: 0.3, trace_sd: 0 } });
    const at = (temperature: number) =>
      singles(truthOf(1, false), auditor, temperature).map((draw) => Math.log(draw.citationBits));
    expect(correlation(at(0.1), at(1))).toBeCloseTo(Math.sqrt(0.7), 1);
    expect(correlation(at(0.1), at(0.05))).toBeCloseTo(1, 10);
  });

  it("fails at the stated rates", () => {
    const auditor = perfect({ faults: { refusal: 0.02, truncation: [0.01, 0.04], missing: 0.1 } });
    const draws = singles(truthOf(1, false), auditor, 1);
    const rate = (fault: string) => shareOf(draws, (draw) => draw.fault === fault);
    expect(Math.abs(rate("refusal") - 0.02)).toBeLessThan(slack(0.02, COUNT));
    expect(Math.abs(rate("truncation") - 0.04)).toBeLessThan(slack(0.04, COUNT));
    expect(Math.abs(rate("missing") - 0.094)).toBeLessThan(slack(0.094, COUNT));
  });

  it("cites another rule, or none that exists, at the stated rates", () => {
    const draws = singles(truthOf(1, false), perfect({ citation: { other: 0.1, invented: 0.05 } }), 0.2);
    expect(Math.abs(shareOf(draws, (draw) => draw.citation === "other") - 0.1)).toBeLessThan(slack(0.1, COUNT));
    expect(Math.abs(shareOf(draws, (draw) => draw.citation === "invented") - 0.05)).toBeLessThan(slack(0.05, COUNT));
  });

  it("is the same for the same numbers and another for others", () => {
    const auditor = perfect({ noise: 1 });
    const reading = readCase(caseOf("a", truthOf(2, true, 0.5)), auditor, 0.7);
    expect(drawAudit(reading, auditor, createRng("x"))).toEqual(drawAudit(reading, auditor, createRng("x")));
    expect(drawAudit(reading, auditor, createRng("x"))).not.toEqual(drawAudit(reading, auditor, createRng("y")));
  });
});

describe("the tokens of a citation", () => {
  it("have the entropy nearest to the wanted one", () => {
    for (const bits of [0.0002, 0.01, 0.08, 1, 3.9]) expect(law(bits).bits / bits).toBeCloseTo(1, 1.9);
    expect(law(0).bits).toBeCloseTo(1e-4, 8);
    expect(law(100).bits).toBeCloseTo(4.3, 6);
    expect(lawIndex(Number.NaN)).toBe(0);
  });

  it.each(reference.entropies.filter(([, bits]) => bits! > 1e-4 && bits! < 4.3))(
    "fall as the power %d where the entropy is %d bits, as scipy computes it",
    (exponent, bits) => {
      const { logprobs } = law(bits!);
      expect((logprobs[0]! - logprobs[1]!) / Math.LN2 / exponent!).toBeCloseTo(1, 1);
    },
  );

  it("are distributions, best candidate first", () => {
    for (const law of allLaws()) {
      const sum = law.logprobs.reduce((total, logprob) => total + Math.exp(logprob), 0);
      expect(sum + law.tail).toBeCloseTo(1, 10);
      expect([...law.logprobs]).toEqual([...law.logprobs].sort((a, b) => b - a));
    }
  });

  it("have together the mean that was drawn", () => {
    for (const n of [1, 2, 7, 25]) {
      expect(mean([...citationProfile(n)])).toBeCloseTo(1, 12);
      expect(citationSignals(0.08, n).bits / 0.08).toBeCloseTo(1, 1.9);
    }
  });
});

function variance(values: readonly number[]): number {
  const centre = mean(values);
  return mean(values.map((value) => (value - centre) ** 2));
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const [ma, mb] = [mean(a), mean(b)];
  const product = mean(a.map((value, i) => (value - ma) * (b[i]! - mb)));
  return product / Math.sqrt(variance(a) * variance(b));
}
