import type { DiffEffect } from "../../domain/rules-diff.js";
import { type Block, table } from "../document.js";
import { plural, pointsText, rateText, whole } from "../numbers.js";
import { changeInterval } from "./change-blocks.js";
import { ownerName, ruleName } from "./names.js";

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
      ["rule", "of", "change", ">n", ">AI before", ">after", ">ΔAI", "95 % interval", ">become indefensible"],
      shown.map((rule) => [
        ruleName(rule),
        ownerName(rule),
        rule.change ?? "",
        whole(rule.n),
        rateText(rule.ambiguity.before),
        rateText(rule.ambiguity.after),
        rule.too_few ? "too few" : pointsText(rule.ambiguity.difference),
        changeInterval(rule.ambiguity.difference),
        whole(rule.new_indefensible),
      ]),
    ),
    {
      kind: "text",
      text: `Decisions by the rule they cited before; of added rules by what cites them now. Changed rules first.${more > 0 ? ` ${plural(more, "rule")} more in the JSON.` : ""} ${fewText}`.trim(),
    },
  ];
}
