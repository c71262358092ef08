import { countOf } from "../../core/estimate.js";
import { isModeration } from "../../core/records/actions.js";
import type { Report } from "../../core/results/report.js";
import type { PageDecision, ReportPage } from "../../measures/report-page.js";
import { citedRules, rulesInForce } from "./decision-rules.js";
import { byCount, whole } from "./numbers.js";
import type { RuleReference } from "./rule-texts.js";
import { numberAt, type Sentence, sentence } from "./sentence.js";
import { nameText } from "./vocabulary.js";

interface TrapWords {
  /** Pointer into the report to their number. */
  at: string;
  /** For a list of counts. */
  counted: readonly [one: string, many: string];
  /** For one decision, and for several. */
  card: readonly [one: string, many: string];
  none: string;
}

/** The three ways in which labels and rules differ, as named on terminal and page. */
export const TRAP_WORDS: Record<TrapKind, TrapWords> = {
  error_supported: {
    at: "/trap/disagreements_defensible/k",
    counted: ["error that the rules support", "errors that the rules support"],
    card: ["counted as an error, yet the rules support it", "counted as errors, yet the rules support them"],
    none: "No decision that differs from its label follows from the rules.",
  },
  success_unsupported: {
    at: "/trap/accurate_but_indefensible/joint/k",
    counted: ["success that no rule supports", "successes that no rule supports"],
    card: ["counted as a success, yet no rule supports it", "counted as successes, yet no rule supports them"],
    none: "No decision that agrees with its label lacks a supporting rule.",
  },
  both_allowed: {
    at: "/ambiguity/pure/k",
    counted: ["case where the rules allow both", "cases where the rules allow both"],
    card: ["where the rules allow both", "where the rules allow both"],
    none: "There is no decision for which the rules allow both.",
  },
};

export const NO_LABELS = "No decision has a human label, so nothing can agree or disagree with one.";

/** How many decisions agreement misjudges; null if none. `at`: pointer to the report. `counted`: with the errors and successes among them. */
export function misjudgedSentence(report: Report, at: string, { counted }: { counted: boolean }): Sentence | null {
  const { trap, run, counts } = report;
  const { joint } = trap.accurate_but_indefensible;
  const misjudged = countOf(trap.disagreements_defensible) + countOf(joint);
  if (misjudged === 0) return null;
  const labelled = joint.n < counts.verdicts ? " that have a label" : "";
  // Without disagreements the report has no such rate, and so no count to point at.
  const kind = (name: TrapKind, count: number) =>
    sentence`${count === 0 ? "0" : numberAt(`${at}${TRAP_WORDS[name].at}`, "whole")} ${byCount(count, ...TRAP_WORDS[name].counted)}`;
  const parts = counted
    ? sentence`: ${kind("error_supported", countOf(trap.disagreements_defensible))}, ${kind("success_unsupported", countOf(joint))}`
    : [];
  return sentence`Agreement with ${isModeration(run.actions) ? "moderators" : "human labels"} misjudges ${whole(misjudged)} of the ${numberAt(`${at}/trap/accurate_but_indefensible/joint/n`, "whole")}${labelled}${parts}.`;
}

/** The three ways in which agreement with a label differs from the rules. */
export const TRAP_KINDS = ["error_supported", "success_unsupported", "both_allowed"] as const;
export type TrapKind = (typeof TRAP_KINDS)[number];

export interface TrapExample {
  decision: PageDecision;
  /** Title and text, cut to the length of a card; null if absent. */
  title: string | null;
  text: string | null;
  /** The cited words of the rule, and the rule if the page has it. */
  quote: string;
  rule: RuleReference | null;
  /** One sentence of the audit's reasoning. */
  because: string;
  /** Whether the reference annotation agrees; null: there is no annotation. */
  confirmed: boolean | null;
}

const IS: Record<TrapKind, (decision: PageDecision) => boolean> = {
  error_supported: ({ decision, human_label: label, audit }) =>
    label !== null && label !== decision && audit.level !== null && audit.level !== 3,
  success_unsupported: ({ decision, human_label: label, audit }) => label === decision && audit.level === 3,
  both_allowed: ({ audit }) => audit.level !== null && audit.level !== 3 && audit.inverse === true,
};

const EXCERPT = 220;
const QUOTE = 160;
const BECAUSE = 220;
/** Shorter texts or conclusions say too little on their own. */
const LEAST = 30;
const LEAST_BECAUSE = 45;

/**
 * The clearest listed decision of each kind: short, with a citation found in its rule, and confirmed by the reference annotation if there is one.
 * Null: no decision of the kind has its texts here.
 */
