import type { GateKey } from "../../domain/gate.js";
import type { PageCommunity, ReportPage } from "../../figures/report-page.js";
import { countCommunities } from "../../ledger/community-counts.js";
import { countGateCohorts } from "../../ledger/gate-counts.js";
import { hasThreads } from "../../ledger/thread-counts.js";
import { countTimeline } from "../../ledger/timeline-counts.js";
import { VERSION } from "../../version.js";
import { pageDecisions } from "./page-decisions.js";
import { pageNotes } from "./page-notes.js";
import { pageRuleSets } from "./page-rules.js";
import type { PageSubject } from "./page-subject.js";
import { redactedWriting } from "./redacted-writing.js";
import { scoreDetails } from "./score-details.js";
import { shownWriting, type Writing } from "./writing.js";

/** Settings that the gate of a page starts with, and what its cohorts are. */
export type PageGate = Omit<ReportPage["gate_input"], "cohorts"> & { by: GateKey[] };

export interface PageOptions {
  gate: PageGate;
  /** Decisions listed at most; null: none, on request. */
  decisions: number | null;
  /** How what people wrote is hashed; null: it is shown. */
  hashOf: ((text: string) => string) | null;
}

/** Everything the pages of a report show, from the audits of a run or of a file. */
export async function buildPage(subject: PageSubject, options: PageOptions): Promise<ReportPage> {
  const { report, table, workspace } = subject;
  const threads = await hasThreads(table);
  const { attempted } = report.counts;
  const { decisions: most, hashOf } = options;
  const ruleSets = workspace ? pageRuleSets(workspace, report) : [];
  const writing = hashOf ? redactedWriting(ruleSets, hashOf) : shownWriting;
  const decisions = most === null ? [] : await pageDecisions(subject, { most, writing });
  return {
    format: 1,
    made_by: `defensible ${VERSION}`,
    redacted: writing.redacted,
    report,
    gate_input: {
      ...options.gate,
      cohorts: await countGateCohorts(table, { by: options.gate.by, threads }),
    },
    communities: (await countCommunities(table)).map((one) => withCitedRules(one, writing)),
    timeline: await countTimeline(table),
    rule_sets: ruleSets,
    decisions,
    decisions_of: most === null ? null : attempted,
    calibration_details: await scoreDetails(subject),
    notes: pageNotes(subject, options, decisions.length),
  };
}

function withCitedRules(counts: PageCommunity, writing: Writing): PageCommunity {
  const rules = counts.ambiguous_rules.map((rule) => ({
    ...rule,
    rule_id: writing.citedRule(rule.rule_id, counts.community),
  }));
  return { ...counts, ambiguous_rules: rules };
}
