import { describe, expect, it } from "vitest";
import type { CalibrationResult } from "../../core/calibration.js";
import { type Figure, figureSchema } from "../../core/figure.js";
import { evaluateScore, type ScoreEvaluation } from "../../measures/calibration/errors/evaluate-score.js";
import { scoreFrontier } from "../../measures/gate/frontier.js";
import { makeReport, makeReportPage } from "../../measures/report.suite.js";
import type { ReportPage, ScoreDetails } from "../../measures/report-page.js";
import { createRng } from "../../stats/random/create-rng.js";
import { isMissing, type MaybeFigure } from "./missing.js";
import { calibrationWeightsFigure, reliabilityFigure } from "./reliability.js";
import { scoreByLevelFigure, scoreFrontierFigure } from "./score-frontier.js";

const N = 600;
const rng = createRng(5);
const said = Float64Array.from({ length: N }, () => 0.05 + 0.9 * rng.next());
/** Kept: what is found is what was said. */
const kept = evaluateScore(
  said,
  Uint8Array.from(said, (p) => (rng.next() < p ? 1 : 0)),
  { seed: 1 },
);
/** Broken: everything is defensible in half of the cases, whatever was said. */
const broken = evaluateScore(
  said,
  Uint8Array.from(said, () => (rng.next() < 0.5 ? 1 : 0)),
  { seed: 1 },
);

function calibrationOf(evaluation: ScoreEvaluation, parts: Partial<CalibrationResult> = {}): CalibrationResult {
  const none = { equal_frequency: 0, tie_averaged: 0, equal_width: 0, debiased_rms: 0, smooth: 0, null_95: 0 };
  return {
    component: "h_w",
    method: "platt",
    weights: { alpha: 0.5, beta: 0.1, gamma: 0.4 },
    loss: 0.3,
    n: N,
    active_constraints: [],
    ece: none,
    brier: 0.1,
    log_loss: 0.3,
    auroc: 0.8,
    mean_pds: { all: 0.7, defensible: 0.8, indefensible: 0.4 },
    evaluation,
    ...parts,
  };
}

function pageOf(calibration: CalibrationResult | null, details: Partial<ScoreDetails> = {}): ReportPage {
  const report = makeReport([{ n: 10 }], calibration ? { calibration } : {});
  const none = { pds_by_level: [], pds_medians: [], pds_by_label: null, parts_by_level: [] };
  return makeReportPage(report, { calibration_details: { ...none, ...details } });
}

function drawn(figure: MaybeFigure): Figure {
  if (isMissing(figure)) throw new Error(figure.missing);
  return figureSchema.parse(figure);
}

describe("said against found", () => {
  it("has a point for each bin, with the interval of what was found and the band of a perfect score", () => {
    const { rows, band, references } = drawn(reliabilityFigure(pageOf(calibrationOf(kept))));
    expect(rows).toHaveLength(10);
    expect(rows.map((row) => row.n).reduce((sum: number, n) => sum + Number(n), 0)).toBe(N);
    for (const row of rows) {
      expect(Number(row.found_lower)).toBeLessThanOrEqual(Number(row.found));
      expect(Number(row.found)).toBeLessThanOrEqual(Number(row.found_upper));
      expect(row[band!.lower]).toBeTypeOf("number");
    }
    expect(references).toEqual([{ axis: "diagonal", value: 0, label: "perfect calibration" }]);
  });

  it("says in its title whether the score is calibrated", () => {
    const off = kept.reliability.filter((bin) => bin.outside).length;
    expect(off).toBeLessThan(3);
    const bad = broken.reliability.filter((bin) => bin.outside).length;
    expect(drawn(reliabilityFigure(pageOf(calibrationOf(broken)))).title).toMatch(
      new RegExp(
        `^The calibrated probability is off by more than chance explains in ${bad} of 10 bins; most where it said`,
      ),
    );
    const calm = { ...kept, reliability: kept.reliability.map((bin) => ({ ...bin, outside: false })) };
    expect(drawn(reliabilityFigure(pageOf(calibrationOf(calm)))).title).toContain(
      "is off by more than chance explains in no bin",
    );
    const failed = { ...calibrationOf(calm), ece: { equal_frequency: 0.18, null_95: 0.17 } } as CalibrationResult;
    expect(drawn(reliabilityFigure(pageOf(failed))).title).toContain("in no single bin, but is on average");
  });

  it("does not speak of a kept word where the score does not separate decisions", () => {
    const flat = Float64Array.from({ length: 200 }, (_, i) => (i < 180 ? 0.94 : 0.96));
    // The few that are indefensible have the higher score.
    const blind = evaluateScore(
      flat,
      Uint8Array.from(flat, (_, i) => (i >= 170 && i < 190 && i % 2 === 0 ? 0 : 1)),
      { seed: 1 },
    );
    const calm = { ...blind, reliability: blind.reliability.map((bin) => ({ ...bin, outside: false })) };
    expect(blind.auroc.estimate).toBeLessThan(0.5);
    const { title, caption } = drawn(reliabilityFigure(pageOf(calibrationOf(calm))));
    expect(title).toBe(
      "The calibrated probability is off by more than chance explains in no bin, and does not separate decisions",
    );
    expect(caption).toMatch(/^200 decisions in 2 bins, as even as equal scores allow, 20 to 180 each\./);
    expect(drawn(reliabilityFigure(pageOf(calibrationOf(kept)))).caption).toContain("10 bins of 60 each");
  });

  it("lets the reader look at the two scores that it has to beat, and calls the paper's score S", () => {
    const baselines = { p_defensible: broken, pds: broken };
    const own = drawn(reliabilityFigure(pageOf(calibrationOf(kept, { baselines }))));
    expect([...new Set(own.rows.map((row) => row.score))]).toEqual([
      "calibrated probability",
      "1 − p(L3), as the auditor gives it",
      "S",
    ]);
    const paper = drawn(reliabilityFigure(pageOf(calibrationOf(kept, { baselines, method: "paper" }))));
    expect(paper.rows[0]!.score).toBe("S");
    expect(paper.title).toMatch(/^S /);
  });

  it("says in its legend who found it so", () => {
    const target = { kind: "gold", source: null, n: N, indefensible: 100 } as const;
    const { series, rows } = drawn(reliabilityFigure(pageOf(calibrationOf(kept, { target }))));
    expect(rows.every((row) => row[series!] === "reference annotations")).toBe(true);
  });

  it("is missing without a calibration, with the command, and where nothing could be measured", () => {
    expect(reliabilityFigure(pageOf(null))).toMatchObject({ command: "defensible calibrate" });
    const half = makeReport([{ n: 10 }], { run: { run_id: "r", cohort: "half" } });
    expect(reliabilityFigure(makeReportPage(half))).toEqual({
      missing: expect.stringMatching(/^Calibrations are left out in a report on one cohort/),
    });
    const nothing = evaluateScore(new Float64Array(), new Uint8Array(), { seed: 1 });
    expect(isMissing(reliabilityFigure(pageOf(calibrationOf(nothing))))).toBe(true);
  });
});

