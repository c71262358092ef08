import type { Schema } from "@google/genai";
import type { OutputField, OutputFormat } from "../output-format.js";

/**
 * The format as Gemini's `responseSchema`, a subset of OpenAPI. Properties come in no order of their own there: `propertyOrdering` says it.
 * An enum is for texts only (a whole number with an enum is refused with "only allowed for STRING type"), so a digit is bounded.
 */
export function geminiSchema(format: OutputFormat): Schema {
  const names = format.fields.map((field) => field.name);
  return {
    type: "OBJECT" as Schema["type"],
    properties: Object.fromEntries(format.fields.map((field) => [field.name, fieldSchema(field)])),
    required: names,
    propertyOrdering: names,
  } as Schema;
}

function fieldSchema(field: OutputField): Schema {
  const description = field.about;
  switch (field.kind) {
    case "text":
      return { ...STRING, description };
    case "text_or_null":
      return { ...STRING, nullable: true, description };
    case "choice":
      return { ...STRING, format: "enum", enum: [...field.values], description };
    case "choice_or_null":
      return { ...STRING, format: "enum", enum: [...field.values], nullable: true, description };
    case "digit":
      return { ...INTEGER, minimum: Math.min(...field.values), maximum: Math.max(...field.values), description };
  }
}

// The SDK's `Type` is an enum of the same words; importing it would load the SDK.
const STRING = { type: "STRING" as NonNullable<Schema["type"]> };
const INTEGER = { type: "INTEGER" as NonNullable<Schema["type"]> };
