import { isRestricting } from "../../../core/records/actions.js";
import type { Citation } from "../../../core/records/audit.js";
import type { CaseRule } from "../../../core/records/case.js";
import { groundCitation } from "../ground-citation.js";
import { rulesInText } from "../rules-in-text.js";
import type { ClauseReading, FrameReading, RuleReading, Side } from "./read-frame.js";
import { nearness, readFrame } from "./read-frame.js";
import type { ScopeInput } from "./scope-verdict.js";
import type { ContentWords } from "./telling-words.js";
import { contentWords, tellingWords } from "./telling-words.js";

/** How near content is to one side of a rule, and the clause it is nearest to; null: there is no clause. */
interface Near {
  value: number;
  clause: ClauseReading | null;
}

export interface RuleNearness {
  reading: RuleReading;
  /** Nearness to what the rule forbids, demands, allows or excepts, and sends elsewhere. */
  forbids: Near;
  demands: Near;
  allows: Near;
  elsewhere: Near;
  /** Nearness to what it forbids, reduced by nearness to its exceptions. */
  unexcused: number;
}

/** Content with the tag or name of an exception meets it, whatever else it says. */
const NAMED = 1.5;

/** How much nearness to an exception reduces nearness to what is forbidden: excepted content meets both. */
const EXCUSED = 0.7;

/**
 * How near content is to each side of a rule, by the combined words of the side's clauses; for exceptions, by the words that the forbidden side
 * does not share.
 *
 * Formula: n(side) = nearness of the side's words; allows = 1.5 at least where the content has a `[tag]` or Name of an allowing clause; unexcused =
 * n(forbids) − 0.7 max(0, n(allows)).
 * Range: as `nearness`.
 * Undefined when: never; a side without a clause is 0.
 * Differs from the paper: not in the paper.
 * @see docs/scope-verification.md
 */
export function ruleNearness(reading: RuleReading, content: ContentWords): RuleNearness {
  const forbids = nearTo(reading.forbids, content);
  const allows = nearTo(reading.allows, content);
  const named = reading.allows.clauses.find(({ names }) => names.some((name) => content.lower.includes(name)));
  if (named && allows.value < NAMED) Object.assign(allows, { value: NAMED, clause: named });
  return {
    reading,
    forbids,
    demands: nearTo(reading.demands, content),
    allows,
    elsewhere: nearTo(reading.elsewhere, content),
    unexcused: forbids.value - EXCUSED * Math.max(0, allows.value),
  };
}

function nearTo({ clauses, words }: Side, content: ContentWords): Near {
  const value = nearness(content, words);
  let clause: ClauseReading | null = null;
  let most = Number.NEGATIVE_INFINITY;
  // The individual clause matters only if there is something to report.
  for (const one of clauses.length > 1 && value > 0 ? clauses : clauses.slice(0, 1)) {
    const near = clauses.length > 1 ? nearness(content, one.words) : 0;
    if (near > most) {
      most = near;
      clause = one;
    }
  }
  return { value, clause };
}

/** A clause counts as cited if at least this share of its telling words is in the citation. */
const CITED = 0.3;

/** The clause of a rule that the citation quotes; null: it only names the rule. The title is the name, not a clause. */
export function citedClause({ cited }: Pick<ScopeCase, "cited">, { clauses }: RuleReading): ClauseReading | null {
  const words = tellingWords(cited);
  let best: ClauseReading | null = null;
  let most = CITED;
  for (const clause of clauses.slice(clauses.length > 1 ? 1 : 0)) {
    let all = 0;
    let said = 0;
    for (const { word, weight } of clause.words) {
      all += weight;
      if (words.has(word)) said += weight;
    }
    if (all > 0 && said / all > most) {
      most = said / all;
      best = clause;
    }
  }
  return best;
}

/** The rules whose words are nearest to the content, nearest first, at most `count`; of equal ones the earlier first. */
export function nearestRules({ frame, content }: Pick<ScopeInput, "frame" | "content">, count: number): CaseRule[] {
  const words = contentWords(content);
  return readFrame(frame)
    .rules.map((reading) => ruleNearness(reading, words))
    .sort((a, b) => nearestSide(b) - nearestSide(a))
    .slice(0, count)
    .map(({ reading }) => reading.rule);
}

/** Largest nearness to any side of the rule. */
export function nearestSide({ forbids, demands, allows, elsewhere }: RuleNearness): number {
  return Math.max(forbids.value, demands.value, allows.value, elsewhere.value);
}

/** A case with everything that the checks use, read once. */
export interface ScopeCase {
  input: ScopeInput;
  restricts: boolean;
  citation: Citation;
  /** Text of the citation, and of the reasoning. */
  cited: string;
  chain: string;
  /** Rules that the citation names, in the frame's order, and those that the reasoning also names. */
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
    restricts: isRestricting(frame.actions, input.decision),
    citation: input.citation ?? groundCitation(cited, frame),
    cited,
    chain,
    citedRules: among(inCitation),
    mentioned: new Set(among([...inCitation, ...inChain])),
    rules,
    precedents: nearestPrecedents(content, reading),
  };
}

/** If only the position of a citation is stored, as in audits without texts, it is used as the name of its rule. */
function nameOf(citation: Citation | null): string {
  if (!citation?.rule_id) return "";
  if (citation.scope === "precedent") return `precedent ${citation.rule_id}`;
  return citation.scope === "mixed" ? `rule ${citation.rule_id}` : `${citation.scope} rule ${citation.rule_id}`;
}

interface NearestPrecedent {
  id: string;
  decision: string;
  /** Cosine similarity of rarity-weighted stems, 0 … 1. */
  likeness: number;
}

/** The precedents by similarity to the content, nearest first. */
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