describe("S at each level", () => {
  const pds_by_level: ScoreDetails["pds_by_level"] = [
    { level: 1, bin: 36, n: 30 },
    { level: 1, bin: 20, n: 10 },
    { level: 3, bin: 8, n: 5 },
  ];

  const pds_medians: ScoreDetails["pds_medians"] = [
    { level: 1, median: 0.9149 },
    { level: 3, median: 0.2049 },
  ];

  it("gives each level that occurs shares that sum to 1, in 40 bins, and says its true median, not the end of a bin", () => {
    const { rows, series_order, title } = drawn(scoreByLevelFigure(pageOf(null, { pds_by_level, pds_medians })));
    expect(series_order).toEqual([1, 3]);
    for (const level of [1, 3]) {
      const own = rows.filter((row) => row.level === level);
      expect(own).toHaveLength(40);
      expect(own.reduce((sum, row) => sum + Number(row.share), 0)).toBeCloseTo(1);
    }
    expect(title).toBe("The median of S is 0.91 at level 1 and 0.20 at level 3");
  });

  it("is missing where no verdict has an S", () => {
    expect(isMissing(scoreByLevelFigure(pageOf(null)))).toBe(true);
    expect(isMissing(scoreFrontierFigure(pageOf(null)))).toBe(true);
  });
});

