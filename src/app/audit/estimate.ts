import type { RunSettings } from "../../audit/arms.js";
import { type AuditTask, prepareAudit } from "../../audit/audit-one.js";
import { RunHalted } from "../../audit/calls/budget.js";
import { askFor, wantedFor } from "../../audit/draw-answers.js";
import { inPrefixOrder } from "../../audit/rules-in-force.js";
import { answerId, promptKey } from "../../auditors/answers/answer-line.js";
import type { Ask, Auditor, Intake, IntakeCounts, Price, Wanted } from "../../auditors/auditor.js";
import { seedNumber } from "../../auditors/openai/batch-line.js";
import { jsonSchema, type Prompt, type TokenCounter } from "../../auditors/output-format.js";
import { InputError } from "../../core/errors.js";
import { ERASED, NO_RULES, STATED_ARM } from "../../core/names.js";
import type { Template } from "../../core/records/audit.js";
import type { Decision } from "../../core/records/decision.js";
import type { PromptLine } from "../../core/records/prompt-line.js";
import { type Plan, tasksInOrder } from "./plan.js";
import type { Prepared } from "./prepare.js";
import { callsFor } from "./run.js";

/** Estimate of a run's work. Tokens are counted on a sample; answer length is an assumption and reported as one. */
export interface RunEstimate {
  calls: number;
  answers: number;
  input_tokens: number;
  /** Input tokens that a provider's prefix cache could serve. */
  cached_input_tokens: number;
  output_tokens: number;
  /** null: the price is unknown. */
  cost_usd: number | null;
  tokenizer: string;
  /** Tokens were counted with the model's own tokenizer, not estimated from the length. */
  exact: boolean;
  price: Price | null;
  sampled: number;
  /** Token limit of prompt and answer together. */
  context_tokens: number;
}

/** Tokens of an answer, from the length that the instructions ask for. */
const OUTPUT_TOKENS = { paper: 230, guided: 230, extended: 290 } as const;
/** Providers with automatic caching do not cache shorter prefixes. */
const CACHEABLE_TOKENS = 1024;

export interface EstimateInputs {
  plan: Plan;
  auditor: Auditor;
  settings: Pick<RunSettings, "signal" | "samples">;
  counter: TokenCounter;
  /** The prompt of a decision under an arm; null: no question is asked. */
  promptOf: (decision: Decision, arm: string) => Prompt | null;
  templateOf: (arm: string) => Template;
  batch: boolean;
  /** Share of the run that is still to do. */
  left: number;
}

