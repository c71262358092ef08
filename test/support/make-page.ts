import type { Estimate } from "../../src/domain/estimate.js";
import type { CohortMetrics, Report } from "../../src/domain/report.js";
import type { ReportPage } from "../../src/figures/report-page.js";
import { STANDARD_LIMITS } from "../../src/gate/gate-input.js";
import { proportion } from "../../src/stats/proportion.js";

const none: Estimate = { estimate: null, reason: "not in this page", n: 0 };

/** Counts of one community, as its rates are made from. */
export interface MadeCommunity {
  community: string;
  levels: [number, number, number];
  /** Of these, with inverse = Yes. */
  inverse_yes: [number, number, number];
}

/** A small page made by hand: communities from their counts, everything that is not given undefined or empty. */
export function makePage(made: readonly MadeCommunity[] = [], changes: Partial<ReportPage> = {}): ReportPage {
  return {
    format: 1,
    made_by: "a test",
    redacted: false,
    report: makeReport(made),
    gate_input: {
      by: ["community"],
      cohorts: made.map(({ community, levels, inverse_yes }) => ({
        key: community,
        n: sum(levels),
        indefensible: levels[2],
        inverse_yes: sum(inverse_yes),
        inverse_yes_pure: inverse_yes[0] + inverse_yes[1],
        unscored: 0,
      })),
      mode: "paper",
      limits: STANDARD_LIMITS,
      q: 0.05,
      delta: 0.05,
      adjust: "holm",
      look: "once",
    },
    communities: made.map((one) => ({ ...one, ambiguous_rules: [] })),
    timeline: null,
    rule_sets: [],
    decisions: [],
    decisions_of: 0,
    calibration_details: null,
    notes: [],
    ...changes,
  };
}

export function makeRule(
  rule: Partial<Report["rules"][number]>,
  counts?: { n: number; wrong: number; yes: number; pure: number },
) {
  const { n, wrong, yes, pure } = counts ?? { n: 0, wrong: 0, yes: 0, pure: 0 };
  const rate = (k: number): Estimate => (n === 0 ? { estimate: null, reason: "never cited", n } : proportion(k, n));
  return {
    scope: "community",
    community: "alpha",
    rule_id: "R1",
    title: "No links",
    cited: n,
    defensibility_index: rate(n - wrong),
    ambiguity_index: rate(yes),
    ambiguity_pure: rate(pure),
    ...rule,
  };
}

function makeReport(made: readonly MadeCommunity[]): Report {
  const levels = [0, 1, 2].map((i) =>
    made.reduce((total, one) => total + one.levels[i]!, 0),
  ) as MadeCommunity["levels"];
  const yes = [0, 1, 2].map((i) => made.reduce((total, one) => total + one.inverse_yes[i]!, 0)) as typeof levels;
  const n = sum(levels);
  const { defensibility_index, ambiguity_index, counts, agreement, gap } = metrics(levels, yes);
  return {
    format: 1,
    run: { run_id: null },
    counts,
    defensibility_index,
    ambiguity_index,
    targets: {
      defensibility_index: { target: 0.9, direction: "at_least", status: "undefined", interval: "none" },
      ambiguity_index: { target: 0.15, direction: "at_most", status: "undefined", interval: "none" },
    },
    defensibility_index_soft: none,
    ambiguity_index_soft: none,
    ambiguity: { platform: none, community: none, mixed: none, none, pure: none, contradiction: none },
    levels: { "1": proportion(levels[0], n), "2": proportion(levels[1], n), "3": proportion(levels[2], n) },
    agreement,
    gap,
    trap: {
      fn_defensible: none,
      fp_defensible: none,
      disagreements_defensible: none,
      accurate_but_indefensible: { joint: none, conditional: none },
    },
    root_causes: { model_error: none, policy_ambiguity: none, implicit_norm: none },
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
    communities: made.map((one) => ({ community: one.community, ...metrics(one.levels, one.inverse_yes) })),
    rules: [],
  };
}

function metrics(levels: MadeCommunity["levels"], yes: MadeCommunity["inverse_yes"]): CohortMetrics {
  const n = sum(levels);
  return {
    counts: { attempted: n, verdicts: n, unscored: 0, errors: 0 },
    defensibility_index: proportion(levels[0] + levels[1], n),
    ambiguity_index: proportion(sum(yes), n),
    ambiguity_pure: proportion(yes[0] + yes[1], n),
    agreement: {
      n_labelled: 0,
      confusion: { tp: 0, fp: 0, fn: 0, tn: 0 },
      accuracy: none,
      precision: none,
      recall: none,
      f1: none,
      kappa: none,
    },
    gap: { di_minus_f1: none, di_minus_accuracy: none },
  };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
