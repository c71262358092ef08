import type { Report } from "../../core/results/report.js";
import type { GateFindings } from "../../measures/gate/gate-report.js";
import { splitKey } from "../../measures/gate/route/reasons.js";
import type { HashedSort, KeyedHash } from "./own-words.js";
import { OwnWords } from "./own-words.js";
import { isArchetype, isContentKind, isLanguageCode, isRuleKind, wordsOfOurs } from "./plain-codes.js";
import { filterParts } from "./redact-selection.js";

/** Members that are records by names of people's choice. */
const NAMED = new Set(["by_language", "by_decision", "by_cohort", "by_community", "flags"]);

const RUN = /^(?:run )?\d{8}T\d{6}Z-[0-9a-f]+(?:, .{1,20})?$/;

/** Names that the program gives its own files, sides of a comparison and populations. */
const OURS = new Set(["attacks.jsonl", "replicate-attacks.jsonl", "the workspace's own", "automated"]);

/** What people called things in a report: languages, tags, kinds, manners of attacks, files, calibrations. Codes are nobody's words. */
export function collectOwnWords(report: Report, hashOf: KeyedHash): OwnWords {
  const words = new OwnWords(hashOf, keptNames(report), wordsOfOurs(report, NAMED));
  const language = (name: string) => {
    if (!isLanguageCode(name)) words.add(name, "language");
  };
  for (const name of Object.keys(report.by_language ?? {})) language(name);
  addCohorts(report, language);
  for (const { slice, value } of slicesOf(report)) {
    if (slice === "language") language(value);
    else if (value !== "unknown" && !(slice === "kind" && isContentKind(value))) words.add(value, sliceSort(slice));
  }
  const filters = report.run.selection?.filters;
  for (const filter of Array.isArray(filters) ? filters : []) {
    const { value, sort } = filterParts(String(filter));
    if (sort !== null) words.add(value, sort);
  }
  addAttacks(report, words, language);
  addSources(report, words);
  return words;
}

/** What a slice's values are. */
export function sliceSort(slice: string): HashedSort {
  if (slice === "language" || slice === "kind") return slice;
  return slice === "tags" ? "tag" : "name";
}

function slicesOf(report: Report) {
  return (report.gate_findings as object as GateFindings | undefined)?.slices?.rows ?? [];
}

/** Names that a redacted report keeps. */
function* keptNames({ run, communities = [], rules = [], by_decision = {}, by_cohort = {} }: Report): Iterable<string> {
  for (const { community } of communities) yield community;
  // A rule with a title is one of the workspace's.
  for (const { rule_id, title } of rules) if (title !== null) yield* [rule_id, title];
  yield* Object.keys(by_decision);
  yield* Object.keys(by_cohort);
  for (const name of [run.auditor, run.cohort, run.actions?.positive, run.actions?.negative]) if (name) yield name;
}

/** Languages that the gate in force knows, and the run may not. */
function addCohorts({ gate }: Report, language: (name: string) => void): void {
  const by = gate?.by ?? [];
  const place = by.indexOf("language");
  if (!gate || place < 0) return;
  for (const { community: key } of gate.communities) {
    const name = splitKey(by, key)?.[place];
    if (name !== undefined) language(name);
  }
}

function addAttacks({ experiments }: Report, words: OwnWords, language: (name: string) => void): void {
  const by = experiments?.attack?.escapes?.by ?? {};
  const groups = (name: string) => (by[name]?.groups ?? []).map(({ group }) => String(group));
  for (const group of groups("language")) language(group);
  for (const kind of groups("rule_kind")) if (!isRuleKind(kind)) words.add(kind, "kind");
  for (const group of groups("archetype")) {
    const [, manner = group] = /^[a-z_]+: (.*)$/s.exec(group) ?? [];
    if (!isArchetype(manner)) words.add(manner, "name");
  }
}

/** Files by which audits, attacks and calibrations came; runs are known by their ids. */
function addSources(report: Report, words: OwnWords): void {
  const { run, calibration, stability, experiments } = report;
  const source = (name: unknown) => {
    if (typeof name === "string" && !RUN.test(name) && !OURS.has(name)) words.add(name, "source");
  };
  source(run.source);
  if (calibration?.name) words.add(calibration.name, "name");
  for (const name of [calibration?.source, calibration?.evaluated_on?.label, calibration?.target?.source]) source(name);
  const findings = report.gate_findings as object as GateFindings | undefined;
  // Populations that labels were drawn from: runs, or what a file of labels calls them.
  const ratings = experiments?.humans?.sample;
  for (const sample of [report.against?.sample, calibration?.target?.sample, findings?.judge_error?.sample, ratings]) {
    for (const { frame } of sample?.designs ?? []) source(frame);
  }
  for (const side of [experiments?.diff?.old, experiments?.diff?.new]) source(side);
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const { name, run_id: runId, file } = value as Record<string, unknown>;
    if (runId === null) source(name);
    source(file);
    for (const one of Object.values(value)) visit(one);
  };
  for (const result of [stability, ...Object.values(experiments ?? {})]) {
    // Rows of figures repeat what the tables say.
    const { figures: _, ...tables } = (result ?? {}) as Record<string, unknown>;
    visit(tables);
  }
}
