import { Budget } from "../../../audit/calls/budget.js";
import { Caller } from "../../../audit/calls/caller.js";
import { graceAfter } from "../../../audit/calls/grace.js";
import { Patience } from "../../../audit/calls/patience.js";
import { Scheduler } from "../../../audit/calls/scheduler.js";
import type { Ask } from "../../../auditors/auditor.js";
import { type EstimateInputs, estimateRun, type RunEstimate } from "../estimate.js";
import type { DecisionPrompter, ProposeTools } from "./propose.js";
import type { DecideRequest, DecideResult } from "./run-decide.js";

/** What turns contents into prompts that fit the decider; null: it reads cases. Tokenizers are loaded only here. */
export async function decidePrompts({ decider, scrub }: Pick<DecideRequest, "decider" | "scrub">) {
  if (decider.readsPrompt === null) return null;
  const { createDecisionPrompter, createTokenCounter } = await import("../../../audit/prompt/index.js");
  const { tokenizer, contextTokens, outputTokens } = decider.readsPrompt;
  const counter = await createTokenCounter(tokenizer);
  return { counter, prompter: createDecisionPrompter({ counter, budget: contextTokens - outputTokens, scrub }) };
}

/** What proposals are made with. What answers use is added up in the result, also of those that are of no use. */
export function decideTools(
  request: DecideRequest,
  found: { prompter: DecisionPrompter | null; logprobs: boolean; result: Pick<DecideResult, "usage" | "estimate"> },
): ProposeTools & { scheduler: Scheduler; release(): void } {
  const { decider, temperature, seed, replicates } = request;
  const { prompter, logprobs } = found;
  const { usage, estimate } = found.result;
  const grace = graceAfter(request.stop);
  const max = Math.min(request.concurrency, decider.maxConcurrency ?? request.concurrency);
  const scheduler = new Scheduler({ max, signal: grace.signal });
  const budget = new Budget(request.maxCost, 0, estimate?.cost_usd ? estimate.cost_usd / estimate.calls : 0);
  const patience = new Patience({ name: decider.name, limitMs: request.giveUpMs, tell: request.refused });
  const caller = new Caller({ auditor: decider, scheduler, cache: null, budget, signal: grace.signal, patience });
  const ask = async (question: Ask) => {
    const called = await caller.ask(question);
    for (const { generation } of called) {
      for (const name of Object.keys(usage) as (keyof typeof usage)[]) usage[name] += generation.usage[name] ?? 0;
    }
    return called;
  };
  const release = () => {
    grace.release();
    patience.release();
  };
  return { decider, scheduler, ask, prompter, temperature, logprobs, seed, replicates, release };
}

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
