import type { Check } from "./checks/count-checks.js";
import type { ContentView } from "./content-view.js";
import type { Clause, RuleBook, RuleReading } from "./read-rules.js";

/** How strongly something was found, 0 … 1, the clause concerned, and the check that found it. */
interface Finding {
  strength: number;
  clause: Clause | null;
  check: Check | null;
}

const NOTHING: Finding = { strength: 0, clause: null, check: null };

/** The evidence of one content under one rule. */
export interface RuleEvidence {
  reading: RuleReading;
  /** A checked property breaks the rule. */
  breach: Finding;
  /** The content falls under an exception, or meets what is demanded. */
  excuse: Finding;
  /** The forbidding or demanding clause whose words the content shares most. */
  words: Finding;
  /** The content is of a kind the rule sends elsewhere. */
  procedure: Finding;
  /** Words shared with any clause, 0 … 1. */
  relevance: number;
}

/** The case against a content under one rule: `proven` by a checked property, less the excuse; `charge` by that property or by shared words. */
export function proven({ breach, excuse }: RuleEvidence): number {
  return breach.strength * (1 - excuse.strength);
}
export function charge({ breach, words }: RuleEvidence): number {
  return Math.max(breach.strength, WORD_CHARGE * words.strength);
}

interface Evidence {
  rules: readonly RuleEvidence[];
  /** Words shared with all clauses that forbid or demand, and with those that allow. */
  against: number;
  inFavour: number;
}

/** Weight of shared words that reaches half of their maximum effect. */
const HALF_CERTAIN = 1.6;
/** Weight of a quoted example that occurs verbatim in the content. */
const QUOTE_WEIGHT = 3;
/** An exception matched by words is less certain than one matched by a checked property. */
const WORD_EXCUSE = 0.6;
/** Shared words are weaker evidence than checked properties. */
const WORD_CHARGE = 0.8;
/** Factor for checks of clauses about what moderators may do: such a clause prohibits nothing by itself. */
const OPEN_AUTHORITY = 0.4;

export function weigh(book: RuleBook, view: ContentView): Evidence {
  const { words } = view;
  const scores = new Float64Array(book.clauses.length);
  for (const [word, general] of words) {
    for (const { clause, weight } of book.byWord.get(word) ?? NO_CLAUSES)
      scores[clause]! += weight * Math.min(1, general);
  }
  const lower = view.text.toLowerCase();
  for (const { index, quotes } of book.clauses) {
    for (const quote of quotes) if (lower.includes(quote)) scores[index]! += QUOTE_WEIGHT;
  }
  let against = 0;
  let inFavour = 0;
  const rules = book.rules.map((reading): RuleEvidence => {
    const spared = view.kind === "comment" ? reading.sparesComments : 0;
    const e = weighRule(reading, view, scores, 1 - spared);
    let a = 0;
    for (const { force, index } of reading.clauses) {
      const shared = certainty(scores[index]!);
      if (force === "forbids" || force === "demands") a += shared;
      else if (force === "allows") inFavour += shared;
    }
    const excused = a * (1 - (1 - spared) * (1 - e.excuse.strength));
    against += a - excused;
    inFavour += excused;
    return e;
  });
  return { rules, against, inFavour };
}

const NO_CLAUSES: readonly { clause: number; weight: number }[] = [];

function certainty(weight: number): number {
  return weight / (weight + HALF_CERTAIN);
}

/** `covered`: how far the rule applies to content of this kind, 0 … 1. */
function weighRule(reading: RuleReading, view: ContentView, scores: Float64Array, covered: number): RuleEvidence {
  let breach = NOTHING;
  let excuse = NOTHING;
  let words = NOTHING;
  let procedure = NOTHING;
  let relevance = 0;
  const title = reading.clauses[0]!;
  for (const clause of reading.clauses) {
    const { force, index } = clause;
    const shared = certainty(scores[index]!);
    if (shared > relevance) relevance = shared;
    if (force === "elsewhere") procedure = stronger(procedure, covered * shared, clause, null, title);
    else if (force === "allows") excuse = stronger(excuse, WORD_EXCUSE * shared, clause, null, title);
    else if (force === "forbids" || force === "demands") words = stronger(words, shared, clause, null, title);
    if (clause.checks.length === 0) continue;
    const concern = force === "demands" ? concernOf(clause, view.words) : shared;
    for (const check of clause.checks) {
      const judged = check.judge(view, concern) * (force === "open" ? OPEN_AUTHORITY : 1);
      if (judged < 0) excuse = stronger(excuse, -judged, clause, check, title);
      else if (force === "elsewhere") procedure = stronger(procedure, covered * judged, clause, check, title);
      else breach = stronger(breach, covered * judged, clause, check, title);
    }
  }
  return { reading, breach, excuse, words, procedure, relevance };
}

