import { describe, expect, it } from "vitest";
import { calibrationSchema, type NewCalibration, type TargetKind } from "../../core/calibration.js";
import { detailed } from "../../measures/calibration/candidate-result.js";
import { type ScoreColumns, selectRows } from "../../measures/calibration/score-columns.js";
import { emptyColumns, syntheticColumns } from "../../measures/calibration/synthetic.suite.js";
import { CALIBRATION_WORDS, stageText } from "../../present/calibrate/calibrate-words.js";
import { renderMarkdown, renderTerminal } from "../../present/document/render.js";
import { calibrationDocument } from "../../present/report/calibration-document.js";
import type { LoadedScores } from "../report/choose-target.js";
import { buildCalibration, type CalibrationRequest } from "./build-calibration.js";

const REQUEST: CalibrationRequest = {
  method: "auto",
  words: CALIBRATION_WORDS,
  component: "h_w",
  seed: 1,
  draws: 50,
  holdout: null,
  name: null,
  createdAt: "2026-01-01T00:00:00.000Z",
};

const EVIDENCE = {
  run_id: "r1",
  auditor: "a",
  auditor_version: "1",
  prompt_version: "p",
  template: "paper",
  signal: "logprobs",
  tier: "wiki",
  temperature: 0.2,
};

function loaded(columns: ScoreColumns, kind: TargetKind = "gold", changes: Partial<LoadedScores> = {}): LoadedScores {
  const indefensible = columns.targetLevel!.filter((level) => level === 3).length;
  const main = {
    arm: "",
    temperature: 0.2,
    attempted: columns.n,
    verdicts: columns.n,
    unscored: 0,
    errors: 0,
    columns,
  };
  return {
    label: "run r1",
    evidence: EVIDENCE,
    target: { kind, source: null, n: columns.n, indefensible },
    notes: [],
    main,
    temperatures: [],
    ...changes,
  };
}

function built(
  on: LoadedScores,
  request: Partial<CalibrationRequest> = {},
  elsewhere: LoadedScores | null = null,
): NewCalibration {
  const outcome = buildCalibration(on, elsewhere, { ...REQUEST, ...request });
  if (outcome.refused) throw new Error(outcome.reason);
  return outcome.calibration;
}

/** Synthetic audits whose λ and σ(ρ) follow from their probabilities. */
const AUDITS = syntheticColumns(600, 5);

