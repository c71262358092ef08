import { whyNoProbabilities } from "../../measures/signals/candidates.js";
import type { Capabilities } from "../auditor.js";
import type { OutputFormat } from "../output-format.js";
import type { ScannedBody } from "../scan/scan-body.js";
import { buildRequest, type OpenAIRequest, type Question } from "./batch-line.js";
import { RefusedParameter } from "./errors.js";
import { familyOf, type Parameter, type RequestShape, withoutParameter } from "./request-shape.js";

/** Candidates per token that every signal is designed for. */
const FULL_LIST = 20;

interface Findings {
  model: string;
  shape: RequestShape;
  refused: readonly Refused[];
  /** Tokens that came with a probability. */
  tokens: number;
  topLogprobs: number;
  /** Why the returned values are not log probabilities; null: they may be. */
  problem: string | null;
  structuredOutput: boolean;
}

/** What a user should know before a run, in sentences. */
function probeNotes(found: Findings): string[] {
  const { model, shape, refused, topLogprobs } = found;
  const { dialect } = shape;
  const notes: string[] = [];
  const words = (parameter: Refused["parameter"]): string => {
    const refusal = refused.findLast((one) => one.parameter === parameter);
    return refusal ? ` (${refusal.words})` : "";
  };
  if (!shape.logprobs) notes.push(`${model} ${whyNone(found)}. ${INSTEAD}`);
  else if (topLogprobs < FULL_LIST) {
    notes.push(
      `${dialect.label} lists at most ${topLogprobs} candidates a token instead of ${FULL_LIST}${words("top_logprobs")}: ` +
        "entropies are lower bounds, and labels outside the list are flagged censored.",
    );
  }
  if (shape.logprobs && dialect.space === "unknown") {
    notes.push(
      `It is not known whether the logprobs of ${dialect.label} are before or after temperature: records are flagged unknown_space. ` +
        "Temperature 1 makes both the same.",
    );
  }
  if (!found.structuredOutput) notes.push(`${structureNote(found)}${words("response_format")}`);
  if (!shape.temperature) notes.push(`${model} takes no temperature${words("temperature")}; its own is used.`);
  if (shape.answersPerCall === 1 && dialect.answers.most > 1) {
    notes.push(`${dialect.label} gives one answer a call${words("n")}: replicates read the prompt again each time.`);
  }
  const shutDown = familyOf(model)?.shutDown ?? null;
  if (shutDown !== null && dialect.reasoningEffort) {
    notes.push(`OpenAI has announced to shut ${model} down on ${shutDown}; audits after that need another auditor.`);
  }
  return [...notes, ...dialect.notes];
}

const INSTEAD =
  "Use `signal` sampling (repeated draws) or `signal` none (levels only), or a model that gives token probabilities: " +
  "vLLM, llama.cpp or Ollama on your machine, or gguf:<path>.";

function whyNone({ shape, refused, tokens, problem }: Findings): string {
  if (problem !== null) return `gives no token probabilities but other scores, such as logits: ${problem}`;
  const refusal = refused.findLast(({ parameter }) => parameter === "logprobs" || parameter === "top_logprobs");
  if (refusal) return `refuses to give token probabilities (${refusal.words})`;
  if (shape.dialect.logprobs === "none") return `gives no token probabilities: ${shape.dialect.label} has none`;
  if (tokens > 0) return "gives the probability of the chosen token only, without candidates";
  return "gives no token probabilities: the request was taken, and the answer came without them";
}

function structureNote({ model, shape }: Findings): string {
  if (shape.dialect.structured === "none")
    return `${shape.dialect.label} does not keep to a JSON schema; answers are read as they come.`;
  if (shape.dialect.structured === "json_object")
    return `${shape.dialect.label} promises JSON, but not its fields; answers are read as they come.`;
  if (!shape.structured) return `${model} takes no JSON schema; answers are read as they come.`;
  return `${model} was given a JSON schema and did not keep to it; answers are read as they come.`;
}

