import type { z } from "zod";
import { type Actions, actionChoice, actionNames, isAction } from "../../core/records/actions.js";
import { isTime } from "../../core/text-checks.js";
import { assign, Fault } from "../formats/parse-json.js";
import type { Field, Fields, KindOfRecord, RecordObject } from "./record-kinds.js";

type Issue = z.core.$ZodIssue;

/** The first problem that zod found, as a path and a half-sentence `got X, expected Y`. */
export function explainIssue(issue: Issue, input: unknown): { path: PropertyKey[]; reason: string } {
  if (issue.code === "invalid_union") {
    // Reports on the alternative that came closest: the one whose first problem is deepest.
    const branches = issue.errors.map((errors) => errors[0]).filter((error) => error !== undefined);
    const deepest = branches.reduce<Issue | null>(
      (best, error) => (error.path.length > (best?.path.length ?? 0) ? error : best),
      null,
    );
    if (deepest) {
      const path = [...issue.path, ...deepest.path];
      return { path, reason: explainIssue({ ...deepest, path } as Issue, input).reason };
    }
    const values = issue.errors.flatMap((errors) => errors.flatMap(allowed));
    return { path: issue.path, reason: `${got(input, issue.path)}, expected ${values.join(" or ")}` };
  }
  return { path: issue.path, reason: reasonOf(issue, input) };
}

function reasonOf(issue: Issue, input: unknown): string {
  if (issue.code === "custom") return issue.message;
  const value = at(input, issue.path);
  if (value === undefined || value === null) return `is missing; expected ${allowed(issue).join(" or ") || "a value"}`;
  switch (issue.code) {
    case "too_small":
      return value === ""
        ? "is empty"
        : `${got(input, issue.path)}, expected ${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}`;
    case "too_big":
      return `${got(input, issue.path)}, expected ${issue.inclusive === false ? "less than" : "at most"} ${issue.maximum}`;
    case "unrecognized_keys":
      return `unknown key ${issue.keys.map((key) => `"${key}"`).join(", ")}`;
    case "invalid_type":
    case "invalid_value":
      return `${got(input, issue.path)}, expected ${allowed(issue).join(" or ")}`;
    default:
      return issue.message;
  }
}

const PLAIN: Record<string, string> = { string: "text", array: "a list", object: "an object", int: "a whole number" };

function allowed(issue: Issue): string[] {
  if (issue.code === "invalid_value") return issue.values.map(String);
  if (issue.code === "invalid_type") return [PLAIN[issue.expected] ?? `a ${issue.expected}`];
  if (issue.code === "too_small") return [issue.origin === "string" ? "text" : `a ${issue.origin}`];
  return [];
}

function got(input: unknown, path: readonly PropertyKey[]): string {
  return `got ${shown(at(input, path))}`;
}

/** A value shortened for a message. */
export function shown(value: unknown): string {
  const text = typeof value === "string" ? JSON.stringify(value) : Array.isArray(value) ? "a list" : String(value);
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return "an object";
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

function at(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const step of path) value = (value as Record<PropertyKey, unknown> | null | undefined)?.[step];
  return value;
}

/** Why a value is not a record of this kind in this workspace. */
export function explainRecord(kind: KindOfRecord, value: unknown, actions: Actions): Fault {
  if (!isObject(value)) return new Fault("", "is not a JSON object");
  const result = kind.schema.safeParse(value);
  if (!result.success) {
    const { path, reason } = explainIssue(result.error.issues[0]!, value);
    return new Fault(path.join("."), reason);
  }
  // The remaining case: the schema accepts any text as an action, a workspace only its own.
  const known = actionNames(actions);
  const field = kind.fields.list.find((each) => {
    const action = lookUp(value, [each.name]);
    return each.type === "action" && action !== undefined && action !== null && !known.includes(action as string);
  });
  return new Fault(field?.name ?? "", `got ${shown(value[field?.name ?? ""])}, expected ${actionChoice(actions)}`);
}

/** Puts a value into a nested object; false if another value is in the way. */
export function place(row: RecordObject, path: readonly string[], value: unknown): boolean {
  let at = row;
  for (let i = 0; i < path.length - 1; i++) {
    const next = own(at, path[i]!);
    if (isObject(next)) at = next;
    else if (next === undefined || next === null) {
      const made: RecordObject = {};
      assign(at, path[i]!, made);
      at = made;
    } else return false;
  }
  const last = path.at(-1)!;
  const there = own(at, last);
  if (there !== undefined && there !== null) return false;
  assign(at, last, value);
  return true;
}

/** The value at a path, or undefined. */
export function lookUp(row: RecordObject, path: readonly string[]): unknown {
  let value: unknown = row;
  for (const key of path) value = isObject(value) ? own(value, key) : undefined;
  return value;
}

function own(object: RecordObject, key: string): unknown {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * Whether a value is a record in the format that needs no normalisation. Equivalent to the schemas (a test compares them) plus a check that actions
 * are the workspace's, in a fortieth of zod's time; zod is only used to explain a failure.
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
    case "moment":
      return typeof value === "string";
    case "time":
      return isTime(value);
    case "id":
      return typeof value === "string" && (value !== "" || !field.required);
    case "action":
      return isAction(actions, value);
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
