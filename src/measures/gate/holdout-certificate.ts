import { type ClusterInterval, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import type { GateMode } from "../../core/gate.js";
import { clopperPearsonBound } from "../../stats/intervals/clopper-pearson-bound.js";
import { pooledProportion } from "../../stats/intervals/pooled-proportion.js";
import { proportion } from "../../stats/intervals/proportion.js";
import { boundedUpperBound } from "../../stats/tests/bounded-e-value.js";
import { DEFAULT_DELTA } from "./certified-gate.js";
import { gateCounts } from "./coverage.js";
import type { GateCohort, GateLimits } from "./gate-input.js";
import { type PassOptions, passGate } from "./pass-gate.js";
import { DEFAULT_THREAD_CAP, pooledUnits } from "./thread-units.js";

export interface HoldoutCertificate {
  mode: GateMode;
  delta: number;
  /** Communities chosen on the first split, and those of them without a verdict on the second. */
  chosen: number;
  chosen_unseen: number;
  /** Verdicts on the second split, in all communities and in the chosen ones. */
  decisions: number;
  automated_decisions: number;
  automated_indefensible: number;
  coverage: Estimate;
  /** Indefensible rate of the chosen communities on the second split. */
  realised: Estimate;
  /** The rate is at most this with confidence 1 − δ, for these communities. */
  upper: number | null;
  /** With threads `upper` is that of the rate when a thread counts as at most this many decisions; null: none is known. */
  thread_cap: number | null;
  /** The same with communities as random clusters, for others like them. */
  upper_clustered: number | null;
  clustered_method: ClusterInterval["method"] | null;
  /** Indefensible rate of the chosen communities on the split they were chosen on. */
  in_sample: Estimate;
  /** realised − in_sample: what choosing on the same rows would have hidden. */
  optimism: number | null;
  /** Share of the in-sample rate; null when that is 0. */
  relative_optimism: number | null;
  /** Why the numbers are null. */
  reason: string | null;
}

/**
 * Certificate of the automated part of the fleet: communities are chosen on one split of the decisions and judged on the
 * other, so choosing cannot flatter the rate.
 *
 * Formula: C = communities that pass on split A; on split B k = ΣL3, n = Σn over C; U = BetaInv(1−δ; k+1, n−k), or, where
 * decisions belong to threads, `boundedUpperBound` of the pooled threads with weights min(n_t, m)/m. With
 * communities as random: upper end of `pooledProportion` at level 1 − 2δ.
 * Range: [0, 1]; U ≥ realised rate.
 * Undefined when: none is chosen, or none of the chosen has verdicts on split B: null with the reason; the clustered bound
 * also with fewer than two communities.
 * Differs from the paper: the paper chooses and evaluates on the same decisions.
 * @see Clopper and Pearson (1934), Biometrika 26:404-413; `pooledProportion`
 * @example
 * holdoutCertificate([], [], { di: 0.9, ai: 0.15, min_decisions: 25, variable: "ai" }).chosen // => 0
 */
export function holdoutCertificate(
  selection: readonly GateCohort[],
  evaluation: readonly GateCohort[],
  limits: GateLimits,
  options: PassOptions = {},
): HoldoutCertificate {
  const { mode = "shrunk", delta = DEFAULT_DELTA, threadCap = DEFAULT_THREAD_CAP } = options;
  const passes = passGate(selection, limits, { ...options, mode });
  const before = gateCounts(selection, passes, limits);
  const chosen = new Set(selection.filter((_, i) => passes[i]).map((cohort) => cohort.key));
  const automated = evaluation.filter((cohort) => chosen.has(cohort.key) && cohort.n > 0);
  const k = automated.reduce((sum, cohort) => sum + cohort.indefensible, 0);
  const n = automated.reduce((sum, cohort) => sum + cohort.n, 0);
  const decisions = evaluation.reduce((sum, cohort) => sum + cohort.n, 0);
  const reason =
    chosen.size === 0 ? "no community passes on the first split" : "no verdicts of the chosen on the second";
  const rate = (hits: number, of: number): Estimate => (of === 0 ? undefinedEstimate(reason) : proportion(hits, of));
  const clustered = pooledProportion(
    automated.map((cohort) => ({ k: cohort.indefensible, n: cohort.n })),
    1 - 2 * delta,
  );
  const realised = rate(k, n);
  const threaded = automated.some((cohort) => cohort.threads);
  const in_sample = rate(before.automated_indefensible, before.automated_decisions);
  const optimism =
    realised.estimate === null || in_sample.estimate === null ? null : realised.estimate - in_sample.estimate;
  return {
    mode,
    delta,
    chosen: chosen.size,
    chosen_unseen: chosen.size - automated.length,
    decisions,
    automated_decisions: n,
    automated_indefensible: k,
    coverage: decisions === 0 ? undefinedEstimate("no verdicts on the second split") : proportion(n, decisions),
    realised,
    upper:
      n === 0
        ? null
        : threaded
          ? boundedUpperBound(pooledUnits(automated, "indefensible", threadCap), delta)
          : clopperPearsonBound(k, n, delta),
    thread_cap: threaded ? threadCap : null,
    upper_clustered: clustered?.upper ?? null,
    clustered_method: clustered?.method ?? null,
    in_sample,
    optimism,
    relative_optimism: optimism === null || in_sample.estimate === 0 ? null : optimism / in_sample.estimate!,
    reason: n === 0 ? reason : null,
  };
}
