import type { Generation } from "../../core/records/case.js";

/** An answer without probabilities, changed as a test needs it. */
export function bareGeneration(changes: Partial<Generation> = {}): Generation {
  return {
    text: "{}",
    tokens: null,
    finish: "stop",
    space: "raw",
    temperature: 0,
    support: "top_k",
    model: "m",
    usage: { input_tokens: 10, cached_input_tokens: 0, output_tokens: 5, cost_usd: 1 },
    ...changes,
  };
}
