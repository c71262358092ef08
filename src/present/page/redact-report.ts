import data from "../../../data/redaction.json" with { type: "json" };
import { gateSchema } from "../../core/gate.js";
import { actionNames } from "../../core/records/actions.js";
import { FLAGS } from "../../core/records/audit.js";
import type { Report } from "../../core/results/report.js";
import type { GateFindings } from "../../measures/gate/gate-report.js";
import { hideNames } from "./hide-names.js";
import {
  type HashedSort,
  isArchetype,
  type KeyedHash,
  plainRuleId,
  redactedName,
  shownName,
  wordsOf,
} from "./pseudonyms.js";
import { redactedKeys } from "./writing.js";

/**
 * Members of a report whose texts may leave: the program writes them, or they name communities, actions and rules. Numbers, booleans and null always may. Every other text
 * is replaced by its keyed hash, unless it is a code (`isCode`), so that a member that is new, or that was added to a file, shows nothing. An experiment lists
 * further members of its own in the registry.
 */
const OPEN = wordsOf(data.open_members);

/** Members with what was written about a case: no text below them leaves. */
const WRITTEN = wordsOf(data.written_members);

/** Members with names of files and populations, which are people's unless the program gave them; below: the objects where alone that is so. */
const SOURCES: Readonly<Record<string, RegExp>> = {
  file: /^/,
  frame: /^/,
  source: /^(?:run|calibration|target)$/,
  label: /^evaluated_on$/,
  old: /^diff$/,
  new: /^diff$/,
};

/** Further members that the results of an experiment may show, by its name: the registry of experiments has them. */
export type ShownMembers = Readonly<Record<string, readonly string[]>>;

/** Where a text is: the member, the object it is in, the member above that one, whether texts may leave there, and how groups of a gate are shown. */
interface Place {
  member: string;
  parent: Readonly<Record<string, unknown>>;
  above: string;
  open: ReadonlySet<string>;
  keyOf: ((key: string) => string) | null;
}

const NOTHING: ReadonlySet<string> = new Set();

/**
 * A report without anything that an author, a moderator, a rater or an auditor wrote, and without names that they made up. Sentences are made of names, so
 * whatever name was hashed in its own place is replaced in every open text too.
 */
export function redactReport(report: Report, hashOf: KeyedHash, shown: ShownMembers = {}): Report {
  const hidden = new Map<string, string>();
  // The names of experiments are words of the program.
  const kept = new Set([...keptNames(report), ...Object.keys(shown)]);
  const hash: KeyedHash = (text, sort) => {
    if (sort !== "content" && sort !== "note" && !kept.has(text)) hidden.set(text, redactedName(text, hashOf, sort));
    return hashOf(text, sort);
  };

  /** How groups are shown below a member: only the gate and what it finds have any. */
  const keysOf = (member: string, value: unknown, keyOf: Place["keyOf"]): Place["keyOf"] => {
    const isGate = member === "gate" || member === "gate_findings";
    const { by, settings } = (value ?? {}) as { by?: unknown; settings?: { by?: unknown } };
    const keys = settings?.by ?? by ?? (isGate ? ["community"] : null);
    return (isGate || keyOf) && Array.isArray(keys) ? redactedKeys(report, keys, hash) : keyOf;
  };

  function redacted(value: unknown, place: Place): unknown {
    if (typeof value === "string") return shownText(value, place);
    if (Array.isArray(value)) return value.map((one) => redacted(one, place));
    if (typeof value !== "object" || value === null) return value;
    const inside = { parent: value as Place["parent"], above: place.member === "groups" ? place.above : place.member };
    return Object.fromEntries(
      Object.entries(value).map(([member, one]) => {
        const own = place.member === "experiments" && new Set([...OPEN, ...(shown[member] ?? [])]);
        const open = WRITTEN.has(member) ? NOTHING : own || place.open;
        const keyOf = keysOf(member, one, place.keyOf);
        return [shownKey(member, place.member), redacted(one, { ...inside, member, open, keyOf })];
      }),
    );
  }

  function shownKey(key: string, record: string): string {
    if (record === "by_language") return shownName(key, hash, "language");
    if (record === "flags" && !FLAGS.some((flag) => flag === key)) return redactedName(key, hash, "name");
    return key;
  }

  function shownText(text: string, place: Place): string {
    const { member, parent, keyOf } = place;
    if (member === "filters") return shownFilter(text, hash);
    if (keyOf && (member === "community" || member === "key" || member === "above")) return keyOf(text);
    if (member === "rule_id" && parent.title === null) return plainRuleId(text, hash);
    const [, prefix = "", manner = text] = place.above === "archetype" ? (/^([a-z_]+: )(.*)$/s.exec(text) ?? []) : [];
    if (prefix !== "" && !isArchetype(manner)) return prefix + redactedName(manner, hash, "name");
    const sort = prefix === "" ? sortOf(place, kept.has(text)) : null;
    return sort === null ? text : shownName(text, hash, sort);
  }

  const { gate, ...rest } = report;
  const parts = { ...rest, ...(gate ? { gate: onlyKnown(gate) } : {}) };
  const top: Place = { member: "", parent: {}, above: "", open: OPEN, keyOf: null };
  return hideNames(redacted(parts, top) as Report, hidden, kept);
}

