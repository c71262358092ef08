import type { CaseFrame } from "../../domain/case.js";
import { COMMON_WORDS } from "../../grounding/common-words.js";
import { STOP_WORDS } from "../../grounding/stop-words.js";
import { CitationTexts } from "./citation-texts.js";
import type { Clause } from "./clause.js";
import { ClauseSentences } from "./clause-sentences.js";
import { emptyEvidence, type RuleEvidence } from "./evidence.js";
import { NO_NEED } from "./facts.js";
import { PrecedentIndex } from "./precedent-index.js";
import { type RuleReading, readRule } from "./read-rule.js";
import { atLeast, rarityOverRules, TermIndex } from "./term-index.js";
import { termsOf, wordsOf } from "./terms.js";
import { Vocabulary } from "./vocabulary.js";
import { WordScores } from "./word-scores.js";

/** Everything about a frame that does not depend on the content: rules read, words indexed. */
export interface PreparedFrame {
  frame: CaseFrame;
  rules: readonly RuleReading[];
  vocabulary: Vocabulary;
  clauseCount: number;
  ruleOfClause: readonly number[];
  /** By clause: facts of which the content must show one for a check to bear; 0 without checks. */
  needs: Int32Array;
  /** By clause: what its words are. */
  clauses: TermIndex;
  /** By rule: whom its demand concerns. */
  subjects: TermIndex;
  /** By clause: under which condition it demands something. */
  conditions: TermIndex;
  isConditional: readonly boolean[];
  /** By rule: the words that say whom its main demand concerns, with their weights. */
  mainSubjects: readonly MainSubject[];
  /** By rule: its demand concerns every post. */
  isUniversal: readonly boolean[];
  precedents: PrecedentIndex;
  /** 1 − how much the rules settle in writing, on average; 1 without rules. */
  openness: number;
  /** Share of the precedents with something that can be verified: how usual that is here. */
  usuallyCheckable: number;
  /** How far a rule leaves it to the moderators: 1 for a catch-all, 0.5 for a call for an attitude, 0 for neither. */
  discretion: number;
  scores: WordScores;
  /** One for each rule, used again for each piece of content. */
  evidence: readonly RuleEvidence[];
  citations: CitationTexts;
  sentences: ClauseSentences;
}

export interface MainSubject {
  words: readonly number[];
  weights: readonly number[];
  total: number;
}

const prepared = new WeakMap<CaseFrame, PreparedFrame>();

/** Prepares a frame, once. */
export function prepareFrame(frame: CaseFrame): PreparedFrame {
  let made = prepared.get(frame);
  if (made === undefined) {
    made = prepare(frame);
    prepared.set(frame, made);
  }
  return made;
}

function prepare(frame: CaseFrame): PreparedFrame {
  const vocabulary = new Vocabulary();
  const rules = readRules(frame);
  const reading = indexRules(rules, vocabulary);
  const made = {
    frame,
    rules,
    vocabulary,
    clauseCount: reading.ruleOfClause.length,
    ...reading,
    needs: Int32Array.from(rules.flatMap(({ clauses }) => clauses.map(needsOf))),
    // Last to add words: the buffers below are as long as the vocabulary.
    precedents: new PrecedentIndex(frame.precedents, vocabulary),
    openness: rules.length === 0 ? 1 : 1 - rules.reduce((sum, { specificity }) => sum + specificity, 0) / rules.length,
    usuallyCheckable: usuallyCheckable(frame),
    discretion: Math.max(0, ...rules.map(discretionOf)),
  };
  return {
    ...made,
    scores: new WordScores(made),
    evidence: rules.map((_, rule) => emptyEvidence(rule)),
    citations: new CitationTexts(made),
    sentences: new ClauseSentences(made),
  };
}

function readRules(frame: CaseFrame): RuleReading[] {
  const rules: RuleReading[] = [];
  let clauses = 0;
  for (const rule of frame.rules) {
    const reading = readRule(rule, clauses);
    clauses += reading.clauses.length;
    rules.push(reading);
  }
  return rules;
}

const EVERY_TERM = { word: () => 1, concept: () => 1 };
/** What every rule of a frame speaks of can still be what one of them concerns. */
const LEAST_SUBJECT_RARITY = 0.6;
const TITLE_WEIGHT = 0.8;

function indexRules(rules: readonly RuleReading[], vocabulary: Vocabulary) {
  const termsByRule = rules.map(({ clauses }) => clauses.map(({ lower }) => termsOf(lower, vocabulary)));
  const rarity = rarityOverRules(termsByRule);
  const title = {
    word: (id: number) => TITLE_WEIGHT * rarity.word(id),
    concept: (id: number) => TITLE_WEIGHT * rarity.concept(id),
  };
  const ruleOfClause: number[] = [];
  const clauses = new TermIndex(vocabulary);
  const subjects = new TermIndex(vocabulary);
  const conditions = new TermIndex(vocabulary);
  const isConditional: boolean[] = [];
  const mainSubjects: MainSubject[] = [];
  const isUniversal = rules.map((reading, rule) => {
    reading.clauses.forEach((clause, i) => {
      ruleOfClause.push(rule);
      clauses.add(clause.index, termsByRule[rule]![i]!, clause.isTitle ? title : rarity);
      for (const quote of clause.quotes) addQuote(vocabulary, quote, clause.index);
      const condition = termsOf(reading.conditions[i] ?? "", vocabulary);
      conditions.add(clause.index, condition, EVERY_TERM);
      isConditional.push(condition.words.size > 0);
    });
    const concerned = termsOf(reading.subjects.join("\n"), vocabulary);
    subjects.add(rule, concerned, atLeast(LEAST_SUBJECT_RARITY, rarity));
    const main = termsOf(reading.mainSubject ?? "", vocabulary).words;
    mainSubjects.push(mainSubject([...main], vocabulary));
    return concerned.words.size === 0 || (reading.mainSubject !== null && main.size === 0);
  });
  return { ruleOfClause, clauses, subjects, conditions, isConditional, mainSubjects, isUniversal };
}

function needsOf({ checks }: Clause): number {
  return checks.reduce((needs, check) => needs | (check.needs ?? NO_NEED), 0);
}

function mainSubject(words: readonly number[], vocabulary: Vocabulary): MainSubject {
  const weights = words.map((word) => vocabulary.weight(word));
  return { words, weights, total: weights.reduce((sum, weight) => sum + weight, 0) };
}

const LONGEST_EXAMPLE = 8;
const EXAMPLE_WEIGHT = 3;

/** A short quoted example is looked for as it stands; a longer one, or an everyday word, counts only through its words. */
function addQuote(vocabulary: Vocabulary, quote: string, clause: number): void {
  const words = wordsOf(quote.toLowerCase());
  if (words.length === 0 || words.length > LONGEST_EXAMPLE) return;
  const [first] = words as [string];
  if (words.length === 1 && (first.length < 4 || STOP_WORDS.has(first) || COMMON_WORDS.has(first))) return;
  vocabulary.addPhrase(words, { concept: -1, clause, weight: EXAMPLE_WEIGHT });
}

const CHECKABLE = /\d|:\/\/|\[|@/;

/** With one precedent of each kind added, so that none at all says nothing. */
function usuallyCheckable({ precedents }: CaseFrame): number {
  return (precedents.filter(({ text }) => CHECKABLE.test(text)).length + 1) / (precedents.length + 2);
}

function discretionOf({ isOpen, clauses }: RuleReading): number {
  if (!isOpen) return 0;
  return clauses.some(({ role }) => role === "discretion") ? 1 : 0.5;
}
