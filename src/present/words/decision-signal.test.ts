import { describe, expect, it } from "vitest";
import { EQUAL_WEIGHTS, PAPER_WEIGHTS, probabilisticDefensibilitySignal } from "../../entry/signals.js";
import { makeAudit, makePage } from "../../measures/decision.suite.js";
import type { ReportPage, SignalWeights } from "../../measures/report-page.js";
import { isMissing } from "../figures/missing.js";
import { decisionSignal, decisionSignalFigure, signalComponents } from "./decision-signal.js";

const RUN: SignalWeights = { alpha: 0.5, beta: 0.2, gamma: 0.3, component: "h_w", calibrated: true };
const audited = (weights: SignalWeights) =>
  makeAudit({ pds: probabilisticDefensibilitySignal(signalComponents(makeAudit()), weights) });
const fitted = {
  run: { run_id: "r1" },
  calibration: { weights: { alpha: 0.7, beta: 0.1, gamma: 0.2 }, component: "h_kappa", method: "paper" },
} as ReportPage["report"];

describe("decisionSignal", () => {
  it("takes the weights that give the S of the audit, and says where they come from", () => {
    const page = makePage({ signal_weights: RUN, report: fitted });
    expect(decisionSignal(page, audited(RUN))).toMatchObject({ source: "run", weights: RUN });
    expect(decisionSignal(page, audited(EQUAL_WEIGHTS))?.source).toBe("equal");
    const calibrated = { alpha: 0.7, beta: 0.1, gamma: 0.2, component: "h_kappa", calibrated: true } as const;
    expect(decisionSignal(page, audited(calibrated))?.source).toBe("calibration");
  });

  it("has contributions that add up to ln S", () => {
    const audit = audited(RUN);
    const { contributions } = decisionSignal(makePage({ signal_weights: RUN }), audit)!;
    expect(contributions.reduce((sum, { nats }) => sum + nats, 0)).toBeCloseTo(Math.log(audit.pds!), 12);
  });

  it("knows the weights again although a page keeps six digits of S and of each part", () => {
    const page = makePage({ signal_weights: EQUAL_WEIGHTS });
    const short = (value: number) => Number(value.toPrecision(6));
    const found = Array.from({ length: 500 }, (_, at) => {
      const parts = {
        lambda_nats: -Math.exp(3 - (17 * at) / 500),
        h_weight_bits: 1.585 * ((at * 0.618033988749895) % 1),
        h_citation_bits: null,
        inverse_yes_prob: (at * 0.414213562373095) % 1,
      };
      const pds = short(probabilisticDefensibilitySignal(parts, EQUAL_WEIGHTS)!);
      const { lambda_nats, h_weight_bits, inverse_yes_prob } = parts;
      const kept = {
        lambda_nats: short(lambda_nats),
        h_weight_bits: short(h_weight_bits),
        inverse_yes_prob: short(inverse_yes_prob),
      };
      return decisionSignal(page, makeAudit({ ...kept, pds }))?.source;
    });
    expect(new Set(found)).toEqual(new Set(["run"]));
    // H[w] of 1.17 is known to 5e-6, which alone moves S by 1e-6: a part of the sample.
    const kept = { lambda_nats: -0.0642248, h_weight_bits: 1.1734, inverse_yes_prob: 0.299361, pds: 0.5991 };
    expect(decisionSignal(page, makeAudit(kept))?.source).toBe("run");
    expect(decisionSignal(page, makeAudit({ ...kept, pds: 0.59911 }))).toBeNull();
  });

  it("is null rather than wrong where no known weights give this S, and where there is none", () => {
    expect(decisionSignal(makePage({ signal_weights: RUN }), audited(PAPER_WEIGHTS))).toBeNull();
    expect(decisionSignal(makePage({ signal_weights: RUN }), makeAudit())).toBeNull();
  });
});

describe("decisionSignalFigure", () => {
  it("says what pulls S down most, with bars that add up to the last", () => {
    const figure = decisionSignalFigure(makePage({ signal_weights: RUN }), audited(RUN));
    if (isMissing(figure)) throw new Error(figure.missing);
    // α·λ = 0.5 · ln 0.8 = −0.112; −β·H = −0.2 · 0.9 = −0.18; −γ·σ = −0.3 · 0.12 = −0.036; together −0.328.
    expect(figure.title).toBe(
      "S is 0.721: doubt about what the decision rests on pulls it down most, by 0.180 of 0.328 nats",
    );
    const nats = figure.rows.map((row) => Number(row.nats));
    expect(nats.slice(0, 3).reduce((sum, one) => sum + one, 0)).toBeCloseTo(nats[3]!, 12);
  });

  it("says why there is none", () => {
    expect(decisionSignalFigure(makePage(), makeAudit())).toHaveProperty("missing");
    expect(decisionSignalFigure(makePage(), audited(PAPER_WEIGHTS))).toHaveProperty("missing");
  });
});
