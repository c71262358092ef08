import type { CaseFrame } from "../../domain/case.js";
import { CitationTexts } from "./citation-texts.js";
import type { ClauseRole } from "./clause-role.js";
import { COMMON_WORDS } from "./common-words.js";
import { ClauseSentences } from "./logic-chain.js";
import { PrecedentIndex } from "./precedent-index.js";
import { type RuleReading, readRule } from "./read-rule.js";
import { STOP_WORDS } from "./stop-words.js";
import { Vocabulary } from "./vocabulary.js";
import { WordScores } from "./word-scores.js";

/** Everything about a frame that does not depend on the content: rules read, words indexed. */
export interface PreparedFrame {
  frame: CaseFrame;
  rules: readonly RuleReading[];
  vocabulary: Vocabulary;
  clauseCount: number;
  ruleOfClause: Int32Array;
  roles: readonly ClauseRole[];
  /** By word number: clause, weight, clause, weight, … */
  wordPostings: readonly (readonly number[] | undefined)[];
  conceptPostings: readonly (readonly number[] | undefined)[];
  /** The same, for the subjects of the rules' demands: rule, weight, … */
  subjectWords: readonly (readonly number[] | undefined)[];
  subjectConcepts: readonly (readonly number[] | undefined)[];
  /** The same, for the conditions of single clauses: clause, weight, … */
  conditionWords: readonly (readonly number[] | undefined)[];
  conditionConcepts: readonly (readonly number[] | undefined)[];
  conditional: readonly boolean[];
  /** Rules whose demand concerns every post. */
  universal: readonly boolean[];
  precedents: PrecedentIndex;
  /** 1 − how much the rules settle in writing, on average; 1 without rules. */
  openness: number;
  /** Share of the precedents with something that can be verified: how usual that is here. */
  usuallyCheckable: number;
  /** How far a rule leaves it to the moderators: 1 for a catch-all, 0.5 for a call for an attitude, 0 for neither. */
  discretion: number;
  scores: WordScores;
  citations: CitationTexts;
  sentences: ClauseSentences;
}

const prepared = new WeakMap<CaseFrame, PreparedFrame>();

/** Prepares a frame, once. */
export function prepareFrame(frame: CaseFrame): PreparedFrame {
  const known = prepared.get(frame);
  if (known) return known;
  const made = prepare(frame);
  prepared.set(frame, made);
  return made;
}

/** A concept says more than one word, since several words lead to it; quoted examples say most. */
const CONCEPT_WEIGHT = 1.2;
const QUOTE_WEIGHT = 3;
const SUBJECT_RARITY = 0.6;
const TITLE_CLAUSE_WEIGHT = 0.8;

