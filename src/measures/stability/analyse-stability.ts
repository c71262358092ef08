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
import { type Analysed, analyseCells, type Evidence, replay } from "./analyse-cells.js";
import { caseRow, type StabilityMode } from "./case-row.js";
import { decompose } from "./decompose.js";
import { groupTests } from "./group-means.js";
import type { Replicates } from "./replicates.js";
import { stabilityCorrelations } from "./slopes.js";
import { plugInState, savings, settledState, thresholdMix } from "./tallies.js";
import { type TemperatureTable, temperatureTable } from "./temperature-table.js";

export interface StabilitySettings {
  mode: StabilityMode;
  /** Probability that a settled state is wrong. */
  alpha: number;
  evidence: Evidence;
  stop: StopRule;
  /** Most replicates of a cell. */
  cap: number;
  rng: Rng;
  /** Draws of each bootstrap. */
  draws: number;
}

export interface StabilityAnalysis extends TemperatureTable {
  cases: CaseRow[];
  group_tests: GroupTest[];
  correlations: { spread: StabilityCorrelation[]; signals: StabilityCorrelation[] };
  thresholds: ThresholdRow[];
  decomposition: Decomposition[];
  /**
   * By levels, and by the probabilities that they were drawn from. Null where these are not known, and where replicates ended when the
   * other had settled: what would have stopped them instead cannot be read from those.
   */
  sequential: { labels: Savings | null; probabilities: Savings | null };
}

/** Everything that is said of repeated audits, from their columns. */
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

/** Savings by one kind of evidence; the other than the analysis used is replayed. */
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
