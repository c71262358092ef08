import type { Lint, RulesDraft } from "../../core/results/lint.js";
import { printable } from "../../text/printable.js";
import { plural } from "../words/numbers.js";
import { type Block, type Document, table } from "./document.js";

interface RowsShown {
  /** Most rules, and passages outside any rule, that are shown. */
  rows: number;
}

type Finding = Lint["findings"][number];

/** Checks whose findings are clear from the quoted words; their meaning is explained once, below. */
const QUOTED = new Set(["catch_all", "undefined_term", "hedge", "elsewhere"]);

/** Findings, one row per rule, worst first; the meaning of each check is explained once, below. */
export function lintDocument(lint: Lint, { rows }: RowsShown): Document {
  const { counts, findings } = lint;
  const rules = byRule(findings);
  const shown = rules.slice(0, rows);
  const more = rules.length - shown.length;
  const found = `${plural(counts.error, "error")}, ${plural(counts.warning, "warning")}, ${plural(counts.note, "note")}`;
  const on = `on ${rules.length} of ${plural(lint.rules, "rule")}`;
  const blocks: Block[] = [{ kind: "text", text: findings.length === 0 ? "Nothing was found." : `${found}, ${on}.` }];
  if (shown.length > 0) {
    blocks.push(
      table(
        ["", "rule", "~findings"],
        shown.map((own) => [own[0]!.severity, printable(ruleName(own[0]!), 40), printable(findingsText(own), 1000)]),
      ),
      ...(more > 0
        ? [{ kind: "text" as const, text: `${plural(more, "rule")} more with --rows, all with --json.` }]
        : []),
      { kind: "heading", text: "What to do" },
      table(["check", "~meaning", "~what to do"], meanings(shown.flat())),
    );
  }
  blocks.push({
    kind: "text",
    text: `${lint.run_id === null ? "No run was looked at: which rules are never cited, or leave decisions open, is shown with --run. " : `Citations are those of run ${printable(lint.run_id, 60)}. `}No model read the rules: wordings are found by their form, in English, so a finding is a question to the author. What a change would do to past decisions is shown by \`defensible rules diff\`.`,
  });
  return {
    title: "Rules, read for what they leave open",
    subtitle: `${plural(lint.rules, "rule")} in ${plural(lint.rule_sets, "rule set")}`,
    blocks,
  };
}

function ruleName({ scope, community, rule_id }: Finding): string {
  return `${scope === "platform" ? "platform" : community} ${rule_id}`;
}

/** Findings come worst first, so rules do too. */
function byRule(findings: readonly Finding[]): Finding[][] {
  const rules = new Map<string, Finding[]>();
  for (const one of findings) {
    const key = JSON.stringify([one.scope, one.community, one.rule_id]);
    const own = rules.get(key);
    if (own) own.push(one);
    else rules.set(key, [one]);
  }
  return [...rules.values()];
}

/** "undefined_term: "Be kind" (title) · empty_tier: has no detail". */
function findingsText(own: readonly Finding[]): string {
  const checks = new Map<string, string[]>();
  for (const one of own) {
    const list = checks.get(one.check) ?? [];
    list.push(findingText(one));
    checks.set(one.check, list);
  }
  return [...checks].map(([check, list]) => `${check}: ${list.join("; ")}`).join(" · ");
}

function findingText({ check, quote, part, message }: Finding): string {
  if (QUOTED.has(check)) return `"${quote}" (${part})`;
  return quote === null ? message : `"${quote}" (${part ?? "title"}) ${message}`;
}

const MEANINGS: Record<string, string> = {
  catch_all: "gives the decision, or cases of doubt, to whoever decides: they can be derived either way",
  elsewhere: "sends the reader to a text that is not in the rule",
  contradiction: "a rule grants what another that holds at the same time forbids",
  duplicate: "two rules say the same: a decision can cite either",
  dangling_reference: "refers to a rule that does not exist",
  often_open: "many decisions that cite the rule could have gone either way; the bracket is the 95% interval",
  never_cited: "no audit of the run cites it",
  empty_tier: "a tier adds nothing: an audit at it sees no more than at the one before",
  language_not_read: "written in a language whose wordings are not looked at",
};

/** Each check with findings: what it means and what to do, once. */
function meanings(findings: readonly Finding[]): string[][] {
  const first = new Map<string, Finding>();
  for (const one of findings) if (!first.has(one.check)) first.set(one.check, one);
  return [...first.values()].map(({ check, message, remedy }) => [
    check,
    MEANINGS[check] ?? printable(message, 300),
    printable(remedy, 300),
  ]);
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

/** Reddit's list does not name its community; these flags do. */
export const MISSING_COMMUNITY = "Add --community NAME, as the decisions call it, or --platform.";

/** Says that a page was read as rules, and how many passages belong to no rule. */
export function draftRemark(file: string, notPlaced: number): string {
  const left = notPlaced === 1 ? "; 1 passage is in no rule" : `; ${notPlaced} passages are in no rule`;
  const name = printable(file, 200);
  return `${name}: a page was read as rules${notPlaced === 0 ? "" : left}. \`defensible rules draft ${name}\` shows what was understood.`;
}

const MOST_BOOKS = 5;
const MOST_SECTIONS = 4;

/** "guidelines.md: 3 rules of the platform (Everywhere, …), 2 of Boats (…)", and how many passages belong to no rule. */
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

/** Most characters shown of a passage; the file and the JSON have all of it. */
const SHOWN = 240;

/** What was read from a page of rules: each rule with the length of its text, and the passages that belong to no rule. */
export function draftDocument(draft: RulesDraft, { rows }: RowsShown): Document {
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
