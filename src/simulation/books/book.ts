import type { Rule } from "../../core/records/rule-set.js";

export type RuleKind = NonNullable<Rule["kind"]>;

/** Languages that content may be written in; rules are in English. */
export const SECOND_LANGUAGES = ["es", "de"] as const;
export type SecondLanguage = (typeof SECOND_LANGUAGES)[number];

/** How content can stand to the rule that it turns on; see `docs/simulation.md`. */
export const RULE_RELATIONS = [
  "core",
  "described",
  "detailed",
  "implied",
  "cleared",
  "excepted",
  "spared",
  "open",
  "void",
] as const;
export type RuleRelation = (typeof RULE_RELATIONS)[number];

/** Texts with slots in braces, filled when they are used. */
export type Phrases = readonly string[];
type CaseTexts = Partial<Readonly<Record<RuleRelation, Phrases>>>;

export interface BookRule {
  key: string;
  kind: RuleKind;
  /** One is chosen for each community. */
  titles: Phrases;
  description: string;
  detail: string;
  cases: CaseTexts;
  foreign?: Partial<Readonly<Record<SecondLanguage, CaseTexts>>>;
}

/** What a community is about. */
export interface Topic {
  slug: string;
  /** Slots that mean the same in the whole community. */
  words: Readonly<Record<string, string>>;
  /** Slots that are chosen anew each time. */
  lists: Readonly<Record<string, Phrases>>;
}

/** Contents that a rule of each scope judges differently, and which of the two prevails. */
export interface Precedence {
  platform: string;
  community: string;
  texts: Phrases;
}

interface Talk {
  /** No prohibition reaches it. */
  neutral: Phrases;
  /** None reaches it either, but people of some communities do not want it. */
  unwelcome: Phrases;
  openers: Phrases;
  closers: Phrases;
}

export interface Book extends Talk {
  name: string;
  topics: readonly Topic[];
  rules: readonly BookRule[];
  platform: readonly BookRule[];
  /** A platform's prohibition goes before a community's permission. */
  forbidden: Precedence;
  /** A platform's protection goes before a community's prohibition. */
  protected: Precedence;
  titles: Phrases;
  lists: Readonly<Record<string, Phrases>>;
  /** Numbers of a community's rules, between two bounds. */
  numbers: Readonly<Record<string, readonly [number, number]>>;
  foreign: Readonly<Record<SecondLanguage, Talk>>;
}
