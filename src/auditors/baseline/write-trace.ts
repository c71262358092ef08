import type { AuditCase } from "../../core/records/case.js";
import type { Token } from "../../core/records/generation.js";
import { LEVEL3_REASONS, PRECEDENT_WEIGHTS } from "../../core/records/trace.js";
import type { Rng } from "../../stats/random/create-rng.js";
import * as PASSAGES from "../trace-passages.js";
import { drawCitation } from "./citation-trie.js";
import { type Candidate, type Conclusion, LEAST_EXCUSE } from "./citations.js";
import type { ContentView } from "./content-view.js";
import { draw } from "./draw.js";
import { writeLogicChain } from "./logic-chain.js";
import type { PreparedFrame } from "./prepare-frame.js";
import { TraceWriter } from "./trace-writer.js";
import { levelProbs, precedentWeights, type Verdict, yesGivenLevel } from "./verdict.js";
import { charge, type Evidence } from "./weigh.js";

const INVERSE_LABELS = ["No", "Yes"] as const;
const LEVEL_LABELS = ["1", "2", "3"] as const;

export interface Judged {
  prepared: PreparedFrame;
  view: ContentView;
  evidence: Evidence;
  verdict: Verdict;
  /** Log-odds that precedents give, and the nearest of them. */
  precedents: number;
  nearest: { place: number; similarity: number };
}

/**
 * Writes the trace in the paper's order. The level is drawn first, from its marginal distribution, then the other fields given the level; the level's token
 * carries that marginal and the inverse's token the marginal of the inverse, whatever was drawn. Level, inverse check and precedent weight take the first
 * three random numbers, so that arms with the same seed share them.
 */
export function writeTrace(
  judged: Judged,
  { decision, template }: Pick<AuditCase, "decision" | "template">,
  temperature: number,
  rng: Rng | null,
): { tokens: readonly Token[]; text: string } {
  const { prepared, evidence, verdict, nearest } = judged;
  const { frame, citations } = prepared;
  const restricts = decision === frame.actions.positive;
  const levels = levelProbs(verdict);
  const level = draw(levels, temperature, rng);
  const yes = yesGivenLevel(verdict);
  const inverse = draw([1 - yes[level]!, yes[level]!], temperature, rng);
  const anyYes = levels.reduce((sum, prob, i) => sum + prob * yes[i]!, 0);

  // The fields come behind the chain, and the chain says what they do.
  const writer = new TraceWriter();
  writer.add(PASSAGES.CITATION);
  const conclusion = conclude(level, inverse, restricts);
  const candidates = citations.candidates(evidence, conclusion, nearest, !restricts && level < 2);
  const weightDraw = temperature > 0 && rng ? rng.next() : 0;
  const cited = drawCitation(candidates, writer.tokens, temperature, rng);
  writer.text += cited.citation.text;

  writer.add(PASSAGES.WEIGHT);
  const weights = precedentWeights(nearest.similarity, cited.precedent >= 0);
  writer.choose(
    PRECEDENT_WEIGHTS,
    weights,
    draw(weights, temperature, rng === null ? null : { ...rng, next: () => weightDraw }),
  );
  writer.add(PASSAGES.INVERSE);
  writer.choose(INVERSE_LABELS, [1 - anyYes, anyYes], inverse);

  if (template === "paper") writer.add(PASSAGES.LEVEL_AFTER_TEXT);
  else if (inverse === 0) {
    writer.add(PASSAGES.NO_INVERSE_CITATION);
    writer.add(PASSAGES.LEVEL_AFTER_NULL);
  } else {
    writer.add(PASSAGES.INVERSE_CITATION);
    const [opposite] = citations.candidates(evidence, restricts ? "kept" : "broken", nearest, restricts);
    writer.add(PASSAGES.passage(opposite!.citation.text));
    writer.add(PASSAGES.LEVEL_AFTER_TEXT);
  }
  writer.choose(LEVEL_LABELS, levels, level);
  if (template === "extended" && level === 2)
    writer.add(PASSAGES.REASONS[reasonFor(evidence, restricts, conclusion, cited)]!);
  writer.add(PASSAGES.CLOSE);

  const trace = new TraceWriter();
  trace.add(PASSAGES.OPEN);
  writeLogicChain(trace, {
    frame,
    book: prepared.book,
    view: judged.view,
    cited,
    conclusion,
    precedents: judged.precedents,
    decision,
    level,
  });
  trace.append(writer);
  return { tokens: trace.tokens, text: trace.text };
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
function reasonFor({ rules }: Evidence, restricts: boolean, conclusion: Conclusion, cited: Candidate): number {
  if (!restricts || conclusion === "elsewhere") return NO_RULE;
  if (cited.evidence && cited.evidence.excuse.strength > LEAST_EXCUSE) return COMPLIES;
  return rules.every((rule) => charge(rule) < LEAST_CHARGE) ? CONCEPT_ABSENT : NO_RULE;
}
