import { describe, expect, it } from "vitest";
import type { ReplicateColumns } from "../../analysis/replicate-columns.js";
import { createRng } from "../../stats/random/create-rng.js";
import { compareDraws, compareSampling, temperedLevel3 } from "./sampling.js";

/** Decisions whose level 3 is drawn at a rate of their own; `read` is what one pass would say of it, given the rate and the draw. */
function world(
  { decisions, k, seed = 1 }: { decisions: number; k: number; seed?: number },
  read: (rate: number, drawn: boolean) => number,
): ReplicateColumns & { rates: number[] } {
  const rng = createRng(seed);
  const rates = Array.from({ length: decisions }, () => rng.next());
  const n = decisions * k;
  const level = new Uint8Array(n);
  const p3 = new Float64Array(n);
  for (let d = 0; d < decisions; d++) {
    for (let i = 0; i < k; i++) {
      const drawn = rng.next() < rates[d]!;
      level[d * k + i] = drawn ? 3 : 1;
      p3[d * k + i] = read(rates[d]!, drawn);
    }
  }
  return {
    decisions,
    start: Int32Array.from({ length: decisions + 1 }, (_, d) => d * k),
    community: Int32Array.from({ length: decisions }, (_, d) => d % 5),
    communities: 5,
    level,
    inverse: new Uint8Array(n),
    p1: p3.map((p) => 1 - p),
    p2: new Float64Array(n),
    p3,
    pds: new Float64Array(n),
    inverseYesProb: new Float64Array(n),
    unitSpace: new Uint8Array(n).fill(1),
    temperature: 1,
    rates,
  };
}

describe("compareSampling", () => {
  it("finds one pass that is sure of its own draw to be worth one sample", () => {
    const result = compareSampling(
      "sure",
      world({ decisions: 400, k: 40 }, (_, drawn) => (drawn ? 1 : 0)),
    );
    const [one] = result.frequency;
    expect(one!.mse.estimate).toBeCloseTo(result.logprob.raw_mse.estimate!, 12);
    expect(result.samples_that_match).toBe(1);
    expect(result.equivalent_samples).toBeGreaterThan(0.9);
    expect(result.equivalent_samples).toBeLessThan(1.1);
    // E[θ(1−θ)] = 1/6 for rates that are uniform.
    expect(one!.mse.estimate).toBeCloseTo(1 / 6, 1);
  });

  it("finds no number of samples that match one pass which knows the rate", () => {
    const result = compareSampling(
      "knowing",
      world({ decisions: 400, k: 40 }, (rate) => rate),
    );
    const { raw_mse } = result.logprob;
    expect(raw_mse.estimate === null ? raw_mse : Math.abs(raw_mse.estimate)).toBeLessThan(0.002);
    expect(result).toMatchObject({ samples_that_match: null, reason: expect.stringMatching(/^20 samples, the most/) });
  });

  it("finds between them the number of samples whose error is the pass's own", () => {
    // Off by 0.1 either way: error 0.01 + what clipping takes, against 1/6/K: K is about 17.
    const rng = createRng(9);
    const columns = world({ decisions: 3000, k: 80, seed: 5 }, (rate) =>
      Math.min(1, Math.max(0, rate + (rng.next() < 0.5 ? 0.1 : -0.1))),
    );
    const result = compareSampling("near", columns);
    expect(result.samples_that_match).toBe(20);
    expect(result.equivalent_samples).toBeGreaterThan(14);
    expect(result.equivalent_samples).toBeLessThan(22);
    for (const { samples, mse } of result.frequency) {
      expect(mse.estimate! * samples).toBeGreaterThan(0.14);
      expect(mse.estimate! * samples).toBeLessThan(0.19);
    }
  });

  it("keeps the two halves apart: the estimating half says nothing of the frequency", () => {
    const columns = world({ decisions: 50, k: 8 }, () => 0.3);
    const before = compareSampling("a", columns);
    const middle = (d: number) => columns.start[d]! + 4;
    for (let d = 0; d < 50; d++) columns.level.fill(2, columns.start[d]!, middle(d));
    const after = compareSampling("a", columns);
    expect(after.logprob.raw_mse).toEqual(before.logprob.raw_mse);
    expect(after.frequency[0]!.mse).not.toEqual(before.frequency[0]!.mse);
    expect(after.reference_replicates).toEqual({ least: 4, most: 4 });
  });

  it("knows no law of the draws where the probabilities may be before or after temperature", () => {
    const columns = { ...world({ decisions: 200, k: 20 }, (rate) => rate), temperature: 0.5 };
    const known = compareSampling("known", columns);
    expect(known.logprob.tempered_mse.estimate).toBeGreaterThan(0.001);
    const unknown = compareSampling("unknown", { ...columns, unitSpace: new Uint8Array(4000) });
    expect(unknown.logprob.raw_mse).toEqual(known.logprob.raw_mse);
    expect(unknown.logprob.tempered_mse).toMatchObject({
      estimate: null,
      reason: expect.stringMatching(/before or after/),
    });
    expect(unknown).toMatchObject({
      samples_that_match: null,
      equivalent_samples: null,
      reason: expect.stringMatching(/before or after temperature/),
    });
  });

  it("takes more decisions than a call takes arguments", () => {
    const columns = world({ decisions: 130_000, k: 4 }, (rate) => rate);
    expect(compareSampling("many", columns).reference_replicates).toEqual({ least: 2, most: 2 });
  });

  it("says why where there are no probabilities or several temperatures", () => {
    const columns = world({ decisions: 20, k: 6 }, () => Number.NaN);
    const bare = compareSampling("bare", { ...columns, temperature: null });
    expect(bare).toMatchObject({ samples_that_match: null, reason: "no replicate has level probabilities" });
    expect(bare.logprob.tempered_mse).toMatchObject({ estimate: null, reason: "the rows do not say one temperature" });
    expect(bare.frequency.map(({ samples }) => samples)).toEqual([1, 2, 3]);
  });
});

