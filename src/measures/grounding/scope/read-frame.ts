import type { CaseFrame, CaseRule } from "../../../core/records/case.js";
import { type ClauseText, splitClauses } from "../../../text/split-clauses.js";
import { type ClauseRole, clauseRole, demandedWords } from "../located-tokens.js";
import { type ContentWords, conceptsOf, type TellingWords, tellingWords } from "./telling-words.js";

/** What a statement of a rule does to content that meets its words. */
export type Force = "forbids" | "demands" | "allows" | "elsewhere" | "open" | "silent";

/** A statement of a rule, or the part of it before or after its "except". */
export interface ClauseScope {
  text: string;
  force: Force;
}

/** Where an exception begins inside a statement. */
const EXCEPTION =
  /\b(?:unless|except(?:ing)?(?: (?:for|that|when|where|if|in|on))?|other than|apart from|provided(?: that)?|(?:as|so) long as|but not|save for|(?:does|do) not apply (?:to|when|if)|salvo|excepto|a menos que)\b/i;
/** Says that something stays, in words that no prohibition contains. */
const LETS_STAND =
  /\b(?:stays?|(?:is|are|may be) (?:kept|left alone|protected)|does no harm|do no harm|may not (?:be removed|remove)|no ground for removal)\b/i;
const REMOVES = /\b(?:removed|removal|taken down|not allowed|forbidden|not protected)\b/i;
const IS_REMOVED = /\b(?:is|are|will be|gets?) (?:always )?(?:removed|deleted|taken down)\b(?!.*\bnot\b)/i;
/** Names the subject that all content has to be about. */
const SUBJECT = /^(?:only\b.*|.*\bonly|keep (?:it|posts|this|things) (?:about|to|on)\b.*|stay on topic.*|on topic.*)$/i;
/** Rules of these kinds explain what they are about without forbidding it. */
const HARMLESS_KINDS: ReadonlySet<string> = new Set(["requirement", "procedure", "permission"]);

/** The statements of a rule and what each does, split again where an exception begins inside one. The first is its title. */
export function clauseScopes(rule: CaseRule): ClauseScope[] {
  const texts = splitClauses(rule.text);
  if (texts.length === 0) texts.push({ text: rule.title.trim() || rule.id, lead: null });
  const head = texts.slice(0, splitClauses(rule.text.split("\n", 2).join("\n")).length);
  const demanded = demandedWords(head.map(({ text }) => text));
  const kind = rule.kind ?? suggestedKind(head.map((text) => clauseRole(text, { kind: null, demanded })));
  // Only a rule that requires something can be fallen short of.
  const sense = { kind, demanded: kind === "requirement" ? demanded : NOTHING };
  const scopes: ClauseScope[] = [];
  let previous: ClauseRole | null = null;
  texts.forEach((clause, i) => {
    const role: ClauseRole = clauseRole(clause, sense, previous);
    previous = role;
    scopes.push(...cutAtException(clause, forceOf(clause, role, kind, i === 0)));
  });
  return scopes;
}

const NOTHING: ReadonlySet<string> = new Set();
const CONTRARY: Partial<Record<Force, Force>> = { forbids: "allows", demands: "allows", allows: "forbids" };

function cutAtException({ text, lead }: ClauseText, force: Force): ClauseScope[] {
  const cut = EXCEPTION.exec(text);
  const contrary = CONTRARY[force];
  const tail = cut ? text.slice(cut.index + cut[0].length).trim() : "";
  // "Exception: …, as long as neither objects" is a single permission with its condition.
  if (!cut || cut.index === 0 || tail === "" || !contrary || lead !== null) return [{ text, force }];
  return [
    { text: text.slice(0, cut.index).trim(), force },
    { text: tail, force: contrary },
  ];
}

