import type { RunSettings } from "../../audit/arms.js";
import type { Auditor, Price } from "../../auditors/auditor.js";
import type { Prompt, TokenCounter } from "../../auditors/output-format.js";
import { InputError } from "../../core/errors.js";
import { STATED_ARM } from "../../core/names.js";
import type { Template } from "../../core/records/audit.js";
import type { Decision } from "../../core/records/decision.js";
import type { Plan } from "./plan.js";
import { callsFor } from "./run.js";

/** What a run will take, before it starts. Tokens are counted on a sample; the length of answers is an assumption, and said to be one. */
export interface RunEstimate {
  calls: number;
  answers: number;
  input_tokens: number;
  /** Of these, what a provider's prefix cache could serve. */
  cached_input_tokens: number;
  output_tokens: number;
  /** null: the price is not known. */
  cost_usd: number | null;
  tokenizer: string;
  /** Tokens were counted with the model's own tokenizer, not estimated from the length. */
  exact: boolean;
  price: Price | null;
  sampled: number;
  /** Tokens that prompt and answer may have together. */
  context_tokens: number;
}

/** Tokens of an answer, by the length that the instructions ask for. */
const OUTPUT_TOKENS = { paper: 230, guided: 230, extended: 290 } as const;
/** Shorter prefixes are not cached by the providers that cache by themselves. */
const CACHEABLE_TOKENS = 1024;

export interface EstimateInputs {
  plan: Plan;
  auditor: Auditor;
  settings: Pick<RunSettings, "signal" | "samples">;
  counter: TokenCounter;
  /** The prompt of a decision under an arm; null: nothing is asked. */
  promptOf: (decision: Decision, arm: string) => Prompt | null;
  templateOf: (arm: string) => Template;
  batch: boolean;
  /** Share of the run that is still to be done. */
  left: number;
}

export function estimateRun(inputs: EstimateInputs): RunEstimate {
  const { plan, auditor, counter } = inputs;
  const sum = { answers: 0, calls: 0, input: 0, cacheable: 0, output: 0 };
  const known = new Map<string, number>();
  for (const [arm, questions] of plan.questions) {
    const all = callsOf(questions, inputs);
    const answers = Math.round(all.answers * inputs.left);
    // A batch has one question for each answer.
    const calls = inputs.batch ? answers : Math.round(all.calls * inputs.left);
    const { tokens, cacheable } = meanPrompt(inputs, arm, known);
    sum.answers += answers;
    sum.calls += calls;
    sum.input += tokens * calls;
    sum.cacheable += cacheable * calls;
    sum.output += answers * OUTPUT_TOKENS[inputs.templateOf(arm)];
  }
  const { answers, calls, output } = sum;
  const input = Math.round(sum.input);
  // The first call of each prefix fills the cache.
  const cached = Math.round(calls > 0 ? (sum.cacheable * Math.max(0, calls - plan.prefixes)) / calls : 0);
  const price = auditor.price ?? null;
  return {
    calls,
    answers,
    input_tokens: input,
    cached_input_tokens: cached,
    output_tokens: output,
    cost_usd: auditor.price === undefined ? 0 : price && costOf(price, input, cached, output, inputs.batch),
    tokenizer: counter.name,
    exact: counter.exact,
    price,
    sampled: plan.sample.length,
    context_tokens: auditor.readsPrompt?.contextTokens ?? 0,
  };
}

/** Answers that questions want, and the calls that these take. */
function callsOf(questions: ReadonlyMap<number, number>, { auditor, settings }: EstimateInputs) {
  let answers = 0;
  let calls = 0;
  for (const [replicates, count] of questions) {
    const sampling = settings.signal === "sampling";
    answers += count * replicates * (sampling ? settings.samples : 1);
    calls += count * (sampling ? replicates * callsFor(settings.samples, auditor) : callsFor(replicates, auditor));
  }
  return { answers, calls };
}

function costOf(price: Price, input: number, cached: number, output: number, batch: boolean): number {
  const reused = price.cached_input === null ? 0 : cached;
  const usd = ((input - reused) * price.input + reused * (price.cached_input ?? 0) + output * price.output) / 1e6;
  return batch && price.batch !== null ? usd * price.batch : usd;
}

/** USD of one call for one answer, nothing cached; null: the price is not known. */
export function costOfCall(auditor: Auditor, prompt: Prompt, counter: TokenCounter, template: Template): number | null {
  const tokens = counter.count(prompt.system) + counter.count(prompt.shared) + counter.count(prompt.own);
  if (auditor.price === undefined) return 0;
  return auditor.price && costOf(auditor.price, tokens, 0, OUTPUT_TOKENS[template], false);
}

/** Rules that do not fit are the outcome of their decisions, not of the estimate. */
function promptOrNull(make: () => Prompt | null): Prompt | null {
  try {
    return make();
  } catch (cause) {
    if (cause instanceof InputError) return null;
    throw cause;
  }
}

/** Mean tokens of a prompt over the sample, and how many of them are in a prefix that calls share. `known`: counts of such prefixes' parts. */
function meanPrompt({ plan, counter, promptOf }: EstimateInputs, arm: string, known: Map<string, number>) {
  const countOnce = (text: string): number => {
    const count = known.get(text) ?? counter.count(text);
    known.set(text, count);
    return count;
  };
  let tokens = 0;
  let cacheable = 0;
  let counted = 0;
  for (const decision of arm === STATED_ARM ? plan.statedSample : plan.sample) {
    const prompt = promptOrNull(() => promptOf(decision, arm));
    if (prompt === null) continue;
    const prefix = countOnce(prompt.system) + countOnce(prompt.shared);
    tokens += prefix + counter.count(prompt.own);
    if (prefix >= CACHEABLE_TOKENS) cacheable += prefix;
    counted++;
  }
  return counted > 0 ? { tokens: tokens / counted, cacheable: cacheable / counted } : { tokens: 0, cacheable: 0 };
}