describe("compareDraws", () => {
  it("agrees with single replicates where draws were kept as frequencies only", () => {
    const rng = createRng(9);
    const columns = world({ decisions: 3000, k: 80, seed: 5 }, (rate) =>
      Math.min(1, Math.max(0, rate + (rng.next() < 0.5 ? 0.1 : -0.1))),
    );
    const first = (column: Float64Array) => Float64Array.from({ length: 3000 }, (_, d) => column[80 * d]!);
    const drawn = Float64Array.from({ length: 3000 }, (_, d) => {
      const count = columns.level.subarray(80 * d, 80 * d + 80).filter((level) => level === 3).length;
      return (count + 0.5) / 81.5;
    });
    const result = compareDraws("drawn", {
      p1: first(columns.p1),
      p2: first(columns.p2),
      p3: first(columns.p3),
      drawn,
      unitSpace: new Uint8Array(3000).fill(1),
      draws: new Float64Array(3000).fill(80),
      temperature: 1,
    });
    expect(result).toMatchObject({ decisions: 3000, samples_that_match: 20, method: "binomial variance of draws" });
    expect(result.frequency[0]!.mse.estimate).toBeCloseTo(1 / 6, 2);
    expect(result.reference_replicates).toEqual({ least: 80, most: 80 });
  });

  it("is undefined without draws", () => {
    const none = new Float64Array(0);
    const columns = { p1: none, p2: none, p3: none, drawn: none, draws: none };
    const result = compareDraws("none", { ...columns, unitSpace: new Uint8Array(0), temperature: null });
    expect(result).toMatchObject({
      decisions: 0,
      samples_that_match: null,
      reason: "no decision has both probabilities and two draws",
    });
  });
});

describe("temperedLevel3", () => {
  const of = (p: [number, number, number], temperature: number) =>
    temperedLevel3(
      { p1: Float64Array.of(p[0]), p2: Float64Array.of(p[1]), p3: Float64Array.of(p[2]), unitSpace: Uint8Array.of(1) },
      temperature,
    )[0]!;

  it("sharpens below 1, leaves 1 alone, and takes the most probable level at 0", () => {
    expect(of([0.6, 0.1, 0.3], 1)).toBe(0.3);
    expect(of([0.6, 0.1, 0.3], 0.5)).toBeCloseTo(0.09 / 0.46, 12);
    expect(of([0.6, 0.1, 0.3], 0.01)).toBeLessThan(1e-20);
    expect(of([0.2, 0.1, 0.7], 0)).toBe(1);
    expect(of([0.5, 0, 0.5], 0)).toBe(0.5);
    expect(of([Number.NaN, Number.NaN, Number.NaN], 0.5)).toBeNaN();
  });
});
