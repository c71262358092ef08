import type { CasePrecedent, CaseRule } from "../../core/records/case.js";
import { encodeText } from "./encode.js";

/** How a text is changed before it is shown: scrubbed, or not at all. */
export type Prepare = (text: string) => string;

/** One rule as one line. Its text at the tier in force begins with its title, which is not shown twice. */
export function ruleLine(rule: CaseRule, prepare: Prepare): string {
  const { scope, id, kind, title, text } = rule;
  const rest = text === title ? "" : text.startsWith(`${title}\n`) ? text.slice(title.length + 1) : text;
  return object([
    [`${scope} rule`, id],
    ["kind", kind],
    ["title", prepare(title)],
    ["text", prepare(rest)],
  ]);
}

/** One precedent as one line. */
export function precedentLine(precedent: CasePrecedent, prepare: Prepare): string {
  return object([
    ["precedent", precedent.id],
    ["content", prepare(precedent.text)],
    ["decision", precedent.decision],
    ["under rule", precedent.ruleId],
    ["reason", precedent.rationale === null ? null : prepare(precedent.rationale)],
  ]);
}

/** A JSON object on one line; what is empty is not shown. */
function object(members: readonly [string, string | null][]): string {
  const shown = members.filter(([, value]) => value !== null && value !== "");
  return `{${shown.map(([key, value]) => `"${key}":${encodeText(value!)}`).join(",")}}`;
}
