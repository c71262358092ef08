import { type Block, table } from "../../../present/document/document.js";
import { plural, whole } from "../../../present/words/numbers.js";
import type { DiffEffect, DiffWords, RuleChange, RuleEffect, RulesDiff } from "../diff/result.js";
import { changeInterval, ownerName, pointsCell, quiet, ruleName } from "./change-blocks.js";

/** Words on each side of a change that are shown with it. */
const CONTEXT = 6;
const LONGEST = 400;

/** What was changed in the texts. */
export function changeBlocks({ changes, what }: RulesDiff, rows: number): Block[] {
  const heading: Block = { kind: "heading", text: "What was changed" };
  if (what === "precedents_off") {
    return [
      heading,
      { kind: "text", text: "Before: precedents are shown. After: they are not. The rules are the same." },
    ];
  }
  if (!changes) return [heading, { kind: "text", text: "The texts are not known here." }];
  const blocks: Block[] = [heading];
  if (changes.rules.length > 0) blocks.push(...ruleBlocks(changes.rules, rows));
  if (changes.precedents) {
    const { added, removed, changed, ids } = changes.precedents;
    const some = ids.slice(0, 10).map(({ id, change }) => `${quiet(id, 40)} (${change})`);
    const more = added + removed + changed - some.length;
    blocks.push({
      kind: "text",
      text: `Precedents: ${whole(added)} added, ${whole(removed)} removed, ${whole(changed)} changed${some.length > 0 ? `: ${some.join(", ")}${more > 0 ? ` and ${whole(more)} more` : ""}` : ""}.`,
    });
  }
  return blocks.length > 1 ? blocks : [heading, { kind: "text", text: "Nothing." }];
}

function ruleBlocks(rules: readonly RuleChange[], rows: number): Block[] {
  const lines = rules.slice(0, rows).flatMap((rule) => {
    const name = quiet(rule.rule_id, 24);
    if (rule.change === "renumbered") {
      return [
        [name, ownerName(rule), rule.change, "", `was ${quiet(rule.old_rule_id ?? "", 24)}; the text is the same`],
      ];
    }
    return rule.fields.map(({ field, words }, i) => [
      i === 0 ? name : "",
      i === 0 ? ownerName(rule) : "",
      i === 0 ? rule.change : "",
      field.replace("_", " "),
      quiet(markedWords(words), LONGEST),
    ]);
  });
  const more = rules.length - Math.min(rows, rules.length);
  return [
    table(["rule", "of", "change", "part", "~text"], lines),
    {
      kind: "text",
      text: `[-removed-] {+added+}.${more > 0 ? ` ${plural(more, "changed rule")} more with --rows or --json.` : ""}`,
    },
  ];
}

/** A word diff in the manner of `git diff --word-diff`, with long stretches that are the same left out. */
function markedWords(parts: readonly DiffWords[]): string {
  return parts
    .map(({ op, text }, i) => {
      if (op === "removed") return `[-${text}-]`;
      if (op === "added") return `{+${text}+}`;
      return shortened(text, i === 0, i === parts.length - 1);
    })
    .join(" ");
}

function shortened(text: string, first: boolean, last: boolean): string {
  const words = text.split(" ");
  if (words.length <= 2 * CONTEXT + 1) return text;
  const head = first ? [] : words.slice(0, CONTEXT);
  const tail = last ? [] : words.slice(-CONTEXT);
  return [...head, "…", ...tail].join(" ");
}

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
