import type { CaseRule } from "../../domain/case.js";
import { compileChecks } from "./checks/index.js";
import type { Clause, ClauseDraft } from "./clause.js";
import { clauseRole, demandedWords } from "./clause-role.js";
import { splitClauses } from "./split-clauses.js";
import { clauseParts } from "./subject.js";

/** A rule as the auditor understands it. */
export interface RuleReading {
  rule: CaseRule;
  clauses: readonly Clause[];
  /** How far the rule leaves comments out: 0 … 1. */
  sparesComments: number;
  /** The rule is about comments and answers only. */
  sparesPosts: number;
  /** How much is settled in writing: 0 (a bare title) … 1 (definitions, thresholds, examples, exceptions). */
  specificity: number;
  /** A rule that asks for an attitude or leaves it to the moderators: it can be read either way. */
  isOpen: boolean;
  isProcedure: boolean;
  /** Texts that say whom the rule's demand or procedure concerns; empty when it concerns every post. */
  subjects: readonly string[];
}

const QUOTE = /"([^"]{2,80})"|“([^”]{2,80})”|„([^“”]{2,80})[“”]|«([^»]{2,80})»/g;

/** Reads a rule at the tier it is given in. `firstIndex` is the place of its first clause among all of the frame. */
export function readRule(rule: CaseRule, firstIndex: number): RuleReading {
  const lines = rule.text.split("\n");
  const title = lines[0] ?? rule.title;
  const head = [title, ...splitClauses(lines[1] ?? "").map(({ text }) => text)];
  const sense = { kind: rule.kind, demanded: demandedWords(head) };
  const drafts = splitClauses(rule.text).map((part, i): ClauseDraft => {
    const lower = part.text.toLowerCase();
    return {
      index: firstIndex + i,
      text: part.text,
      lower,
      role: clauseRole(part, sense),
      isTitle: i === 0,
      quotes: [...part.text.matchAll(QUOTE)].map((match) => match[1] ?? match[2] ?? match[3] ?? match[4]!),
    };
  });
  const draft = { lower: rule.text.toLowerCase(), kind: rule.kind, clauses: drafts };
  const clauses = drafts.map((clause): Clause => ({ ...clause, checks: compileChecks(clause, draft) }));
  return {
    rule,
    clauses,
    sparesComments: sparesComments(drafts),
    sparesPosts: sparesPosts(drafts),
    specificity: specificity(drafts),
    isOpen: isOpen(rule, drafts),
    isProcedure: drafts.some(({ role }) => role === "procedure"),
    subjects: subjectsOf(drafts, rule.kind),
  };
}

const COMMENT = /\b(?:comments?|replies|comentarios?)\b/;
const POSTS_AND_COMMENTS = /\bposts? and (?:in )?comments?\b|\bpublicaci[oó]n o comentario|in comments too/;

function sparesComments(clauses: readonly ClauseDraft[]): number {
  if (sparesPosts(clauses) > 0) return 0;
  const named = clauses.filter(({ lower }) => COMMENT.test(lower));
  if (named.some(({ lower }) => POSTS_AND_COMMENTS.test(lower))) return 0;
  if (clauses.some(({ lower }) => /\bcovers posts\b|\btitles only\b/.test(lower))) return 0.9;
  const spared = named.some(({ role }) => role === "exemption");
  const caught = named.some(({ role }) => role === "prohibition" || role === "requirement");
  if (spared) return caught ? 0.5 : 0.9;
  if (caught) return 0;
  return clauses.some(
    ({ lower, role }) => role !== "exemption" && /^an? (?:\w+ )?post\b|^posts\b|^the title\b/.test(lower),
  )
    ? 0.4
    : 0;
}

function sparesPosts(clauses: readonly ClauseDraft[]): number {
  const head = clauses.slice(0, 3);
  return head.some(({ lower }) =>
    /^(?:an? )?(?:top-level comments?|comments?|answers?|an answer|replies)\b/.test(lower),
  )
    ? 0.8
    : 0;
}

/** The subjects of what a rule demands or orders, with the definitions that explain them. */
function subjectsOf(clauses: readonly ClauseDraft[], kind: string | null): string[] {
  const texts: string[] = [];
  for (const { role, lower, isTitle } of clauses) {
    if (isTitle || role === "requirement" || role === "procedure") texts.push(clauseParts(lower).subject);
    else if (role === "definition" && kind !== "prohibition") texts.push(lower);
  }
  return texts;
}

function specificity(clauses: readonly ClauseDraft[]): number {
  let marks = 0;
  for (const clause of clauses) {
    marks +=
      0.25 +
      Math.min(3, clause.quotes.length) * 0.1 +
      (clause.role === "exemption" ? 0.15 : 0) +
      (/\d/.test(clause.text) ? 0.1 : 0);
  }
  return 1 - Math.exp(-marks);
}

function isOpen(rule: CaseRule, clauses: readonly ClauseDraft[]): boolean {
  if (rule.kind === "discretion" || rule.kind === "vague_directive") return true;
  return clauses.slice(0, 2).every(({ role }) => role === "discretion" || role === "vague");
}
