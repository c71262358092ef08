import { FLAGS } from "../../domain/audit.js";
import type { Report } from "../../domain/report.js";
import { isPlainWord, plainRuleId } from "./redacted-writing.js";

/** Members under which a result of an experiment could hold what somebody wrote about a case. Those of today hold ids and numbers only. */
const WRITTEN = new Set([
  "content",
  "body",
  "context",
  "url",
  "rationale",
  "appeal",
  "note",
  "comment",
  "comments",
  "logic_chain",
  "policy_citation",
  "inverse_citation",
  "trace",
  "quote",
  "scrubbed",
]);

/**
 * A report without anything that an author, a moderator or a rater wrote. Its counts and rates hold none; languages, flags and rules that only
 * audits name may be in somebody's own words; results of experiments are files that somebody else may have added to, so that whatever is
 * called like a text is taken out of them.
 */
export function redactReport(report: Report, hashOf: (text: string) => string): Report {
  const { stability, experiments, by_language, flags, rules } = report;
  return {
    ...report,
    by_language: plainNames(by_language, hashOf, isPlainWord),
    flags: plainNames(flags, hashOf, isFlag),
    // A rule with a title is one of the workspace's.
    rules: rules.map((rule) => (rule.title === null ? { ...rule, rule_id: plainRuleId(rule.rule_id, hashOf) } : rule)),
    ...(stability ? { stability: redact(stability, hashOf) as typeof stability } : {}),
    ...(experiments ? { experiments: redact(experiments, hashOf) as typeof experiments } : {}),
  };
}

function plainNames<Value>(
  of: Record<string, Value>,
  hashOf: (text: string) => string,
  isPlain: (name: string) => boolean,
): Record<string, Value> {
  return Object.fromEntries(
    Object.entries(of).map(([name, value]) => [isPlain(name) ? name : `redacted ${hashOf(name).slice(0, 8)}`, value]),
  );
}

const isFlag = (name: string) => FLAGS.some((flag) => flag === name);

function redact(value: unknown, hashOf: (text: string) => string): unknown {
  if (Array.isArray(value)) return value.map((one) => redact(one, hashOf));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      WRITTEN.has(name) ? redactText(member, hashOf) : redact(member, hashOf),
    ]),
  );
}

/** Numbers, yes, no and nothing say nothing of a text. */
function redactText(value: unknown, hashOf: (text: string) => string): unknown {
  if (typeof value !== "string" && (typeof value !== "object" || value === null)) return value;
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { text: null, length: text.length, hash: hashOf(text) };
}
