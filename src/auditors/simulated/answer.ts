import { type Citation, LEVEL3_REASONS, PRECEDENT_WEIGHTS } from "../../core/records/audit.js";
import type { Alternative, AuditCase, CaseFrame, CaseRule, Generation, Token } from "../../core/records/case.js";
import { groundCitation } from "../../measures/grounding/ground-citation.js";
import type { SimulatedDraw } from "../../simulation/auditor/draw-audit.js";
import type { CaseReading, Shown } from "../../simulation/auditor/read-case.js";
import { allLaws, CANDIDATES, citationProfile, lawIndex } from "../../simulation/auditor/token-entropies.js";
import { PASSAGES, passage } from "../output-format.js";
import type { KnownTruth } from "./truth-table.js";

/** A field's labels, and other words that fill the list of candidates. */
interface Labels {
  labels: readonly string[];
  /** The text written where the value is not to be a label. */
  foreign: string;
  fillers: readonly Alternative[];
}

/** Fillers begin below the smallest probability a label is given (1e-7), so that the list stays in order. */
const FIRST_FILLER = 1e-8;
const FILLER_RATIO = 0.7;

const OTHER_WORDS = [
  ...["Strong", "Partial", "Unclear", "Some", "Very", "Quite", "Direct", "Binding", "Weak", "Absent"],
  ...["Robust", "Slight", "Variable", "Broad", "Exact", "Given", "Close", "Doubtful"],
];
const OTHER_DIGITS = ["0", "4", "5", "6", "7", "8", "9", "A", "B", "C", "D", "E", "F", "G", "I", "J", "K", "P"];

const LEVEL_LABELS = labelsOf(["1", "2", "3"], "?", OTHER_DIGITS);
const INVERSE_LABELS = labelsOf(["No", "Yes"], "Perhaps", OTHER_WORDS);
const WEIGHT_LABELS = labelsOf(PRECEDENT_WEIGHTS, "Considerable", OTHER_WORDS);

function labelsOf(labels: readonly string[], foreign: string, words: readonly string[]): Labels {
  const fillers = words
    .slice(0, CANDIDATES - labels.length)
    .map((text, i) => ({ text, logprob: Math.log(FIRST_FILLER) + i * Math.log(FILLER_RATIO) }));
  return { labels, foreign, fillers };
}

/** A label's token: the label written, and the distribution it was drawn from. */
function labelToken({ labels, fillers }: Labels, probs: readonly number[], chosen: number): Token {
  const top: Alternative[] = [];
  for (let i = 0; i < labels.length; i++) top.push({ text: labels[i]!, logprob: Math.log(probs[i]!) });
  const { text, logprob } = top[chosen]!;
  top.sort((a, b) => b.logprob - a.logprob);
  for (let i = 0; i < fillers.length; i++) top.push(fillers[i]!);
  return { text, logprob, top };
}

/** A token where no label is among the candidates. */
function foreignToken({ foreign, fillers }: Labels): Token {
  return { text: foreign, logprob: -0.1, top: [{ text: foreign, logprob: -0.1 }, ...fillers] };
}

const WORDS = [
  ...[" the", " a", " rule", " content", " and", " of", " in", " to", " is", " no", " or", " any"],
  ...[" this", " that", " for", " must", " may", " not", " post"],
];

/** The other candidates of each law, shared by all tokens with that law. */
const others: (readonly Alternative[] | undefined)[] = [];

/** Appends a citation token by token. Each token is the most likely of 20 candidates and has the entropy that was drawn. */
function pushCitation(tokens: Token[], pieces: readonly string[], bits: number): void {
  const profile = citationProfile(pieces.length);
  for (let i = 0; i < pieces.length; i++) {
    const law = lawIndex(bits * profile[i]!);
    const rest = othersOf(law);
    const text = pieces[i]!;
    const logprob = allLaws()[law]!.logprobs[0]!;
    const top: Alternative[] = [{ text, logprob }];
    for (let j = 0; j < rest.length; j++) top.push(rest[j]!);
    tokens.push({ text, logprob, top });
  }
}

