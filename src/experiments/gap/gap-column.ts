import type { CauseCount, GapCells } from "../../analysis/gap-cells.js";
import type { TruthSource } from "../../analysis/true-verdicts.js";
import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { TRUE_CAUSES } from "../../core/records/truth.js";
import type { GapColumn, GapTruth } from "../../core/results/gap-experiment.js";
import { AGREEMENT_MASKS } from "../../measures/metrics/agreement.js";
import { cohortMetrics } from "../../measures/metrics/cohort-metrics.js";
import { DEFENSIBLE } from "../../measures/metrics/defensibility-index.js";
import { ALL_CELLS, countIn, countRate, type Tally } from "../../measures/metrics/tally.js";
import { trapMetrics } from "../../measures/metrics/trap-metrics.js";
import { proportion } from "../../stats/intervals/proportion.js";
import { cohenKappa } from "../../stats/ranks/cohen-kappa.js";
import { rateDifference } from "../circularity/differences.js";
import { classImbalance } from "./imbalance.js";

/** The causes that an audit can tell apart. */
const AUDITED_CAUSES = ["model_error", "policy_ambiguity", "implicit_norm"] as const;

export type ColumnSource = Pick<GapColumn, "name" | "run_id" | "auditor" | "cohort">;

/** One column of the gap table: a cohort of a run, or a file. */
export function gapColumn(source: ColumnSource, cells: GapCells, truth: TruthSource | null): GapColumn {
  const { tallies } = cells;
  return {
    ...source,
    communities: tallies.length,
    ...cohortMetrics(tallies),
    ...trapMetrics(tallies),
    fn_against_others: fnAgainstOthers(tallies),
    imbalance: classImbalance(tallies),
    truth: truth && cells.truth.length > 0 ? truthOf(truth, cells) : null,
  };
}

/**
 * Whether what agreement counts as misses is defensible as often as all else. If it is, the share of defensible misses says no more than DI does. False
 * negatives against the rest, not against all: the two groups share no decision. share_fn − DI is that difference times the share of the rest.
 */
function fnAgainstOthers(tallies: readonly Tally[]): Estimate {
  const groups = tallies.map((tally) => {
    const misses = countRate(tally, AGREEMENT_MASKS.FALSE_NEGATIVE, DEFENSIBLE);
    const all = countRate(tally, ALL_CELLS, DEFENSIBLE);
    return { k1: misses.k, n1: misses.n, k0: all.k - misses.k, n0: all.n - misses.n };
  });
  return rateDifference(groups, "there are no false negatives, or nothing else");
}

function truthOf({ kind, under }: TruthSource, { tallies, matched, truth, causes }: GapCells): GapTruth {
  const n = verdictsOf(truth);
  return {
    source: kind,
    under,
    n,
    without_truth: verdictsOf(tallies) - n,
    measured: indicesOf(matched),
    ...indicesOf(truth),
    causes: causeTable(causes),
  };
}

function verdictsOf(tallies: readonly Tally[]): number {
  return tallies.reduce((sum, tally) => sum + countIn(tally, ALL_CELLS), 0);
}

/** What auditor and truth are compared by. */
function indicesOf(tallies: readonly Tally[]): NonNullable<GapTruth["measured"]> {
  const { defensibility_index, ambiguity_index, ambiguity_pure, gap } = cohortMetrics(tallies);
  return { defensibility_index, ambiguity_index, ambiguity_pure, gap, trap: trapMetrics(tallies).trap };
}

/** Audited causes against true ones; true causes that no disagreement has are left out, unless an audit can name them. */
export function causeTable(counted: readonly CauseCount[]): GapTruth["causes"] {
  const present = TRUE_CAUSES.filter((cause) => counted.some((row) => row.true === cause));
  const columns = [...AUDITED_CAUSES, ...present.filter((cause) => !isAudited(cause))];
  const at = (audited: string, cause: string) =>
    counted.reduce((sum, row) => (row.audited === audited && row.true === cause ? sum + row.n : sum), 0);
  const counts = AUDITED_CAUSES.map((audited) => columns.map((cause) => at(audited, cause)));
  const n = counts.flat().reduce((sum, count) => sum + count, 0);
  const right = AUDITED_CAUSES.reduce((sum, _, i) => sum + counts[i]![i]!, 0);
  // κ needs a square table: true causes that no audit can name are rows nobody answers with.
  const square = columns.map((_, i) => counts[i] ?? columns.map(() => 0));
  return {
    audited: [...AUDITED_CAUSES],
    true: columns,
    counts,
    accuracy: n > 0 ? proportion(right, n) : undefinedEstimate("no labelled disagreement has a known cause"),
    kappa: n > 0 ? cohenKappa(square) : undefinedEstimate("no labelled disagreement has a known cause"),
  };
}

function isAudited(cause: string): boolean {
  return (AUDITED_CAUSES as readonly string[]).includes(cause);
}
