import type { Label, Truth } from "../../core/records/label.js";
import { plural } from "../../present/words/numbers.js";
import { createRng, type Rng } from "../../stats/random/create-rng.js";
import type { StepResults } from "./build-replicate.js";
import type { Dataset } from "./result.js";

/** The workspace's cohorts, by the paper's names; null: all decisions. */
export type CohortNames = Record<CohortRole, string | null>;

/** The default cohort of each role. */
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

/** The paper's table of datasets, for the data used here. */
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
      role: "DI and ambiguity, signals, held-out calibration",
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
      notes: humans ? plural(humans.counts.raters, raters === "simulated" ? "simulated rater" : "rater") : "",
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

export interface RaterSettings {
  raters: number;
  /** Share of cases that all raters alike misread as another level: shared errors do not average out. */
  case_error: number;
  /** Share of ratings that differ from the level that raters see in the case. */
  rater_error: number;
  seed: number;
}

/** As many raters as in the paper. The errors are assumed: the paper prints neither its ratings nor their reliability. */
export const RATERS: Omit<RaterSettings, "seed"> = { raters: 121, case_error: 0.15, rater_error: 0.35 };

/**
 * Ratings of simulated people, drawn from the truth. A case is seen at its true level or, with probability `case_error`, by all raters at
 * another one; each rater gives the level seen or, with probability `rater_error`, another one. `inverse` is the true one unless the rater
 * errs; then it is drawn at even odds.
 */
export function simulatedRatings(
  truths: readonly Pick<Truth, "decision_id" | "level" | "inverse">[],
  settings: RaterSettings,
): Label[] {
  const { raters, case_error, rater_error, seed } = settings;
  const rng = createRng(seed).fork("simulated raters");
  return truths.flatMap((truth) => {
    const own = rng.fork(truth.decision_id);
    const seen = own.next() < case_error ? another(truth.level, own) : truth.level;
    return Array.from({ length: raters }, (_, i): Label => {
      const missed = own.next() < rater_error;
      return {
        decision_id: truth.decision_id,
        level: missed ? another(seen, own) : seen,
        inverse: missed ? own.next() < 0.5 : truth.inverse,
        rater: `simulated-${String(i + 1).padStart(3, "0")}`,
        source: "human",
        simulated: true,
      };
    });
  });
}

type Level = Truth["level"];

function another(level: Level, rng: Rng): Level {
  return (((level + rng.int(2)) % 3) + 1) as Level;
}
