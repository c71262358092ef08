import { describe, expect, it } from "vitest";
import { STANDARD_LIMITS } from "../../measures/gate/gate-input.js";
import { clusterSize, correlationSize, labelSize } from "../../measures/gate/plan/gate-region.js";
import { estimateSize, pairedSize } from "../../measures/gate/plan/paired-size.js";
import { planCertify, planGate } from "../../measures/gate/plan/plan-gate.js";
import { displayWidth } from "../../text/printable.js";
import { renderMarkdown, renderTerminal } from "../document/render.js";
import { planDocument } from "./plan-document.js";

const certify = { limit: 0.1, ai_limit: 0.15, delta: 0.05, power: 0.8, truth: 0.02, ai_truth: 0.07, communities: 270 };
const plans = [
  planCertify(certify),
  planCertify({ ...certify, truth: 0.2, communities: 1 }),
  planGate({ n: 25, limits: STANDARD_LIMITS }),
  planGate({ n: 500, limits: { ...STANDARD_LIMITS, variable: "ai_pure" }, communities: 270 }),
  estimateSize({ rate: 0.1, half_width: 0.03, level: 0.95 }),
  pairedSize({ only_a: 0.1, only_b: 0.05, alpha: 0.05, power: 0.8 }),
  pairedSize({ only_a: 0.1, only_b: 0.1, alpha: 0.05, power: 0.8 }),
  clusterSize({ n: 100, cluster_size: 5, icc: 0.2 }),
  correlationSize({ correlation: 0.3, alpha: 0.05, power: 0.8 }),
  labelSize({
    rate: 0.08,
    half_width: 0.02,
    level: 0.95,
    decisions: 50,
    correlation: 0.8,
    sensitivity: null,
    specificity: null,
  }),
];

describe("plans in words", () => {
  it.each(plans.map((plan, index) => ({ index, what: plan.what, plan })))(
    "fit into 80 columns and have no hole: $what ($index)",
    ({ plan }) => {
      const text = renderTerminal(planDocument(plan), { width: 80 });
      expect(Math.max(...text.split("\n").map(displayWidth))).toBeLessThanOrEqual(80);
      expect(text).not.toMatch(/NaN|undefined|null|Infinity/);
      expect(renderMarkdown(planDocument(plan))).toMatch(/^# Plan: /);
    },
  );

  it("say why there is no answer", () => {
    expect(renderTerminal(planDocument(plans[1]!))).toMatch(/the true rate is not below the limit/);
    expect(renderTerminal(planDocument(plans[6]!))).toMatch(/nothing to find/);
    expect(renderTerminal(planDocument(plans[9]!))).toMatch(/even if all of them are labelled/);
  });

  it("say what a half-width is half of, and from where to where the interval reaches", () => {
    const words = renderTerminal(planDocument(plans[4]!), { width: 100 });
    expect(words).toContain("a rate near 10%, 95% interval at most 6 percentage points wide");
    expect(words).toMatch(/Wilson\s+388\s+7\.4–13\.4%/);
    expect(words).not.toContain("each way");
  });

  it("say why there is a first size and none from then on", () => {
    const near = planCertify({ ...certify, delta: 0.6, power: 0.3, truth: 0.0999999, communities: 1 });
    expect(renderTerminal(planDocument(near)).replace(/\s+/g, " ")).toContain(
      "From then on, indefensible alone: power would have to be followed beyond 2000000 decisions.",
    );
  });

  it("draw what the gates let through", () => {
    const text = renderTerminal(planDocument(plans[2]!), { width: 80 });
    expect(text).toMatch(/100% ┤rrr/);
    expect(text).toContain("r raw · c cautious · p proven");
    expect(text).toContain("proven: nothing");
    expect(text).toMatch(/15%\s+15\.8%\s+23\.2%/);
  });
});