function prepare(frame: CaseFrame): PreparedFrame {
  const vocabulary = new Vocabulary();
  const rules: RuleReading[] = [];
  let clauseCount = 0;
  for (const rule of frame.rules) {
    const reading = readRule(rule, clauseCount);
    clauseCount += reading.clauses.length;
    rules.push(reading);
  }
  const ruleOfClause = new Int32Array(clauseCount);
  const roles: ClauseRole[] = [];
  const words: Set<number>[] = [];
  const concepts: Set<number>[] = [];
  rules.forEach((reading, ruleIndex) => {
    for (const clause of reading.clauses) {
      ruleOfClause[clause.index] = ruleIndex;
      roles.push(clause.role);
      const { ids, groups } = termsOf(clause.lower, vocabulary);
      words.push(ids);
      concepts.push(groups);
      for (const quote of clause.quotes) addQuote(vocabulary, quote, clause.index);
    }
  });
  const rarity = rarityOf(words, ruleOfClause, rules.length);
  const conceptRarity = rarityOf(concepts, ruleOfClause, rules.length);
  const wordPostings: (number[] | undefined)[] = new Array(vocabulary.size);
  const conceptPostings: (number[] | undefined)[] = new Array(vocabulary.concepts.length);
  rules.forEach((reading) => {
    for (const clause of reading.clauses) {
      const part = clause.isTitle ? TITLE_CLAUSE_WEIGHT : 1;
      for (const id of words[clause.index]!)
        post(wordPostings, id, clause.index, rarity(id) * part * vocabulary.weight(id));
      for (const group of concepts[clause.index]!) {
        post(conceptPostings, group, clause.index, conceptRarity(group) * part * CONCEPT_WEIGHT);
      }
    }
  });
  const subjectWords: (number[] | undefined)[] = new Array(vocabulary.size);
  const subjectConcepts: (number[] | undefined)[] = new Array(vocabulary.concepts.length);
  const conditionWords: (number[] | undefined)[] = new Array(vocabulary.size);
  const conditionConcepts: (number[] | undefined)[] = new Array(vocabulary.concepts.length);
  const conditional = rules.flatMap((reading) =>
    reading.conditions.map((condition, i) => {
      if (condition === null) return false;
      const { ids, groups } = termsOf(condition, vocabulary);
      for (const id of ids) post(conditionWords, id, reading.clauses[i]!.index, vocabulary.weight(id));
      for (const group of groups) post(conditionConcepts, group, reading.clauses[i]!.index, CONCEPT_WEIGHT);
      return ids.size > 0;
    }),
  );
  const universal = rules.map((reading, index) => {
    const { ids, groups } = termsOf(reading.subjects.join("\n"), vocabulary);
    // Rarity matters less here: what every rule of a frame speaks of can still be what this one concerns.
    for (const id of ids) post(subjectWords, id, index, Math.max(SUBJECT_RARITY, rarity(id)) * vocabulary.weight(id));
    for (const group of groups)
      post(subjectConcepts, group, index, Math.max(SUBJECT_RARITY, conceptRarity(group)) * CONCEPT_WEIGHT);
    return ids.size === 0 || (reading.mainSubject !== null && termsOf(reading.mainSubject, vocabulary).ids.size === 0);
  });
  const precedents = new PrecedentIndex(frame.precedents, vocabulary);
  const settled = rules.reduce((sum, { specificity }) => sum + specificity, 0);
  const made = {
    frame,
    rules,
    vocabulary,
    clauseCount,
    ruleOfClause,
    roles,
    wordPostings,
    conceptPostings,
    subjectWords,
    subjectConcepts,
    conditionWords,
    conditionConcepts,
    conditional,
    universal,
    precedents,
    openness: rules.length === 0 ? 1 : 1 - settled / rules.length,
    usuallyCheckable:
      (frame.precedents.filter(({ text }) => CHECKABLE.test(text)).length + 1) / (frame.precedents.length + 2),
    discretion: Math.max(0, ...rules.map((reading) => discretionOf(reading))),
  };
  return {
    ...made,
    scores: new WordScores(made),
    citations: new CitationTexts(made),
    sentences: new ClauseSentences(made),
  };
}

function discretionOf({ isOpen, clauses }: RuleReading): number {
  if (!isOpen) return 0;
  return clauses.some(({ role }) => role === "discretion") ? 1 : 0.5;
}

const CHECKABLE = /\d|:\/\/|\[|@/;
const WORD = /[\p{L}\d]+(?:['’-][\p{L}\d]+)*/gu;

/** The words of a text and the concepts they or its phrases stand for. */
export function termsOf(lower: string, vocabulary: Vocabulary): { ids: Set<number>; groups: Set<number> } {
  const ids = new Set<number>();
  const groups = new Set<number>();
  const sequence: number[] = [];
  for (const [word] of lower.matchAll(WORD)) {
    const id = vocabulary.add(word);
    if (id >= 0) {
      ids.add(id);
      for (const group of vocabulary.conceptsOf(id)) groups.add(group);
    }
    sequence.push(vocabulary.find(word));
  }
  sequence.forEach((id, at) => {
    for (const phrase of vocabulary.phrasesFrom(id) ?? []) {
      if (phrase.concept >= 0 && phrase.ids.every((part, offset) => sequence[at + offset] === part))
        groups.add(phrase.concept);
    }
  });
  return { ids, groups };
}

/** Short quoted examples are looked for as they stand; longer ones count through their words. */
function addQuote(vocabulary: Vocabulary, quote: string, clause: number): void {
  const words = [...quote.toLowerCase().matchAll(WORD)].map(([word]) => word);
  if (words.length === 0 || words.length > 8) return;
  if (words.length === 1 && (words[0]!.length < 4 || STOP_WORDS.has(words[0]!) || COMMON_WORDS.has(words[0]!))) return;
  vocabulary.addPhrase(words, { concept: -1, clause, weight: QUOTE_WEIGHT });
}

/** Rarity over the rules: a word of every rule of a frame says nothing about which of them is meant. */
function rarityOf(terms: readonly Set<number>[], ruleOfClause: Int32Array, rules: number): (term: number) => number {
  const seenIn = new Map<number, Set<number>>();
  terms.forEach((set, clause) => {
    for (const term of set) {
      const owners = seenIn.get(term) ?? new Set<number>();
      owners.add(ruleOfClause[clause]!);
      seenIn.set(term, owners);
    }
  });
  const most = Math.log(1 + Math.max(2, rules));
  return (term) => Math.log(1 + Math.max(2, rules) / (seenIn.get(term)?.size ?? 1)) / most;
}

function post(postings: (number[] | undefined)[], term: number, clause: number, weight: number): void {
  const list = postings[term];
  if (list) list.push(clause, weight);
  else postings[term] = [clause, weight];
}
