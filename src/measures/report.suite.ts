import { countOf, undefinedEstimate } from "../core/estimate.js";
import type { Report } from "../core/results/report.js";
import { defensibilityIndex } from "./metrics/indices.js";
import { cohortMetrics, reportMetrics } from "./metrics/report-metrics.js";
import { type Cell, cellIndex, countOpenLabels, emptyTally, type Tally } from "./metrics/tally.js";
import type { ReportPage } from "./report-page.js";

/** Decisions of one kind: both restrict and a rule settles it, unless said otherwise. */
export interface Decisions extends Partial<Cell> {
  n: number;
  community?: string;
}

/** Decider and person both restrict. */
export const BOTH = { positive: true, humanPositive: true } as const;
/** Neither does. */
export const NEITHER = { positive: false, humanPositive: false } as const;
/** The person restricts and the decider does not. */
export const MISSED = { positive: false, humanPositive: true } as const;

function tallies(of: readonly Decisions[]): Tally[] {
  const found = new Map<string, Tally>();
  for (const { n, community = "pottery", ...cell } of of) {
    const tally = found.get(community) ?? emptyTally(community);
    found.set(community, tally);
    const at = cellIndex({ ...BOTH, level: 1, inverse: false, scope: "community", ...cell });
    tally.cells[at] = (tally.cells[at] ?? 0) + n;
  }
  return [...found.values()];
}

/** A report whose numbers are those of the project's own formulas over the given decisions. */
export function makeReport(of: readonly Decisions[], parts: Partial<Report> = {}): Report {
  const all = tallies(of);
  const none = undefinedEstimate("not in this report");
  return {
    format: 1,
    run: { run_id: "run-1", status: "sealed", auditor: "openai:gpt-4.1-mini" },
    ...reportMetrics(all),
    defensibility_index_soft: none,
    ambiguity_index_soft: none,
    humans: null,
    precedent_weight: { by_level: {}, level3_high_share: none },
    signals: {
      detection: { level: none, weight: none, inverse: none, citation: none },
      mean_citation_tokens: none,
      mean_pds: none,
      level_differs_from_map: none,
      grounded_citations: none,
    },
    flags: {},
    by_decision: {},
    by_language: {},
    by_cohort: {},
    communities: all.map((tally) => ({ community: tally.cluster, ...cohortMetrics([tally]) })),
    rules: [],
    ...parts,
  };
}

/** A rule that the given decisions cite. */
export function makeRule(
  of: readonly Decisions[],
  parts: Partial<Report["rules"][number]> = {},
): Report["rules"][number] {
  const { defensibility_index, ambiguity_index, ambiguity_pure } = cohortMetrics(tallies(of));
  const cited = defensibilityIndex(tallies(of)).n;
  const own = { scope: "community", community: "pottery", rule_id: "R3", title: "No shops" };
  return {
    ...own,
    cited,
    defensibility_index,
    ambiguity_index,
    ambiguity_pure,
    open_labels: countOpenLabels(tallies(of)),
    ...parts,
  };
}

/** A page about a report, with the gate's own settings and without single decisions. */
export function makeReportPage(report: Report, parts: Partial<ReportPage> = {}): ReportPage {
  return {
    format: 1,
    made_by: "defensible 0.0.0",
    redacted: false,
    platform: null,
    report,
    gate_input: {
      by: ["community"],
      cohorts: report.communities.map((one) => {
        const k = (name: "defensibility_index" | "ambiguity_index" | "ambiguity_pure") => countOf(one[name]);
        return {
          key: one.community,
          n: one.counts.verdicts,
          indefensible: one.counts.verdicts - k("defensibility_index"),
          inverse_yes: k("ambiguity_index"),
          inverse_yes_pure: k("ambiguity_pure"),
          unscored: one.counts.unscored,
        };
      }),
      mode: "shrunk",
      limits: { di: 0.9, ai: 0.15, min_decisions: 25, variable: "ai" },
      q: 0.05,
      delta: 0.05,
      adjust: "holm",
      look: "anytime",
      thread_cap: 5,
      as_of: null,
    },
    communities: [],
    timeline: null,
    rule_sets: [],
    precedents: [],
    changed_since_run: null,
    decisions: [],
    decisions_of: 0,
    calibration_details: null,
    signal_weights: null,
    notes: [],
    ...parts,
  };
}
