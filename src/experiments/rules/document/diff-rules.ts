import type { DiffEffect, RuleEffect } from "../../../core/results/rules-diff.js";
import { type Block, table } from "../../../present/document/document.js";
import { plural, whole } from "../../../present/words/numbers.js";
import { changeInterval, pointsCell } from "./change-blocks.js";
import { ownerName, quiet, ruleName } from "./names.js";

/** Whether anybody cites the rules that were written or rewritten. */
export function changedRules({ changed_rules: rules, counts }: DiffEffect, rows: number): Block[] {
  if (rules !== null && rules.length === 0) return [];
  const heading: Block = { kind: "heading", text: "Who cites the changed rules" };
  if (rules === null) return [heading, { kind: "text", text: "Not known: the texts, or the rules that are cited." }];
  const unused = rules.filter((rule) => rule.cited_after === 0);
  const named = unused.slice(0, rows).map((rule) => `${quiet(rule.rule_id, 24)} of ${ownerName(rule)}`);
  const more = unused.length - named.length;
  const shown = rules.slice(0, rows);
  return [
    heading,
    table(
      ["rule", "of", "change", ">cited before", ">cited after"],
      shown.map((rule) => [
        ruleName(rule),
        ownerName(rule),
        rule.change,
        rule.cited_before === null ? "" : whole(rule.cited_before),
        whole(rule.cited_after),
      ]),
    ),
    {
      kind: "text",
      text: `${
        unused.length === 0
          ? "Every changed rule is cited by some decision."
          : `No decision cites ${named.join(", ")}${more > 0 ? ` and ${whole(more)} more` : ""} after the change: these decisions do not show what ${unused.length === 1 ? "it does" : "they do"}.`
      } Of ${plural(counts.paired, "decision")}, by the rule that the auditor cites.${rules.length > shown.length ? ` ${plural(rules.length - shown.length, "rule")} more with --rows or --json.` : ""}`,
    },
  ];
}

/** Rule by rule: those cited before, and new ones by what cites them now. */
export function effectRules({ rules: { by_old, by_new, min_decisions } }: DiffEffect, rows: number): Block[] {
  const heading: Block = { kind: "heading", text: "Rule by rule" };
  const told = [...by_old.rules, ...by_new.rules.filter((rule) => rule.change === "added")];
  const few = by_old.too_few.length;
  if (told.length + few === 0) return [heading, { kind: "text", text: "The audits do not say which rules they cite." }];
  const fewText =
    few > 0
      ? `${plural(few, "rule is", "rules are")} cited by fewer than ${min_decisions} decisions: too few for rates. `
      : "";
  if (told.length === 0) return [heading, { kind: "text", text: fewText.trim() }];
  const shown = told.slice(0, rows);
  const more = told.length - shown.length;
  return [
    heading,
    table(
      ["rule", "of", "change", ">n", ">AI", ">ΔAI, pp", "95 % interval", ">new L3"],
      shown.map((rule) => [
        ruleName(rule),
        ownerName(rule),
        rule.change ?? "",
        whole(rule.n),
        rule.too_few ? "too few" : ladderCell(rule),
        rule.too_few ? "" : pointsCell(rule.ambiguity.difference),
        rule.too_few ? "" : changeInterval(rule.ambiguity.difference),
        whole(rule.new_indefensible),
      ]),
    ),
    {
      kind: "text",
      text: `Decisions by the rule they cited before; of added rules by what cites them now. Changed rules first. New L3: decisions that become indefensible.${more > 0 ? ` ${plural(more, "rule")} more with --rows or --json.` : ""} ${fewText}`.trim(),
    },
  ];
}

/** "62.5 → 50.0 %". */
function ladderCell({ ambiguity: { before, after } }: RuleEffect): string {
  const value = (one: typeof before) => (one.estimate === null ? "–" : (100 * one.estimate).toFixed(1));
  return `${value(before)} → ${value(after)} %`;
}