/** The known finding, or the clause's own if that is stronger. If title and text are equally strong, the text is cited. */
function stronger(known: Finding, strength: number, clause: Clause, check: Check | null, title: Clause): Finding {
  const isStronger =
    strength > known.strength || (strength > 0 && strength === known.strength && known.clause === title);
  return isStronger ? { strength, clause, check } : known;
}

/** How far a demand concerns the content: the share of its subject's words that the content has. */
function concernOf({ subject }: Clause, words: ReadonlyMap<string, number>): number {
  if (subject.size === 0) return 1;
  let met = 0;
  for (const word of subject) if (words.has(word)) met++;
  return met / subject.size;
}

/**
 * How strongly the rules speak against a content.
 *
 * Formula: 3 · proven + charge + ln((1 + a) / (1 + f)), with the largest proven breach and the largest charge over the rules, and the weight
 * of words shared with clauses that forbid or demand (a) and with those that allow (f).
 * Range: about −2 … 5. Undefined when: never; 0 without rules.
 * Differs from the paper: not in the paper, whose auditor is a language model.
 * @see docs/baseline.md
 */
export function ruleStrength({ rules, against, inFavour }: Evidence): number {
  let breach = 0;
  let most = 0;
  for (const rule of rules) {
    breach = Math.max(breach, proven(rule));
    most = Math.max(most, charge(rule));
  }
  return 3 * breach + most + Math.log((1 + against) / (1 + inFavour));
}

/** Converts a score to log-odds that a rule is broken: slope · (score − centre) / deviation. */
export interface Scale {
  centre: number;
  deviation: number;
  slope: number;
}

/** A scale before any precedent is seen, and the number of precedents it counts as. */
interface UsualScale extends Scale {
  count: number;
}

/** Scores are clipped at this many deviations. */
const MOST_DEVIATIONS = 3;

/**
 * The scale of a score, from its values on precedents: the further apart the values of the two decisions, the more it counts; if
 * they are not apart it counts nothing. A few precedents hardly move it from `usual`.
 *
 * Formula: centre = midpoint of the two means, deviation = spread within a decision, separation = difference of the means / deviation,
 * slope = max(0, (m · separation + k · usual slope) / (m + k)), with m the harmonic mean of the two numbers of precedents. Centre and
 * deviation are averaged with the usual ones, weighted n to k.
 * Range: slope from 0 up. Undefined when: never; without precedents it is the usual scale.
 * Differs from the paper: not in the paper, whose auditor is a language model.
 * @see docs/baseline.md
 */
export function scaleOf(permitted: readonly number[], restricted: readonly number[], usual: UsualScale): Scale {
  const n = permitted.length + restricted.length;
  if (n === 0) return usual;
  const low = mean(permitted.length > 0 ? permitted : restricted);
  const high = mean(restricted.length > 0 ? restricted : permitted);
  let square = usual.count * usual.deviation ** 2;
  for (const score of permitted) square += (score - low) ** 2;
  for (const score of restricted) square += (score - high) ** 2;
  const deviation = Math.sqrt(square / (n + usual.count));
  const m = (2 * permitted.length * restricted.length) / n;
  return {
    centre: ((n * (low + high)) / 2 + usual.count * usual.centre) / (n + usual.count),
    deviation,
    slope: Math.max(0, (m * ((high - low) / deviation) + usual.count * usual.slope) / (m + usual.count)),
  };
}

export function onScale({ centre, deviation, slope }: Scale, score: number): number {
  return slope * Math.max(-MOST_DEVIATIONS, Math.min(MOST_DEVIATIONS, (score - centre) / deviation));
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
