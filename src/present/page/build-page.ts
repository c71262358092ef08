import type { AuditTable } from "../../analysis/audit-table.js";
import {
  countLabelledScoreBins,
  countScoreBins,
  meanScoreParts,
  medianScores,
} from "../../analysis/decision-scores.js";
import { countGateCohorts, countTimeline, hasThreads, threadsAt } from "../../analysis/gate/counts.js";
import { countCommunities } from "../../analysis/tallies.js";
import { harmInForce, startGate } from "../../app/gate/gate-settings.js";
import type { ReportSubject } from "../../app/report/build-report.js";
import { chooseTarget } from "../../app/report/choose-target.js";
import { changedSince, findOpposites } from "../../app/report/run-report.js";
import type { GateHarm } from "../../core/gate.js";
import type { Manifest } from "../../core/records/manifest.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import type { Report } from "../../core/results/report.js";
import { compareText } from "../../core/text-checks.js";
import { VERSION } from "../../io/machine.js";
import { MINIMUM_ROWS } from "../../measures/calibration/choose-calibration.js";
import type { ChangedPart, PageCommunity, PageRuleSet, ReportPage, ScoreDetails } from "../../measures/report-page.js";
import type { Stores } from "../../store/context.js";
import type { AuditSource, RecordStore } from "../../store/ports.js";
import { changedNote } from "../words/words.js";
import { NONE_LISTED, pageDecisions } from "./page-decisions.js";
import { type KeyedHash, redactedKeys, redactedWriting, shownWriting, type Writing } from "./writing.js";

/** Initial settings of a page's gate, and what its cohorts are. */
export type PageGate = Omit<ReportPage["gate_input"], "cohorts">;

export interface PageOptions {
  gate: PageGate;
  /** Harm weights, if the gate limits harm. */
  harm?: GateHarm | null;
  /** Most decisions listed; null: none, on request. */
  decisions: number | null;
  /** How people's text is hashed; null: it is shown. */
  hashOf: KeyedHash | null;
  /** Name of the platform, if it has one. */
  platform?: string | undefined;
}

/** Everything that the pages of a report show, from the audits of a run or a file. */
export async function buildPage(subject: PageSubject, options: PageOptions): Promise<ReportPage> {
  const { report, table, context } = subject;
  const { attempted, no_rules: noRules } = report.counts;
  const { decisions: most, hashOf } = options;
  const ruleSets = context ? await pageRuleSets(context.records, report) : [];
  const writing = hashOf ? redactedWriting(ruleSets, hashOf) : shownWriting;
  const { notes, ...shown } = most === null ? NONE_LISTED : await pageDecisions(subject, { most, ruleSets, writing });
  return {
    format: 1,
    made_by: `defensible ${VERSION}`,
    redacted: writing.redacted,
    platform: (!writing.redacted && options.platform) || null,
    report,
    gate_input: {
      ...options.gate,
      cohorts: await gateCohorts(subject, options),
    },
    communities: (await countCommunities(table)).map((one) => withCitedRules(one, writing)),
    timeline: await countTimeline(table),
    rule_sets: ruleSets.map((set) => withVersion(set, writing)),
    ...shown,
    changed_since_run: subject.changed,
    decisions_of: most === null ? null : attempted + noRules,
    calibration_details: await scoreDetails(subject),
    signal_weights: subject.manifest?.weights ?? null,
    notes: [...pageNotes(subject, options), ...notes],
  };
}

/** Counts of the gate's cohorts. The settings come with the report and are redacted with it. */
async function gateCohorts({ report, table }: PageSubject, { gate: { by, as_of }, harm = null, hashOf }: PageOptions) {
  const threads = (await hasThreads(table)) ? threadsAt(as_of) : null;
  const cohorts = await countGateCohorts(table, { by, threads, harm });
  if (!hashOf) return cohorts;
  const keyOf = redactedKeys(report, by, hashOf);
  return cohorts.map((cohort) => ({ ...cohort, key: keyOf(cohort.key) }));
}

/** Rules are public and stay; their versions are redacted like those of the audits. */
function withVersion(set: PageRuleSet, writing: Writing): PageRuleSet {
  const { version, effective_from: from } = set;
  return { ...set, version: writing.name(version, "version"), effective_from: from && writing.code(from, "date") };
}

function withCitedRules(counts: PageCommunity, writing: Writing): PageCommunity {
  const rules = counts.ambiguous_rules.map((rule) => ({
    ...rule,
    rule_id: writing.citedRule(rule.rule_id, counts.community),
  }));
  return { ...counts, ambiguous_rules: rules };
}

