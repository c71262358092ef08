import models from "../../../data/models.json" with { type: "json" };
import { whyNoProbabilities } from "../../measures/signals/candidates.js";
import { CallError, type Capabilities, type Price } from "../auditor.js";
import type { OutputFormat } from "../output-format.js";
import { geminiAnswers, geminiRequest } from "./answer.js";
import type { GeminiClient } from "./client.js";
import { count, type ErrorContext, type Feature, list, logprobsRemedy, record, refusedFeature } from "./errors.js";

/** Two services with the same models: the Gemini Developer API (AI Studio) and Vertex AI. */
export type GeminiKind = "gemini" | "vertex";

/** Gemini 2.5 takes a number of tokens, Gemini 3 a level; each refuses the other's form. */
export type Thinking = { thinkingBudget: number } | { thinkingLevel: "MINIMAL" | "LOW" };

/** What is known about a family of models before its probe. */
interface GeminiFamily {
  pattern: RegExp;
  contextTokens: number;
  /** The least thinking the model accepts; null: it does not think. */
  thinking: Thinking | null;
  /** Tokens for thoughts in addition to the answer: `maxOutputTokens` counts them too. */
  thoughtTokens: number;
  /** Whether token probabilities were ever seen; the probe decides. */
  logprobs: Readonly<Record<GeminiKind, boolean>>;
  /** What a user should know. */
  note: string | null;
}

/** The first match counts. A model without a match is left to the probe: aliases such as `gemini-flash-latest`, and new families. */
const GEMINI_FAMILIES = models.gemini_families.map(
  ({ pattern, ...known }) => ({ pattern: new RegExp(pattern), ...known }) as GeminiFamily,
);

/** The family of a model, in any spelling of its name: `gemini-…`, `models/gemini-…`, `publishers/google/models/gemini-…`. */
export function geminiFamily(model: string): GeminiFamily | null {
  const name = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  return GEMINI_FAMILIES.find((family) => family.pattern.test(name)) ?? null;
}

/** What a model accepts. Updated by the probe and by refusals, read by every request. */
interface Limits {
  /** null: not probed. */
  logprobs: boolean | null;
  answersPerCall: number;
  schema: boolean;
  safetyOff: boolean;
  /** null: leave it to the model. */
  thinking: Thinking | null;
}

/** One model at one address; shared by the parts of its auditor. */
export interface Model {
  context: ErrorContext;
  price: Price | null;
  maxOutputTokens: number;
  limits: Limits;
}

/** The maximum that Google documents for one call. */
const MOST_ANSWERS = 8;
const MOST_CALLS = 4;
/** The answer is a few tokens; the rest is for thoughts that cannot be switched off. */
const PROBE_OUTPUT = 1_024;
/** What to leave out if the server does not say what it objects to, the least costly first. */
const GUESSES: readonly Feature[] = ["answers", "logprobs", "thinking", "safety"];

const FORMAT: OutputFormat = {
  name: "probe",
  fields: [{ name: "answer", kind: "choice", values: ["Yes", "No"], about: "Yes" }],
};

/**
 * Requests everything at once and leaves out what is refused, in at most four calls; refused calls are free. The findings are
 * stored in `model` and apply to its later requests.
 */
export async function probeGemini(model: Model, client: GeminiClient): Promise<Capabilities> {
  const refused = new Map<Feature, string>();
  const { response, asked } = await firstAccepted(model, client, refused);
  const { context, price, limits } = model;
  const generations = geminiAnswers(response, { ...context, temperature: 1, answers: asked, price });
  const answer = generations[0]!;
  const body = record(response);
  const came = list(body.candidates).length;
  const topLogprobs = Math.max(0, ...(answer.tokens ?? []).map((token) => token.top.length));
  const structured = !refused.has("schema") && isAsked(answer.text);

  const problem = (answer.tokens ?? []).map(whyNoProbabilities).find((found) => found !== null) ?? null;
  limits.logprobs = topLogprobs > 0 && problem === null;
  limits.answersPerCall = asked > 1 && came >= asked ? MOST_ANSWERS : 1;
  limits.schema = !refused.has("schema");
  limits.safetyOff = !refused.has("safety");
  if (refused.has("thinking")) limits.thinking = null;

  const costs = generations.map((generation) => generation.usage.cost_usd);
  return {
    logprobs: limits.logprobs,
    topLogprobs: limits.logprobs ? topLogprobs : 0,
    answersPerCall: limits.answersPerCall,
    structuredOutput: structured,
    space: "unknown",
    dialect: context.kind,
    model: answer.model,
    notes: notes(model, refused, count(record(body.usageMetadata).thoughtsTokenCount) ?? 0, asked > 1, problem),
    costUsd: costs.reduce<number | null>((sum, cost) => (sum === null || cost === null ? null : sum + cost), 0),
  };
}

