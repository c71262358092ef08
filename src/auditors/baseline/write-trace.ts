import type { AuditCase } from "../../core/records/case.js";
import type { Token } from "../../core/records/generation.js";
import { LEVEL3_REASONS, PRECEDENT_WEIGHTS } from "../../core/records/trace.js";
import * as PASSAGES from "../trace-passages.js";
import { type Candidate, type Conclusion, LEAST_EXCUSE } from "./citations.js";
import type { ContentView } from "./content-view.js";
import { draw, drawCitation, label, type Random } from "./draw.js";
import { logicChain } from "./logic-chain.js";
import type { Nearest } from "./precedent-index.js";
import type { PreparedFrame } from "./prepare-frame.js";
import { levelProbs, precedentWeights, type Verdict, yesGivenLevel } from "./verdict.js";
import { charge, type RuleEvidence } from "./weigh.js";

const INVERSE_LABELS = ["No", "Yes"] as const;
const LEVEL_LABELS = ["1", "2", "3"] as const;

/** What a trace is written from. */
export interface Judged {
  prepared: PreparedFrame;
  view: ContentView;
  rules: readonly RuleEvidence[];
  verdict: Verdict;
  /** Log-odds that precedents give, and the nearest of them. */
  precedents: number;
  nearest: Nearest;
}

/**
 * Writes the trace in the paper's order. The level is drawn first, from its marginal distribution, then the other fields given the level; the level's token
 * carries that marginal and the inverse's token the marginal of the inverse, whatever was drawn. Level, inverse check and precedent weight take the first
 * three random numbers, so that arms with the same seed share them.
 */
export function writeTrace(
  judged: Judged,
  { frame, decision, template }: AuditCase,
  temperature: number,
  random: Random,
): Token[] {
  const { prepared, view, rules, verdict, precedents, nearest } = judged;
  const { citations } = prepared;
  const restricts = decision === frame.actions.positive;
  const levels = levelProbs(verdict);
  const level = draw(levels, temperature, random());
  const yes = yesGivenLevel(verdict);
  const inverse = draw([1 - yes[level]!, yes[level]!], temperature, random());
  const anyYes = levels.reduce((sum, prob, i) => sum + prob * yes[i]!, 0);
  const weightDraw = random();
  const conclusion = conclude(level, inverse, restricts);
  const candidates = citations.candidates(rules, conclusion, nearest, !restricts && level < 2);
  const { cited, tokens: citation } = drawCitation(candidates, temperature, random);
  const weights = precedentWeights(nearest.similarity, cited.precedent !== null);

  const tokens: Token[] = [
    PASSAGES.OPEN,
    PASSAGES.passage(logicChain({ frame, prepared, view, cited, conclusion, precedents, decision, level })),
    PASSAGES.CITATION,
    ...citation,
    PASSAGES.WEIGHT,
    label(PRECEDENT_WEIGHTS, weights, draw(weights, temperature, weightDraw)),
    PASSAGES.INVERSE,
    label(INVERSE_LABELS, [1 - anyYes, anyYes], inverse),
  ];
  if (template === "paper") tokens.push(PASSAGES.LEVEL_AFTER_TEXT);
  else if (inverse === 0) tokens.push(PASSAGES.NO_INVERSE_CITATION, PASSAGES.LEVEL_AFTER_NULL);
  else {
    const [opposite] = citations.candidates(rules, restricts ? "kept" : "broken", nearest, restricts);
    tokens.push(PASSAGES.INVERSE_CITATION, PASSAGES.passage(spelled(opposite!.tokens)), PASSAGES.LEVEL_AFTER_TEXT);
  }
  tokens.push(label(LEVEL_LABELS, levels, level));
  if (template === "extended" && level === 2)
    tokens.push(PASSAGES.REASONS[reasonFor(rules, restricts, conclusion, cited)]!);
  tokens.push(PASSAGES.CLOSE);
  return tokens;
}

/** The text that tokens spell. */
export function spelled(tokens: readonly Token[]): string {
  let text = "";
  for (const token of tokens) text += token.text;
  return text;
}

/** What the level says about the rules: an approval that does not follow lets a breach stand. */
function conclude(level: number, inverse: number, restricts: boolean): Conclusion {
  if (level === 1) return "open";
  if (level === 2 && inverse === 0) return "elsewhere";
  return (level === 0) === restricts ? "broken" : "kept";
}

const COMPLIES = LEVEL3_REASONS.indexOf("complies_with_cited_rule");
const CONCEPT_ABSENT = LEVEL3_REASONS.indexOf("concept_absent");
const NO_RULE = LEVEL3_REASONS.indexOf("no_rule");
/** Below this no rule speaks of the content. */
const LEAST_CHARGE = 0.15;

/** Why nothing supports the decision. An approval of what a rule forbids, and a case for a third action, have no rule behind them. */
function reasonFor(
  rules: readonly RuleEvidence[],
  restricts: boolean,
  conclusion: Conclusion,
  cited: Candidate,
): number {
  if (!restricts || conclusion === "elsewhere") return NO_RULE;
  if (cited.evidence && cited.evidence.excuse.strength > LEAST_EXCUSE) return COMPLIES;
  return rules.every((rule) => charge(rule) < LEAST_CHARGE) ? CONCEPT_ABSENT : NO_RULE;
}