function forceOf({ text }: ClauseText, role: ClauseRole, kind: string | null, isTitle: boolean): Force {
  if (isTitle && SUBJECT.test(text.trim())) return "demands";
  if (LETS_STAND.test(text) && !REMOVES.test(text.replace(/\bmay not (?:be removed|remove)\b/i, ""))) return "allows";
  if (IS_REMOVED.test(text) && kind !== "requirement" && role !== "procedure") return "forbids";
  if (kind === "permission" && role === "definition") return "allows";
  switch (role) {
    case "prohibition":
    case "insufficient":
      return "forbids";
    case "requirement":
      return "demands";
    case "exemption":
      return "allows";
    case "procedure":
      return "elsewhere";
    case "discretion":
    case "vague":
      return "open";
    case "definition":
      return HARMLESS_KINDS.has(kind ?? "") ? "silent" : "forbids";
  }
}

function suggestedKind(roles: readonly ClauseRole[]): string | null {
  if (roles.includes("procedure")) return "procedure";
  if (roles.includes("discretion")) return "discretion";
  const telling = roles.find((role) => role === "prohibition" || role === "requirement");
  return telling ?? (roles.length > 0 && roles.every((role) => role === "vague") ? "vague_directive" : null);
}

/** A telling word of a rule, and the weight of sharing it. */
export interface RuleWord {
  word: string;
  weight: number;
  /** For a concept: the rule's words for it. If the content has one of them, the concept adds nothing. */
  said: readonly string[];
}

/** Probability that one telling word of the content is a given word of a rule. Chosen on simulated worlds: docs/scope-verification.md. */
export const CHANCE = 0.005;

/**
 * How much nearer content is to a text of a rule than by chance: the weight of the telling words that they share, minus the weight that content of
 * that length and a text of that weight share by chance, in units of its standard deviation. Long contents and long rules share words without
 * meaning.
 *
 * Formula: n = (s − E) / √(1 + E), s = Σ w over the text's words that the content has, E = 0.005 · d · Σ w, d the number of the content's distinct
 * telling words.
 * Range: −√E and above; 0 or less is chance; 0.3 counts as met, 1.5 as plainly met.
 * Undefined when: never; a text without a telling word gives 0.
 * Differs from the paper: not in the paper, which calls for scope verification but gives no method (§8.2).
 * @see docs/scope-verification.md
 */
export function nearness({ words, index }: Pick<ContentWords, "words" | "index">, text: readonly RuleWord[]): number {
  let shared = 0;
  let all = 0;
  for (const { word, weight, said } of text) {
    all += weight;
    if (index.has(word) && !said.some((other) => index.has(other))) shared += weight;
  }
  const expected = CHANCE * words.size * all;
  return (shared - expected) / Math.sqrt(1 + expected);
}

export interface ClauseReading extends ClauseScope {
  /** For a permission: its words that are not also in what the rule forbids. */
  words: readonly RuleWord[];
  /** Tags and names of threads or occasions, lower case: `[cheap]`, `show and tell`. */
  names: readonly string[];
}

/** The clauses of a rule with one effect on content, and their combined words. */
export interface Side {
  clauses: readonly ClauseReading[];
  words: readonly RuleWord[];
}

const SIDES = ["forbids", "demands", "allows", "elsewhere"] as const;
type SideName = (typeof SIDES)[number];

export interface RuleReading extends Record<SideName, Side> {
  rule: CaseRule;
  clauses: readonly ClauseReading[];
}

interface PrecedentReading {
  id: string;
  decision: string;
  weights: ReadonlyMap<string, number>;
  /** Euclidean length of the weights. */
  length: number;
}

/** The rules and precedents of a frame, read once for all decisions under it. */
export interface FrameReading {
  rules: readonly RuleReading[];
  precedents: readonly PrecedentReading[];
  precedentRarity: (word: string) => number;
}

const readings = new WeakMap<CaseFrame, FrameReading>();

export function readFrame(frame: CaseFrame): FrameReading {
  let reading = readings.get(frame);
  if (!reading) {
    reading = read(frame);
    readings.set(frame, reading);
  }
  return reading;
}