async function firstAccepted(
  model: Model,
  client: GeminiClient,
  refused: Map<Feature, string>,
): Promise<{ response: unknown; asked: number }> {
  for (let call = 1; ; call++) {
    const asked = refused.has("answers") ? 1 : 2;
    const request = geminiRequest({
      prompt: { system: "Answer in JSON.", shared: "", own: "Is the sky above the ground?", format: FORMAT },
      temperature: 1,
      logprobs: !refused.has("logprobs"),
      answers: asked,
      seed: "probe",
      maxOutputTokens: PROBE_OUTPUT,
      thinking: refused.has("thinking") ? null : model.limits.thinking,
      schema: !refused.has("schema"),
      safetyOff: !refused.has("safety"),
    });
    try {
      return { response: await client.generate(request), asked };
    } catch (error) {
      if (!(error instanceof CallError) || call === MOST_CALLS) throw error;
      if (error.fault !== "unsupported" && error.fault !== "bad_request") throw error;
      const named = refusedFeature(error.message);
      const feature = named && !refused.has(named) ? named : GUESSES.find((guess) => !refused.has(guess));
      if (!feature) throw error;
      refused.set(feature, error.message.replace(/^.*?; got (HTTP \d+: )?/, "").replace(/[.\s]+$/, ""));
    }
  }
}

function isAsked(text: string): boolean {
  try {
    return ["Yes", "No"].includes(String(record(JSON.parse(text)).answer));
  } catch {
    return false;
  }
}

function notes(
  model: Model,
  refused: ReadonlyMap<Feature, string>,
  thoughts: number,
  several: boolean,
  problem: string | null,
): string[] {
  const { kind } = model.context;
  const said = (feature: Feature) => `("${refused.get(feature)}").`;
  const family = geminiFamily(model.context.model);
  const all: (string | null)[] = [family?.note ?? null];
  if (refused.has("logprobs")) all.push(`Token probabilities were refused ${said("logprobs")} ${logprobsRemedy(kind)}`);
  else if (problem !== null)
    all.push(
      `The server gives no token probabilities but other scores, such as logits: ${problem}. ${logprobsRemedy(kind)}`,
    );
  else if (!model.limits.logprobs)
    all.push(`Token probabilities were asked for and did not come. ${logprobsRemedy(kind)}`);
  else
    all.push(
      "Whether the probabilities are those before or after temperature is not known: every record is flagged unknown_space.",
    );
  if (refused.has("answers"))
    all.push(`More than one answer a call was refused ${said("answers")} Replicates are asked for one by one.`);
  else if (several && model.limits.answersPerCall === 1)
    all.push("Two answers were asked for in one call and fewer came: replicates are asked for one by one.");
  if (refused.has("schema"))
    all.push(`A schema for the answer was refused ${said("schema")} The prompt alone says what the answer looks like.`);
  if (refused.has("thinking"))
    all.push(`Thinking could not be limited ${said("thinking")} Thoughts are paid for as output.`);
  if (refused.has("safety"))
    all.push(`The content filter could not be switched off ${said("safety")} Answers may be withheld.`);
  if (thoughts > 0) all.push(`It thinks before it answers: ${thoughts} tokens in the probe, paid for as output.`);
  if (kind === "vertex")
    all.push("Batches on Vertex AI need a Cloud Storage bucket and are not offered; gemini:<model> has them.");
  return all.filter((note) => note !== null);
}
