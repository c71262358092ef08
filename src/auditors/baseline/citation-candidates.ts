import type { CitationText, CitationTexts } from "./citation-texts.js";
import type { Evidence, RuleEvidence } from "./evidence.js";
import type { PreparedFrame } from "./prepare-frame.js";
import type { CitedForce } from "./verdict.js";

/** Something the trace may cite, with its probability. */
export interface Candidate {
  citation: CitationText;
  score: number;
  prob: number;
  force: CitedForce;
  /** The rule it names, or -1; the precedent it names, or -1. */
  rule: number;
  precedent: number;
}

/** More than these are noise, and alternatives at a position must stay below 20. */
const MOST_CANDIDATES = 8;
/** How sharply the better candidate is preferred, and what each kind of evidence counts. */
const SHARPNESS = 2.2;
const SCORES = { net: 2, charge: 1, relevance: 0.8, procedure: 1, open: 0.7, met: 0.8, exemption: 1.5, similarity: 3 };
/** A precedent below this similarity is not cited. */
const LEAST_SIMILARITY = 0.2;

/** What may be cited for an action: rules that authorise it, permissions, what comes nearest to a prohibition, precedents. Best first. */
export function citationCandidates(prepared: PreparedFrame, evidence: Evidence, restricts: boolean): Candidate[] {
  const found: Candidate[] = [];
  const texts = prepared.citations;
  const doubt = evidence.topNet < 0 ? 1 : 1 - evidence.rules[evidence.topNet]!.net;
  for (const rule of evidence.rules) {
    if (restricts) found.push(forRestriction(prepared, texts, rule, doubt));
    else found.push(forPermission(prepared, texts, rule));
  }
  const action = restricts ? prepared.frame.actions.positive : prepared.frame.actions.negative;
  evidence.similarities.forEach((similarity, index) => {
    if (similarity < LEAST_SIMILARITY || prepared.frame.precedents[index]!.decision !== action) return;
    const score = SCORES.similarity * similarity;
    found.push({ citation: texts.ofPrecedent(index), score, prob: 0, force: "settles", rule: -1, precedent: index });
  });
  if (found.length === 0) {
    found.push({ citation: texts.none, score: 0, prob: 0, force: "settles", rule: -1, precedent: -1 });
  }
  return likeliest(found);
}

function forRestriction(prepared: PreparedFrame, texts: CitationTexts, e: RuleEvidence, doubt: number): Candidate {
  const reading = prepared.rules[e.rule]!;
  const elsewhere = e.procedure > e.charge && e.procedureClause >= 0;
  const score =
    SCORES.net * e.net +
    SCORES.charge * e.charge +
    SCORES.relevance * e.relevance +
    SCORES.procedure * e.procedure +
    (reading.isOpen ? SCORES.open * doubt : 0);
  const clause = elsewhere ? e.procedureClause : chargeClause(prepared, e);
  const force = elsewhere ? "sends elsewhere" : reading.isOpen && e.breach < 0.5 ? "leaves open" : "settles";
  return { citation: texts.ofClause(clause), score, prob: 0, force, rule: e.rule, precedent: -1 };
}

function forPermission(prepared: PreparedFrame, texts: CitationTexts, e: RuleEvidence): Candidate {
  const elsewhere = e.procedure > e.charge && e.procedureClause >= 0;
  const score =
    SCORES.charge * e.charge +
    SCORES.relevance * e.relevance +
    SCORES.procedure * e.procedure +
    SCORES.met * e.met * e.trigger +
    SCORES.exemption * e.exemption * Math.max(e.charge, 0.3);
  let citation: CitationText;
  if (elsewhere) citation = texts.ofClause(e.procedureClause);
  else if (e.exemption > 0.25 && e.exemptionClause >= 0) citation = texts.ofClause(e.exemptionClause);
  else if (e.met > 0.3 && e.met > e.breach) citation = texts.ofClause(e.metClause);
  else citation = texts.nearest(chargeClause(prepared, e));
  return { citation, score, prob: 0, force: elsewhere ? "sends elsewhere" : "settles", rule: e.rule, precedent: -1 };
}

/** The clause on which a charge rests, or the rule's main statement. */
export function chargeClause(prepared: PreparedFrame, e: RuleEvidence): number {
  if (e.breach > 0 && e.breach >= e.charge && e.breachClause >= 0) return e.breachClause;
  return e.forbiddenClause >= 0 ? e.forbiddenClause : prepared.rules[e.rule]!.mainClause;
}

function likeliest(found: Candidate[]): Candidate[] {
  sortByScore(found);
  const kept = found.length > MOST_CANDIDATES ? found.slice(0, MOST_CANDIDATES) : found;
  const best = kept[0]!.score;
  let total = 0;
  for (const candidate of kept) {
    candidate.prob = Math.exp(SHARPNESS * (candidate.score - best));
    total += candidate.prob;
  }
  for (const candidate of kept) candidate.prob /= total;
  return kept;
}

/** Best first, equals in their order. By insertion: the lists are short, and a comparator called from outside costs more than the sorting. */
function sortByScore(found: Candidate[]): void {
  for (let i = 1; i < found.length; i++) {
    const candidate = found[i]!;
    let at = i;
    for (; at > 0 && found[at - 1]!.score < candidate.score; at--) found[at] = found[at - 1]!;
    found[at] = candidate;
  }
}