/** What a text is of; null where it may leave. */
function sortOf({ member, parent, above, open }: Place, isKept: boolean): HashedSort | null {
  if (open === NOTHING) return "content";
  if (member === "reason" && above === "closed") return "reason";
  if (member === "value" && typeof parent.slice === "string") return fieldSort(parent.slice) ?? "name";
  if (member === "value" && typeof parent.by === "string")
    return isKept || parent.by === "week" ? null : (fieldSort(parent.by) ?? "name");
  if (member === "group" && (above === "language" || above === "rule_kind" || above === "archetype")) {
    return fieldSort(above) ?? "name";
  }
  if (above === "calibration" && member === "name") return "name";
  if (above === "slices" && member === "note") return null;
  if (SOURCES[member]?.test(above)) return "source";
  if (member === "name" && parent.run_id === null) return "source";
  if (/^(?:ruleset_)?versions?$/.test(member)) return "version";
  return open.has(member) ? null : "note";
}

const FIELDS: readonly [RegExp, HashedSort][] = [
  [/^(?:content\.)?language$/, "language"],
  [/^(?:(?:content\.)?kind|rule_kind)$/, "kind"],
  [/^tags$/, "tag"],
  [/^(?:decider\.id|rater|author)$/, "person"],
  [/^content/, "content"],
  [/^rationale$/, "rationale"],
  [/^(?:cited_rule|gold\.rule_ids)$/, "rule"],
  [/^ruleset_version$/, "version"],
  [/^decided_at$/, "name"],
];

function fieldSort(field: string): HashedSort | undefined {
  return FIELDS.find(([pattern]) => pattern.test(field))?.[1];
}

/** A filter says `field=value`, where the value may be anything: an author, a tag, a sentence. */
function shownFilter(filter: string, hashOf: KeyedHash): string {
  const [, field = "", operator = "", asked = ""] = /^\s*([^=!\s]+)\s*(!?=)(.*)$/s.exec(filter) ?? [];
  const value = operator === "" ? filter : asked.trim();
  const stays = operator !== "" && (value === "*" || /^(?:id|community|decision|human_label)$/.test(field));
  return stays ? filter : `${field}${operator}${shownName(value, hashOf, fieldSort(field) ?? "filter")}`;
}

/** Members of the gate's format; its file may hold others, in words that the program does not know. */
function onlyKnown(gate: NonNullable<Report["gate"]>): typeof gate {
  return Object.fromEntries(Object.entries(gate).filter(([name]) => name in gateSchema.shape)) as typeof gate;
}

/** Names that a redacted report keeps. */
function* keptNames({ run, communities = [], rules = [], by_decision = {}, by_cohort = {} }: Report): Iterable<string> {
  for (const { community } of communities) yield community;
  // A rule with a title is one of the workspace's.
  for (const { rule_id, title } of rules) if (title !== null) yield* [rule_id, title];
  yield* Object.keys(by_decision);
  yield* Object.keys(by_cohort);
  for (const name of [run.auditor, run.cohort, ...(run.actions ? actionNames(run.actions) : [])]) if (name) yield name;
}

/** A tag or kind that fewer decisions have says as much of each of them as of the group. */
const LEAST_DECISIONS = 5;

/**
 * A report without single decisions, for `--no-decisions`. Its own numbers are of groups, of which the smallest slices go; results of experiments list cases, which go, and
 * have pictures with a mark for each, which stay without the names.
 */
export function withoutDecisions(report: Report): Report {
  const { stability, experiments, gate_findings: findings } = report;
  const names = new CaseNames();
  return {
    ...report,
    ...(stability ? { stability: names.leaveOut(stability) as typeof stability } : {}),
    ...(experiments ? { experiments: names.leaveOut(experiments) as typeof experiments } : {}),
    ...(findings ? { gate_findings: withoutRareValues(findings) } : {}),
  };
}

function withoutRareValues(findings: NonNullable<Report["gate_findings"]>): typeof findings {
  const { slices } = findings as object as GateFindings;
  if (!slices) return findings;
  const rows = slices.rows.filter(({ n }) => n >= LEAST_DECISIONS);
  const kept = new Set(rows.map(({ slice, value }) => JSON.stringify([slice, value])));
  const warnings = slices.warnings.filter(({ slice, value }) => kept.has(JSON.stringify([slice, value])));
  return { ...findings, slices: { ...slices, rows, warnings } };
}

class CaseNames {
  private readonly numbers = new Map<string, number>();

  leaveOut(value: unknown, member = ""): unknown {
    if (Array.isArray(value)) {
      if (member === "rows") return value.map((row) => this.unnamed(row));
      if (member === "ids") return [];
      return value.filter((one) => !isCase(one)).map((one) => this.leaveOut(one));
    }
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, this.leaveOut(one, name)]));
  }

  /** A row of a figure. The same case has the same number in all of them, so that pictures can still be laid side by side. */
  private unnamed(row: unknown): unknown {
    if (!isCase(row)) return row;
    const number = this.numbers.get(row.decision_id) ?? this.numbers.size + 1;
    this.numbers.set(row.decision_id, number);
    return { ...row, decision_id: `case ${number}` };
  }
}

function isCase(value: unknown): value is { decision_id: string } {
  return typeof (value as { decision_id?: unknown } | null)?.decision_id === "string";
}
