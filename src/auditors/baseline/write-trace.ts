import type { AuditCase } from "../../domain/case.js";
import type { Token } from "../../domain/generation.js";
import { LEVEL3_REASONS, PRECEDENT_WEIGHTS } from "../../domain/trace.js";
import type { Rng } from "../../stats/create-rng.js";
import {
  CITATION,
  CLOSE,
  INVERSE,
  INVERSE_CITATION,
  LEVEL_AFTER_NULL,
  LEVEL_AFTER_TEXT,
  NO_INVERSE_CITATION,
  OPEN,
  passage,
  REASONS,
  WEIGHT,
} from "../trace-passages.js";
import { type Candidate, citationCandidates } from "./citation-candidates.js";
import { drawCitation } from "./citation-trie.js";
import type { ContentView } from "./content-view.js";
import { draw } from "./draw.js";
import type { Evidence } from "./evidence.js";
import type { Features } from "./features.js";
import { writeLogicChain } from "./logic-chain.js";
import type { PreparedFrame } from "./prepare-frame.js";
import { TraceWriter } from "./trace-writer.js";
import { type JointCells, jointCells, precedentWeights, type Verdict } from "./verdict.js";

const INVERSE_LABELS = ["No", "Yes"] as const;
const LEVEL_LABELS = ["1", "2", "3"] as const;

export interface Judged {
  prepared: PreparedFrame;
  view: ContentView;
  evidence: Evidence;
  features: Features;
  verdict: Verdict;
}

/**
 * Writes the trace in the paper's order, drawing each field given the ones before: citation, precedent weight, inverse check, level. Returns the
 * tokens and the text they spell.
 */
export function writeTrace(
  judged: Judged,
  { decision, template }: Pick<AuditCase, "decision" | "template">,
  temperature: number,
  rng: Rng | null,
): { tokens: readonly Token[]; text: string } {
  const { prepared, view, evidence, features, verdict } = judged;
  // The fields are drawn first and written behind the chain, so that the chain ends in what they say.
  const writer = new TraceWriter();
  writer.add(CITATION);
  const candidates = citationCandidates(prepared, evidence, decision === prepared.frame.actions.positive);
  const cited = drawCitation(candidates, writer.tokens, temperature, rng);
  writer.text += cited.citation.text;

  writer.add(WEIGHT);
  const weights = precedentWeights(features.similarity, cited.precedent >= 0);
  writer.choose(PRECEDENT_WEIGHTS, weights, draw(weights, temperature, rng));

  writer.add(INVERSE);
  const cells = jointCells(verdict, cited.force);
  const yes = cells[1] + cells[3] + cells[5];
  const inverse = draw([1 - yes, yes], temperature, rng);
  writer.choose(INVERSE_LABELS, [1 - yes, yes], inverse);

  if (template === "paper") writer.add(LEVEL_AFTER_TEXT);
  else if (inverse === 0) {
    writer.add(NO_INVERSE_CITATION);
    writer.add(LEVEL_AFTER_NULL);
  } else {
    writer.add(INVERSE_CITATION);
    const opposite = citationCandidates(prepared, evidence, decision !== prepared.frame.actions.positive)[0]!;
    writer.add(passage(opposite.citation.text));
    writer.add(LEVEL_AFTER_TEXT);
  }
  const levels = levelsGiven(cells, inverse);
  const level = draw(levels, temperature, rng);
  writer.choose(LEVEL_LABELS, levels, level);
  if (template === "extended" && level === 2) writer.add(REASONS[reasonFor(evidence, features, cited)]!);
  writer.add(CLOSE);

  const trace = new TraceWriter();
  trace.add(OPEN);
  writeLogicChain(trace, prepared, view, evidence, CONCLUSIONS[level]!);
  trace.append(writer);
  return { tokens: trace.tokens, text: trace.text };
}

/** p(level | inverse, citation). */
function levelsGiven(cells: JointCells, inverse: number): [number, number, number] {
  const total = cells[inverse]! + cells[2 + inverse]! + cells[4 + inverse]!;
  return [cells[inverse]! / total, cells[2 + inverse]! / total, cells[4 + inverse]! / total];
}

/** How the chain ends, by the level drawn. */
const CONCLUSIONS = ["follows", "open", "fails"] as const;

const COMPLIES = LEVEL3_REASONS.indexOf("complies_with_cited_rule");
const CONCEPT_ABSENT = LEVEL3_REASONS.indexOf("concept_absent");
const NO_RULE = LEVEL3_REASONS.indexOf("no_rule");

/** Why nothing supports the decision. An approval of what a rule forbids, and a case for a third action, have no rule behind them. */
function reasonFor(evidence: Evidence, features: Features, cited: Candidate): number {
  if (features.restricts === 0 || cited.force === "sends elsewhere") return NO_RULE;
  const rule = cited.rule < 0 ? undefined : evidence.rules[cited.rule];
  if (rule && Math.max(rule.exemption, rule.met) > 0.3) return COMPLIES;
  return features.charge < 0.15 ? CONCEPT_ABSENT : NO_RULE;
}
