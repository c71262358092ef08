import { InputError } from "../../core/errors.js";
import type { Decision } from "../../core/records/decision.js";
import { columnPath } from "../formats/column-path.js";
import { lookUp } from "./fits.js";
import { RECORD_KINDS, type RecordObject } from "./record-kinds.js";

/**
 * A condition on decisions: `field=value` or `field!=value`, dotted fields reach into parts (`content.language=es`), a list matches by
 * any of its items, `field=*` is "is there" and `field!=*` "is not". A decision without the field differs from every value.
 */
export function parseFilter(expression: string): (decision: Decision) => boolean {
  const match = /^\s*([^=!\s]+)\s*(!?=)(.*)$/s.exec(expression);
  if (!match) {
    throw new InputError(
      "bad_filter",
      `filter: got "${expression}", expected field=value or field!=value`,
      "For example: --filter content.language=es",
    );
  }
  const [, name, operator, right] = match as unknown as [string, string, "=" | "!=", string];
  const path = columnPath(name);
  refuseUnknown(name, path);
  const value = right.trim();
  const wanted = operator === "=";
  if (value === "*") return (decision) => isThere(lookUp(decision as RecordObject, path)) === wanted;
  return (decision) => matches(lookUp(decision as RecordObject, path), value) === wanted;
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
}

function matches(value: unknown, wanted: string): boolean {
  if (Array.isArray(value)) return value.some((item) => matches(item, wanted));
  return value !== undefined && value !== null && String(value) === wanted;
}

function refuseUnknown(name: string, path: readonly string[]): void {
  const { fields } = RECORD_KINDS.decisions;
  const field = fields.byName.get(path[0]!);
  if (!field) {
    throw new InputError(
      "unknown_field",
      `filter: decisions have no field "${path[0]}"`,
      `Fields: ${fields.list.map((each) => each.name).join(", ")}.`,
    );
  }
  if (path.length > 1 && !field.fields) {
    throw new InputError("unknown_field", `filter: "${name}": ${field.name} has no parts`, `Use ${field.name}=VALUE.`);
  }
}
