import { type Block, type Text, table } from "../../../present/document/document.js";
import { whole } from "../../../present/words/numbers.js";
import { sentence } from "../../../present/words/sentence.js";
import type { DiffEffect, DiffWords, RuleChange, RuleEffect, RulesDiff } from "../diff/result.js";
import { moreText, ownerName, pointsAt, quiet, rateAt, ruleName, tooFewText, wholeAt } from "./change-blocks.js";

/** Words of context on each side of a change. */
const CONTEXT = 6;
const LONGEST = 400;

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
  return [
    table(["rule", "of", "change", "part", "~text"], lines),
    {
      kind: "text",
      text: `[-removed-] {+added+}.${moreText(rules.length, rows, "changed rule")}`,
    },
  ];
}

/** A word diff in the style of `git diff --word-diff`, with long unchanged stretches left out. */
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

/** Whether the added or reworded rules are cited. */
export function changedRules({ changed_rules: rules }: DiffEffect, rows: number): Block[] {
  if (rules !== null && rules.length === 0) return [];
  const heading: Block = { kind: "heading", text: "Citations of the changed rules" };
  if (rules === null) return [heading, { kind: "empty", why: "Not known: the texts, or the rules that are cited." }];
  const unused = rules.filter((rule) => rule.cited_after === 0);
  const named = unused.slice(0, rows).map((rule) => `${quiet(rule.rule_id, 24)} of ${ownerName(rule)}`);
  const more = unused.length - named.length;
  return [
    heading,
    table(
      ["rule", "of", "change", ">cited before", ">cited after"],
      rules.slice(0, rows).map((rule, row): Text[] => {
        const at = `/effect/changed_rules/${row}`;
        return [
          ruleName(rule),
          ownerName(rule),
          rule.change,
          rule.cited_before === null ? "" : wholeAt(`${at}/cited_before`),
          wholeAt(`${at}/cited_after`),
        ];
      }),
    ),
    {
      kind: "text",
      text: `${
        unused.length === 0
          ? "Every changed rule is cited by some decision."
          : `No decision cites ${named.join(", ")}${more > 0 ? ` and ${whole(more)} more` : ""} after the change: these decisions do not show what ${unused.length === 1 ? "it does" : "they do"}.`
      }${moreText(rules.length, rows, "rule")}`,
    },
  ];
}

/** Rule by rule: by the rule cited before, and new rules by the decisions that cite them now. */
export function effectRules({ rules: { by_old, by_new, min_decisions } }: DiffEffect, rows: number): Block[] {
  const heading: Block = { kind: "heading", text: "Rule by rule" };
  const places = (side: "by_old" | "by_new", rules: readonly RuleEffect[]) =>
    rules.map((rule, row) => ({ rule, at: `/effect/rules/${side}/rules/${row}` }));
  const all = [
    ...places("by_old", by_old.rules),
    ...places("by_new", by_new.rules).filter(({ rule }) => rule.change === "added"),
  ];
  const few = tooFewText(by_old.too_few, min_decisions);
  if (all.length === 0) {
    return [heading, { kind: "empty", why: few.trim() || "The audits do not say which rules they cite." }];
  }
  return [
    heading,
    { kind: "figure", id: "diff-rules" },
    table(
      ["rule", "of", "change", ">n", ">ambiguity", ">change of ambiguity", ">new level 3"],
      all
        .slice(0, rows)
        .map(({ rule, at }): Text[] => [
          ruleName(rule),
          ownerName(rule),
          rule.change ?? "",
          wholeAt(`${at}/n`),
          rule.too_few ? "too few" : sentence`${rateAt(`${at}/ambiguity/before`)} → ${rateAt(`${at}/ambiguity/after`)}`,
          rule.too_few ? "" : pointsAt(`${at}/ambiguity/difference`),
          wholeAt(`${at}/new_indefensible`),
        ]),
    ),
    {
      kind: "text",
      text: `Decisions by the rule they cited before; of added rules by what cites them now. Changed rules first. New level 3: decisions that become indefensible.${moreText(all.length, rows, "rule")}${few}`,
    },
  ];
}
