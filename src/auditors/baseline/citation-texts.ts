import type { Alternative, Token } from "../../domain/generation.js";
import { jsonText } from "./harmless.js";
import { pieces } from "./pieces.js";
import type { PreparedFrame } from "./prepare-frame.js";

/** A citation as it will stand in the trace: its JSON text, cut into pieces, and the tokens for where it is the only candidate left. */
export interface CitationText {
  text: string;
  pieces: readonly string[];
  /** By piece: a number, the same for the same piece of any citation of the frame. */
  codes: readonly number[];
  /** One token a piece, with certainty: shared by every trace that cites it. */
  certain: readonly Token[];
}

const LONGEST_CLAUSE = 160;
/** A citation names its rule; of the clause it needs only the beginning. Whole clauses made the mean citation 35 tokens long. */
const LONGEST_CITED = 80;
const NO_RULE = "No rule prohibits this; nearest: ";

/** Citations are the same for many decisions: each is cut once. */
export class CitationTexts {
  private readonly direct: (CitationText | undefined)[] = [];
  private readonly silent: (CitationText | undefined)[] = [];
  private readonly precedents: (CitationText | undefined)[] = [];
  private readonly codes = new Map<string, number>();
  readonly none = this.cut("No rule bears on this.");

  constructor(private readonly frame: Pick<PreparedFrame, "frame" | "rules" | "ruleOfClause">) {}

  /** `community rule R3 "No links": <the clause>` */
  ofClause(clause: number): CitationText {
    this.direct[clause] ??= this.cut(this.describe(clause));
    return this.direct[clause]!;
  }

  /** The same rule as the nearest to a prohibition that was found. */
  nearest(clause: number): CitationText {
    this.silent[clause] ??= this.cut(`${NO_RULE}${this.describe(clause)}`);
    return this.silent[clause]!;
  }

  ofPrecedent(index: number): CitationText {
    this.precedents[index] ??= this.cut(`precedent ${this.frame.frame.precedents[index]!.id}`);
    return this.precedents[index]!;
  }

  private cut(text: string): CitationText {
    const json = jsonText(text);
    const parts = pieces(json);
    return { text: json, pieces: parts, codes: parts.map((part) => this.code(part)), certain: parts.map(certainToken) };
  }

  private code(piece: string): number {
    const known = this.codes.get(piece) ?? this.codes.size;
    this.codes.set(piece, known);
    return known;
  }

  private describe(clause: number): string {
    const { rule, clauses } = this.frame.rules[this.frame.ruleOfClause[clause]!]!;
    const found = clauses.find(({ index }) => index === clause)!;
    const head = `${rule.scope} rule ${rule.id} "${rule.title}"`;
    return found.isTitle ? head : `${head}: ${shortened(found.text, LONGEST_CITED)}`;
  }
}

/** Three points and not "…": a trace in ASCII is read, written and kept at half the cost. */
const CUT = "...";

/** A clause cut at a word, so that what is left is word for word the rule's. */
export function shortened(clause: string, longest = LONGEST_CLAUSE): string {
  if (clause.length <= longest) return clause;
  const cut = clause.lastIndexOf(" ", longest);
  return `${clause.slice(0, cut > 40 ? cut : longest)} ${CUT}`;
}

function certainToken(text: string): Token {
  const alternative: Alternative = { text, logprob: 0 };
  return { text, logprob: 0, top: [alternative] };
}