describe("buildCalibration", () => {
  it.each(["paper", "auto", "temperature", "platt", "beta", "vector", "multinomial"] as const)(
    "keeps the contract with method %s",
    (method) => {
      const calibration = built(loaded(AUDITS), { method });
      expect(calibrationSchema.safeParse(JSON.parse(JSON.stringify(calibration))).error).toBeUndefined();
      const { alpha, beta, gamma } = calibration.weights;
      expect(alpha + beta + gamma).toBeCloseTo(1, 12);
      for (const value of [
        ...Object.values(calibration.ece),
        calibration.brier,
        calibration.log_loss,
        calibration.auroc,
      ]) {
        expect(value).toEqual(expect.any(Number));
      }
      expect(calibration.score).toContain(method === "paper" ? "pds" : "p_calibrated");
      expect(calibration.model === null).toBe(method === "paper");
    },
  );

  it("beats both baselines with a richer model where the signals hold more than S uses", () => {
    const calibration = detailed(built(loaded(AUDITS)));
    expect(calibration.log_loss!).toBeLessThan(calibration.baselines!.pds.log_loss.value!);
    expect(calibration.log_loss!).toBeLessThan(calibration.baselines!.p_defensible.log_loss.value!);
    expect(calibration.choice!.candidates.map((one) => one.method)).toEqual(expect.arrayContaining(["raw", "pds"]));
  });

  it("says what each feature is worth, and whether entropy helps", () => {
    const calibration = detailed(built(loaded(AUDITS)));
    const { drop_one } = calibration.choice!.features.worth!;
    expect(drop_one.find((one) => one.group === "entropy")!.level_log_loss).toMatchObject({ n: 600 });
    const text = renderTerminal(calibrationDocument(calibration)).replace(/\s+/g, " ");
    expect(text).toMatch(
      /Entropy helps to tell the three levels apart: without H\[w\] and H\[κ\] the log-loss changes by \+0\./,
    );
    expect(detailed(built(loaded(AUDITS), { method: "platt" })).choice!.features).not.toHaveProperty("worth");
    const noise = { ...AUDITS, weightBits: AUDITS.weightBits.toReversed() };
    expect(renderTerminal(calibrationDocument(built(loaded(noise)))).replace(/\s+/g, " ")).toContain(
      "These data do not show that entropy helps to tell the three levels apart",
    );
    const without = {
      ...AUDITS,
      weightBits: AUDITS.weightBits.map(() => Number.NaN),
      citationBits: new Float64Array(600),
    };
    const unknown = renderTerminal(calibrationDocument(built(loaded(without)))).replace(/\s+/g, " ");
    expect(unknown).toContain("Whether entropy helps is unknown");
    expect(unknown).toContain("A dash: ");
  });

  it("fits the paper to the auditor's own levels as to any other target", () => {
    const own = loaded({ ...AUDITS, targetLevel: AUDITS.level }, "self");
    const calibration = detailed(built(own, { method: "paper" }));
    expect(calibration.paper!.h_w.target).toBe("emitted");
    expect(calibration.warnings!.join()).toContain("agreement with itself");
    const other = detailed(built(loaded(AUDITS), { method: "paper" }));
    expect(other.paper!.h_w.target).toBe("target");
    expect(other.warnings!.join()).not.toContain("agreement with itself");
  });

  it("chooses the weights of the component asked for and shows both", () => {
    const calibration = detailed(built(loaded(AUDITS), { method: "paper", component: "h_kappa" }));
    expect(calibration.weights).toEqual(calibration.paper!.h_kappa.weights);
    expect(calibration.paper!.h_w.methods.map((one) => one.method)).toEqual(["closed-simplex", "lbfgs-softmax"]);
  });

  it("says that it could not fit where one class leaves nothing to fit", () => {
    const columns = { ...AUDITS, targetLevel: new Uint8Array(AUDITS.n).fill(1) };
    expect(built(loaded(columns), { method: "paper" })).toMatchObject({
      calibrated: false,
      optimiser: "equal-weights",
      weights: { alpha: 1 / 3, beta: 1 / 3, gamma: 1 / 3 },
      loss: null,
      active_constraints: [],
      warnings: ["equal weights, because all 600 rows are of one class"],
    });
    const shown = detailed(built(loaded(columns), { method: "paper" }));
    expect(shown.paper!.h_w).toMatchObject({ methods: [], contributions: [], weights: shown.weights });
    expect(renderTerminal(calibrationDocument(shown))).not.toContain("closed simplex");
    const outcome = buildCalibration(loaded(columns), null, REQUEST);
    expect(outcome).toEqual({ refused: true, reason: "one class: all 600 rows are defensible" });
  });

  it("falls back to equal weights, marked, where there are no signals", () => {
    const columns = emptyColumns(40);
    columns.targetLevel!.fill(1, 0, 20).fill(3, 20);
    columns.lambdaNats.fill(Number.NaN);
    const calibration = built(loaded(columns), { method: "paper" });
    expect(calibration).toMatchObject({ calibrated: false, optimiser: "equal-weights", loss: null, brier: null });
    expect(calibration.weights.alpha).toBe(1 / 3);
    expect(renderTerminal(calibrationDocument(calibration))).toContain("Not fitted: equal weights are used.");
    expect(renderTerminal(calibrationDocument(calibration))).toContain("could not be checked");
  });

  it("measures held-out rows, in communities that were not fitted", () => {
    const calibration = detailed(built(loaded(AUDITS), { holdout: 0.3 }));
    expect(calibration.n + calibration.evaluation!.n).toBe(600);
    expect(calibration.evaluated_on!.kind).toBe("holdout");
    expect(calibration.score).toBe("p_calibrated of the rows held out");
  });

  it("corrects for another mix of levels and shows both sides", () => {
    // Ten times fewer indefensible rows than where it was fitted.
    const rows = Int32Array.from({ length: AUDITS.n }, (_, i) => i);
    const rare = selectRows(
      AUDITS,
      rows.filter((i) => AUDITS.targetLevel![i] !== 3 || i % 10 === 0),
    );
    const other = loaded(rare, "gold", { label: "run r2" });
    const calibration = detailed(built(loaded(AUDITS), {}, other));
    const shift = calibration.prior_shift!;
    expect(shift.deployed.at(-1)!).toBeLessThan(shift.fitted.at(-1)! / 2);
    expect(shift.after.log_loss.value!).toBeLessThan(shift.before.log_loss.value!);
    expect(shift.kept).toBe(true);
    expect(calibration.log_loss).toBe(shift.after.log_loss.value);
    expect(calibration.model).toMatchObject({ prior: { deployed: shift.deployed } });
    const paper = detailed(built(loaded(AUDITS), { method: "paper" }, other));
    expect(paper.prior_shift).toMatchObject({ method: "labels", kept: false });
    expect(paper.log_loss).toBe(paper.prior_shift!.before.log_loss.value);
  });

  /** The same audits with names for their decisions. */
  function named(on: LoadedScores, name: (i: number) => string): LoadedScores {
    return { ...on, main: { ...on.main, ids: Array.from({ length: on.main.columns.n }, (_, i) => name(i)) } };
  }

  it("does not measure a decision by a model that was fitted on it, in whatever file it stands", () => {
    const here = named(loaded(AUDITS), (i) => `d${i}`);
    const outOfFold = detailed(built(here, { method: "multinomial" }));
    const copy = named(loaded(AUDITS, "gold", { label: "a copy" }), (i) => `d${i}`);
    const measured = detailed(built(here, { method: "multinomial" }, copy));
    expect(measured.prior_shift!.before.log_loss.value).toBe(outOfFold.log_loss);
    expect(measured.evaluated_on).toEqual({ kind: "other", label: "a copy", overlap: 600 });
    expect(measured.warnings).toContain(
      "600 of the 600 verdicts measured are on decisions that were fitted on too: each of these is scored by a model fitted without its community",
    );
    // Were the decisions others, the model itself would score them, and look better than it is.
    const others = named(loaded(AUDITS), (i) => `e${i}`);
    const seen = detailed(built(here, { method: "multinomial" }, others));
    expect(seen.evaluated_on!.overlap).toBe(0);
    expect(seen.prior_shift!.before.log_loss.value!).toBeLessThan(outOfFold.log_loss!);
    expect(seen.warnings!.join()).not.toContain("fitted on too");
    expect(measured.classwise!.calibrated!.mean.value).not.toBe(seen.classwise!.calibrated!.mean.value);
  });

  it("says that the weights of S have seen the decisions they are measured on", () => {
    const here = named(loaded(AUDITS), (i) => `d${i}`);
    const half = named(loaded(AUDITS), (i) => (i % 2 ? `d${i}` : `e${i}`));
    const calibration = detailed(built(here, { method: "paper" }, half));
    expect(calibration.evaluated_on!.overlap).toBe(300);
    expect(calibration.warnings!.join()).toContain("300 of the 600 verdicts measured are on decisions");
  });

  it("tells what it is doing, in stages", () => {
    const stages: string[] = [];
    built(loaded(AUDITS), { onStage: (stage) => stages.push(stageText(stage)) });
    expect(stages).toEqual([
      "Fitting the weights of S",
      "Cross-validating 7 methods",
      "Measuring S",
      "Measuring 1 − p(L3)",
      "Measuring P(defensible)",
      "Measuring levels and temperatures",
    ]);
  });

  it("marks a measurement on audits of another kind", () => {
    const other = loaded(AUDITS, "gold", { evidence: { ...EVIDENCE, auditor: "b", tier: "title" } });
    const warnings = detailed(built(loaded(AUDITS), {}, other)).warnings!.join();
    expect(warnings).toContain("foreign_calibration");
    expect(warnings).toContain("another tier: fitted at wiki, measured at title");
  });

  it("has a row for each temperature of a run that has several", () => {
    const arm = { ...loaded(AUDITS).main, arm: "t=1.0", temperature: 1, attempted: 650 };
    const calibration = detailed(built(loaded(AUDITS, "gold", { temperatures: [arm] })));
    expect(calibration.temperatures!.map((row) => [row.temperature, row.n, row.skipped])).toEqual([
      [0.2, 600, 0],
      [1, 600, 50],
    ]);
    expect(calibration.temperatures![1]!.extraction_rate).toBeCloseTo(600 / 650, 12);
    expect(renderTerminal(calibrationDocument(calibration))).toContain("By temperature");
  });

  it("measures another temperature of a decision by a model that was not fitted on the decision", () => {
    const here = named(loaded(AUDITS), (i) => `d${i}`);
    const arm = { ...here.main, arm: "t=1.0", temperature: 1 };
    const calibration = detailed(built({ ...here, temperatures: [arm] }, { method: "multinomial" }));
    for (const row of calibration.temperatures!) expect(row.calibrated!.log_loss).toBe(calibration.log_loss);
  });

  it("uses what there is where files have p_defensible only", () => {
    const columns = { ...AUDITS, p1: AUDITS.p1.map(() => Number.NaN), p2: AUDITS.p2.map(() => Number.NaN) };
    const calibration = detailed(built(loaded(columns)));
    expect(["raw", "platt", "beta", "isotonic"]).toContain(calibration.method);
    expect(calibration.n).toBe(600);
    const outcome = buildCalibration(loaded(columns), null, { ...REQUEST, method: "multinomial" });
    expect(outcome).toMatchObject({ refused: true, reason: expect.stringContaining("needs level_probs") });
  });

  it("measures the levels one by one, the model's on rows it was not fitted on", () => {
    const fitted = detailed(built(loaded(AUDITS))).classwise!;
    expect(fitted.raw!.levels.map((level) => level.value)).toEqual([1, 2, 3].map(() => expect.any(Number)));
    expect(fitted.calibrated).toBeNull();
    const held = detailed(built(loaded(AUDITS), { holdout: 0.3, method: "multinomial" })).classwise!;
    expect(held.calibrated!.mean.value!).toBeLessThan(held.raw!.mean.value!);
  });

  it("is the same for the same seed", () => {
    expect(built(loaded(AUDITS))).toEqual(built(loaded(AUDITS)));
  });
});

