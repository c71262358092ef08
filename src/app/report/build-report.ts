import { basename } from "node:path";
import type { MoreColumn } from "../../analysis/audit-select.js";
import { type AuditTable, withAuditTable } from "../../analysis/audit-table.js";
import { flipPairs } from "../../analysis/dual-audits.js";
import { oneAuditor } from "../../analysis/gate/evidence.js";
import { countSignals, flagCounts, humanPairs, type ShareName, weightsByLevel } from "../../analysis/signal-counts.js";
import {
  type CellCount,
  countAlternatives,
  countCells,
  countLabelledActions,
  groupCells,
  type TallyGroup,
  tallyByCohort,
  tallyByRule,
} from "../../analysis/tallies.js";
import { OPPOSITE_ARM } from "../../audit/arms.js";
import type { Estimate } from "../../core/estimate.js";
import type { ActionStep, Actions } from "../../core/records/actions.js";
import type { Manifest } from "../../core/records/manifest.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import type { CohortMetrics, Report } from "../../core/results/report.js";
import { compareText } from "../../core/text-checks.js";
import { compareAgainst, type JudgedPair, type JudgedSample } from "../../measures/metrics/against.js";
import { meanOver } from "../../measures/metrics/gap.js";
import { ambiguityIndex, defensibilityIndex, pureAmbiguity, shareEstimate } from "../../measures/metrics/indices.js";
import { compareWithHumans } from "../../measures/metrics/paired/compare-runs.js";
import { flipControl } from "../../measures/metrics/paired/dual-audit.js";
import { reasonAccuracy } from "../../measures/metrics/reason-accuracy.js";
import { cohortMetrics, reportMetrics } from "../../measures/metrics/report-metrics.js";
import {
  anyDerivable,
  derivableAlternatives,
  exactAgreement,
  severityDistance,
} from "../../measures/metrics/severity.js";
import { countOpenLabels, type Tally } from "../../measures/metrics/tally.js";
import type { Context } from "../../store/context.js";
import type { Duck } from "../../store/files/duckdb.js";
import type { AuditSource, RecordStore } from "../../store/ports.js";

/** The newest wording of every stored rule. */
export async function knownRules(records: RecordStore): Promise<KnownRule[]> {
  return newestRules((await records.rules()).map(({ set }) => set));
}

/** The newest wording of every rule. */
export function newestRules(sets: readonly RuleSet[]): KnownRule[] {
  const rules = new Map<string, KnownRule>();
  const byAge = [...sets].sort((a, b) => ((a.effective_from ?? "") < (b.effective_from ?? "") ? -1 : 1));
  for (const set of byAge) {
    const community = set.scope === "platform" ? null : set.community!;
    for (const rule of set.rules) {
      rules.set(JSON.stringify([set.scope, community, rule.id]), {
        scope: set.scope,
        community,
        rule_id: rule.id,
        title: rule.title,
        ...(rule.harm === undefined || rule.harm === null ? {} : { harm: rule.harm }),
      });
    }
  }
  return [...rules.values()];
}

/** A rule as listed in a report, cited or not. */
export interface KnownRule {
  scope: "platform" | "community";
  community: string | null;
  rule_id: string;
  title: string;
  /** Weight of harm of an indefensible decision that cites it; absent: 1. */
  harm?: number;
}

export interface ReportInputs {
  run: Report["run"];
  /** Rules of the workspace, so that uncited rules are listed too; empty for a file from elsewhere. */
  rules: readonly KnownRule[];
  /** The table `cohorts` (cohort, decision_id) is loaded. */
  hasCohorts: boolean;
  against?: { target: string; pairs: readonly JudgedPair[]; sample?: JudgedSample };
  /** Stated reasons of the decisions; absent: there are no decisions to read them from. */
  reasons?: Promise<NonNullable<Report["stated_reasons"]>> | NonNullable<Report["stated_reasons"]>;
  /** What the workspace holds about this run besides its audits. */
  governance?: Pick<Report, "calibration" | "gate" | "stability" | "experiments">;
}

export interface ReportSubject {
  report: Report;
  table: AuditTable;
  source: AuditSource;
  /** Null if the audits came from a file. */
  manifest: Manifest | null;
  /** Null if the audits came from a file. */
  context: Context | null;
}

/** The report on an audits file, without anything from a workspace. `also`: extra columns to read. */
export async function fileReport(
  db: Duck,
  source: AuditSource,
  { actions, also = [] }: { actions?: Actions; also?: readonly MoreColumn[] },
): Promise<ReportSubject> {
  return withAuditTable(db, source, { actions, also: ["auditor", ...also] }, async (table) => {
    const auditor = await oneAuditor(table);
    const run = { run_id: null, source: basename(source.path), ...(auditor === null ? {} : { auditor }) };
    const report = await buildReport(table, { run, rules: [], hasCohorts: false });
    return { report, table, source, manifest: null, context: null };
  });
}

