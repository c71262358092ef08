import data from "../../../data/redaction.json" with { type: "json" };
import { gateSchema } from "../../core/gate.js";
import {
  BOUNDARY_STATES,
  GATE_KEYS,
  GATE_MODES,
  GATE_STATES,
  STABILITY_CLASSES,
  STABILITY_GROUPS,
} from "../../core/names.js";
import { actionNames } from "../../core/records/actions.js";
import { FLAGS } from "../../core/records/audit.js";
import { RULE_KINDS, TIERS } from "../../core/records/rule-set.js";
import type { Report } from "../../core/results/report.js";
import { ATTACK_KINDS } from "../../experiments/attack/result.js";
import type { GateFindings } from "../../measures/gate/gate-report.js";
import {
  type HashedSort,
  isArchetype,
  type KeyedHash,
  plainRuleId,
  redactedKeys,
  redactedName,
  shownName,
  wordsOf,
} from "./writing.js";

/**
 * Members of a report whose texts may be shown: the program writes them, or they name communities, actions and rules. Numbers, booleans and null may
 * always be shown. Every other text that is not a code (`isCode`) is replaced by its keyed hash, so that a new member, or one added to a file,
 * reveals nothing. An experiment lists further members of its own in the registry.
 */
const OPEN = wordsOf(data.open_members);

/** Members with text written about a case: no text below them is shown. */
const WRITTEN = wordsOf(data.written_members);

/** Members that name files and populations, which people chose unless the program did; the pattern is for the member above. */
const SOURCES: Readonly<Record<string, RegExp>> = {
  file: /^/,
  frame: /^/,
  source: /^(?:run|calibration|target)$/,
  label: /^evaluated_on$/,
  old: /^diff$/,
  new: /^diff$/,
};

/** Further members that an experiment's results may show, by the experiment's name; from the registry of experiments. */
type ShownMembers = Readonly<Record<string, readonly string[]>>;

/** Where a text is: its member, its object, the member above, the members whose texts may be shown there, and how groups of a gate are shown. */
interface Place {
  member: string;
  parent: Readonly<Record<string, unknown>>;
  above: string;
  open: ReadonlySet<string>;
  keyOf: ((key: string) => string) | null;
}

const NOTHING: ReadonlySet<string> = new Set();

/**
 * A report without anything that an author, a moderator, a rater or an auditor wrote, and without names that they made up. Sentences contain names,
 * so a hashed name is also replaced in every open text.
 */
export function redactReport(report: Report, hashOf: KeyedHash, shown: ShownMembers = {}): Report {
  const hidden = new Map<string, string>();
  // The names of experiments are words of the program.
  const kept = new Set([...keptNames(report), ...Object.keys(shown)]);
  const hash: KeyedHash = (text, sort) => {
    if (sort !== "content" && sort !== "note" && !kept.has(text)) hidden.set(text, redactedName(text, hashOf, sort));
    return hashOf(text, sort);
  };

  /** How groups below a member are shown: only the gate and its findings have groups. */
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

/** The sort of a text; null if it may be shown. */
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

/** In a filter `field=value`, the value may be anything: an author, a tag, a sentence. */
function shownFilter(filter: string, hashOf: KeyedHash): string {
  const [, field = "", operator = "", asked = ""] = /^\s*([^=!\s]+)\s*(!?=)(.*)$/s.exec(filter) ?? [];
  const value = operator === "" ? filter : asked.trim();
  const stays = operator !== "" && (value === "*" || /^(?:id|community|decision|human_label)$/.test(field));
  return stays ? filter : `${field}${operator}${shownName(value, hashOf, fieldSort(field) ?? "filter")}`;
}

/** Only members of the gate's format: its file may hold others, in unknown words. */
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

/** A tag or kind with fewer decisions says almost as much about each of them as about the group. */
const LEAST_DECISIONS = 5;

/**
 * A report without individual decisions, for `--no-decisions`. Its own numbers are about groups, of which the smallest slices are removed. Results of
 * experiments list cases, which are removed, and have figures with a mark per case, which stay without names.
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

  /** A row of a figure. A case has the same number in all figures, so they can still be compared. */
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

/** Words of the program, with spaces: replacing a name that is one of them would hide nothing. */
const VOCABULARY: ReadonlySet<string> = new Set(
  [
    BOUNDARY_STATES,
    GATE_KEYS,
    GATE_MODES,
    GATE_STATES,
    STABILITY_CLASSES,
    STABILITY_GROUPS,
    FLAGS,
    RULE_KINDS,
    TIERS,
    ATTACK_KINDS,
  ].flatMap((names) => names.flatMap((name) => [name.replaceAll("_", " "), ...name.split("_")])),
);

/** Ids stay whatever they contain. */
const IDS = new Set(["id", "ids", "decision_id", "run_id", "runs", "rule_id"]);

/** Fewest characters by which a name truncated with `…` is still recognized. */
const LEAST_CUT = 4;

/** Replaces names that are whole words: in any case, with `_` or a space, and truncated. Ids, members, the program's words and `kept` names stay. */
export function hideNames<Value>(value: Value, names: ReadonlyMap<string, string>, kept: Iterable<string> = []): Value {
  const all = flat(JSON.stringify(value));
  const saysNothing = (name: string) => VOCABULARY.has(name) || /^(?:[\d.,%-]{0,4}|\p{L})$/u.test(name);
  const found = new Map<string, string | null>();
  for (const [name, shown] of names) {
    const plain = flat(name);
    if (!saysNothing(plain) && all.includes(plain.slice(0, LEAST_CUT))) found.set(plain, shown);
  }
  if (found.size === 0) return value;
  const hidden = [...found.keys()];
  for (const name of kept) if (hidden.some((one) => flat(name).includes(one))) found.set(flat(name), null);
  const longest = [...found.keys()].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(longest.map(edged).join("|"), "giu");
  const replaced = (text: string) =>
    text.replace(pattern, (match) => {
      const start = flat(match.replace(/…$/, ""));
      const name = found.has(start) ? start : longest.find((one) => one.startsWith(start));
      return found.get(name ?? "") ?? match;
    });
  const walk = (one: unknown): unknown => {
    if (typeof one === "string") return replaced(one);
    if (Array.isArray(one)) return one.map(walk);
    if (typeof one !== "object" || one === null) return one;
    return Object.fromEntries(
      Object.entries(one).map(([name, member]) => [name, IDS.has(name) ? member : walk(member)]),
    );
  };
  return walk(value) as Value;
}

function flat(text: string): string {
  return text.trim().toLowerCase().replace(/[_\s]/g, " ");
}

/** Most characters by which a truncated name is compared. */
const MOST_CUT = 100;

/** A pattern for a name in lower case, whole or truncated, not inside another word. */
function edged(name: string): string {
  const signs = [...name].map((sign) => (sign === " " ? "[_\\s]" : sign.replace(/[\\^$.*+?()[\]{}|/]/, "\\$&")));
  const end = /[\p{L}\p{N}_-]$/u.test(name) ? "(?![\\p{L}\\p{N}_-])" : "";
  const tail = signs.slice(MOST_CUT).join("") + end;
  const rest = signs.slice(LEAST_CUT, MOST_CUT).reduceRight((after, sign) => `(?:…|${sign}${after})`, tail);
  return (/^[\p{L}\p{N}_-]/u.test(name) ? "(?<![\\p{L}\\p{N}_-])" : "") + signs.slice(0, LEAST_CUT).join("") + rest;
}
