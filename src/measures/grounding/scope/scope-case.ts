import type { Citation } from "../../../core/records/audit.js";
import { groundCitation } from "../ground-citation.js";
import { rulesInText } from "../rules-in-text.js";
import { type ContentWords, contentWords } from "./content-words.js";
import { type FrameReading, readFrame } from "./read-frame.js";
import { type RuleNearness, ruleNearness } from "./rule-nearness.js";
import type { ScopeInput } from "./scope-verdict.js";

/** A case with all that the checks look at, read once. */
export interface ScopeCase {
  input: ScopeInput;
  restricts: boolean;
  citation: Citation;
  /** Text of the citation, and of the reasoning. */
  cited: string;
  chain: string;
  /** Rules the citation names, in the frame's order; those the reasoning names as well. */
  citedRules: readonly RuleNearness[];
  mentioned: ReadonlySet<RuleNearness>;
  /** All rules of the frame. */
  rules: readonly RuleNearness[];
  /** Nearest first. */
  precedents: readonly NearestPrecedent[];
}

export function readScopeCase(input: ScopeInput): ScopeCase {
  const { frame, trace } = input;
  const reading = readFrame(frame);
  const content = contentWords(input.content);
  const cited = trace.policy_citation ?? nameOf(input.citation);
  const chain = trace.logic_chain ?? "";
  const rules = reading.rules.map((rule) => ruleNearness(rule, content));
  const inCitation = rulesInText(cited, frame).named;
  const inChain = rulesInText(chain, frame).named;
  const among = (names: typeof inCitation) =>
    rules.filter(({ reading: { rule } }) =>
      names.some(({ scope, rule_id }) => scope === rule.scope && rule_id === rule.id),
    );
  return {
    input,
    restricts: input.decision === frame.actions.positive,
    citation: input.citation ?? groundCitation(cited, frame),
    cited,
    chain,
    citedRules: among(inCitation),
    mentioned: new Set(among([...inCitation, ...inChain])),
    rules,
    precedents: nearestPrecedents(content, reading),
  };
}

/** A citation of which only its place is kept, as audits without texts have it, names its rule. */
function nameOf(citation: Citation | null): string {
  if (!citation?.rule_id) return "";
  if (citation.scope === "precedent") return `precedent ${citation.rule_id}`;
  return citation.scope === "mixed" ? `rule ${citation.rule_id}` : `${citation.scope} rule ${citation.rule_id}`;
}

interface NearestPrecedent {
  id: string;
  decision: string;
  /** Cosine over rarity-weighted stems, 0 … 1. */
  likeness: number;
}

/** The precedents by likeness to a content, nearest first. */
export function nearestPrecedents(
  content: ContentWords,
  { precedents, precedentRarity }: FrameReading,
): NearestPrecedent[] {
  const weights = new Map(
    [...content.words].map(([stemmed, general]) => [stemmed, general * precedentRarity(stemmed)]),
  );
  const length = Math.hypot(...weights.values());
  return precedents
    .map(({ id, decision, weights: own, length: ownLength }) => {
      let product = 0;
      for (const [stemmed, weight] of weights) product += weight * (own.get(stemmed) ?? 0);
      return { id, decision, likeness: product === 0 ? 0 : product / (length * ownLength) };
    })
    .sort((a, b) => b.likeness - a.likeness);
}
