import { describe, expect, it } from "vitest";
import type { Report } from "../../core/results/report.js";
import { withoutDecisions } from "./redact-report.js";

const one = (decision_id: string) => ({ decision_id, sd: 0.1 });
const report = {
  counts: { attempted: 2 },
  stability: {
    counts: { cases: 2 },
    cases: [one("ask-1"), one("ask-2")],
    figures: [{ rows: [one("ask-2"), { k: 1 }] }],
  },
  experiments: {
    dual: { contradictions: { missed: 1, cases: [one("ask-1")] }, figures: [{ rows: [one("ask-1"), one("ask-2")] }] },
    attack: { escapes: { n: 2, ids: ["inversion:ask-1", "inversion:ask-2"] } },
  },
} as unknown as Report;

describe("a report without single decisions", () => {
  it("has no id of any, and every number that is of more than one", () => {
    const left = withoutDecisions(report);
    expect(JSON.stringify(left)).not.toContain("ask-");
    expect(left).toMatchObject({
      counts: { attempted: 2 },
      stability: { counts: { cases: 2 }, cases: [] },
      experiments: { dual: { contradictions: { missed: 1, cases: [] } }, attack: { escapes: { n: 2, ids: [] } } },
    });
  });

  it("has no slice of so few that it tells of one", () => {
    const row = (value: string, n: number) => ({ slice: "tags", value, n });
    const warning = (value: string) => ({ slice: "tags", value, text: value });
    const slices = { tests: 4, rows: [row("many", 50), row("rare", 1)], warnings: [warning("many"), warning("rare")] };
    const left = withoutDecisions({ ...report, gate_findings: { slices } } as unknown as Report);
    expect(left.gate_findings!.slices).toEqual({ tests: 4, rows: [row("many", 50)], warnings: [warning("many")] });
  });

  it("keeps a mark for each in pictures, the same case under the same number", () => {
    const { stability, experiments } = withoutDecisions(report) as unknown as {
      stability: { figures: { rows: object[] }[] };
      experiments: { dual: { figures: { rows: object[] }[] } };
    };
    expect(stability.figures[0]!.rows).toEqual([{ decision_id: "case 1", sd: 0.1 }, { k: 1 }]);
    expect(experiments.dual.figures[0]!.rows).toEqual([
      { decision_id: "case 2", sd: 0.1 },
      { decision_id: "case 1", sd: 0.1 },
    ]);
  });
});