function othersOf(law: number): readonly Alternative[] {
  let known = others[law];
  if (!known) {
    const { logprobs } = allLaws()[law]!;
    known = Array.from({ length: CANDIDATES - 1 }, (_, j) => ({ text: WORDS[j]!, logprob: logprobs[j + 1]! }));
    others[law] = known;
  }
  return known;
}

/** How a chain ends, by the level written and the inverse check. A simulated auditor reads no content, and its chain says so. */
const CHAINS = [
  "the cited rule requires the decision",
  "the cited rule can be read to support the decision",
  "nothing in the rules supports the decision",
].map((supported) =>
  ["and nothing in the rules supports the opposite.", "and the opposite can be derived as well."].map((opposite) =>
    passage(`Simulated reading: ${supported}, ${opposite}`),
  ),
);

const REFUSAL = "I cannot help with this request.";

/** A trace as a provider would return it: in the paper's order, with 20 candidates at every token that a signal is read from. */
export function writeGeneration(answer: SimulatedAnswer): Generation {
  const { draw } = answer;
  const tokens: Token[] = [];
  if (draw.fault === "refusal") tokens.push({ text: REFUSAL, logprob: -0.1, top: [] });
  else writeTrace(answer, tokens);
  let text = "";
  for (let i = 0; i < tokens.length; i++) text += tokens[i]!.text;
  return {
    text,
    tokens,
    joined: true,
    finish: draw.fault === "refusal" ? "refusal" : draw.fault === "truncation" ? "length" : "stop",
    space: "raw",
    temperature: answer.temperature,
    support: "top_k",
    model: "simulated",
    usage: { input_tokens: null, cached_input_tokens: null, output_tokens: tokens.length, cost_usd: 0 },
  };
}

function writeTrace({ draw, template, citation, inverseCitation }: SimulatedAnswer, tokens: Token[]): void {
  tokens.push(PASSAGES.OPEN, CHAINS[draw.level]![draw.inverse ? 1 : 0]!, PASSAGES.CITATION);
  pushCitation(tokens, citation.pieces, draw.citationBits);
  // Cut off where most answers that run out of tokens are: after the long texts, before the verdict.
  if (draw.fault === "truncation") return;
  tokens.push(PASSAGES.WEIGHT);
  tokens.push(
    draw.fault === "missing" ? foreignToken(WEIGHT_LABELS) : labelToken(WEIGHT_LABELS, draw.weightProbs, draw.weight),
  );
  tokens.push(PASSAGES.INVERSE, labelToken(INVERSE_LABELS, inverseProbs(draw), draw.inverse ? 1 : 0));
  if (template !== "extended") tokens.push(PASSAGES.LEVEL_AFTER_TEXT);
  else if (inverseCitation === null) tokens.push(PASSAGES.NO_INVERSE_CITATION, PASSAGES.LEVEL_AFTER_NULL);
  else
    tokens.push(
      PASSAGES.INVERSE_CITATION,
      { text: inverseCitation.pieces.join(""), logprob: 0, top: [] },
      PASSAGES.LEVEL_AFTER_TEXT,
    );
  tokens.push(labelToken(LEVEL_LABELS, draw.levelProbs, draw.level));
  if (template === "extended" && draw.level === 2)
    tokens.push(PASSAGES.REASONS[LEVEL3_REASONS.indexOf(level3Reason(draw))]!);
  tokens.push(PASSAGES.CLOSE);
}

/** Probabilities of No and Yes. */
function inverseProbs({ inverseLogOdds }: SimulatedDraw): [number, number] {
  return [1 / (1 + Math.exp(inverseLogOdds)), 1 / (1 + Math.exp(-inverseLogOdds))];
}

