import type { OutputField, OutputFormat } from "./output-format.js";

/**
 * The format as a JSON Schema that OpenAI's strict mode takes, and the servers that follow it: every field required, none besides,
 * properties in the order in which they are to be written.
 */
export function jsonSchema(format: OutputFormat): object {
  return {
    type: "object",
    properties: Object.fromEntries(format.fields.map((field) => [field.name, fieldSchema(field)])),
    required: format.fields.map((field) => field.name),
    additionalProperties: false,
  };
}

function fieldSchema(field: OutputField): object {
  const description = field.about;
  switch (field.kind) {
    case "text":
      return { type: "string", description };
    case "text_or_null":
      return { type: ["string", "null"], description };
    case "choice":
      return { type: "string", enum: [...field.values], description };
    case "choice_or_null":
      return { type: ["string", "null"], enum: [...field.values, null], description };
    case "digit":
      return { type: "integer", enum: [...field.values], description };
  }
}
