import { expect, it } from "vitest";
import { BOTH, makeReport, makeRule } from "../../measures/report.suite.js";
import { renderTerminal } from "../document/render.js";
import { reportDocument, rulesSection } from "./report-document.js";

it("the rule ledger names the rules whose open cases people decide alike", () => {
  const open = { level: 2, inverse: true } as const;
  const textOf = (humanPositive: boolean | null) => {
    const rules = [makeRule([{ ...open, n: 30, humanPositive }], { rule_id: "R2" })];
    return JSON.stringify(rulesSection(makeReport([{ ...BOTH, n: 90 }], { rules }), 10));
  };
  expect(textOf(false)).toContain("Check the auditor before you change pottery R2: people decided at least 90%");
  expect(textOf(null)).not.toContain("Check the auditor");
});

it("labels of signals are whole on a narrow terminal", () => {
  const printed = renderTerminal(reportDocument(makeReport([{ ...BOTH, n: 90 }])), { width: 70 });
  const signals = printed.slice(printed.indexOf("\nSignals"), printed.indexOf("precedent weight by level"));
  expect(signals).toContain("precedent-weight");
  expect(signals).not.toContain("…");
});
