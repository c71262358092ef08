import type { Generation, Token } from "../../core/records/generation.js";
import { LEVEL3_REASONS } from "../../core/records/trace.js";
import type { SimulatedDraw } from "../../simulation/auditor/draw-audit.js";
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
import { pushCitation } from "./citation-tokens.js";
import { foreignToken, INVERSE_LABELS, LEVEL_LABELS, labelToken, WEIGHT_LABELS } from "./label-tokens.js";
import { level3Reason, type SimulatedAnswer } from "./simulated-answer.js";

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
  tokens.push(OPEN, CHAINS[draw.level]![draw.inverse ? 1 : 0]!, CITATION);
  pushCitation(tokens, citation.pieces, draw.citationBits);
  // Cut off where most answers that run out of tokens are: behind the long texts, before the verdict.
  if (draw.fault === "truncation") return;
  tokens.push(WEIGHT);
  tokens.push(
    draw.fault === "missing" ? foreignToken(WEIGHT_LABELS) : labelToken(WEIGHT_LABELS, draw.weightProbs, draw.weight),
  );
  tokens.push(INVERSE, labelToken(INVERSE_LABELS, inverseProbs(draw), draw.inverse ? 1 : 0));
  if (template === "paper") tokens.push(LEVEL_AFTER_TEXT);
  else if (inverseCitation === null) tokens.push(NO_INVERSE_CITATION, LEVEL_AFTER_NULL);
  else tokens.push(INVERSE_CITATION, { text: inverseCitation.pieces.join(""), logprob: 0, top: [] }, LEVEL_AFTER_TEXT);
  tokens.push(labelToken(LEVEL_LABELS, draw.levelProbs, draw.level));
  if (template === "extended" && draw.level === 2) tokens.push(REASONS[LEVEL3_REASONS.indexOf(level3Reason(draw))]!);
  tokens.push(CLOSE);
}

/** Of No and Yes. */
function inverseProbs({ inverseLogOdds }: SimulatedDraw): [number, number] {
  return [1 / (1 + Math.exp(inverseLogOdds)), 1 / (1 + Math.exp(-inverseLogOdds))];
}
