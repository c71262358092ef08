import { type EstimateInputs, estimateRun, type RunEstimate } from "../estimate.js";

/** Tokens of a proposal, by the length that the instructions ask for: at most 60 words of reason, and the rest of the object. */
const OUTPUT_TOKENS = 120;

/** What proposing takes: what an audit with as many answers would, with shorter ones. */
export function estimateDecide(inputs: Pick<EstimateInputs, "plan" | "auditor" | "counter" | "promptOf">): RunEstimate {
  const estimate = estimateRun({
    ...inputs,
    settings: { signal: "none", samples: 1 },
    templateOf: () => "paper",
    batch: false,
    left: 1,
  });
  const output = estimate.answers * OUTPUT_TOKENS;
  const { price, cost_usd } = estimate;
  const shorter = estimate.output_tokens - output;
  const cost = price && cost_usd !== null ? cost_usd - (shorter * price.output) / 1e6 : cost_usd;
  return { ...estimate, output_tokens: output, cost_usd: cost };
}
