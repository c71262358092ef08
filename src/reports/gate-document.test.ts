import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { gateDocument } from "./gate-document.js";
import { cohort, gateReport } from "./gate-report.suite.js";
import { displayWidth } from "./printable.js";
import { renderMarkdown } from "./render-markdown.js";
import { renderTerminal } from "./render-terminal.js";

const FLEET = [cohort("calm", 400, 3, 8), cohort("rough", 200, 60), cohort("open", 150, 2, 60), cohort("few", 10, 0)];
const text = (report: ReturnType<typeof gateReport>) => renderTerminal(gateDocument(report), { width: 100 });
const flat = (report: ReturnType<typeof gateReport>) => text(report).replace(/\s+/g, " ");

describe("the gate in words", () => {
  it("says in two sentences who passes and what that would have let through", () => {
    expect(flat(gateReport(FLEET))).toContain(
      "1 of 3 communities with at least 25 audited decisions passes the gate (DI ≥ 90 %, AI ≤ 15 %; mode shrunk), with 53.3 % of their decisions. Automating these would have let through 3 of 400 decisions (0.8 %) that no rule supports, against 65 of 750 decisions (8.7 %) without a gate.",
    );
  });

  it("puts both reductions beside what chance would give, and the paper's states beside their means", () => {
    const told = flat(gateReport(FLEET));
    expect(told).toContain("Standard * 99.3 % 2.8 % 3 of 400 0.75 % 95.4 % 46.7 % 91.3 %");
    expect(told).toContain("policy gaps 1 200 70.0 % 30.0 %");
    expect(told).toContain("normative complexity 1 150 98.7 % 41.3 %");
  });

  it("draws the frontier with the gate and its knee", () => {
    const fleet = Array.from({ length: 12 }, (_, i) => cohort(`c${i}`, 100, i < 8 ? Math.floor(i / 2) : 3 * i, 2));
    const picture = text(gateReport(fleet))
      .split("\n")
      .filter((line) => line.includes("│"));
    expect(picture).toHaveLength(10);
    expect(picture.join("").match(/[oKG]/g)!.length).toBeGreaterThan(2);
    expect(picture.join("")).toContain("K");
  });

  it("has an answer for an empty fleet, for no verdict and for too few", () => {
    expect(flat(gateReport([]))).toContain("There is no audit to judge by");
    expect(flat(gateReport([{ ...cohort("a", 0, 0), unscored: 7 }]))).toContain("None of the 7 audits has a verdict");
    expect(flat(gateReport([cohort("a", 3, 0)]))).toContain("The only community has 3 of the 25 audited decisions");
    for (const fleet of [[], [cohort("a", 0, 0)], [cohort("a", 3, 0)], [cohort("a", 30, 30)]]) {
      expect(text(gateReport(fleet))).not.toMatch(/NaN|undefined|Infinity|null/);
    }
  });

  it("tells suspensions and the kill switch before everything else", () => {
    const report = gateReport(FLEET);
    report.communities[0]!.suspended = { since: "2026-01-01", reason: "Alarm: more of it." };
    report.closed = { since: "2026-01-02", reason: "wrong rules" };
    const told = flat(report);
    expect(told).toContain("1 community is suspended after an alarm");
    expect(told).toContain("Every gate is closed since 2026-01-02 (wrong rules)");
    expect(told).toContain("calm suspended Alarm: more of it. It is automated again when");
  });

  it("lets no name of a community do harm in a terminal or in Markdown", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", minLength: 1 }), (name) => {
        const report = gateReport([cohort(name, 100, 1), cohort(`${name}2`, 100, 50)]);
        report.communities[1]!.suspended = { since: name, reason: name };
        const terminal = text(report);
        expect(terminal.replaceAll("\n", "")).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
        expect(terminal.isWellFormed()).toBe(true);
        const markdown = renderMarkdown(gateDocument(report));
        expect(markdown).not.toMatch(/<(?!br)[a-z/!]/i);
      }),
      { numRuns: 40 },
    );
  });

  it("fits a terminal of 100 columns", () => {
    const report = gateReport(FLEET.map((one) => ({ ...one, key: `a rather long name of a community: ${one.key}` })));
    const widest = Math.max(...renderTerminal(gateDocument(report), { width: 100 }).split("\n").map(displayWidth));
    expect(widest).toBeLessThanOrEqual(100);
  });
});