/** Most calls of a probe: one, plus one for each feature refused. */
const MAX_CALLS = 4;
/** `{"answer":"Yes"}` is six tokens; a model that indents needs twice as many. */
const PROBE_TOKENS = 16;
/** Enough for a few thoughts where they cannot be switched off. */
const THINKING_PROBE_TOKENS = 2000;

const PROBE_FORMAT: OutputFormat = {
  name: "probe",
  fields: [{ name: "answer", kind: "choice", values: ["Yes", "No"], about: "Yes or No" }],
};

const PROMPT: Question["prompt"] = {
  system: 'Answer with a JSON object of one field, "answer", which is "Yes" or "No".',
  shared: "Is water wet?\n",
  own: 'Reply as JSON: {"answer": "Yes"} or {"answer": "No"}.',
  format: PROBE_FORMAT,
};

interface Probed {
  capabilities: Capabilities;
  /** How requests are formed from now on. */
  shape: RequestShape;
}

interface Refused {
  parameter: Parameter;
  words: string;
}

type Send = (request: OpenAIRequest) => Promise<{ body: ScannedBody; costUsd: number | null }>;

/**
 * Requests everything at once and drops what the server refuses, until it answers. The answer shows what was silently left out: a
 * body without probabilities means that the server has none.
 */
export async function probeModel(model: string, first: RequestShape, send: Send): Promise<Probed> {
  const { dialect } = first;
  const tries = dialect.answers.most > 1;
  let shape: RequestShape = {
    ...first,
    // What is known of a family may be out of date; the server decides.
    logprobs: dialect.logprobs === "none" ? false : null,
    answersPerCall: tries ? Math.max(2, first.answersPerCall) : 1,
  };
  const refused: Refused[] = [];
  for (let calls = 1; ; calls++) {
    const request = buildRequest(model, questionFor(shape), shape);
    try {
      const { body, costUsd } = await send(request);
      return learn(model, shape, body, costUsd, refused);
    } catch (error) {
      const next = error instanceof RefusedParameter ? withoutParameter(shape, error.parameter, error.words) : null;
      if (next === null || calls === MAX_CALLS) throw error;
      refused.push({ parameter: (error as RefusedParameter).parameter, words: (error as RefusedParameter).words });
      shape = next;
    }
  }
}

function questionFor(shape: RequestShape): Question {
  return {
    prompt: PROMPT,
    temperature: 1,
    logprobs: true,
    answers: shape.answersPerCall > 1 && shape.dialect.endpoint === "chat" ? 2 : 1,
    seed: "probe",
    outputTokens: shape.temperature || shape.effortNone ? PROBE_TOKENS : THINKING_PROBE_TOKENS,
  };
}

function learn(
  model: string,
  tried: RequestShape,
  body: ScannedBody,
  costUsd: number | null,
  refused: readonly Refused[],
): Probed {
  const { dialect } = tried;
  const tokens = body.choices.flatMap((choice) => choice.tokens ?? []);
  const problem = tokens.map(whyNoProbabilities).find((found) => found !== null) ?? null;
  const topLogprobs = tokens.reduce((most, token) => Math.max(most, token.top.length), 0);
  const logprobs = tried.logprobs !== false && topLogprobs > 0 && problem === null;
  const answersPerCall = body.choices.length > 1 ? dialect.answers.most : 1;
  const shape: RequestShape = { ...tried, logprobs, answersPerCall };
  const kept = body.choices.every((choice) => choice.finish === "length" || isProbeAnswer(choice.text));
  const structuredOutput = tried.structured && dialect.structured !== "json_object" && kept;
  const capabilities: Capabilities = {
    logprobs,
    topLogprobs: logprobs ? topLogprobs : 0,
    answersPerCall,
    structuredOutput,
    space: dialect.space,
    dialect: dialect.name,
    model: body.model ?? model,
    notes: probeNotes({ model, shape, refused, tokens: tokens.length, topLogprobs, problem, structuredOutput }),
    costUsd,
  };
  return { capabilities, shape };
}

function isProbeAnswer(text: string): boolean {
  return /^\s*\{\s*"answer"\s*:\s*"(Yes|No)"\s*\}\s*$/.test(text);
}