function read(frame: CaseFrame): FrameReading {
  const subject = subjectWords(frame);
  const drafts = frame.rules.map((rule) => ({
    rule,
    clauses: clauseScopes(rule).map((clause, i) => ({ clause, words: wordsOfClause(clause.text, i === 0, subject) })),
  }));
  const rarity = rarityOver(drafts.map(({ clauses }) => clauses.flatMap(({ words }) => [...words.keys()])));
  const precedents = frame.precedents.map((precedent) => ({ precedent, words: tellingWords(precedent.text) }));
  const precedentRarity = rarityOver(precedents.map(({ words }) => [...words.keys()]));
  return {
    rules: drafts.map(({ rule, clauses }) => readRule(rule, readClauses(clauses, rarity))),
    precedents: precedents.map(({ precedent: { id, decision }, words }) => {
      const weights = new Map([...words].map(([word, general]) => [word, general * precedentRarity(word)]));
      return { id, decision, weights, length: Math.hypot(...weights.values()) };
    }),
    precedentRarity,
  };
}

interface Draft {
  clause: ClauseScope;
  words: TellingWords;
}

function readClauses(drafts: readonly Draft[], rarity: (word: string) => number): ClauseReading[] {
  const forbidden = new Set(
    drafts.flatMap(({ clause, words }) =>
      clause.force === "forbids" || clause.force === "open" ? [...words.keys()] : [],
    ),
  );
  return drafts.map(({ clause, words }) => {
    const plain = [...words.keys()].filter((word) => !word.startsWith("#"));
    const list = [...words].map(([word, general]): RuleWord => {
      const said = word.startsWith("#") ? plain.filter((one) => conceptsOf(one).includes(word)) : [];
      return { word, weight: general * rarity(word), said };
    });
    const own = clause.force === "allows" ? list.filter(({ word }) => !forbidden.has(word)) : list;
    return { ...clause, words: own, names: namesIn(clause.text) };
  });
}

function readRule(rule: CaseRule, clauses: readonly ClauseReading[]): RuleReading {
  const side = (name: SideName) => {
    // A clause that leaves the decision to discretion is about what may be removed.
    const some = clauses.filter(({ force }) => force === name || (name === "forbids" && force === "open"));
    return { clauses: some, words: together(some) };
  };
  return {
    rule,
    clauses,
    forbids: side("forbids"),
    demands: side("demands"),
    allows: side("allows"),
    elsewhere: side("elsewhere"),
  };
}

/** Each word once, with its largest weight. */
function together(clauses: readonly ClauseReading[]): RuleWord[] {
  const words = new Map<string, RuleWord>();
  for (const one of clauses.flatMap((clause) => clause.words)) {
    const known = words.get(one.word);
    if (!known || one.weight > known.weight) words.set(one.word, one);
  }
  return [...words.values()];
}

/** A tag, or words with capitals in the middle of a sentence. */
const NAMES = /\[([^\]\n]{2,24})\]|(?<=[\p{Ll}\d,] )(\p{Lu}[\p{L}'’]+(?: (?:and |of |the |to )?\p{Lu}[\p{L}'’]+)+)/gu;

function namesIn(text: string): string[] {
  return [...text.matchAll(NAMES)].map(([whole, tag, name]) => (tag === undefined ? name! : whole).toLowerCase());
}

/** The subject of the whole community says nothing about any single content. */
function subjectWords(frame: CaseFrame): ReadonlySet<string> {
  const titles = frame.rules.filter(({ title }) => SUBJECT.test(title.trim())).map(({ title }) => title);
  return new Set(tellingWords([frame.community, ...titles].join(" ")).keys());
}

/** The title says in a few words what the rule is about, so there an everyday word counts like any other. */
function wordsOfClause(text: string, isTitle: boolean, subject: ReadonlySet<string>): TellingWords {
  const words = tellingWords(text);
  for (const word of [...words.keys()]) {
    if (subject.has(word)) words.delete(word);
    else if (isTitle) words.set(word, 1);
  }
  return words;
}

/** Rarity of a word among the texts, 0 … 1: ln(1 + n / owners) / ln(1 + n). A word that all of them contain says little about any. */
function rarityOver(texts: readonly (readonly string[])[]): (word: string) => number {
  const owners = new Map<string, number>();
  for (const text of texts) for (const word of new Set(text)) owners.set(word, (owners.get(word) ?? 0) + 1);
  const n = Math.max(2, texts.length);
  return (word) => Math.log(1 + n / (owners.get(word) ?? 1)) / Math.log(1 + n);
}
