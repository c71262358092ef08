import type { RulesDraft } from "../../core/results/lint.js";
import { printable } from "../../text/printable.js";
import { plural } from "../words/numbers.js";
import { type Block, type Document, table } from "./document.js";

export interface DraftDocumentOptions {
  /** Rules, and passages in no rule, shown at most. */
  rows: number;
}

const KINDS: Record<RulesDraft["read_as"], string> = {
  markdown: "Markdown",
  text: "plain text",
  html: "an HTML page",
  reddit: "Reddit's list of rules",
  mastodon: "a Mastodon server's list of rules",
};

const REASONS: Record<string, string> = {
  before_the_first_rule: "before the first rule",
  section_text: "text around rules",
  not_a_rule: "heading of no rule",
  front_matter: "settings of the page",
  page_furniture: "menu, footer or form",
  hidden: "hidden on the page",
  translation: "translation",
  report_menu: "menu for reports",
  empty_rule: "empty, skipped",
};

/** Reddit's list does not name its community: the flags that do. */
export const MISSING_COMMUNITY = "Add --community NAME, as the decisions call it, or --platform.";

/** Says that a page was read as rules, and what of it is in no rule. */
export function draftRemark(file: string, notPlaced: number): string {
  const left = notPlaced === 1 ? "; 1 passage is in no rule" : `; ${notPlaced} passages are in no rule`;
  const name = printable(file, 200);
  return `${name}: a page was read as rules${notPlaced === 0 ? "" : left}. \`defensible rules draft ${name}\` shows what was understood.`;
}

const MOST_BOOKS = 5;
const MOST_SECTIONS = 4;

/** "guidelines.md: 3 rules of the platform (Everywhere, …), 2 of Boats (…)", and what of the page is in no rule. */
export function pageRemark(
  file: string,
  books: readonly { community: string | null; rules: number; sections: readonly string[] }[],
  notPlaced: number,
): string {
  const listed = books.slice(0, MOST_BOOKS).map(({ community, rules, sections }, i) => {
    const shown = sections.slice(0, MOST_SECTIONS).map((section) => printable(section, 40));
    const list = [...shown, ...(sections.length > MOST_SECTIONS ? ["…"] : [])].join(", ");
    const count = i === 0 ? plural(rules, "rule") : `${rules}`;
    return `${count} of ${community === null ? "the platform" : printable(community, 60)} (${list})`;
  });
  const more = books.length - MOST_BOOKS;
  const others = more > 0 ? ` and those of ${plural(more, "more community", "more communities")}` : "";
  const left = notPlaced === 0 ? "" : `; ${notPlaced === 1 ? "1 passage is" : `${notPlaced} passages are`} in no rule`;
  const name = printable(file, 200);
  return `${name}: ${listed.join(", ")}${others}${left}. \`defensible rules draft ${name}\` shows what was understood.`;
}

/** Characters of a passage that are shown; the file and the JSON have all of it. */
const SHOWN = 240;

/** What was understood of a page of rules: each rule with the amount of its text, and what is in no rule. */
export function draftDocument(draft: RulesDraft, { rows }: DraftDocumentOptions): Document {
  const { rules, not_placed: left, source } = draft;
  const more = rules.length - rows;
  const blocks: Block[] = [
    { kind: "text", text: sentence(draft) },
    table(
      ["rule", "of", "~title", ">description", ">detail", ">line"],
      rules
        .slice(0, rows)
        .map((rule) => [
          printable(rule.id, 40),
          printable(rule.community ?? "platform", 40),
          printable(rule.title, 120),
          words(rule.description_words),
          words(rule.detail_words),
          rule.line === null ? "" : String(rule.line),
        ]),
    ),
  ];
  if (more > 0) blocks.push({ kind: "text", text: `${plural(more, "more rule")} with --rows, all with --json.` });
  blocks.push({ kind: "heading", text: "Not in any rule" });
  if (left.length === 0) blocks.push({ kind: "text", text: "Nothing: every sentence is in a rule." });
  else {
    const shown = left.slice(0, rows);
    const passage = (text: string) => printable(text.replace(/\s+/g, " ").trim(), SHOWN);
    blocks.push(
      table(
        [">line", "what", "~text"],
        shown.map(({ line, text, reason }) => [String(line), REASONS[reason] ?? reason, passage(text)]),
      ),
      {
        kind: "text",
        text: `Check ${left.length === 1 ? "it" : "them"}: a rule that was missed is among what is listed here.${left.length > rows ? ` ${plural(left.length - rows, "more passage")} with --rows.` : ""} A draft that is written has all of it as comments.`,
      },
    );
  }
  return { title: `Rules drafted from ${printable(source, 80)}`, subtitle: subtitle(draft), blocks };
}

function subtitle({ title, read_as }: RulesDraft): string {
  return `${title === null ? "" : `"${printable(title, 100)}", `}read as ${KINDS[read_as]}`;
}

/** "12 rules: 3 of the platform, 9 of 2 communities (Boats, Sails). 4 passages are in no rule." */
function sentence({ rules, not_placed: left }: RulesDraft): string {
  const platform = rules.filter(({ scope }) => scope === "platform").length;
  const names = [...new Set(rules.flatMap(({ community }) => (community === null ? [] : [community])))];
  const named = names.length > 8 ? [...names.slice(0, 8), `${names.length - 8} more`] : names;
  const of = [
    ...(platform > 0 ? [`${platform} of the platform`] : []),
    ...(names.length > 0
      ? [
          `${rules.length - platform} of ${names.length === 1 ? "the community" : `${names.length} communities`} (${printable(named.join(", "), 300)})`,
        ]
      : []),
  ];
  const unread = left.length === 1 ? "1 passage is in no rule." : `${left.length} passages are in no rule.`;
  return `${plural(rules.length, "rule")}: ${of.join(", ")}. ${unread}`;
}

function words(count: number): string {
  return count === 0 ? "" : plural(count, "word");
}
