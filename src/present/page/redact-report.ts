import type { Gate, GateKey } from "../../core/gate.js";
import { FLAGS } from "../../core/records/audit.js";
import { type RealisedCell, realisedRiskSchema } from "../../core/results/realised-risk.js";
import type { Report } from "../../core/results/report.js";
import type { GateFindings } from "../../measures/gate/gate-report.js";
import type { SliceReport } from "../../measures/gate/slices.js";
import { collectOwnWords, sliceSort } from "./collect-own-words.js";
import type { KeyedHash } from "./own-words.js";
import { redactedName } from "./own-words.js";
import { isContentKind } from "./plain-codes.js";
import { redactResult, redactSelection } from "./redact-selection.js";
import { plainRuleId, redactedKeys, shownLanguage } from "./redacted-writing.js";

/**
 * A report without anything that an author, a moderator, a rater or an auditor wrote, and without names that somebody made up. Where such names stand is known and redacted
 * first; then whatever people called things is looked for everywhere, in titles, captions and keys too, so that no place can be forgotten.
 */
export function redactReport(report: Report, hashOf: KeyedHash, shown: ShownMembers = {}): Report {
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
    ...(experiments ? { experiments: redactExperiments(experiments, hashOf, shown) } : {}),
  };
  return collectOwnWords(report, hashOf).withoutIn(known);
}

/** Members that the results of an experiment may show, by its name: the registry of experiments has them. */
export type ShownMembers = Readonly<Record<string, readonly string[]>>;

function redactExperiments(experiments: NonNullable<Report["experiments"]>, hashOf: KeyedHash, shown: ShownMembers) {
  const each = Object.entries(experiments).map(([kind, one]) => [kind, redactResult(one, hashOf, shown[kind])]);
  return Object.fromEntries(each) as typeof experiments;
}

function renamed<Value>(of: Record<string, Value>, rename: (name: string) => string): Record<string, Value> {
  return Object.fromEntries(Object.entries(of).map(([name, value]) => [rename(name), value]));
}

const isFlag = (name: string) => FLAGS.some((flag) => flag === name);

/** What a gate in force is made of. Its file may hold more that somebody added, in words that nobody knows. */
const KEPT = [
  "mode",
  "thresholds",
  "fleet",
  "scenarios",
  "format",
  "gate_id",
  "created_at",
  "by",
  "evidence",
  "selective",
  "review_share",
  "variable",
  "delta",
  "q",
  "risk",
  "adjust",
  "look",
  "thread_cap",
  "threads",
  "judge_error_required",
] as const satisfies readonly (keyof Gate)[];

/** The gate of a report and what it finds, with the names of cohorts and the values of fields redacted. */
function redactGate(report: Report, hashOf: KeyedHash): Pick<Report, "gate" | "gate_findings"> {
  const { gate } = report;
  const findings = report.gate_findings as object as GateFindings | undefined;
  const keysOf = (by: readonly GateKey[]) => redactedKeys(report, by, hashOf);
  return {
    ...(gate ? { gate: redactInForce(gate, keysOf(gate.by ?? ["community"]), hashOf) } : {}),
    ...(findings ? { gate_findings: redactFindings(findings, keysOf, hashOf) } : {}),
  };
}

function redactInForce(gate: Gate, keyOf: (key: string) => string, hashOf: KeyedHash): Gate {
  const kept = Object.fromEntries(KEPT.flatMap((name) => (gate[name] === undefined ? [] : [[name, gate[name]]])));
  const { label_counts: labels, closed } = gate;
  return {
    ...(kept as Pick<Gate, "mode" | "thresholds" | "fleet" | "scenarios">),
    communities: gate.communities.map(({ ruleset_versions: _, ...one }) => ({
      ...one,
      community: keyOf(one.community),
    })),
    // That it is closed matters to every reader; why, an operator wrote in a hurry.
    ...(closed ? { closed: { ...closed, reason: redactedName(closed.reason, hashOf, "reason") } } : {}),
    ...(labels ? { label_counts: labels.map((one) => ({ ...one, key: keyOf(one.key) })) } : {}),
  };
}

function redactFindings(
  findings: GateFindings,
  keysOf: (by: readonly GateKey[]) => (key: string) => string,
  hashOf: KeyedHash,
): NonNullable<Report["gate_findings"]> {
  const { settings, slices, judge_error: judged, watch } = findings;
  const keyOf = keysOf(settings.by);
  const redacted: GateFindings = {
    ...findings,
    slices: slices && redactSlices(slices, hashOf),
    judge_error: judged && {
      ...judged,
      communities: judged.communities.map((one) => ({ ...one, key: keyOf(one.key) })),
    },
    watch: watch && redactWatch(watch, keysOf(watch.by)),
  };
  return redacted as object as NonNullable<Report["gate_findings"]>;
}

/** Counts and rates by names that the report has; nothing of a reviewer or of a single decision. */
function redactRealised(report: Report, hashOf: KeyedHash): Pick<Report, "realised_risk"> {
  const { realised_risk: realised, communities, run } = report;
  if (!realised) return {};
  const kept = new Set([
    ...communities.map(({ community }) => community),
    ...Object.values((run.actions ?? {}) as Record<string, string>),
  ]);
  const shown = (by: RealisedCell["by"], value: string) => {
    if (by === "week" || kept.has(value)) return value;
    if (by === "language") return value === "unknown" ? value : shownLanguage(value, hashOf);
    return redactedName(value, hashOf, "name");
  };
  return {
    realised_risk: {
      ...realisedRiskSchema.strip().parse(realised),
      cells: realised.cells.map((cell) => ({ ...cell, value: shown(cell.by, cell.value) })),
    },
  };
}

/** Codes of languages and common kinds of content are nobody's words; what else stands in a field is whatever somebody put there. */
function redactSlices(slices: SliceReport, hashOf: KeyedHash): SliceReport {
  const shownValue = (slice: string, value: string) => {
    if (value === "unknown" || (slice === "kind" && isContentKind(value))) return value;
    return slice === "language" ? shownLanguage(value, hashOf) : redactedName(value, hashOf, sliceSort(slice));
  };
  return {
    ...slices,
    rows: slices.rows.map((row) => ({ ...row, value: shownValue(row.slice, row.value) })),
    warnings: slices.warnings.map((warning) => {
      const { slice, value, text } = warning;
      const shown = shownValue(slice, value);
      return { ...warning, value: shown, text: text.replace(`${slice} = ${value}:`, () => `${slice} = ${shown}:`) };
    }),
  };
}

function redactWatch(watch: NonNullable<GateFindings["watch"]>, keyOf: (key: string) => string) {
  const named = <One extends { community: string }>(all: readonly One[]) =>
    all.map((one) => ({ ...one, community: keyOf(one.community) }));
  return {
    ...watch,
    events: named(watch.events),
    above: watch.above.map(keyOf),
    named: named(watch.named),
    // Their sentences name cohorts in passing.
    notes: watch.by.join() === "community" ? watch.notes : [],
  };
}
