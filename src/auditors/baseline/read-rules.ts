import type { CaseRule } from "../../core/records/case.js";
import { clauseScopes, type Force } from "../../measures/grounding/scope/read-frame.js";
import { COMMON_WORDS, tellingWords } from "../../measures/grounding/scope/telling-words.js";
import { type Check, isAboutTitles } from "./checks/count-checks.js";
import { compileChecks } from "./checks/form-checks.js";

/** A statement of a rule. */
export interface Clause {
  text: string;
  force: Force;
  /** Index among all clauses of the frame, and index of its rule. */
  index: number;
  rule: number;
  checks: readonly Check[];
  /** Short quoted examples, in lower case. */
  quotes: readonly string[];
  /** Distinctive words before the verb of a demand: whom it concerns. Empty: everyone. */
  subject: ReadonlySet<string>;
}

/** A rule as the auditor reads it. */
export interface RuleReading {
  rule: CaseRule;
  clauses: readonly Clause[];
  /** The statement that says what the rule is about: the first after the title, else the title. */
  main: Clause;
  /** It asks for an attitude or leaves the matter to the moderators, so it can be read either way. */
  isOpen: boolean;
  /** How far it exempts comments, 0 … 1. */
  sparesComments: number;
}

/** The rules of a frame, and which of their clauses share a word. */
export interface RuleBook {
  rules: readonly RuleReading[];
  clauses: readonly Clause[];
  /** By distinctive word: the clauses that have it, and the weight of sharing it there. */
  byWord: ReadonlyMap<string, readonly { clause: number; weight: number }[]>;
  /** 1 minus how much the rules settle in writing, on average; 1 without rules. */
  openness: number;
  /** 1 if a rule leaves the matter to the moderators, else 0. */
  discretion: number;
}

export function readRules(caseRules: readonly CaseRule[]): RuleBook {
  const clauses: Clause[] = [];
  const rules = caseRules.map((rule, place) => readRule(rule, place, clauses));
  return {
    rules,
    clauses,
    byWord: indexWords(rules),
    openness:
      rules.length === 0 ? 1 : rules.reduce((sum, { clauses }) => sum + Math.exp(-marks(clauses)), 0) / rules.length,
    discretion: rules.some(({ isOpen, rule }) => isOpen && rule.kind !== "vague_directive") ? 1 : 0,
  };
}

function readRule(rule: CaseRule, place: number, all: Clause[]): RuleReading {
  const scopes = clauseScopes(rule);
  const title = rule.title.toLowerCase();
  const aboutTitles = isAboutTitles(rule.text.split("\n", 2).join(" ").toLowerCase());
  const clauses = scopes.map(({ text, force }): Clause => {
    const clause = text.toLowerCase();
    const checks = compileChecks({ clause, force, title, isAboutTitles: aboutTitles });
    const subject = force === "demands" ? subjectOf(clause, title) : NO_WORDS;
    const made = { text, force, index: all.length, rule: place, checks, quotes: quotesIn(clause), subject };
    all.push(made);
    return made;
  });
  return {
    rule,
    clauses,
    main: clauses[1] ?? clauses[0]!,
    isOpen:
      rule.kind === "discretion" ||
      rule.kind === "vague_directive" ||
      clauses.slice(0, 2).every(({ force }) => force === "open"),
    sparesComments: sparesComments(rule.kind, clauses),
  };
}

const QUOTE = /["“]([^"”]{4,60})["”]/g;

function quotesIn(clause: string): string[] {
  return Array.from(clause.matchAll(QUOTE), (match) => match[1]!.replace(/[.,;!]+$/, "")).filter(
    (quote) => quote.includes(" ") || !COMMON_WORDS.has(quote),
  );
}

const NO_WORDS: ReadonlySet<string> = new Set();
const DEMAND =
  /\b(?:must|has to|have to|needs?|requires?|starts?|begins?|shows|names|says|carry|carries|puts|quotes|gives|states|includes|contains|has|have|is|are|stands|lleva|dice|va)\b/;
/** Words for content in general. */
const ANY_CONTENT = tellingWords(
  "post posts thread threads title titles comment comments message text body question content submission every all members user",
);

/** Whom a demand concerns: the distinctive words before its verb, without those for content in general. */
function subjectOf(clause: string, title: string): ReadonlySet<string> {
  const own = specificWords(clause.slice(0, DEMAND.exec(clause)?.index ?? 0));
  return own.size > 0 ? own : specificWords(title);
}

function specificWords(text: string): Set<string> {
  return new Set([...tellingWords(text).keys()].filter((word) => !ANY_CONTENT.has(word)));
}

const COMMENTS = /\b(?:comments?|replies|comentarios?)\b/i;

/** A rule that allows for comments what it says of posts exempts them; one that only demands something is seldom meant for them. */
function sparesComments(kind: string | null, clauses: readonly Clause[]): number {
  const named = clauses.filter(({ text }) => COMMENTS.test(text));
  if (named.some(({ force }) => force === "forbids" || force === "demands")) return 0;
  if (named.some(({ force }) => force === "allows")) return 0.9;
  return named.length === 0 && (kind === "requirement" || kind === "procedure") ? 0.5 : 0;
}

/** How much the statements settle: each one something; examples, numbers and exceptions more. */
function marks(clauses: readonly Clause[]): number {
  let sum = 0;
  for (const { text, force } of clauses)
    sum += 0.25 + (/"|“/.test(text) ? 0.2 : 0) + (force === "allows" ? 0.15 : 0) + (/\d/.test(text) ? 0.1 : 0);
  return sum;
}

/** Words weigh more the fewer rules have them: a word that every rule uses does not tell which rule is meant. */
function indexWords(rules: readonly RuleReading[]): Map<string, { clause: number; weight: number }[]> {
  const words = rules.map(({ clauses }) => clauses.map(({ text }) => tellingWords(text)));
  const owners = new Map<string, number>();
  for (const clauses of words)
    for (const word of new Set(clauses.flatMap((one) => [...one.keys()])))
      owners.set(word, (owners.get(word) ?? 0) + 1);
  const n = Math.max(2, rules.length);
  const byWord = new Map<string, { clause: number; weight: number }[]>();
  rules.forEach(({ clauses }, rule) => {
    clauses.forEach(({ index }, i) => {
      for (const [word, general] of words[rule]![i]!) {
        const weight = (general * Math.log(1 + n / owners.get(word)!)) / Math.log(1 + n);
        const list = byWord.get(word);
        if (list) list.push({ clause: index, weight });
        else byWord.set(word, [{ clause: index, weight }]);
      }
    });
  });
  return byWord;
}
