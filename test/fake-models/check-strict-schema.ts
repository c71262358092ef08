import type { Fault } from "./fault.js";
import { openaiError } from "./openai-faults.js";
import type { Json } from "./question.js";

/** The conditions that OpenAI puts on a strict schema, checked in depth. */
export function checkStrictSchema(format: Json | undefined): Fault | null {
  const refuse = (message: string): Fault => openaiError(400, message, { param: "response_format" });
  const name = format?.name;
  if (typeof name !== "string") return refuse("Missing required parameter: 'response_format.json_schema.name'.");
  if (!/^[a-zA-Z0-9_-]{1,64}$/.test(name))
    return refuse(
      "Invalid 'response_format.json_schema.name': string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'.",
    );
  if (format!.schema === undefined) return refuse("Missing required parameter: 'response_format.json_schema.schema'.");
  if (format!.strict !== true) return null;
  const complaint = complain(format!.schema as Json, []);
  return complaint === null ? null : refuse(`Invalid schema for response_format '${name}': ${complaint}`);
}

const FORBIDDEN = [
  "allOf",
  "not",
  "dependentRequired",
  "dependentSchemas",
  "if",
  "then",
  "else",
  "oneOf",
  "propertyOrdering",
];

function complain(schema: Json, context: readonly string[]): string | null {
  const place = `In context=(${context.map((part) => `'${part}'`).join(", ")})`;
  for (const word of FORBIDDEN) if (word in schema) return `${place}, '${word}' is not permitted.`;
  for (const option of (schema.anyOf ?? []) as Json[]) {
    const inner = complain(option, [...context, "anyOf"]);
    if (inner) return inner;
  }
  if (!("type" in schema) && !("anyOf" in schema) && !("enum" in schema) && !("const" in schema) && !("$ref" in schema))
    return `${place}, schema must have a 'type' key.`;
  if (context.length === 0 && schema.type !== "object") return "schema must be a JSON Schema of 'type: \"object\"'.";
  if (schema.type !== "object") return null;
  if (schema.additionalProperties !== false)
    return `${place}, 'additionalProperties' is required to be supplied and to be false.`;
  const properties = (schema.properties ?? {}) as Record<string, Json>;
  const required = (schema.required ?? []) as string[];
  const missing = Object.keys(properties).find((key) => !required.includes(key));
  if (missing !== undefined)
    return `${place}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`;
  for (const [key, property] of Object.entries(properties)) {
    const inner = complain(property, [...context, "properties", key]);
    if (inner) return inner;
  }
  return null;
}
