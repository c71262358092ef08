import type { CaseRule } from "../../domain/case.js";
import { type ClauseRole, clauseRole, demandedWords } from "../../grounding/clause-role.js";
import { type ClauseText, splitClauses } from "../../grounding/split-clauses.js";
import { type Audience, audienceOf } from "./audience.js";
import { compileChecks } from "./checks/index.js";
import { tagsOfClause } from "./checks/tag-check.js";
import { type Clause, type ClauseDraft, voiceOf } from "./clause.js";
import { clauseCondition, clauseParts } from "./subject.js";

/** A rule as the auditor understands it. */
export interface RuleReading {
  rule: CaseRule;
  /** The kind it declares, else the one its wording suggests. */
  kind: string | null;
  clauses: readonly Clause[];
  /** Place among the frame's clauses of the statement that says what the rule is about: the first of its description, else its title. */
  mainClause: number;
  audience: Audience;
  /** How much is settled in writing: 0 (a bare title) … 1 (definitions, thresholds, examples, exceptions). */
  specificity: number;
  /** A rule that asks for an attitude or leaves it to the moderators: it can be read either way. */
  isOpen: boolean;
  isProcedure: boolean;
  /** Place of the clause that orders the procedure, for a rule that is one; else -1. */
  procedureClause: number;
  /** Texts that say whom the rule's demand or procedure concerns. */
  subjects: readonly string[];
  /** The subject of the demand in its title or description: without a word of content it concerns every post. */
  mainSubject: string | null;
  /** By clause: what must be so for its demand to apply ("when an oven is used"), or null. */
  conditions: readonly (string | null)[];
  /** The demand concerns only content with one of these tags. */
  conditionTags: readonly string[];
}

/** Reads a rule at the tier it is given in. `firstIndex` is the place of its first clause among all of the frame. */
export function readRule(rule: CaseRule, firstIndex: number): RuleReading {
  const texts = clauseTexts(rule);
  const headLength = splitClauses(rule.text.split("\n", 2).join("\n")).length;
  const demanded = demandedWords(texts.slice(0, headLength).map(({ text }) => text));
  const kind =
    rule.kind ?? suggestedKind(texts.slice(0, headLength).map((text) => clauseRole(text, { kind: null, demanded })));
  let previous: ClauseRole | null = null;
  const drafts = texts.map((part, i): ClauseDraft => {
    const role = clauseRole(part, { kind, demanded }, previous);
    previous = role;
    return {
      index: firstIndex + i,
      text: part.text,
      lower: part.text.toLowerCase(),
      role,
      isTitle: i === 0,
      quotes: quotesIn(part.text),
    };
  });
  const head = drafts.slice(0, Math.max(1, headLength));
  const draft = { lower: rule.text.toLowerCase(), kind, clauses: drafts };
  const isProcedure = kind === "procedure" || head.some(({ role }) => role === "procedure");
  const mainClause = firstIndex + (drafts.length > 1 ? 1 : 0);
  return {
    rule,
    kind,
    clauses: drafts.map(
      (clause): Clause => ({ ...clause, checks: compileChecks(clause, draft), voice: voiceOf(clause.role, kind) }),
    ),
    mainClause,
    audience: audienceOf(drafts, kind),
    specificity: specificity(drafts),
    isOpen: isOpen(kind, drafts),
    isProcedure,
    procedureClause: isProcedure ? (drafts.find(({ role }) => role === "procedure")?.index ?? mainClause) : -1,
    subjects: subjectsOf(drafts, kind),
    mainSubject: mainSubject(head),
    conditions: drafts.map(({ lower, role }) => (role === "requirement" ? clauseCondition(lower) : null)),
    conditionTags: drafts.flatMap(({ role, lower }) =>
      role === "requirement" && TAGGED.test(lower) ? tagsOfClause(lower) : [],
    ),
  };
}

const TAGGED = /\btagged \[/;
const QUOTE = /"([^"]{2,80})"|“([^”]{2,80})”|„([^“”]{2,80})[“”]|«([^»]{2,80})»/g;

/** A rule has at least one statement, be it only its id. */
function clauseTexts(rule: CaseRule): ClauseText[] {
  const texts = splitClauses(rule.text);
  return texts.length > 0 ? texts : [{ text: rule.title.trim() || rule.id, lead: null }];
}

function quotesIn(text: string): string[] {
  return [...text.matchAll(QUOTE)].map((match) => match[1] ?? match[2] ?? match[3] ?? match[4]!);
}

/** The kind of a rule that declares none, by what its title and description do. */
function suggestedKind(roles: readonly ClauseRole[]): string | null {
  if (roles.includes("procedure")) return "procedure";
  if (roles.includes("discretion")) return "discretion";
  const telling = roles.find((role) => role === "prohibition" || role === "requirement");
  return telling ?? (roles.length > 0 && roles.every((role) => role === "vague") ? "vague_directive" : null);
}

function mainSubject(head: readonly ClauseDraft[]): string | null {
  const demands = head.filter(({ role }) => role === "requirement");
  const demand = demands.find(({ isTitle }) => !isTitle) ?? demands[0];
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

/** 1 − e^(−marks): each statement is a mark, and its examples, numbers and exceptions add to it. */
function specificity(clauses: readonly ClauseDraft[]): number {
  let marks = 0;
  for (const { quotes, role, text } of clauses) {
    marks += 0.25 + Math.min(3, quotes.length) * 0.1 + (role === "exemption" ? 0.15 : 0) + (/\d/.test(text) ? 0.1 : 0);
  }
  return 1 - Math.exp(-marks);
}

function isOpen(kind: string | null, clauses: readonly ClauseDraft[]): boolean {
  if (kind === "discretion" || kind === "vague_directive") return true;
  return clauses.slice(0, 2).every(({ role }) => role === "discretion" || role === "vague");
}
