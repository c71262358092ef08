import { describe, expect, it } from "vitest";
import type { Report } from "../../core/results/report.js";
import { BOTH, makeReport } from "../../measures/report.suite.js";
import { governanceSection, keyFigures } from "./headline-document.js";

const weights = { alpha: 0.7, beta: 0.1, gamma: 0.2 };
const calibration = {
  calibration_id: "20260101T000000Z-abcd",
  method: "platt",
  weights,
  log_loss: 0.5,
  auroc: 0.75,
  model: { kind: "platt" },
};
const community = (passes: boolean, suspended: object | null) => ({
  passes: { paper: true, shrunk: passes, certified: false },
  suspended,
});

function textOf(report: object): string {
  return governanceSection(report as Report)
    .map((block) => ("text" in block ? block.text : ""))
    .join("\n");
}

describe("calibration and gate in a report", () => {
  it("are not mentioned where there are none", () => expect(governanceSection({} as Report)).toEqual([]));

  it("are told with what identifies them", () => {
    expect(textOf({ calibration })).toContain("20260101T000000Z-abcd (platt)");
    expect(textOf({ calibration })).toContain("log-loss 0.500, AUROC 0.750");
  });

  it("say of weights of S that they give no probability", () => {
    const text = textOf({ calibration: { ...calibration, method: "paper", model: null } });
    expect(text).toContain(
      "(paper) gives the weights of S (α 0.700, β 0.100, γ 0.200) and no probability: AUROC 0.750",
    );
  });

  it("count as automated who passes in the gate's mode and is not suspended", () => {
    const communities = [community(true, null), community(true, { since: "", reason: "" }), community(false, null)];
    expect(textOf({ gate: { mode: "shrunk", communities } })).toContain("lets 1 of 3 communities");
  });

  it("let nothing be automated while every gate is closed, and say why it is", () => {
    const closed = { since: "2026-11-15T10:00:00Z", reason: "an incident\u001b[31m" };
    const text = textOf({ gate: { mode: "shrunk", communities: [community(true, null)], closed } });
    expect(text).toContain("Every gate is closed since 2026-11-15T10:00:00Z (an incident");
    expect(text).not.toMatch(/lets 1 of|\u001b/);
  });

  it("show a missing measure as missing, and an id as plain text", () => {
    const odd = { ...calibration, calibration_id: "x\u001b[31m", log_loss: null };
    expect(textOf({ calibration: odd })).toContain("log-loss –");
    expect(textOf({ calibration: odd })).not.toContain("\u001b");
  });
});

describe("the Ambiguity Index in the headline", () => {
  const decisions = [
    { ...BOTH, n: 3, level: 1 as const, inverse: true },
    { ...BOTH, n: 1, level: 3 as const, inverse: true },
  ];
  const none = { estimate: null, reason: "none", n: 0 };
  const several_actions = { exact_agreement: none, severity_distance: none, alternatives: null };
  const words = (parts: Partial<Report>) => JSON.stringify(keyFigures(makeReport(decisions, parts)));

  it("speaks of the other way where there are two actions", () => {
    expect(words({})).toContain("where the opposite follows from the rules too, or alone");
    const text = words({});
    for (const part of ["open both ways", "the opposite", " follows.", "/ambiguity/contradiction/k"])
      expect(text).toContain(part);
  });

  it("speaks of another action where there are more", () => {
    const text = words({ several_actions });
    expect(text).toContain("where another action follows from the rules too, or alone");
    expect(text).toContain("open to another action");
    expect(text).not.toMatch(/opposite|other way|both ways/);
  });
});

describe("intervals in the headline", () => {
  it("are the wider of the two, which need not be that over communities", () => {
    const report = makeReport([{ ...BOTH, n: 40, level: 1 as const, inverse: true }], {});
    const index = { estimate: 0.6, lower: 0.5, upper: 0.7, level: 0.95, method: "wilson", k: 24, n: 40 };
    const over = (lower: number, upper: number) => {
      const cluster = { lower, upper, method: "Wilson, clusters, t", clusters: 12, design_effect: 1 };
      return JSON.stringify(keyFigures({ ...report, defensibility_index: { ...index, cluster } }, "short")[0]);
    };
    expect(over(0.4, 0.8)).toContain('"/defensibility_index/cluster/lower"');
    expect(over(0.58, 0.62)).toContain('"/defensibility_index/lower"');
    expect(over(0.58, 0.62)).not.toContain("cluster");
  });
});
