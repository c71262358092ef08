import type { Dataset } from "../../core/results/replicate.js";
import type { StepResults } from "./results.js";

/** The cohorts of a replication, by the names of the paper's; null: all decisions. */
export type CohortNames = Record<CohortRole, string | null>;

/** Roles of cohorts, and the names that stand for them unless flags say otherwise. */
export const COHORT_ROLES = {
  random: "random",
  balanced: "balanced",
  tiers: "underspecification",
  fleet: "fleet",
  stability: "monte-carlo",
  attack: "sg-bench",
  human: "human",
  expert: "expert",
} as const;

export type CohortRole = keyof typeof COHORT_ROLES;

/** The paper's table of datasets, of what was used here. */
export function datasetTable(
  { gap, gate, tiers, stability, attack, humans, signal }: StepResults,
  cohorts: CohortNames,
  {
    expert,
    raters,
  }: {
    expert: { decisions: number; valid: number; communities: number } | null;
    raters: "people" | "simulated" | null;
  },
): Dataset[] {
  const of = (column: NonNullable<typeof gap>["random"] | undefined) => ({
    decisions: column?.counts.attempted ?? null,
    communities: column?.communities ?? null,
    valid: column?.counts.verdicts ?? null,
    attempted: column?.counts.attempted ?? null,
  });
  const none = { decisions: null, communities: null, valid: null, attempted: null };
  const temperatures = new Set(stability?.temperatures.map(({ temperature }) => temperature)).size;
  return [
    {
      dataset: "Random Sample",
      cohort: cohorts.random,
      ...of(gap?.random),
      role: "DI and AI, signals, held-out calibration",
      notes: signal ? "at the temperature of the workspace, and at four others" : "",
      paper: { decisions: 26902, communities: 398 },
    },
    {
      dataset: "Balanced Sample",
      cohort: cohorts.balanced,
      ...of(gap?.balanced),
      role: "weights of S",
      notes: "",
      paper: { decisions: 19899, communities: null },
    },
    {
      dataset: "Monte Carlo",
      cohort: cohorts.stability,
      ...none,
      ...(stability && {
        decisions: stability.counts.cases,
        valid: stability.counts.verdicts,
        attempted: stability.counts.audits,
      }),
      role: "stability",
      notes: stability
        ? `${stability.groups.flippers} Flippers, ${stability.groups.stable} Stable; ${temperatures} temperatures`
        : "",
      paper: { decisions: 100, communities: null },
    },
    {
      dataset: "Normative Underspecification",
      cohort: cohorts.tiers,
      ...none,
      ...(tiers && {
        decisions: tiers.counts.decisions,
        communities: tiers.counts.communities,
        valid: tiers.counts.arms.reduce((sum, arm) => sum + arm.verdicts, 0),
        attempted: tiers.counts.decisions * tiers.tiers.length,
      }),
      role: "rule text",
      notes: tiers ? `${tiers.tiers.length} tiers: ${tiers.tiers.map(({ tier }) => tier).join(", ")}` : "",
      paper: { decisions: 37286, communities: 1 },
    },
    {
      dataset: "Fleet",
      cohort: cohorts.fleet,
      ...none,
      ...(gate && {
        decisions: gate.decisions,
        communities: gate.communities,
        valid: gate.scenarios[0]!.counts.decisions,
        attempted: gate.decisions,
      }),
      role: "gate",
      notes: gate ? `${gate.eligible} communities with 25 decisions or more` : "",
      paper: { decisions: 109186, communities: 4565 },
    },
    {
      dataset: "SG-Bench",
      cohort: cohorts.attack,
      ...none,
      ...(attack && {
        decisions: attack.counts.cases,
        valid: attack.counts.cases - attack.counts.without_verdict,
        attempted: attack.counts.cases,
      }),
      role: "attacks",
      notes: attack
        ? `${attack.counts.clean} clean, ${attack.counts.input} attacks on the input, ${attack.counts.trace} on the trace`
        : "",
      paper: { decisions: 1000, communities: null },
    },
    {
      dataset: "Human audit",
      cohort: cohorts.human,
      ...none,
      ...(humans && { decisions: humans.counts.cases }),
      role: "people's ratings",
      notes: humans ? `${humans.counts.raters} ${raters === "simulated" ? "simulated raters" : "raters"}` : "",
      paper: { decisions: 30, communities: null },
    },
    {
      dataset: "Expert-Labelled",
      cohort: cohorts.expert,
      ...none,
      ...(expert && { ...expert, attempted: expert.decisions }),
      role: "σ(ρ), one policy",
      notes: "",
      paper: { decisions: 199, communities: null },
    },
  ];
}
