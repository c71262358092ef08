import { isRestricting } from "../../core/records/actions.js";
import type { CaseFrame, CasePrecedent, Token } from "../../core/records/case.js";
import type { Nearest } from "./precedent-index.js";
import type { Clause, RuleBook } from "./read-rules.js";
import { charge, proven, type RuleEvidence } from "./weigh.js";

/** Control characters, quotation marks, backslashes, braces, marks that turn the direction of text, and halves of surrogate pairs. */
const HARMFUL =
  /[\u0000-\u001f\u007f-\u009f"“”„«»\\{}\u061c\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const MAYBE_HARMFUL = /[^ !#-[\]-z|~]/;
const REPLACEMENTS: Readonly<Record<string, string>> = { "\\": "/", "{": "(", "}": ")" };

/**
 * Foreign text made safe inside a JSON string as part of a sentence: nothing in it can end the string, look like a key or turn the
 * line around. Shortened at `length` characters.
 */
export function harmless(text: string, length = 80): string {
  const short = text.length > length ? `${text.slice(0, length - 3)}...` : text;
  return MAYBE_HARMFUL.test(short) ? short.replace(HARMFUL, replacement) : short;
}

function replacement(character: string): string {
  if (/["“”„«»]/.test(character)) return "'";
  if (/[\u0000-\u0020\u2028\u2029]/.test(character)) return " ";
  return REPLACEMENTS[character] ?? (character.isWellFormed() ? "" : "\ufffd");
}

/** A text of the rules inside a JSON string: as it is, escaped, with lone surrogates replaced. */
export function jsonText(text: string): string {
  return JSON.stringify(text.toWellFormed()).slice(1, -1);
}

/** A word or number with the space before it, an escape, or a single character. */
const PIECE = / ?(?:[a-zA-Z0-9\u00c0-\u1fff]+|\\u....|\\.|[^ ])| /gu;

/** Cuts a piece of JSON text into tokens of its own kind. Together they are the text; surrogate pairs are never cut. */
export function pieces(text: string): string[] {
  return text.match(PIECE) ?? [];
}

/** Something the trace may cite and argue from, with its probability. */
export interface Candidate {
  /** The citation as it will be in the trace, token by token, each certain: shared by every trace that cites it. */
  tokens: readonly Token[];
  prob: number;
  /** The rule and clause it names; null for a precedent, or where there is no rule. */
  evidence: RuleEvidence | null;
  clause: Clause | null;
  precedent: CasePrecedent | null;
}

/** What a trace concludes, which decides what it can cite. */
export type Conclusion = "broken" | "kept" | "open" | "elsewhere";

const LONGEST_CITED = 80;
const NO_RULE = "No rule prohibits this; nearest: ";
/** More than these are noise. */
const MOST_CANDIDATES = 8;
/** How sharply the better candidate is preferred. */
const SHARPNESS = 4;
/** A less similar precedent is not cited. */
const LEAST_SIMILARITY = 0.25;
/** Below this an exception does not fit the content, and a procedure is a few shared words. */
export const LEAST_EXCUSE = 0.25;

/** What the traces of a frame may cite. */
export class Citations {
  /** By clause: the citation that names it, and the same behind "No rule prohibits this". Many decisions cite a clause: it is cut once. */
  private readonly ofClauses = new Map<Clause, { named: readonly Token[]; silent: readonly Token[] }>();

  constructor(
    private readonly frame: CaseFrame,
    private readonly book: RuleBook,
  ) {}

  /**
   * What may be cited for a conclusion, likeliest first: the rule that is broken, the one that allows or comes nearest, the one that leaves it open, or a
   * similar precedent. `allowsSilence`: the citation may say that no rule prohibits the content.
   */
  candidates(
    rules: readonly RuleEvidence[],
    conclusion: Conclusion,
    nearest: Nearest,
    allowsSilence: boolean,
  ): Candidate[] {
    const found: { score: number; evidence: RuleEvidence | null }[] = [];
    for (const evidence of rules) found.push({ score: scoreFor(evidence, conclusion), evidence });
    const precedent = this.frame.precedents[nearest.place];
    const decided = precedent && isRestricting(this.frame.actions, precedent.decision) ? "broken" : "kept";
    if (precedent && nearest.similarity >= LEAST_SIMILARITY && conclusion === decided)
      found.push({ score: 2 * nearest.similarity, evidence: null });
    if (found.length === 0) return [NO_CITATION];
    found.sort((a, b) => b.score - a.score);
    const best = found.slice(0, MOST_CANDIDATES);
    const weights = best.map(({ score }) => Math.exp(SHARPNESS * (score - best[0]!.score)));
    const total = weights.reduce((sum, weight) => sum + weight, 0);
    return best.map(({ evidence }, i) => {
      const prob = weights[i]! / total;
      if (evidence === null)
        return { tokens: certain(`precedent ${precedent!.id}`), prob, evidence, clause: null, precedent: precedent! };
      const clause = clauseFor(evidence, conclusion);
      const isSilent = allowsSilence && conclusion === "kept" && clause !== evidence.excuse.clause;
      const { named, silent } = this.ofClause(clause);
      return { tokens: isSilent ? silent : named, prob, evidence, clause, precedent: null };
    });
  }

  /** `community rule R3 "No links": <the clause>` */
  private ofClause(clause: Clause): { named: readonly Token[]; silent: readonly Token[] } {
    let known = this.ofClauses.get(clause);
    if (known === undefined) {
      const { rule, clauses } = this.book.rules[clause.rule]!;
      const head = `${rule.scope} rule ${rule.id} "${rule.title}"`;
      const text = clause === clauses[0] ? head : `${head}: ${shortened(clause.text, LONGEST_CITED)}`;
      known = { named: certain(text), silent: certain(NO_RULE + text) };
      this.ofClauses.set(clause, known);
    }
    return known;
  }
}

function certain(citation: string): Token[] {
  return pieces(jsonText(citation)).map((text) => ({ text, logprob: 0, top: [{ text, logprob: 0 }] }));
}

const NO_CITATION: Candidate = {
  tokens: certain("No rule bears on this."),
  prob: 1,
  evidence: null,
  clause: null,
  precedent: null,
};

/** The clause that a conclusion under a rule rests on. */
function clauseFor(e: RuleEvidence, conclusion: Conclusion): Clause {
  const { main } = e.reading;
  if (conclusion === "elsewhere") return e.procedure.clause ?? main;
  if (conclusion === "kept") return (e.excuse.strength > LEAST_EXCUSE && e.excuse.clause) || main;
  return (e.breach.strength >= charge(e) && e.breach.clause) || e.words.clause || main;
}

function scoreFor(e: RuleEvidence, conclusion: Conclusion): number {
  const about = e.relevance / 2;
  if (conclusion === "elsewhere") return e.procedure.strength + about / 2;
  if (conclusion === "broken") return 2 * proven(e) + charge(e) * (1 - e.excuse.strength) + about;
  if (conclusion === "kept") return e.excuse.strength + charge(e) / 2 + about;
  return charge(e) / 2 + about + (e.reading.isOpen ? 0.5 * (1 - e.breach.strength) : 0);
}

/** A clause cut at a word, so that what is left is word for word the rule's. Three points and not "…": a trace in ASCII costs half as much. */
export function shortened(clause: string, longest: number): string {
  if (clause.length <= longest) return clause;
  const cut = clause.lastIndexOf(" ", longest);
  return `${clause.slice(0, cut > 40 ? cut : longest)} ...`;
}
