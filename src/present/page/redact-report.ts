import { FLAGS } from "../../core/records/audit.js";
import type { Report } from "../../core/results/report.js";
import type { KeyedHash } from "../../store/files/redaction-key.js";
import { collectOwnWords } from "./collect-own-words.js";
import { redactedName } from "./own-words.js";
import { redactGate, redactRealised } from "./redact-gate.js";
import { redactResult, redactSelection } from "./redact-selection.js";
import { plainRuleId, shownLanguage } from "./redacted-writing.js";

/**
 * A report without anything that an author, a moderator, a rater or an auditor wrote, and without names that somebody made up. Where such names stand is known and redacted
 * first; then whatever people called things is looked for everywhere, in titles, captions and keys too, so that no place can be forgotten.
 */
export function redactReport(report: Report, hashOf: KeyedHash): Report {
  const { run, stability, experiments, by_language, flags, rules } = report;
  const known: Report = {
    ...report,
    ...(run.selection ? { run: { ...run, selection: redactSelection(run.selection, hashOf) } } : {}),
    by_language: renamed(by_language, (name) => shownLanguage(name, hashOf)),
    flags: renamed(flags, (name) => (isFlag(name) ? name : redactedName(name, hashOf, "name"))),
    // A rule with a title is one of the workspace's.
    rules: rules.map((rule) => (rule.title === null ? { ...rule, rule_id: plainRuleId(rule.rule_id, hashOf) } : rule)),
    ...redactGate(report, hashOf),
    ...redactRealised(report, hashOf),
    ...(stability ? { stability: redactResult(stability, hashOf) } : {}),
    ...(experiments ? { experiments: redactResult(experiments, hashOf) } : {}),
  };
  return collectOwnWords(report, hashOf).withoutIn(known);
}

function renamed<Value>(of: Record<string, Value>, rename: (name: string) => string): Record<string, Value> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [rename(name), value]));
}

const isFlag = (name: string) => FLAGS.some((flag) => flag === name);
