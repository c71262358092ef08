import { type ClusterInterval, type Estimate, undefinedEstimate } from "../../core/estimate.js";
import type { GateMode } from "../../core/gate.js";
import { pooledProportion } from "../../stats/intervals/clustered-proportion.js";
import { clopperPearsonBound, proportion } from "../../stats/intervals/proportion.js";
import { boundedUpperBound } from "../../stats/tests/bounded-e-value.js";
import { gateCounts } from "./adjustment.js";
import { DEFAULT_DELTA } from "./certified-gate.js";
import { DEFAULT_THREAD_CAP, type GateCohort, type GateLimits, pooledUnits } from "./gate-input.js";
import { communityShares, isEligible, meetsAmbiguity, meetsDefensibility } from "./limits.js";
import { type PassOptions, passGate } from "./pass-gate.js";

/** The limits that exclude a community: one of them alone, or both. */
export type BindingConstraint = "di" | "ai" | "both";

/**
 * The limit that excludes a community by its observed rates.
 *
 * Formula: di when only DI < di, ai when only AI > ai, both when both.
 * Range: di, ai, both; null when both are met.
 * Undefined when: too few verdicts: null, since the minimum excludes it and not a limit.
 * Differs from the paper: the paper names only the binding constraint of the fleet.
 * @see paper §9
 * @example
 * bindingConstraint({ key: "", n: 30, indefensible: 4, inverse_yes: 0, inverse_yes_pure: 0, unscored: 0 }, { di: 0.9, ai: 0.15, min_decisions: 25, variable: "ai" }) // => "di"
 */
export function bindingConstraint(cohort: GateCohort, limits: GateLimits): BindingConstraint | null {
  if (!isEligible(cohort, limits)) return null;
  const able = meetsDefensibility(cohort, limits);
  const clear = meetsAmbiguity(cohort, limits);
  if (able) return clear ? null : "ai";
  return clear ? "di" : "both";
}

export interface ConstraintCount {
  communities: number;
  decisions: number;
  indefensible: number;
}

export interface BindingAnalysis {
  /** Communities that each limit excludes. Those under `di` (or `ai`) would pass if that limit alone were dropped. */
  excluded: Record<BindingConstraint, ConstraintCount>;
  /** The limit whose removal would admit more decisions; null when neither excludes a community alone, or both exclude as many decisions. */
  binding: "di" | "ai" | null;
  /** The Ambiguity Index counts contradictions (level 3 with inverse Yes), so it cannot be below their share. */
  mechanical: {
    /** Share of contradictions among the indefensible verdicts of eligible communities; null without indefensible verdicts. */
    contradiction_share: number | null;
    contradictions: number;
    indefensible: number;
    /** DI that AI ≤ ai implies by itself at that share, 1 − ai / share; null where it implies nothing, or the gate limits AI_pure. */
    implied_di: number | null;
    /** Communities whose contradictions alone exceed the ambiguity limit. */
    contradictions_exceed_limit: ConstraintCount;
  };
  /** Whether Moderate (85/15) and Standard (90/15) pass the same communities, as in the paper's table. */
  moderate_is_standard: { same: boolean; between: ConstraintCount };
}

/**
 * Which limit actually decides. In the paper, tightening DI from 85% to 90% changes nothing because AI has already excluded those communities; part
 * of that is arithmetic, since AI includes the contradictions.
 *
 * Formula: AI = AI_pure + AI_contra ≥ s (1 − DI), s = contradictions / L3; so AI ≤ ai implies DI ≥ 1 − ai/s.
 * Range: counts; implied_di in [0, 1).
 * Undefined when: see the fields.
 * Differs from the paper: the paper concludes that ambiguity decides; here the mechanical part is separated.
 * @see paper §9
 * @example
 * analyseBinding([], { di: 0.9, ai: 0.15, min_decisions: 25, variable: "ai" }).binding // => null
 */