describe("calibrationDocument", () => {
  it("never calls a score well calibrated that tests reject after correction, and tells bins apart", () => {
    const calibration = detailed(built(loaded(AUDITS)));
    const evaluation = calibration.evaluation!;
    const said = (smooth: number, spiegelhalter: number, ece: { null_95: number }, bins = evaluation.reliability) =>
      renderTerminal(
        calibrationDocument({
          ...calibration,
          ece: { ...calibration.ece, ...ece },
          classwise: undefined,
          evaluation: {
            ...evaluation,
            reliability: bins,
            spiegelhalter: { z: 1, p: spiegelhalter },
            ece: Object.fromEntries(
              Object.entries(evaluation.ece).map(([name, one]) => [
                name,
                { ...one, p: name === "smooth" ? smooth : 0.5 },
              ]),
            ),
          },
        } as typeof calibration),
      ).replace(/\s+/g, " ");
    const within = { null_95: 1 };
    expect(said(0.5, 0.5, within)).toMatch(
      /Well calibrated: [^.]*[.\d]* points on average, within chance \(up to [\d.]+ points\)\. Method/,
    );
    expect(said(0.035, 0.5, within)).toContain(
      "1 of its 6 tests below rejects calibration at 5%, none after Holm's correction.",
    );
    const doubtful = said(0.035, 0.005, within);
    expect(doubtful).toContain("2 of its 6 tests below reject calibration at 5%, 1 after Holm's correction.");
    expect(doubtful).not.toContain("Well calibrated");
    const apart = said(0.5, 0.5, { null_95: 0 });
    expect(apart).toMatch(
      /Not calibrated: [^.]* differ by [\d.]+ points on average, and chance explains at most 0\.0 points\./,
    );
    const unfitted = renderTerminal(calibrationDocument({ ...calibration, method: "raw" })).replace(/\s+/g, " ");
    expect(unfitted).toMatch(/Method: 1 − p\(L3\), unfitted[^.]*, measured on \d+ decisions\./);
    expect(unfitted).toMatch(/of the verdicts have all parts of S with H\[w\]/);
    const [bin] = evaluation.reliability;
    const close = [0.9991, 0.9994, 1].map((to, i) => ({ ...bin!, from: [0.998, 0.9992, 1][i]!, to }));
    expect(said(0.5, 0.5, within, close)).toMatch(/0\.9980–0\.9991 .*0\.9992–0\.9994 .*1\.0000 /);
  });

  it("lets no text of others reach the terminal or a page as anything but text", () => {
    const hostile = "\u001b[31m<img src=x onerror=alert(1)> [x](http://evil.example) \u202e";
    const calibration = built(loaded(AUDITS, "gold", { label: hostile, notes: [{ code: "drawn", text: hostile }] }), {
      name: hostile,
    });
    const document = calibrationDocument({ ...calibration, evidence: { ...EVIDENCE, auditor: hostile } });
    const [terminal, page] = [renderTerminal(document), renderMarkdown(document)];
    expect(terminal).not.toMatch(/\u001b|\u202e/);
    const edited = {
      ...calibration,
      calibration_id: hostile,
      evaluation: { ...detailed(calibration).evaluation!, warnings: [hostile] },
    };
    expect(renderTerminal(calibrationDocument(edited))).not.toMatch(/\u001b|\u202e/);
    expect(page).not.toMatch(/<img|(?<!\\)\]\(http|\u001b|\u202e/);
  });

  it("shows a calibration that says no more than its contract", () => {
    const { component, method, weights, loss, n, active_constraints, ece, brier, log_loss, auroc, mean_pds } = built(
      loaded(AUDITS),
    );
    const bare = { component, method, weights, loss, n, active_constraints, ece, brier, log_loss, auroc, mean_pds };
    expect(renderTerminal(calibrationDocument(bare))).toMatch(/Log-loss 0\.\d+ nats/);
  });

  it("draws observed rates as bars and predicted ones as lines", () => {
    const text = renderTerminal(calibrationDocument(built(loaded(AUDITS))), { width: 110 });
    expect(text).toMatch(/predicted \d+\.\d%, observed \d+\.\d% of \d+/);
    expect(text).toMatch(/[│┃]/);
  });
});
