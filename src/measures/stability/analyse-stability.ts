import type { StabilityGroup } from "../../core/names.js";
import type {
  CaseRow,
  Decomposition,
  GroupTest,
  Savings,
  StabilityCorrelation,
  ThresholdRow,
} from "../../experiments/stability/result.js";
import type { Rng } from "../../stats/random/create-rng.js";
import type { StopRule } from "./allocate.js";
import { type Analysed, analyseCells, type CellAnalysis, type Evidence, replay } from "./analyse-cells.js";
import { boundaryFlipRate, consecutiveFlipRate, dominantShare, flipRate, thirdShare } from "./cell-stats.js";
import { decompose } from "./decompose.js";
import { groupTests } from "./group-means.js";
import type { Replicates } from "./replicates.js";
import { stabilityCorrelations } from "./slopes.js";
import { plugInState, savings, settledState, thresholdMix } from "./tallies.js";
import { type TemperatureTable, temperatureTable } from "./temperature-table.js";

/** `fixed`: by the observed shares, as in the paper. `sequential`: only what the confidence sequences have settled. */
export type StabilityMode = "fixed" | "sequential";

/** The result row of a cell. */
export function caseRow(
  analysed: Analysed,
  cell: CellAnalysis,
  { mode, evidence }: { mode: StabilityMode; evidence: Evidence },
): CaseRow {
  const { replicates, groups } = analysed;
  const { all, sequence } = cell;
  const condition = replicates.conditions[cell.condition]!;
  const [boundary, ownClass] = [sequence.boundary(), sequence.class()];
  const plug = plugInState(cell);
  const fixed = mode === "fixed";
  const state = {
    class: fixed ? plug.class : ownClass.value,
    boundary: fixed ? plug.boundary : boundary.value,
  };
  const dominant = dominantShare(all);
  return {
    decision_id: replicates.decisions[cell.case]!,
    community: replicates.communities[cell.case]!,
    temperature: condition.temperature,
    arm: condition.arm,
    run: condition.run,
    template: condition.template,
    group: groups[cell.case] ?? null,
    k: all.k,
    attempted: all.attempted,
    levels: { "1": all.counts[0], "2": all.counts[1], "3": all.counts[2] },
    p_level_3: thirdShare(all),
    p_level_3_interval: all.k === 0 ? null : shareInterval(cell, evidence),
    p_level_3_mean: all.drawn.n === 0 ? null : all.soft[2] / all.drawn.n,
    dominant_level: dominant === null ? null : ((all.counts.lastIndexOf(Math.max(...all.counts)) + 1) as 1 | 2 | 3),
    dominant_share: dominant,
    class: state.class ?? "undetermined",
    boundary: state.boundary ?? "undetermined",
    ...(state.class === null && { class_between: ownClass.between }),
    ...(state.boundary === null && { boundary_between: boundary.between }),
    plug_in: plug,
    settled_at: { boundary: boundary.at, class: ownClass.at },
    sd_pds: all.pds.sd,
    sd_pds_interval: cell.sdPdsInterval,
    sd_p_defensible: all.pDefensible.sd,
    sd_p_defensible_interval: cell.sdPDefensibleInterval,
    mean_pds: all.pds.mean,
    mean_p_defensible: all.pDefensible.mean,
    mean_inverse_yes_prob: all.inverseYesProb.mean,
    inverse_yes: all.inverseYes,
    flip_rate: flipRate(all.counts),
    consecutive_flip_rate: consecutiveFlipRate(all),
    boundary_flip_rate: boundaryFlipRate(all),
  };
}

/** With probabilities as evidence, the interval need not contain the share of the drawn levels. */
function shareInterval({ all, sequence }: CellAnalysis, evidence: Evidence): CaseRow["p_level_3_interval"] {
  const known = evidence === "probabilities" ? all.drawn.n : 0;
  const about = known === 0 ? "p_level_3" : known === all.k ? "p_level_3_mean" : "mixed";
  return { ...sequence.interval(), level: 1 - sequence.alpha, about };
}

export interface StabilitySettings {
  mode: StabilityMode;
  /** Probability that a settled state is wrong. */
  alpha: number;
  evidence: Evidence;
  stop: StopRule;
  /** Most replicates of a cell. */
  cap: number;
  rng: Rng;
  /** Number of draws of each bootstrap. */
  draws: number;
}

export interface StabilityAnalysis extends TemperatureTable {
  cases: CaseRow[];
  group_tests: GroupTest[];
  correlations: { spread: StabilityCorrelation[]; signals: StabilityCorrelation[] };
  thresholds: ThresholdRow[];
  decomposition: Decomposition[];
  /**
   * Savings by levels, and by the probabilities they were drawn from. Null if these are unknown, or if replicates stopped when the other evidence
   * had settled: those data do not show when this one would have stopped.
   */
  sequential: { labels: Savings | null; probabilities: Savings | null };
}

/** The full analysis of repeated audits, from their columns. */
export function analyseStability(
  replicates: Replicates,
  groups: readonly (StabilityGroup | null)[],
  settings: StabilitySettings,
): { analysed: Analysed; analysis: StabilityAnalysis } {
  const { alpha, evidence, mode, rng, draws } = settings;
  const analysed = analyseCells(replicates, groups, { alpha, evidence });
  const asked = analysed.cells.filter(({ all }) => all.attempted > 0);
  const of = ["p_defensible", "pds", "verdict", "sd_p_defensible"] as const;
  const analysis: StabilityAnalysis = {
    cases: asked.map((cell) => caseRow(analysed, cell, { mode, evidence })),
    ...temperatureTable(analysed, {
      rng: rng.fork("temperatures"),
      draws,
      stateOf: mode === "fixed" ? plugInState : settledState,
    }),
    group_tests: groupTests(analysed),
    correlations: {
      spread: stabilityCorrelations(analysed, "spread"),
      signals: stabilityCorrelations(analysed, "signals"),
    },
    thresholds: thresholdMix(analysed),
    decomposition: of.map((name) => decompose(analysed, name, { rng: rng.fork(`variance of ${name}`), draws })),
    sequential: {
      labels: mode === "fixed" || evidence === "labels" ? savingsBy(analysed, "labels", settings) : null,
      probabilities:
        asked.some(({ all }) => all.drawn.n > 0) && (mode === "fixed" || evidence === "probabilities")
          ? savingsBy(analysed, "probabilities", settings)
          : null,
    },
  };
  return { analysed, analysis };
}

/** Savings by one kind of evidence. If the analysis used the other kind, the cells are replayed. */
function savingsBy({ replicates, cells }: Analysed, by: Evidence, settings: StabilitySettings): Savings {
  const { alpha, evidence } = settings;
  const asked = cells
    .map((cell, index) => ({ ...cell, index }))
    .filter(({ all }) => all.attempted > 0)
    .map(({ all, sequence, index }) => ({
      all,
      sequence: by === evidence ? sequence : replay(replicates, index, { alpha, evidence: by }),
    }));
  return savings(asked, { ...settings, fixed: settings.mode === "fixed" });
}
