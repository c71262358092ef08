import type { Citation } from "../../core/records/audit.js";
import type { CaseFrame, CaseRule } from "../../core/records/case.js";
import { groundCitation } from "../../measures/grounding/ground-citation.js";
import type { Shown } from "../../simulation/auditor/read-case.js";

/** What a simulated auditor cites when it makes a rule up. They speak of bee-keeping, so that no world's rules hold their words. */
const INVENTED_RULES: readonly string[] = [
  "Section 41c: Hive photographs require a queen marking certificate issued by an accredited apiary inspector within eleven weeks.",
  "Apiary charter 9: Smokers, veils and honey extractors appear solely beneath pinned swarm bulletins until midsummer inspections conclude.",
  "Guideline 77: Propolis anecdotes need corroborating hive ledgers countersigned by two neighbouring beekeepers before nightfall.",
  "Bylaw 13: Drone congregation coordinates stay embargoed throughout mating season unless waggle surveyors consent beforehand.",
];

/** A citation that a trace can hold. */
export interface CitationText {
  text: string;
  /** Its tokens, safe inside a JSON string. */
  pieces: readonly string[];
  /** Where it is in the rules. */
  grounded: Citation;
}

const prepared = new WeakMap<CaseFrame, FrameCitations>();

/** The citations of a frame's rules, prepared once for all decisions that share the frame. */
export function citationsOf(frame: CaseFrame, tokens: number): FrameCitations {
  let known = prepared.get(frame);
  if (known?.tokens !== tokens) {
    known = new FrameCitations(frame, tokens);
    prepared.set(frame, known);
  }
  return known;
}

export class FrameCitations {
  readonly scopes: Shown["scopes"];
  private readonly rules = new Map<string, number>();
  private readonly citations: CitationText[] = [];
  private readonly invented: CitationText[] = [];
  private none: CitationText | null = null;

  constructor(
    private readonly frame: CaseFrame,
    readonly tokens: number,
  ) {
    frame.rules.forEach((rule, i) => {
      this.rules.set(`${rule.scope}\u0000${rule.id}`, i);
    });
    const has = (scope: CaseRule["scope"]) => frame.rules.some((rule) => rule.scope === scope);
    const [platform, community] = [has("platform"), has("community")];
    this.scopes = platform && community ? "both" : platform ? "platform" : community ? "community" : "none";
  }

  /** The rule of that name, if it is shown; else the one at a place in [0, 1). */
  own(rule: { scope: string; rule_id: string } | null, place: number): CitationText {
    const at = rule ? this.rules.get(`${rule.scope}\u0000${rule.rule_id}`) : undefined;
    return at === undefined ? this.other(rule, place) : this.citation(at);
  }

  /** Another rule than that. */
  other(rule: { scope: string; rule_id: string } | null, place: number): CitationText {
    const count = this.frame.rules.length;
    if (count === 0) return this.noRule();
    const at = rule ? this.rules.get(`${rule.scope}\u0000${rule.rule_id}`) : undefined;
    const chosen = Math.floor(place * count);
    return this.citation(chosen === at ? (chosen + 1) % count : chosen);
  }

  /** A rule of that scope; any, where it has none. */
  ofScope(scope: string, place: number): CitationText {
    const { rules } = this.frame;
    const first = Math.floor(place * rules.length);
    for (let i = 0; i < rules.length; i++) {
      const at = (first + i) % rules.length;
      if (rules[at]!.scope === scope) return this.citation(at);
    }
    return this.other(null, place);
  }

  /** A rule that does not exist. */
  inventedAt(place: number): CitationText {
    const at = Math.floor(place * INVENTED_RULES.length);
    this.invented[at] ??= this.make(INVENTED_RULES[at]!);
    return this.invented[at]!;
  }

  private citation(at: number): CitationText {
    const rule = this.frame.rules[at]!;
    this.citations[at] ??= this.make(
      `${rule.scope === "platform" ? "Platform rule" : "Community rule"} ${rule.id}: ${rule.text}`,
    );
    return this.citations[at]!;
  }

  private noRule(): CitationText {
    this.none ??= this.make("No rule applies.");
    return this.none;
  }

  private make(words: string): CitationText {
    const pieces = words
      .toWellFormed()
      .replace(/\s+/g, " ")
      .trim()
      .match(/ ?[^ ]+/g) ?? ["none"];
    const kept = pieces.slice(0, this.tokens);
    const text = kept.join("");
    return {
      text,
      pieces: kept.map((piece) => JSON.stringify(piece).slice(1, -1)),
      grounded: groundCitation(text, this.frame),
    };
  }
}