export function estimateRun(inputs: EstimateInputs): RunEstimate {
  const { plan, auditor, counter } = inputs;
  const sum = { answers: 0, calls: 0, input: 0, cacheable: 0, output: 0 };
  const known = new Map<string, number>();
  for (const [arm, questions] of plan.questions) {
    const all = callsOf(questions, inputs);
    const answers = Math.round(all.answers * inputs.left);
    // A batch has one question per answer.
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

/** Answers needed for the questions, and calls needed for the answers. */
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

/** USD of one call for one uncached answer; null: the price is unknown. */
export function costOfCall(auditor: Auditor, prompt: Prompt, counter: TokenCounter, template: Template): number | null {
  const tokens = counter.count(prompt.system) + counter.count(prompt.shared) + counter.count(prompt.own);
  if (auditor.price === undefined) return 0;
  return auditor.price && costOf(auditor.price, tokens, 0, OUTPUT_TOKENS[template], false);
}

/** Rules that do not fit the model are reported with their decisions, not by the estimate. */
function promptOrNull(make: () => Prompt | null): Prompt | null {
  try {
    return make();
  } catch (cause) {
    if (cause instanceof InputError) return null;
    throw cause;
  }
}

/** Mean prompt tokens over the sample, and how many of them are in a prefix that calls share. `known`: token counts of texts counted before. */
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

/** Number of candidates per token that signals can use. */
const TOP_LOGPROBS = 20;
/** Number of audits after which the event loop gets a turn. */
const TURN = 64;

/** One audit of a run and its questions. */
interface PlannedAudit {
  task: AuditTask;
  replicate: number;
  /** One per draw; empty if no question is asked. */
  asks: Ask[];
  /** Why no question is asked. */
  problem: unknown;
}

export interface PromptCounts {
  /** Audits that the prompts are for. */
  audits: number;
  written: number;
  /** Same prompt and draw as one already written, so one answer serves both. */
  shared: number;
  /** Answered already. */
  answered: number;
  /** Audits to which no rule applies, so no question is asked. */
  noRules: number;
  /** Audits whose rules do not fit the model; `example` has the first reason. */
  tooLong: number;
  example: string | null;
}

/** Writes the questions of a run without asking them. Questions that the auditor has an answer to are left out. */
export async function writePrompts(prepared: Prepared, write: (line: PromptLine) => void): Promise<PromptCounts> {
  const { auditor, stop } = prepared.request;
  const counts: PromptCounts = {
    ...{ audits: 0, written: 0, shared: 0, answered: 0, noRules: 0, tooLong: 0 },
    example: null,
  };
  const seen = new Set<string>();
  for await (const audit of plannedAudits(prepared)) {
    if (stop.aborted) throw new RunHalted(null);
    counts.audits++;
    if (audit.problem === NO_RULES) counts.noRules++;
    else if (audit.problem && audit.problem !== ERASED) {
      counts.tooLong++;
      counts.example ??= audit.problem instanceof Error ? audit.problem.message : String(audit.problem);
    }
    for (const [sample, ask] of audit.asks.entries()) {
      const [{ draw = 1 }] = ask.wanted as [Wanted];
      const key = promptKey(ask);
      const id = answerId(key, draw);
      if (seen.has(id)) counts.shared++;
      else if (auditor.intake?.expect(ask) === 0) counts.answered++;
      else {
        write({ key, id, draw, ...questionOf(audit, sample, ask, prepared) });
        counts.written++;
      }
      seen.add(id);
    }
  }
  return counts;
}

function questionOf(
  { task, replicate }: PlannedAudit,
  sample: number,
  ask: Ask,
  { conditions, settings, request }: Prepared,
): Omit<PromptLine, "key" | "id" | "draw"> {
  const prompt = ask.prompt!;
  return {
    messages: [
      { role: "system", content: prompt.system },
      { role: "user", content: `${prompt.shared}${prompt.own}` },
    ],
    response_name: prompt.format.name,
    response_schema: jsonSchema(prompt.format) as Record<string, unknown>,
    settings: {
      temperature: ask.temperature,
      seed: seedNumber(ask.wanted[0]!.seed),
      max_tokens: request.auditor.readsPrompt!.outputTokens,
      ...(ask.logprobs ? { logprobs: true, top_logprobs: TOP_LOGPROBS } : {}),
    },
    prompt_version: prompt.version,
    decision_id: task.decision.id,
    community: task.decision.community,
    action: task.action,
    arm: task.arm,
    tier: conditions.of(task.arm).settings.tier,
    replicate,
    sample: settings.signal === "sampling" ? sample : null,
  };
}

/** Every audit of a run in asking order, recorded or not. */
async function* plannedAudits(prepared: Prepared): AsyncGenerator<PlannedAudit> {
  const { request, source, conditions, parts, wanted, plan } = prepared;
  const { auditor, seed } = request;
  const settings = { ...prepared.settings, runId: "" };
  const draws = settings.signal === "sampling" ? settings.samples : 1;
  const unasked = { auditor, settings, prompter: null, ask: () => [], keep: null };
  let count = 0;
  for (const arms of parts) {
    for await (const batch of inPrefixOrder(source, plan.communities, conditions.rules)) {
      for (const task of tasksInOrder(batch, { ...wanted, arms }, { conditions, seed })) {
        const condition = conditions.of(task.arm);
        const tools = condition.tools(unasked);
        const inForce = condition.inForce(task.decision);
        const { question, problem } = prepareAudit(task, inForce, condition.entry(task.decision, inForce), tools);
        for (const replicate of task.replicates) {
          const asks = Array.from({ length: problem ? 0 : draws }, (_, draw) =>
            askFor(question, [wantedFor(task, replicate, draw, tools.settings)], tools.settings),
          );
          // This loop never waits: signals need a turn of their own.
          if (++count % TURN === 0) await new Promise((resolve) => setImmediate(resolve));
          yield { task, replicate, asks, problem };
        }
      }
    }
  }
}

export interface IntakeOutcome extends IntakeCounts {
  /** Audits that lack an answer. */
  missing: number;
}

/** What became of the answers. If some matched no open question, all questions are compared, including those of completed audits. */
export async function countIntake(prepared: Prepared, intake: Intake, missing: number): Promise<IntakeOutcome> {
  const { extra, spare } = intake.counts();
  if (extra + spare > 0) {
    for await (const { asks } of plannedAudits(prepared)) for (const ask of asks) intake.expect(ask);
  }
  return { ...intake.counts(), missing };
}
