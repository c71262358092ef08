import { describe, expect, it } from "vitest";
import { createRng } from "../../stats/random/create-rng.js";
import { type SignalInputs, signalExperiment } from "./experiment.js";
import { sigmaRow } from "./measure-signals.js";
import { signalExperimentSchema } from "./result.js";
import { type MeasuredColumns, measuredColumns } from "./signals.js";

/** Verdicts of which S and σ(ρ) know something, H[w] nothing, and H[κ] is absent. */
function columns(n: number): MeasuredColumns {
  const rng = createRng(4);
  const real = (value: (i: number) => number) => Float64Array.from({ length: n }, (_, i) => value(i));
  const level = Uint8Array.from({ length: n }, () => (rng.next() < 0.1 ? 3 : rng.next() < 0.2 ? 2 : 1));
  const inverse = level.map((l) => (rng.next() < [0.02, 0.6, 0.88][l - 1]! ? 1 : 0));
  const yes = real((i) => Math.min(1, Math.max(0, 0.8 * inverse[i]! + 0.2 * rng.next())));
  const p3 = real((i) => (level[i] === 3 ? 0.9 : 0.05) + 0.05 * rng.next());
  return measuredColumns(
    {
      n,
      level,
      levelMap: level,
      inverse,
      positive: new Uint8Array(n),
      p1: p3.map((p) => 1 - p),
      p2: new Float64Array(n),
      p3,
      lambdaNats: p3.map((p) => Math.log(Math.max(p, 1 - p))),
      weightBits: real(() => rng.next()),
      citationBits: new Float64Array(n).fill(Number.NaN),
      inverseLogOdds: yes.map((p) => Math.log(p / (1 - p))),
      inverseYesProb: yes,
      pds: yes.map((p) => Math.exp(-0.36 * p)),
      pDefensible: p3.map((p) => 1 - p),
      temperature: new Float64Array(n).fill(0.2),
      unitSpace: new Uint8Array(n).fill(1),
      community: Int32Array.from({ length: n }, (_, i) => i % 12),
      communities: Array.from({ length: 12 }, (_, i) => `c${i}`),
      rowId: Int32Array.from({ length: n }, (_, i) => i),
      agrees: level.map((l) => (l === 3 ? 0 : rng.next() < 0.1 ? 0 : rng.next() < 0.1 ? 2 : 1)),
      pCalibrated: new Float64Array(n).fill(Number.NaN),
      samples: new Float64Array(n).fill(Number.NaN),
    },
    null,
  );
}

function inputs(n: number, changes: Partial<SignalInputs> = {}): SignalInputs {
  return {
    arm: { arm: "", verdicts: n, replicated: 0, most: 1, sampled: false },
    columns: columns(n),
    references: [],
    spread: {},
    source: { name: "run x", run_id: "x", auditor: "simulated:columns", signal: "logprobs" },
    runs: ["x"],
    temperatures: [],
    sampling: [],
    calibrated: true,
    ...changes,
  };
}

