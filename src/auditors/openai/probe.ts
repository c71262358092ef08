import { whyNoProbabilities } from "../../measures/signals/logprob.js";
import type { Capabilities } from "../capabilities.js";
import type { OutputFormat } from "../output-format.js";
import type { OpenAIRequest, Question } from "./build-request.js";
import { buildRequest } from "./build-request.js";
import { RefusedParameter } from "./openai-errors.js";
import { probeNotes } from "./probe-notes.js";
import { type Parameter, type RequestShape, withoutParameter } from "./request-shape.js";
import type { ScannedBody } from "./scan-body.js";

/** Calls that a probe makes at most: one, and one more for each thing refused. */
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

export interface Probed {
  capabilities: Capabilities;
  /** How requests are formed from now on. */
  shape: RequestShape;
}

export interface Refused {
  parameter: Parameter;
  words: string;
}

/** Sends a request and reads its answer. */
export type Send = (request: OpenAIRequest) => Promise<{ body: ScannedBody; costUsd: number | null }>;

/**
 * Asks for all that is wanted at once and lets go of what the server refuses, until it answers. What it silently leaves out is told by the
 * answer: a body without probabilities means that there are none.
 */
export async function probeModel(model: string, first: RequestShape, send: Send): Promise<Probed> {
  const { dialect } = first;
  const tries = dialect.answers.most > 1;
  let shape: RequestShape = {
    ...first,
    // What is said of a family may be out of date; the server knows.
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
