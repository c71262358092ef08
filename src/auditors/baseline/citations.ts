import type { CaseFrame } from "../../core/records/case.js";
import type { Alternative, Token } from "../../core/records/generation.js";
import { jsonText } from "./harmless.js";
import { pieces } from "./pieces.js";
import type { Clause, RuleBook } from "./read-rules.js";
import { charge, type Evidence, proven, type RuleEvidence } from "./weigh.js";

/** A citation as it will be in the trace: its JSON text, cut into pieces, and the tokens for where it is the only candidate left. */
export interface CitationText {
  text: string;
  pieces: readonly string[];
  /** One token a piece, with certainty: shared by every trace that cites it. */
  certain: readonly Token[];
}

/** Something the trace may cite and argue from, with its probability. */
export interface Candidate {
  citation: CitationText;
  prob: number;
  /** The rule and clause it names; null for a precedent, or where there is no rule. */
  evidence: RuleEvidence | null;
  clause: Clause | null;
  /** Place of the precedent it names, or -1. */
  precedent: number;
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

/** What the traces of a frame may cite. Texts are the same for many decisions: each is cut once. */
export class Citations {
  private readonly texts = new Map<string, CitationText>();

  constructor(
    private readonly frame: CaseFrame,
    private readonly book: RuleBook,
  ) {}

  /**
   * What may be cited for a conclusion, likeliest first: the rule that is broken, the one that allows or comes nearest, the one that leaves it open, or a similar precedent.
   * `allowsSilence`: the citation may say that no rule prohibits the content.
   */
  candidates(
    { rules }: Evidence,
    conclusion: Conclusion,
    nearest: { place: number; similarity: number },
    allowsSilence: boolean,
  ): Candidate[] {
    const found: { score: number; candidate: Candidate }[] = rules.map((evidence) => {
      const clause = clauseFor(evidence, conclusion);
      const isSilent = allowsSilence && conclusion === "kept" && clause !== evidence.excuse.clause;
      const candidate = { citation: this.ofClause(clause, isSilent), prob: 0, evidence, clause, precedent: -1 };
      return { score: scoreFor(evidence, conclusion), candidate };
    });
    const precedent = this.frame.precedents[nearest.place];
    if (precedent && nearest.similarity >= LEAST_SIMILARITY && conclusion !== "open" && conclusion !== "elsewhere") {
      const decided = precedent.decision === this.frame.actions.positive ? "broken" : "kept";
      const candidate = {
        citation: this.cut(`precedent ${precedent.id}`),
        prob: 0,
        evidence: null,
        clause: null,
        precedent: nearest.place,
      };
      if (decided === conclusion) found.push({ score: 2 * nearest.similarity, candidate });
    }
    if (found.length === 0)
      found.push({
        score: 0,
        candidate: {
          citation: this.cut("No rule bears on this."),
          prob: 1,
          evidence: null,
          clause: null,
          precedent: -1,
        },
      });
    found.sort((a, b) => b.score - a.score);
    const kept = found.slice(0, MOST_CANDIDATES);
    let total = 0;
    for (const { score, candidate } of kept) {
      candidate.prob = Math.exp(SHARPNESS * (score - kept[0]!.score));
      total += candidate.prob;
    }
    return kept.map(({ candidate }) => {
      candidate.prob /= total;
      return candidate;
    });
  }

  /** `community rule R3 "No links": <the clause>` */
  private ofClause(clause: Clause, isSilent: boolean): CitationText {
    const { rule, clauses } = this.book.rules[clause.rule]!;
    const head = `${isSilent ? NO_RULE : ""}${rule.scope} rule ${rule.id} "${rule.title}"`;
    return this.cut(clause === clauses[0] ? head : `${head}: ${shortened(clause.text, LONGEST_CITED)}`);
  }

  private cut(text: string): CitationText {
    let known = this.texts.get(text);
    if (known === undefined) {
      const json = jsonText(text);
      const parts = pieces(json);
      known = { text: json, pieces: parts, certain: parts.map(certainToken) };
      this.texts.set(text, known);
    }
    return known;
  }
}

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

/** Three points and not "…": a trace in ASCII is read, written and kept at half the cost. */
const CUT = "...";

/** A clause cut at a word, so that what is left is word for word the rule's. */
export function shortened(clause: string, longest: number): string {
  if (clause.length <= longest) return clause;
  const cut = clause.lastIndexOf(" ", longest);
  return `${clause.slice(0, cut > 40 ? cut : longest)} ${CUT}`;
}

function certainToken(text: string): Token {
  const alternative: Alternative = { text, logprob: 0 };
  return { text, logprob: 0, top: [alternative] };
}