describe("signalExperiment", () => {
  const base = inputs(1200);
  const truth = base.columns.level.map((l, i) => (i % 10 === 0 ? 0 : l));
  const result = signalExperiment({
    ...base,
    references: [{ name: "truth", level: truth }],
    spread: { pds: base.columns.pds.map((s, i) => (i % 3 === 0 ? Number.NaN : 1 - s)) },
  });
  const signal = (name: string) => result.signals.find((one) => one.signal === name)!;

  it("is a whole result", () => {
    expect(signalExperimentSchema.parse(result)).toEqual(result);
    expect(result.warnings.join()).toMatch(/auditor is simulated/);
  });

  it("tells signals that know something from one that does not", () => {
    expect(signal("p_defensible").auroc.own_level.estimate).toBe(1);
    expect(signal("p_defensible").auroc.references.truth!.n).toBe(1080);
    expect(signal("inverse_yes_prob").auroc.references.truth!.estimate).toBeGreaterThan(0.85);
    const noise = signal("h_weight_bits").auroc.references.truth as { lower: number; upper: number };
    expect(noise.lower).toBeLessThan(0.5);
    expect(noise.upper).toBeGreaterThan(0.5);
  });

  it("turns every signal so that above one half means worse", () => {
    expect(signal("pds").auroc.own_level.estimate).toBeGreaterThan(0.8);
    expect(signal("pds").level.estimate).toBeLessThan(0);
    expect(signal("pds").inverse.auroc.estimate).toBeGreaterThan(0.9);
  });

  it("is undefined, with the reason, for a signal that nobody has", () => {
    const { n, mean, auroc, level } = signal("h_citation_bits");
    expect(n).toBe(0);
    for (const estimate of [mean, auroc.own_level, level]) {
      expect(estimate).toMatchObject({ estimate: null, reason: "no verdict has this signal", n: 0 });
    }
    expect(signal("decider_confidence").disagreement.spearman.estimate).toBeNull();
  });

  it("calls circular what it is", () => {
    expect(signal("inverse_yes_prob").circular.inverse).toMatch(/very token/);
    expect(signal("decider_confidence").circular).toEqual({});
  });

  it("gives the bound of a correlation with yes or no", () => {
    const { inverse } = signal("inverse_yes_prob");
    const share = base.columns.inverse.reduce((sum, one) => sum + one, 0) / 1200;
    expect(inverse.bound).toBeCloseTo(Math.sqrt(3 * share * (1 - share)), 12);
    expect(inverse.spearman.estimate).toBeLessThanOrEqual((inverse.bound! * 1200) / Math.sqrt(1200 ** 2 - 1) + 1e-12);
  });

  it("has the structure of levels and of regimes", () => {
    const [one, two, three] = result.levels;
    expect(one!.n + two!.n + three!.n).toBe(1200);
    expect(one!.ambiguity_index.estimate).toBeLessThan(0.1);
    expect(three!.ambiguity_index.estimate).toBeGreaterThan(0.75);
    const row = (name: string, statistic: string) =>
      result.agreement.find((r) => r.signal === name && r.statistic === statistic)!;
    expect(row("pds", "value").ratio.estimate).toBeLessThan(1);
    expect(row("pds", "sd").ratio.estimate).toBeGreaterThan(1);
    expect(result.agreement.some((r) => r.signal === "h_weight_bits" && r.statistic === "sd")).toBe(false);
    expect(result.output_confidence.agree!.n + result.output_confidence.disagree!.n).toBe(result.counts.labelled);
  });

  it("draws every figure from numbers, and says when there are no replicates", () => {
    expect(result.figures.map(({ id }) => id)).toEqual([
      "pds-by-level",
      "pds-sigma-states",
      "signals-by-agreement",
      "signal-auroc",
    ]);
    const [histogram] = result.figures;
    const shares = histogram!.rows.filter((row) => row.level === 1).reduce((sum, row) => sum + Number(row.share), 0);
    expect(shares).toBeCloseTo(1, 9);
    expect(result.sampling).toMatchObject({ available: false, reason: expect.stringMatching(/four times/) });
  });
});

describe("sigmaRow", () => {
  it("is the paper's row: N, AI, Spearman, mean of Yes and No, and their ratio", () => {
    const inverse = Uint8Array.of(1, 1, 0, 0, 0, 0, 1, 0, 0, 0);
    const inverseYesProb = Float64Array.of(0.9, 0.8, 0.1, 0.2, 0.1, 0.2, Number.NaN, 0.1, 0.1, 0.2);
    const community = Int32Array.of(0, 0, 0, 0, 1, 1, 1, 1, 1, 1);
    const row = sigmaRow(
      { name: "t", temperature: 0.1 },
      { inverse, inverseYesProb, community, communities: ["a", "b"] },
    );
    expect(row).toMatchObject({ name: "t", temperature: 0.1, n: 9 });
    expect(row.ambiguity_index).toMatchObject({ k: 2, n: 9 });
    expect(row.yes.estimate).toBeCloseTo(0.85, 12);
    expect(row.no.estimate).toBeCloseTo(1 / 7, 12);
    expect(row.ratio.estimate).toBeCloseTo(0.85 * 7, 12);
    expect(row.auroc.estimate).toBe(1);
  });

  it("is undefined without σ(ρ)", () => {
    const empty = { inverse: new Uint8Array(0), inverseYesProb: new Float64Array(0), community: new Int32Array(0) };
    const row = sigmaRow({ name: "none", temperature: null }, { ...empty, communities: [] });
    for (const estimate of [row.ambiguity_index, row.spearman, row.ratio, row.yes])
      expect(estimate.estimate).toBeNull();
    expect(row.bound).toBeNull();
  });
});