/** One trace before it is written: its draw and its texts. */
export interface SimulatedAnswer {
  draw: SimulatedDraw;
  temperature: number;
  template: AuditCase["template"];
  citation: CitationText;
  /** What the opposite would rest on; null: not requested, or not derivable. */
  inverseCitation: CitationText | null;
}

export function answerOf(
  draw: SimulatedDraw,
  reading: CaseReading,
  truth: KnownTruth,
  citations: FrameCitations,
  template: AuditCase["template"],
): SimulatedAnswer {
  return {
    draw,
    temperature: reading.rates.temperature,
    template,
    citation: citationFor(draw, reading, truth, citations),
    inverseCitation: template === "extended" && draw.inverse ? inverseCitation(reading, truth, citations) : null,
  };
}

function citationFor(
  { citation, citationPlace }: SimulatedDraw,
  { rulePlace }: CaseReading,
  { rule }: KnownTruth,
  citations: FrameCitations,
): CitationText {
  if (citation === "invented") return citations.inventedAt(citationPlace);
  return citation === "own" ? citations.own(rule, rulePlace) : citations.other(rule, rulePlace);
}

/** The opposite rests on a rule of the scope that leaves the case open. */
function inverseCitation(
  { rulePlace }: CaseReading,
  { rule, ambiguityScope }: KnownTruth,
  citations: FrameCitations,
): CitationText {
  const elsewhere = ambiguityScope !== null && ambiguityScope !== rule?.scope;
  return elsewhere ? citations.ofScope(ambiguityScope, rulePlace) : citations.own(rule, rulePlace);
}

/** Why nothing supports a decision at level 3, by whether its opposite is taken to be derivable. */
export function level3Reason({ inverse, citationPlace }: SimulatedDraw) {
  if (!inverse) return "no_rule" as const;
  return citationPlace < 0.5 ? ("complies_with_cited_rule" as const) : ("concept_absent" as const);
}

/** What a simulated auditor cites when it invents a rule. They are about bee-keeping, so that no world's rules contain their words. */
const INVENTED_RULES: readonly string[] = [
  "Section 41c: Hive photographs require a queen marking certificate issued by an accredited apiary inspector within eleven weeks.",
  "Apiary charter 9: Smokers, veils and honey extractors appear solely beneath pinned swarm bulletins until midsummer inspections conclude.",
  "Guideline 77: Propolis anecdotes need corroborating hive ledgers countersigned by two neighbouring beekeepers before nightfall.",
  "Bylaw 13: Drone congregation coordinates stay embargoed throughout mating season unless waggle surveyors consent beforehand.",
];

/** A citation as a trace can contain it. */
interface CitationText {
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

class FrameCitations {
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

  /** The named rule, if it is shown; otherwise the one at `place` in [0, 1). */
  own(rule: { scope: string; rule_id: string } | null, place: number): CitationText {
    const at = rule ? this.rules.get(`${rule.scope}\u0000${rule.rule_id}`) : undefined;
    return at === undefined ? this.other(rule, place) : this.citation(at);
  }

  /** A rule other than the given one. */
  other(rule: { scope: string; rule_id: string } | null, place: number): CitationText {
    const count = this.frame.rules.length;
    if (count === 0) return this.noRule();
    const at = rule ? this.rules.get(`${rule.scope}\u0000${rule.rule_id}`) : undefined;
    const chosen = Math.floor(place * count);
    return this.citation(chosen === at ? (chosen + 1) % count : chosen);
  }

  /** A rule of the given scope; any rule if it has none. */
  ofScope(scope: string, place: number): CitationText {
    const { rules } = this.frame;
    const first = Math.floor(place * rules.length);
    for (let i = 0; i < rules.length; i++) {
      const at = (first + i) % rules.length;
      if (rules[at]!.scope === scope) return this.citation(at);
    }
    return this.other(null, place);
  }

  /** An invented rule. */
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
