import type { Actions } from "../../core/records/actions.js";
import { isTime } from "../../core/records/outcome.js";
import type { Field, Fields, RecordObject } from "./record-kinds.js";

/**
 * Whether a value is a record in the format, with nothing to normalise. Says the same as the schemas (a test holds them together)
 * and that actions are the workspace's, in a fortieth of zod's time; zod is asked only to explain a failure.
 */
export function fits(fields: Fields, value: unknown, actions: Actions): value is RecordObject {
  if (!isObject(value)) return false;
  for (const field of fields.list) {
    const member = value[field.name];
    if (member === undefined || member === null) {
      if (field.required) return false;
    } else if (!fitsField(field, member, actions)) return false;
  }
  return true;
}

function fitsField(field: Field, value: unknown, actions: Actions): boolean {
  switch (field.type) {
    case "text":
      return typeof value === "string";
    case "time":
      return isTime(value);
    case "id":
      return typeof value === "string" && (value !== "" || !field.required);
    case "action":
      return value === actions.positive || value === actions.negative;
    case "choice":
      return typeof value === "string" && field.values.includes(value);
    case "share":
      return typeof value === "number" && value >= 0 && value <= 1;
    case "chance":
      return typeof value === "number" && value > 0 && value <= 1;
    case "boolean":
      return typeof value === "boolean";
    case "level":
      return value === 1 || value === 2 || value === 3;
    case "texts":
      return Array.isArray(value) && value.every((item) => typeof item === "string");
    case "list":
      return Array.isArray(value);
    case "content":
      return typeof value === "string" || fits(field.fields!, value, actions);
    case "object":
      return fits(field.fields!, value, actions);
  }
}

export function isObject(value: unknown): value is RecordObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