export async function buildReport(table: AuditTable, inputs: ReportInputs): Promise<Report> {
  const cells = await countCells(table);
  const all = groupCells(cells, () => [""])[0]?.tallies ?? [];
  // The engine counts while the rates are computed.
  const [{ shares, means }, rates] = await Promise.all([countSignals(table), ratesOf(cells, all)]);
  const share = (name: ShareName, empty: string) => shareEstimate(shares[name], empty);
  const pairs = await humanPairs(table);
  const flips = await flipPairs(table, OPPOSITE_ARM.name);
  return {
    format: 1,
    run: inputs.run,
    ...rates.overall,
    defensibility_index_soft: meanOver(means.p_defensible, [0, 1], "no verdict has level probabilities"),
    ambiguity_index_soft: meanOver(means.inverse_yes_prob, [0, 1], "no verdict has inverse probabilities"),
    humans: pairs ? compareWithHumans(pairs) : null,
    flip_control: flips && flipControl(flips),
    stated_reasons: (await inputs.reasons) ?? reasonAccuracy(null),
    precedent_weight: {
      by_level: await weightsByLevel(table),
      level3_high_share: share("level3_high", "no level-3 verdict has a precedent weight"),
    },
    signals: {
      detection: {
        level: share("level", "no verdicts, or no column of level probabilities"),
        weight: share("weight", "no verdicts, or no column of precedent-weight probabilities"),
        inverse: share("inverse", "no verdicts, or no column of inverse probabilities"),
        citation: share("citation", "no verdicts, or no column of citation entropies"),
      },
      mean_citation_tokens: meanOver(means.citation_tokens, [0, Number.MAX_VALUE], "no verdict has citation tokens"),
      mean_pds: meanOver(means.pds, [0, 1], "no verdict has a PDS"),
      level_differs_from_map: share("map_differs", "no verdict has a most probable level"),
      grounded_citations: share("grounded", "no audit says whether its citation was found"),
    },
    flags: await flagCounts(table),
    by_decision: rates.by_decision,
    ...(table.actions.all ? { several_actions: await severalActions(table, table.actions.all) } : {}),
    by_language: rates.by_language,
    by_cohort: inputs.hasCohorts ? keyed(await tallyByCohort(table)) : {},
    communities: rates.communities,
    rules: rules(await tallyByRule(table), rulesOf(inputs.rules, all)),
    ...inputs.governance,
    ...(inputs.against
      ? { against: compareAgainst(inputs.against.target, inputs.against.pairs, inputs.against.sample) }
      : {}),
  };
}

async function severalActions(
  table: AuditTable,
  all: readonly ActionStep[],
): Promise<NonNullable<Report["several_actions"]>> {
  const labelled = await countLabelledActions(table);
  const alternatives = await countAlternatives(table);
  return {
    exact_agreement: exactAgreement(labelled),
    severity_distance: severityDistance(labelled, all),
    alternatives: alternatives && {
      any_derivable: anyDerivable(alternatives.any),
      pairs: derivableAlternatives(alternatives.pairs, all),
    },
  };
}

/** Everything that depends on the cells alone. */
async function ratesOf(cells: readonly CellCount[], all: readonly Tally[]) {
  return {
    overall: reportMetrics(all),
    by_decision: keyed(groupCells(cells, (row) => [row.decision])),
    by_language: keyed(groupCells(cells, (row) => [row.language])),
    communities: communities(all),
  };
}

function keyed(groups: readonly TallyGroup[]): Record<string, CohortMetrics> {
  return Object.fromEntries(groups.map(({ key, tallies }) => [key[0]!, cohortMetrics(tallies)]));
}

function communities(tallies: readonly Tally[]): Report["communities"] {
  return tallies.map((tally) => ({ community: tally.cluster, ...cohortMetrics([tally]) }));
}

/** The platform's rules and those of audited communities; rules of other communities could not have been cited. */
function rulesOf(known: readonly KnownRule[], tallies: readonly Tally[]): KnownRule[] {
  const communities = new Set(tallies.map((tally) => tally.cluster));
  return known.filter((rule) => rule.community === null || communities.has(rule.community));
}

/** Most cited first; uncited rules last, in the order of their files. */
function rules(groups: readonly TallyGroup[], known: readonly KnownRule[]): Report["rules"] {
  const id = (scope: string, community: string | null, ruleId: string) => JSON.stringify([scope, community, ruleId]);
  const titles = new Map(known.map((rule) => [id(rule.scope, rule.community, rule.rule_id), rule.title]));
  const rows = groups.map(({ key: [scope, community, ruleId], tallies }) => {
    const index = defensibilityIndex(tallies);
    const title = titles.get(id(scope!, community!, ruleId!)) ?? null;
    titles.delete(id(scope!, community!, ruleId!));
    return { ...ruleRow(scope!, community!, ruleId!, title, tallies), cited: index.n };
  });
  rows.sort(
    (a, b) =>
      b.cited - a.cited || compareText(a.community ?? "", b.community ?? "") || compareText(a.rule_id, b.rule_id),
  );
  for (const rule of known) {
    if (titles.has(id(rule.scope, rule.community, rule.rule_id))) {
      rows.push(ruleRow(rule.scope, rule.community, rule.rule_id, rule.title, []));
    }
  }
  return rows;
}

function ruleRow(
  scope: string,
  community: string | null,
  rule_id: string,
  title: string | null,
  tallies: readonly Tally[],
): Report["rules"][number] {
  const cited = (estimate: Estimate): Estimate =>
    estimate.estimate === null ? { ...estimate, reason: "never cited" } : estimate;
  return {
    scope,
    community,
    rule_id,
    title,
    cited: 0,
    defensibility_index: cited(defensibilityIndex(tallies)),
    ambiguity_index: cited(ambiguityIndex(tallies)),
    ambiguity_pure: cited(pureAmbiguity(tallies)),
    open_labels: countOpenLabels(tallies),
  };
}