/** What a page leaves out or changes, and why, one sentence each; `listedSentence` says which decisions it lists. */
function pageNotes(
  { report, context, changed }: Pick<PageSubject, "report" | "context" | "changed">,
  { hashOf }: Pick<PageOptions, "hashOf">,
): string[] {
  const { cohort } = report.run;
  const changes = changedNote({ changed_since_run: changed });
  return [
    ...(context
      ? []
      : [
          "Made from a file of audits, which has what was audited and decided. Contents, texts of rules, people's ratings, active gates and experiments belong to a workspace and are not in this report.",
        ]),
    ...(cohort
      ? [
          `Only the decisions of cohort ${cohort}: calibration, active gate and experiments are about whole runs and left out.`,
        ]
      : []),
    ...(changes ? [changes] : []),
    ...(hashOf
      ? [
          "Redacted: what authors, moderators, raters and auditors wrote is replaced by its length and a keyed hash. Ids, names of communities, rules and numbers are as they are.",
        ]
      : []),
  ];
}

/** A redacted report, and the hash used for it. */
export interface Redaction {
  report: Report;
  hashOf: KeyedHash;
}

export interface PageRequest {
  /** Most decisions listed; null: none. */
  decisions: number | null;
  redaction?: Redaction | null;
}

export async function reportPage(subject: ReportSubject, request: PageRequest): Promise<ReportPage> {
  const { context, manifest } = subject;
  const opposites = context && manifest ? await findOpposites(context.runs, manifest) : null;
  const changed = context && manifest ? await changedSince(context.records, manifest) : null;
  const { decisions, redaction } = request;
  const harm = await harmInForce(subject.report.gate, context, subject.table.actions);
  return buildPage(
    { ...subject, opposites, changed },
    {
      gate: startGate(subject.report.gate, context?.config ?? null, harm),
      harm,
      decisions,
      hashOf: redaction?.hashOf ?? null,
      platform: context?.config.platform,
    },
  );
}

/** A report and its sources. The table must have been opened with `PAGE_COLUMNS`. */
export interface PageSubject {
  report: Report;
  table: AuditTable;
  source: AuditSource;
  /** Null if the audits came from a file: contents, rules and labels are then unknown. */
  context: Pick<Stores, "runs" | "records" | "labels"> | null;
  /** The manifest if the audits are a run's: it has the precedents of the time and the weights of S. */
  manifest?: Pick<Manifest, "hashes" | "experiment" | "weights"> | null;
  /** Parts of the workspace that changed since the run; null without a run or a workspace. */
  changed: ChangedPart[] | null;
  /** Audits of the opposite decisions by the same auditor: their source and arm. */
  opposites: { source: AuditSource; arm: string } | null;
}

/** Every version of the rules of the platform and of the report's communities, oldest first. */
async function pageRuleSets(records: RecordStore, report: Report): Promise<PageRuleSet[]> {
  const communities = new Set(report.communities.map(({ community }) => community));
  const sets = (await records.rules())
    .map(({ set }) => set)
    .filter((set) => set.scope === "platform" || communities.has(set.community!));
  sets.sort(
    (a, b) =>
      compareText(a.community ?? "", b.community ?? "") || compareText(a.effective_from ?? "", b.effective_from ?? ""),
  );
  return sets.map(pageRuleSet);
}

export function pageRuleSet({ scope, community, version, effective_from, rules }: RuleSet): PageRuleSet {
  return {
    scope,
    community: scope === "platform" ? null : (community ?? null),
    version,
    effective_from: effective_from ?? null,
    rules: rules.map(({ id, title, description, detail, kind, never_automate }) => ({
      id,
      title,
      ...(description ? { description } : {}),
      ...(detail ? { detail } : {}),
      ...(kind ? { kind } : {}),
      ...(never_automate ? { never_automate } : {}),
    })),
  };
}

/** Data for the figures of S: counts by the auditor's level and, if enough verdicts have one, by human labels or reference annotations. */
async function scoreDetails(subject: PageSubject): Promise<ScoreDetails> {
  const { report, table } = subject;
  return {
    pds_by_level: await countScoreBins(table),
    pds_medians: await medianScores(table),
    pds_by_label: await labelledBins(subject),
    parts_by_level: await meanScoreParts(table, report.calibration?.component ?? "h_w"),
  };
}

/** Human labels before reference annotations. Neither comes from the auditor, so neither is circular. */
async function labelledBins({ report, table, context: stores }: PageSubject): Promise<ScoreDetails["pds_by_label"]> {
  if (!stores) return null;
  for (const kind of ["human", "gold"] as const) {
    const chosen = await chooseTarget(table, { kind }, { stores, labels: null, runId: report.run.run_id });
    if (!chosen || chosen.target.n < MINIMUM_ROWS) continue;
    const bins = await countLabelledScoreBins(table);
    if (bins.reduce((sum, { n }) => sum + n, 0) >= MINIMUM_ROWS) return { kind, bins };
  }
  return null;
}