describe("automating by S alone", () => {
  type Bins = ScoreDetails["pds_by_level"];

  it("counts from the histogram what the frontier counts from the rows, from 50 verdicts on", () => {
    const scores = Float64Array.from({ length: 2_000 }, () => rng.next());
    const bad = Uint8Array.from(scores, (s) => (rng.next() < 0.4 * (1 - s) ? 1 : 0));
    const counts = new Map<string, Bins[number]>();
    scores.forEach((s, i) => {
      const level = bad[i] ? 3 : 1;
      const bin = Math.min(39, Math.floor(s * 40));
      const entry = counts.get(`${level} ${bin}`) ?? { level, bin, n: 0 };
      counts.set(`${level} ${bin}`, { ...entry, n: entry.n + 1 });
    });
    const { rows } = drawn(scoreFrontierFigure(pageOf(null, { pds_by_level: [...counts.values()] })));
    const thresholds = Array.from({ length: 40 }, (_, i) => i / 40);
    const exact = scoreFrontier(scores, bad, thresholds).points.filter((point) => point.n >= 50);
    expect(rows.map(({ threshold, n, indefensible }) => ({ threshold, n, indefensible }))).toEqual(
      exact.map(({ threshold, n, indefensible }) => ({ threshold, n, indefensible })),
    );
    for (const { risk, risk_lower, risk_upper } of rows) {
      expect(Number(risk_lower)).toBeLessThanOrEqual(Number(risk));
      expect(Number(risk)).toBeLessThanOrEqual(Number(risk_upper));
    }
  });

  /** 60 verdicts above 0.90, 2 of them indefensible; 40 below, 20 of them. */
  const bins: Bins = [
    { level: 1, bin: 38, n: 58 },
    { level: 3, bin: 38, n: 2 },
    { level: 1, bin: 10, n: 20 },
    { level: 3, bin: 10, n: 20 },
  ];
  const titleOf = (details: Partial<ScoreDetails>) => drawn(scoreFrontierFigure(pageOf(null, details))).title;

  it("claims no knee where the curve has none", () => {
    expect(titleOf({ pds_by_level: bins })).toBe(
      "S ≥ 0.90 holds for 60.0% of the verdicts: 3.3% of them are indefensible by the auditor's own level, which no label checks",
    );
    const bent: Bins = [
      { level: 1, bin: 38, n: 60 },
      { level: 1, bin: 30, n: 30 },
      { level: 3, bin: 10, n: 40 },
    ];
    expect(titleOf({ pds_by_level: bent })).toMatch(/no label checks; the knee is at 0\.75$/);
    expect(titleOf({ pds_by_level: bent.map((row) => ({ ...row, bin: row.bin - 5 })) })).toMatch(
      /^S ≥ 0\.625, the knee, holds for 69\.2% of the verdicts: 0\.0% of them/,
    );
  });

  it("says what labels make of the same verdicts, and draws their line at the same coverage", () => {
    const labels: Bins = [
      { level: 2, bin: 38, n: 40 },
      { level: 3, bin: 38, n: 10 },
      { level: 3, bin: 10, n: 30 },
    ];
    const details = { pds_by_level: bins, pds_by_label: { kind: "gold" as const, bins: labels } };
    expect(titleOf(details)).toMatch(
      /^S ≥ 0\.90 .*: 3\.3% of them are indefensible by the auditor's own level, 20\.0% by reference annotations/,
    );
    const { rows, caption } = drawn(scoreFrontierFigure(pageOf(null, details)));
    const gold = rows.filter((row) => row.by === "reference annotations");
    expect(gold.find((row) => row.threshold === 0.9)).toMatchObject({
      coverage: 0.6,
      n: 50,
      indefensible: 10,
      risk: 0.2,
    });
    expect(gold.find((row) => row.threshold === 0)).toMatchObject({ coverage: 1, n: 80, indefensible: 40 });
    expect(caption).toContain("80 of them have reference annotations");
    expect(titleOf({ ...details, pds_by_label: { kind: "human", bins: labels.slice(1) } })).toContain(
      "no label checks",
    );
  });

  it("is missing below 50 verdicts, of which every share is chance", () => {
    expect(scoreFrontierFigure(pageOf(null, { pds_by_level: bins.slice(2) }))).toEqual({
      missing: "Only 40 verdicts have an S; of fewer than 50 a curve would show chance.",
    });
  });
});

describe("what S is made of", () => {
  const parts_by_level: ScoreDetails["parts_by_level"] = [
    { level: 1, n: 50, label_confidence: 0.1, entropy: 1, inverse_check: 0.1 },
    { level: 3, n: 20, label_confidence: 0.3, entropy: 1.1, inverse_check: 0.9 },
  ];

  it("says so where the S of the report's verdicts was computed with other weights", () => {
    const page = pageOf(calibrationOf(kept), { parts_by_level });
    const run = { alpha: 1 / 3, beta: 1 / 3, gamma: 1 / 3, component: "h_w", calibrated: false } as const;
    const figure = drawn(calibrationWeightsFigure({ ...page, signal_weights: run }));
    expect(figure.caption).toContain("The S of this report's verdicts was computed with other weights.");
  });

  it("weighs the mean of each part at each level and names the part that moves S most", () => {
    const figure = drawn(calibrationWeightsFigure(pageOf(calibrationOf(kept), { parts_by_level })));
    const contributions = figure.rows.filter((row) => row.level === 3).map((row) => Number(row.contribution));
    expect(contributions.map((value) => +value.toFixed(6))).toEqual([0.15, 0.11, 0.36]);
    expect(figure.title).toBe(
      "With the fitted weights, what moves S between the levels most is the inverse check, σ(ρ): 0.320 nats between its means",
    );
    expect(figure.caption).not.toContain("other weights");
  });

  it("names the entropy that the calibration uses", () => {
    const page = pageOf(calibrationOf(kept, { component: "h_kappa" }), { parts_by_level });
    expect(drawn(calibrationWeightsFigure(page)).series_order).toContain("entropy, H[κ]");
  });

  it("is missing without a calibration and without verdicts that have all parts", () => {
    expect(calibrationWeightsFigure(pageOf(null, { parts_by_level }))).toMatchObject({
      command: "defensible calibrate",
    });
    expect(isMissing(calibrationWeightsFigure(pageOf(calibrationOf(kept))))).toBe(true);
  });
});
