import type { DiffWords, RuleChange, RulesDiff } from "../../../core/results/rules-diff.js";
import { type Block, table } from "../../../present/document/document.js";
import { plural, whole } from "../../../present/words/numbers.js";
import { ownerName, quiet } from "./names.js";

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
