import type { Figure } from "../../core/figure.js";
import { fleetState } from "../../measures/gate/fleet-state.js";
import { coverageRiskFrontier } from "../../measures/gate/frontier.js";
import { ambiguousCount, type GateCohort, STANDARD_LIMITS } from "../../measures/gate/gate-input.js";
import { isEligible } from "../../measures/gate/limits.js";
import { wilsonInterval } from "../../stats/intervals/wilson-interval.js";

/** The fleet by DI and AI, and what other limits would have automated: the paper's two figures of the gate. */
export function gateFigures(cohorts: readonly GateCohort[]): Figure[] {
  const limits = STANDARD_LIMITS;
  const eligible = cohorts.filter((cohort) => isEligible(cohort, limits));
  if (eligible.length === 0) return [];
  const passing = eligible.filter((cohort) => fleetState(cohort, limits) === "earned_autonomy").length;
  const { points, knee } = coverageRiskFrontier(cohorts, limits);
  return [
    {
      id: "replicate-fleet",
      title: `${passing} of ${eligible.length} communities lie where the paper's gate opens (DI at least 90 %, AI at most 15 %)`,
      mark: "point",
      x: { field: "ai", label: "Ambiguity Index", format: "percent" },
      y: { field: "di", label: "Defensibility Index", format: "percent" },
      series: "state",
      size: { field: "decisions", label: "verdicts" },
      name: "community",
      interval: "none",
      references: [
        { axis: "x", value: limits.ai, label: "AI limit" },
        { axis: "y", value: limits.di, label: "DI limit" },
      ],
      zone: { x: [0, limits.ai], y: [limits.di, 1], label: "the gate opens" },
      paper: "fig:fleet",
      rows: eligible.map((cohort) => {
        const yes = ambiguousCount(cohort, limits.variable);
        const di = wilsonInterval(cohort.n - cohort.indefensible, cohort.n);
        const ai = wilsonInterval(yes, cohort.n);
        return {
          community: cohort.key,
          state: fleetState(cohort, limits),
          decisions: cohort.n,
          di: (cohort.n - cohort.indefensible) / cohort.n,
          di_lower: di.lower,
          di_upper: di.upper,
          ai: yes / cohort.n,
          ai_lower: ai.lower,
          ai_upper: ai.upper,
        };
      }),
    },
    {
      id: "replicate-frontier",
      title: knee
        ? `The knee of coverage against risk is at DI ${knee.di} and AI ${knee.ai}: ${(100 * knee.coverage).toFixed(0)} % automated, ${(100 * knee.risk).toFixed(1)} % of it indefensible`
        : "What other limits would have automated, and how much of it is indefensible",
      mark: "point",
      x: { field: "coverage", label: "decisions automated", format: "percent" },
      y: { field: "risk", label: "indefensible among them", format: "percent" },
      paper: "fig:pds_validation C, Table gate",
      rows: points.map(({ di, ai, coverage, risk }) => ({ di, ai, coverage, risk })),
    },
  ];
}