export function trapExamples(page: ReportPage): Record<TrapKind, TrapExample | null> {
  const rewritten = rewrittenRules(page);
  // A post that fits two kinds is shown once, unless there is no other.
  const used = new Set<string>();
  const clearest = (kind: TrapKind): TrapExample | null => {
    const all = page.decisions
      .flatMap((decision) => (IS[kind](decision) ? (exampleOf(kind, decision) ?? []) : []))
      .map((example) => ({ example, rank: rankOf(kind, example, rewritten) }))
      .sort((a, b) => compareRanks(a.rank, b.rank) || (a.example.decision.id < b.example.decision.id ? -1 : 1));
    const best = all.find(({ example }) => !used.has(example.decision.id)) ?? all[0];
    if (!best) return null;
    used.add(best.example.decision.id);
    return { ...best.example, rule: ruleOf(page, best.example.decision) };
  };
  return {
    error_supported: clearest("error_supported"),
    success_unsupported: clearest("success_unsupported"),
    both_allowed: clearest("both_allowed"),
  };
}

function exampleOf(kind: TrapKind, decision: PageDecision): TrapExample | null {
  const { title, body, audit, gold } = decision;
  const [cited, chain] = [audit.policy_citation?.text, audit.logic_chain?.text];
  if (!cited || !chain || !(title?.text || body?.text) || audit.flags.includes("injection_suspected")) return null;
  const [headed, written] = [title?.text?.trim() || null, body?.text?.trim() || null];
  return {
    decision,
    title: headed && nameText(headed, EXCERPT),
    text: written && nameText(written, EXCERPT),
    quote: nameText(quotedWords(cited), QUOTE),
    rule: null,
    because: nameText(lastSentence(chain), BECAUSE),
    confirmed: gold ? IS[kind]({ ...decision, audit: { ...audit, level: gold.level, inverse: gold.inverse } }) : null,
  };
}

/** Criteria, most important first; smaller is clearer. */
function rankOf(kind: TrapKind, example: TrapExample, rewritten: ReadonlySet<string>): number[] {
  const { decision, title, text, quote, because, confirmed } = example;
  const { audit, context_of, media, community } = decision;
  const length = (title?.length ?? 0) + (text?.length ?? 0);
  const wrong = (bad: boolean) => (bad ? 1 : 0);
  return [
    wrong(audit.citation?.grounded !== true),
    wrong(confirmed === false),
    // A clear-cut decision shows more than an arguable one.
    wrong(
      kind === "error_supported"
        ? audit.level !== 1 || audit.inverse === true
        : kind === "both_allowed" && audit.level !== 2,
    ),
    wrong(context_of + media > 0),
    wrong(kind === "both_allowed" && !rewritten.has(JSON.stringify([community, audit.citation?.rule_id ?? null]))),
    // Prefer a case in which both decisions were made; both hold.
    wrong(kind === "both_allowed" && (decision.human_label ?? decision.decision) === decision.decision),
    wrong(
      length < LEAST ||
        length > EXCERPT ||
        /…|\.{3}|\[/.test(quote) ||
        because.endsWith("…") ||
        because.length < LEAST_BECAUSE,
    ),
    length + quote.length + because.length,
  ];
}

function compareRanks(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, place) => value !== b[place]);
  return at < 0 ? 0 : a[at]! - b[at]!;
}

/** Rules rewritten by the workspace's newest comparison, which the page discusses next. */
function rewrittenRules({ report }: ReportPage): ReadonlySet<string> {
  const rules = report.experiments?.diff?.changes?.rules ?? [];
  return new Set(
    rules.filter(({ shown }) => shown).map(({ community, rule_id }) => JSON.stringify([community, rule_id])),
  );
}

function ruleOf(page: ReportPage, decision: PageDecision): RuleReference | null {
  const inForce = rulesInForce(page, decision, decision.audit);
  const [cited] = inForce ? citedRules(inForce, decision.audit) : [];
  return cited ? { scope: cited.scope, community: cited.community, rule_id: cited.rule.id } : null;
}

/** The longest quotation; without quotation marks, what follows the name of the rule. */
export function quotedWords(cited: string): string {
  const citation = cited.replaceAll('\\"', "'");
  const quoted = [...citation.matchAll(/"([^"]+)"|“([^”]+)”|(?<!\p{L})'(.+?)'(?!\p{L})/gu)].map(
    (one) => one[1] ?? one[2] ?? one[3] ?? "",
  );
  const [longest] = quoted.sort((a, b) => b.length - a.length);
  if (longest && longest.length >= 12) return longest.trim();
  return citation.replace(/^[^:"“]{1,60}:\s*/, "").trim();
}

/** The last sentence of the reasoning, which concludes it. */
export function lastSentence(chain: string): string {
  const sentences = chain.trim().split(/(?<=[.!?]['"’”)]?)\s+(?=["'“‘(]?[\p{Lu}\d])/u);
  return sentences.at(-1) ?? "";
}
