import type { CaseRule } from "../../domain/case.js";
import { compileChecks } from "./checks/index.js";
import { tagsOfClause } from "./checks/tag-check.js";
import type { Clause, ClauseDraft } from "./clause.js";
import { clauseRole, demandedWords } from "./clause-role.js";
import { splitClauses } from "./split-clauses.js";
import { clauseCondition, clauseParts } from "./subject.js";

/** A rule as the auditor understands it. */
export interface RuleReading {
  rule: CaseRule;
  clauses: readonly Clause[];
  /** The statement that says what the rule is about: the first of its description, else its title. */
  mainClause: number;
  /** How far the rule leaves comments out: 0 … 1. */
  sparesComments: number;
  /** The rule is about comments and answers only. */
  sparesPosts: number;
  /** How much is settled in writing: 0 (a bare title) … 1 (definitions, thresholds, examples, exceptions). */
  specificity: number;
  /** A rule that asks for an attitude or leaves it to the moderators: it can be read either way. */
  isOpen: boolean;
  isProcedure: boolean;
  /** Texts that say whom the rule's demand or procedure concerns. */
  subjects: readonly string[];
  /** The subject of the demand in its title or description: without a word of content it concerns every post. */
  mainSubject: string | null;
  /** By clause: what must be so for its demand to apply ("when an oven is used"), or null. */
  conditions: readonly (string | null)[];
  /** The demand concerns only content with one of these tags. */
  conditionTags: readonly string[];
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
    mainClause: firstIndex + (clauses.length > 1 ? 1 : 0),
    sparesComments: sparesComments(drafts, rule.kind),
    sparesPosts: sparesPosts(drafts),
    specificity: specificity(drafts),
    isOpen: isOpen(rule, drafts),
    isProcedure: rule.kind === "procedure" || drafts.slice(0, head.length).some(({ role }) => role === "procedure"),
    subjects: subjectsOf(drafts, rule.kind),
    mainSubject: mainSubject(drafts.slice(0, head.length)),
    conditions: drafts.map(({ lower, role }) => (role === "requirement" ? clauseCondition(lower) : null)),
    conditionTags: drafts.flatMap(({ role, lower }) =>
      role === "requirement" && /\btagged \[/.test(lower) ? tagsOfClause(lower) : [],
    ),
  };
}

const COMMENT = /\b(?:comments?|replies|comentarios?)\b/;
const POSTS_AND_COMMENTS = /\bposts? and (?:in )?comments?\b|\bpublicaci[oó]n o comentario|in comments too/;

function sparesComments(clauses: readonly ClauseDraft[], kind: string | null): number {
  if (sparesPosts(clauses) > 0) return 0;
  const named = clauses.filter(({ lower }) => COMMENT.test(lower));
  if (named.some(({ lower }) => POSTS_AND_COMMENTS.test(lower))) return 0;
  if (clauses.some(({ lower }) => /\bcovers posts\b|\btitles only\b/.test(lower))) return 0.9;
  const spared = named.some(({ role }) => role === "exemption");
  const caught = named.some(({ role }) => role === "prohibition" || role === "requirement");
  if (spared) return caught ? 0.5 : 0.9;
  if (caught || named.length > 0) return 0;
  // What posts must have or where they belong is seldom meant for comments, and rules seldom say so.
  if (kind === "requirement" || kind === "procedure") return 0.7;
  return clauses.some(({ lower, role }) => role !== "exemption" && POST_SUBJECT.test(lower)) ? 0.4 : 0;
}

const POST_SUBJECT = /^an? (?:\w+ )?post\b|^posts\b|^the title\b/;

function sparesPosts(clauses: readonly ClauseDraft[]): number {
  const head = clauses.slice(0, 3);
  return head.some(({ lower }) =>
    /^(?:an? )?(?:top-level comments?|comments?|answers?|replies|critiques?|feedback|an answer)\b/.test(lower),
  )
    ? 0.8
    : 0;
}

function mainSubject(head: readonly ClauseDraft[]): string | null {
  const demand =
    head.find(({ role, isTitle }) => role === "requirement" && !isTitle) ??
    head.find(({ role }) => role === "requirement");
  return demand ? clauseParts(demand.lower).subject : null;
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
