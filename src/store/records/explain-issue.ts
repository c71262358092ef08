import type { z } from "zod";

type Issue = z.core.$ZodIssue;

/** The first thing zod found wrong, as a path and a half-sentence `got X, expected Y`. */
export function explainIssue(issue: Issue, input: unknown): { path: PropertyKey[]; reason: string } {
  if (issue.code === "invalid_union") {
    // Tell about the alternative that got furthest: the one whose first fault lies deepest.
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

/** A value short enough for a message. */
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
