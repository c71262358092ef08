import type { AuditTable } from "../../analysis/audit-table.js";
import {
  countLabelledScoreBins,
  countScoreBins,
  meanScoreParts,
  medianScores,
} from "../../analysis/decision-scores.js";
import { chooseTarget } from "../../app/report/choose-target.js";
import type { Manifest } from "../../core/records/manifest.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import type { Report } from "../../core/results/report.js";
import { compareText } from "../../core/text-checks.js";
import { MINIMUM_ROWS } from "../../measures/calibration/choose-calibration.js";
import type { ChangedPart, PageRuleSet, ScoreDetails } from "../../measures/report-page.js";
import type { Stores } from "../../store/context.js";
import type { AuditSource, RecordStore } from "../../store/ports.js";

/** A report, and where what it was made from can be read. The table must have been opened with `PAGE_COLUMNS`. */
export interface PageSubject {
  report: Report;
  table: AuditTable;
  source: AuditSource;
  /** Null where the audits came from a file: contents, rules and labels are not known then. */
  context: Pick<Stores, "runs" | "records" | "labels"> | null;
  /** Of the run, where the audits are a run's: has the precedents that there were, and the weights of S. */
  manifest?: Pick<Manifest, "hashes" | "experiment" | "weights"> | null;
  /** What of the workspace is no longer as the run saw it; null where there is no run or no workspace. */
  changed: ChangedPart[] | null;
  /** Audits of the opposite decisions by the same auditor: where, and under which arm. */
  opposites: { source: AuditSource; arm: string } | null;
}

/** Every version of the platform's rules and of those of the report's communities, oldest first. */
export async function pageRuleSets(records: RecordStore, report: Report): Promise<PageRuleSet[]> {
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

/** A rule set as pages have it. */
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

/** What the pictures of S need: counts by the auditor's level and, where enough verdicts have one, by people's labels or reference annotations. */
export async function scoreDetails(subject: PageSubject): Promise<ScoreDetails> {
  const { report, table } = subject;
  return {
    pds_by_level: await countScoreBins(table),
    pds_medians: await medianScores(table),
    pds_by_label: await labelledBins(subject),
    parts_by_level: await meanScoreParts(table, report.calibration?.component ?? "h_w"),
  };
}

/** People before reference annotations. Neither comes from the auditor, so neither is a circle. */
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
