import { checkStrictSchema } from "./check-strict-schema.js";
import type { Fault } from "./fault.js";
import { modelFamily } from "./model-family.js";
import { logprobsForbidden, logprobsUnsupported, openaiError } from "./openai-faults.js";
import { type Json, type Question, textOf } from "./question.js";
import type { Dialect, Traits } from "./traits.js";

type Read = Question | { fault: Fault };

/** Parameters of chat completions that OpenAI knows; any other is refused. */
const KNOWN = new Set(
  (
    "model messages audio frequency_penalty function_call functions logit_bias logprobs max_completion_tokens max_tokens metadata " +
    "modalities moderation n parallel_tool_calls prediction presence_penalty prompt_cache_key prompt_cache_options " +
    "prompt_cache_retention reasoning_effort response_format safety_identifier seed service_tier stop store stream " +
    "stream_options temperature tool_choice tools top_logprobs top_p user verbosity web_search_options"
  ).split(" "),
);

/** Reads a chat request as the vendor would: what it does not take is refused in its words. */
export function readChat(body: Json, dialect: Dialect, traits: Traits, index: number): Read {
  const refusal = dialect === "openai" || dialect === "azure" ? refuseStrictly(body) : null;
  const fault = refusal ?? refuseTypes(body, dialect, traits);
  if (fault) return { fault };
  const messages = body.messages as { role: string; content: unknown }[];
  const texts = (roles: readonly string[]): string =>
    messages
      .filter(({ role }) => roles.includes(role))
      .map(({ content }) => textOf(content))
      .join("\n");
  const format = body.response_format as { type?: string } | undefined;
  const isCount = dialect === "together" || (dialect === "fireworks" && typeof body.logprobs === "number");
  return {
    dialect,
    index,
    model: String(body.model),
    system: texts(["system", "developer"]),
    user: texts(["user"]),
    temperature: typeof body.temperature === "number" ? body.temperature : 1,
    logprobs: isCount ? typeof body.logprobs === "number" : body.logprobs === true,
    top: isCount ? Number(body.logprobs ?? 0) : Number(body.top_logprobs ?? (dialect === "llamacpp" ? 20 : 0)),
    // Ollama does not know `n` and says nothing about it.
    answers: dialect === "ollama" ? 1 : Number(body.n ?? 1),
    masked: format?.type === "json_schema" || body.structured_outputs !== undefined,
    maxTokens: (body.max_completion_tokens ?? body.max_tokens ?? null) as number | null,
    stream: body.stream === true,
    batchId: null,
    body,
  };
}

function refuseTypes(body: Json, dialect: Dialect, traits: Traits): Fault | null {
  const { logprobs, top_logprobs: top, n, temperature, messages } = body;
  if (typeof body.model !== "string") return openaiError(400, "you must provide a model parameter");
  if (!Array.isArray(messages) || messages.length === 0)
    return openaiError(400, "Invalid type for 'messages': expected an array of objects.", { param: "messages" });
  if (dialect === "together") {
    if (logprobs !== undefined && !isCount(logprobs, 20))
      return openaiError(400, "Input validation error: logprobs must be an integer between 0 and 20", {
        param: "logprobs",
      });
  } else if (dialect === "fireworks" && typeof logprobs === "number") {
    if (!isCount(logprobs, traits.maxTop))
      return openaiError(400, "logprobs must be less than or equal to the limit", { param: "logprobs" });
  } else if (logprobs !== undefined && logprobs !== null && typeof logprobs !== "boolean") {
    return openaiError(
      400,
      `Invalid type for 'logprobs': expected a boolean, but got ${JSON.stringify(logprobs)} instead.`,
      {
        param: "logprobs",
        code: "invalid_type",
      },
    );
  }
  if (dialect !== "together" && top !== undefined && top !== null) {
    if (logprobs !== true)
      return openaiError(400, "'logprobs' must be set to true to use 'top_logprobs'.", { param: "top_logprobs" });
    if (!isCount(top, traits.maxTop))
      return openaiError(400, `Invalid value for 'top_logprobs': must be less than or equal to ${traits.maxTop}.`, {
        param: "top_logprobs",
        code: "integer_above_max_value",
      });
  }
  if (n !== undefined && n !== null && dialect !== "ollama" && !(isCount(n, traits.maxAnswers) && n !== 0))
    return openaiError(400, `Invalid value for 'n': must be between 1 and ${traits.maxAnswers}.`, { param: "n" });
  if (
    temperature !== undefined &&
    temperature !== null &&
    !(typeof temperature === "number" && temperature >= 0 && temperature <= 2)
  )
    return openaiError(400, "Invalid 'temperature': decimal above maximum value.", { param: "temperature" });
  return null;
}

function isCount(value: unknown, most: number): boolean {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= most;
}

/** What OpenAI itself refuses and most of its imitators let pass. */
function refuseStrictly(body: Json): Fault | null {
  for (const name of Object.keys(body)) {
    if (!KNOWN.has(name)) return openaiError(400, `Unrecognized request argument supplied: ${name}`);
  }
  const family = modelFamily(String(body.model));
  const effort = body.reasoning_effort ?? family.defaultEffort;
  if (body.reasoning_effort !== undefined && !family.efforts.includes(String(body.reasoning_effort))) {
    if (family.efforts.length === 0)
      return openaiError(400, "Unrecognized request argument supplied: reasoning_effort");
    return openaiError(
      400,
      `Unsupported value: 'reasoning_effort' does not support '${body.reasoning_effort}' with this model.`,
      {
        param: "reasoning_effort",
        code: "unsupported_value",
      },
    );
  }
  const thinks = family.defaultEffort !== null && effort !== "none";
  if (body.logprobs === true) {
    if (family.logprobs === "forbidden") return logprobsForbidden();
    if (family.logprobs === "never" || thinks) return logprobsUnsupported();
  }
  if (thinks && body.temperature !== undefined && body.temperature !== 1)
    return openaiError(
      400,
      `Unsupported value: 'temperature' does not support ${body.temperature} with this model. Only the default (1) value is supported.`,
      {
        param: "temperature",
        code: "unsupported_value",
      },
    );
  if (family.defaultEffort !== null && body.max_tokens !== undefined)
    return openaiError(
      400,
      "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      {
        param: "max_tokens",
        code: "unsupported_parameter",
      },
    );
  const format = body.response_format as { type?: string; json_schema?: Json } | undefined;
  if (format?.type !== "json_schema") return null;
  return checkStrictSchema(format.json_schema);
}
