import type { ContentView } from "./content-view.js";
import type { Evidence } from "./evidence.js";
import type { PreparedFrame } from "./prepare-frame.js";

/** What the verdict depends on. Strengths are 0 … 1 unless said otherwise. */
export interface Features {
  /** The strongest case that the content breaks a rule by a checked property, after exceptions. */
  breach: number;
  /** ln((1 + a) / (1 + f)): a sums over all clauses that forbid or demand how far the content's words meet them, f over those that allow. */
  leaning: number;
  /** The strongest case before exceptions, by a property or by words. */
  charge: number;
  /** The strongest case that a rule sends the content elsewhere. */
  procedure: number;
  /** ln(1 + words) − 3.5, words capped at 150: fuller texts more often have what rules ask for. About −3 … 1.5. */
  fullness: number;
  /** 1 if the content has something that can be verified (a number, a link, a tag, an address), less how usual that is here: −1 … 1. */
  checkable: number;
  /** How little the rules settle in writing. */
  openness: number;
  /** How far a rule leaves it to the moderators or asks for an attitude: that can carry a restriction, but not settle it. */
  discretion: number;
  /** The content comes close to a line of some rule, or one rule demands what another forbids. */
  borderline: number;
  /** Similar precedents that restricted, minus similar ones that did not: −1 … 1. */
  precedents: number;
  /** Similarity of the nearest precedent. */
  similarity: number;
  /** 1 if the decision restricts. */
  restricts: number;
}

const MOST_WORDS = 150;

export function caseFeatures(
  prepared: PreparedFrame,
  view: ContentView,
  evidence: Evidence,
  restricts: boolean,
): Features {
  const { rules, topProven, topCharge, topProcedure, similarities } = evidence;
  const { precedents, actions } = prepared.frame;
  let vote = 0;
  let similarity = 0;
  for (let i = 0; i < similarities.length; i++) {
    const likeness = similarities[i]!;
    if (likeness > similarity) similarity = likeness;
    vote += precedents[i]!.decision === actions.positive ? likeness : -likeness;
  }
  let borderline = evidence.conflict;
  let wordsAgainst = 0;
  let wordsFor = 0;
  for (const rule of rules) {
    if (rule.borderline > borderline) borderline = rule.borderline;
    wordsAgainst += rule.wordsAgainst;
    wordsFor += rule.wordsFor;
  }
  return {
    breach: topProven < 0 ? 0 : rules[topProven]!.proven,
    leaning: Math.log((1 + wordsAgainst) / (1 + wordsFor)),
    charge: topCharge < 0 ? 0 : rules[topCharge]!.charge,
    procedure: topProcedure < 0 ? 0 : rules[topProcedure]!.procedure,
    fullness: Math.log(1 + Math.min(MOST_WORDS, view.words.count)) - 3.5,
    checkable: (view.checkable ? 1 : 0) - prepared.usuallyCheckable,
    openness: prepared.openness,
    discretion: prepared.discretion,
    borderline,
    precedents: Math.max(-1, Math.min(1, vote)),
    similarity,
    restricts: restricts ? 1 : 0,
  };
}
