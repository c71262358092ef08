import { expect, it } from "vitest";
import type { RuleSet } from "../../core/records/rule-set.js";
import { buildLint } from "../../experiments/lint.js";
import { renderTerminal } from "./render.js";
import { lintDocument } from "./rules-document.js";

const set: RuleSet = {
  scope: "community",
  community: "garden",
  version: "1",
  rules: [
    { id: "R1", title: "Be kind", description: "Stay civil. Links are generally removed." },
    { id: "R2", title: "Be nice" },
  ],
};

it("gives each rule one row with all that was found, and each check one explanation", () => {
  const lint = buildLint({ sets: [set], report: null, greatestOpen: 0.15 });
  const text = renderTerminal(lintDocument(lint, { rows: 9 }));
  expect(text.match(/garden R1/g)).toHaveLength(1);
  expect(text).toMatch(/undefined_term: "Be kind" \(title\) · hedge: "generally" \(description\)/);
  expect(text.match(/explanation of it was found/g)).toHaveLength(1);
  expect(text).toMatch(/on 2 of 2 rules/);
  expect(renderTerminal(lintDocument(lint, { rows: 1 }))).toMatch(/1 rule more with --rows/);
});
