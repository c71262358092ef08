import type { Fault } from "./fault.js";
import { googleError, googleLogprobsRefused, googleOneCandidateOnly } from "./google-faults.js";
import { type Json, type Question, textOf } from "./question.js";
import type { Dialect, Traits } from "./traits.js";

const KNOWN_TOP = new Set([
  "contents",
  "systemInstruction",
  "generationConfig",
  "safetySettings",
  "tools",
  "toolConfig",
  "cachedContent",
  "labels",
  "model",
  "serviceTier",
]);
const KNOWN_CONFIG = new Set(
  (
    "stopSequences responseMimeType responseSchema responseJsonSchema responseFormat responseModalities candidateCount " +
    "maxOutputTokens temperature topP topK seed presencePenalty frequencyPenalty responseLogprobs logprobs " +
    "enableEnhancedCivicAnswers speechConfig thinkingConfig mediaResolution audioTimestamp routingConfig"
  ).split(" "),
);

interface Content {
  role?: string;
  parts?: unknown;
}

/** Reads a generateContent request. */
export function readGemini(
  body: Json,
  dialect: Dialect,
  traits: Traits,
  model: string,
  index: number,
): Question | { fault: Fault } {
  const config = (body.generationConfig ?? {}) as Json;
  const fault = refuse(body, config, dialect, traits, model);
  if (fault) return { fault };
  const contents = body.contents as Content[];
  return {
    dialect,
    index,
    model,
    system: textOf((body.systemInstruction as Content | undefined)?.parts),
    user: contents
      .filter(({ role }) => (role ?? "user") === "user")
      .map(({ parts }) => textOf(parts))
      .join("\n"),
    temperature: typeof config.temperature === "number" ? config.temperature : 1,
    logprobs: config.responseLogprobs === true,
    top: Number(config.logprobs ?? 0),
    answers: Number(config.candidateCount ?? 1),
    masked: config.responseSchema !== undefined || config.responseJsonSchema !== undefined,
    maxTokens: (config.maxOutputTokens ?? null) as number | null,
    stream: false,
    batchId: null,
    body,
  };
}

function refuse(body: Json, config: Json, dialect: Dialect, traits: Traits, model: string): Fault | null {
  const unknownName = (name: string, at: string): Fault =>
    googleError(400, `Invalid JSON payload received. Unknown name "${name}"${at}: Cannot find field.`);
  for (const name of Object.keys(body)) if (!KNOWN_TOP.has(name)) return unknownName(name, "");
  for (const name of Object.keys(config))
    if (!KNOWN_CONFIG.has(name)) return unknownName(name, " at 'generation_config'");
  if (!Array.isArray(body.contents) || body.contents.length === 0)
    return googleError(400, "* GenerateContentRequest.contents: contents is not specified");
  if (config.logprobs !== undefined && config.responseLogprobs !== true)
    return googleError(400, "logprobs requires setting response_logprobs to be true.");
  if (
    config.logprobs !== undefined &&
    !(Number.isInteger(config.logprobs) && Number(config.logprobs) >= 0 && Number(config.logprobs) <= traits.maxTop)
  )
    return googleError(400, `logprobs must be in the range of [0, ${traits.maxTop}].`);
  if (config.responseLogprobs === true && refusesLogprobs(dialect, model)) return googleLogprobsRefused(dialect, model);
  const count = Number(config.candidateCount ?? 1);
  if (count > 1 && /gemini-3/.test(model)) return googleOneCandidateOnly();
  if (!(Number.isInteger(count) && count >= 1 && count <= traits.maxAnswers))
    return googleError(400, `candidateCount must be between 1 and ${traits.maxAnswers}.`);
  const budget = (config.thinkingConfig as { thinkingBudget?: number } | undefined)?.thinkingBudget;
  if (budget === 0 && /pro/.test(model))
    return googleError(400, "Budget 0 is invalid. This model only works in thinking mode.");
  if (budget !== undefined && /gemini-(1|2\.0)/.test(model))
    return googleError(400, "Thinking is not supported by this model.");
  return refuseSchema(config);
}

function refusesLogprobs(dialect: Dialect, model: string): boolean {
  return dialect === "vertex" ? /gemini-3/.test(model) : /gemini-(2\.5|3)/.test(model);
}

function refuseSchema({ responseSchema, responseJsonSchema, responseMimeType }: Json): Fault | null {
  if (responseSchema === undefined && responseJsonSchema === undefined) return null;
  if (responseSchema !== undefined && responseJsonSchema !== undefined)
    return googleError(400, "Only one of response_schema and response_json_schema can be set.");
  if (responseMimeType !== "application/json")
    return googleError(400, "response_schema is only allowed with response_mime_type application/json.");
  if (responseSchema === undefined) return null;
  const properties = ((responseSchema as Json).properties ?? {}) as Record<string, Json>;
  for (const [name, property] of Object.entries(properties)) {
    const place = `* GenerateContentRequest.generation_config.response_schema.properties[${name}]`;
    if (property.enum !== undefined && String(property.type).toUpperCase() !== "STRING")
      return googleError(400, `${place}.enum: only allowed for STRING type`);
    if (Array.isArray(property.type))
      return googleError(400, `Invalid value at 'generation_config.response_schema.properties[${name}].type'`);
  }
  const ordering = (responseSchema as Json).propertyOrdering;
  if (ordering !== undefined && (ordering as string[]).some((name) => !(name in properties)))
    return googleError(
      400,
      "* GenerateContentRequest.generation_config.response_schema.property_ordering: unknown property",
    );
  return null;
}