export function analyseBinding(cohorts: readonly GateCohort[], limits: GateLimits): BindingAnalysis {
  const eligible = cohorts.filter((cohort) => isEligible(cohort, limits));
  const excluded = { di: noCommunity(), ai: noCommunity(), both: noCommunity() };
  const contradicted = noCommunity();
  const between = noCommunity();
  let contradictions = 0;
  let indefensible = 0;
  for (const cohort of eligible) {
    const constraint = bindingConstraint(cohort, limits);
    if (constraint !== null) add(excluded[constraint], cohort);
    const opposite = cohort.inverse_yes - cohort.inverse_yes_pure;
    contradictions += opposite;
    indefensible += cohort.indefensible;
    if (!meetsAmbiguity({ ...cohort, inverse_yes: opposite }, { ...limits, variable: "ai" })) add(contradicted, cohort);
    const at = (di: number): GateLimits => ({ ...limits, di, ai: 0.15 });
    if (
      meetsAmbiguity(cohort, at(0.9)) &&
      meetsDefensibility(cohort, at(0.85)) &&
      !meetsDefensibility(cohort, at(0.9))
    ) {
      add(between, cohort);
    }
  }
  const share = indefensible === 0 ? null : contradictions / indefensible;
  const implied = share === null || share === 0 || limits.variable === "ai_pure" ? null : 1 - limits.ai / share;
  const { di, ai } = excluded;
  return {
    excluded,
    binding: di.decisions === ai.decisions ? null : di.decisions > ai.decisions ? "di" : "ai",
    mechanical: {
      contradiction_share: share,
      contradictions,
      indefensible,
      implied_di: implied !== null && implied > 0 ? implied : null,
      contradictions_exceed_limit: contradicted,
    },
    moderate_is_standard: { same: between.communities === 0, between },
  };
}

function noCommunity(): ConstraintCount {
  return { communities: 0, decisions: 0, indefensible: 0 };
}

function add(count: ConstraintCount, cohort: GateCohort): void {
  count.communities += 1;
  count.decisions += cohort.n;
  count.indefensible += cohort.indefensible;
}

export interface HoldoutCertificate {
  mode: GateMode;
  delta: number;
  /** Communities chosen on the first split, and how many of them have no verdict on the second. */
  chosen: number;
  chosen_unseen: number;
  /** Verdicts on the second split, in all communities and in the chosen ones. */
  decisions: number;
  automated_decisions: number;
  automated_indefensible: number;
  coverage: Estimate;
  /** Indefensible rate of the chosen communities on the second split. */
  realised: Estimate;
  /** Upper bound of the rate with confidence 1 − δ, for these communities. */
  upper: number | null;
  /** With threads, `upper` bounds the rate when a thread counts as at most this many decisions; null: there are no threads. */
  thread_cap: number | null;
  /** The same bound with communities as random clusters, for other communities like them. */
  upper_clustered: number | null;
  clustered_method: ClusterInterval["method"] | null;
  /** Indefensible rate of the chosen communities on the split they were chosen on. */
  in_sample: Estimate;
  /** realised − in_sample: the bias that choosing and judging on the same rows would have hidden. */
  optimism: number | null;
  /** Optimism as a share of the in-sample rate; null when that rate is 0. */
  relative_optimism: number | null;
  /** Why the numbers are null. */
  reason: string | null;
}

/**
 * Certificate of the automated part of the fleet. Communities are chosen on one split of the decisions and judged on the other, so the choice does
 * not bias the rate.
 *
 * Formula: C = communities that pass on split A; on split B k = ΣL3, n = Σn over C; U = BetaInv(1−δ; k+1, n−k), or, where decisions belong to
 * threads, `boundedUpperBound` of the pooled threads with weights min(n_t, m)/m. With communities as random clusters: upper end of
 * `pooledProportion` at level 1 − 2δ.
 * Range: [0, 1]; U ≥ realised rate.
 * Undefined when: no community is chosen, or the chosen ones have no verdicts on split B: null with the reason; the clustered bound also with fewer
 * than two communities.
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
    communityShares(automated, ({ indefensible }) => indefensible),
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
