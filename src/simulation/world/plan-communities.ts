import type { SimulatedCohort } from "../../core/results/simulation.js";
import type { Rng } from "../../stats/random/create-rng.js";
import { drawBeta } from "../../stats/random/draw-beta.js";
import { type CommunitySize, communitySizes } from "./community-sizes.js";
import { shiftToMean } from "./shift-to-mean.js";

/** A community before it has a name: size, state, and its own rates around its state's. */
export interface CommunityPlan extends CommunitySize {
  open: number;
  error: number;
  implicitNorms: number;
}

/** Plans the communities of a cohort. In an `exact` one the rates of a state's communities have the state's as their mean, each weighing by its decisions. */
export function planCommunities(cohort: SimulatedCohort, rng: Rng): CommunityPlan[] {
  const sizes = communitySizes(cohort, rng.fork("sizes"));
  const rates = rng.fork("rates");
  const m = cohort.concentration;
  const plans = sizes.map((size): CommunityPlan => {
    const around = (mean: number) => drawBeta(mean * m, (1 - mean) * m, rates);
    return {
      ...size,
      open: around(size.state.open),
      error: around(size.state.error),
      implicitNorms: around(cohort.implicit_norms),
    };
  });
  if (!cohort.exact) return plans;
  for (const state of cohort.states) {
    const own = plans.filter((plan) => plan.state === state);
    centre(own, "open", state.open);
    centre(own, "error", state.error);
    centre(own, "implicitNorms", cohort.implicit_norms);
  }
  return plans;
}

function centre(plans: readonly CommunityPlan[], rate: "open" | "error" | "implicitNorms", mean: number): void {
  const shifted = shiftToMean(
    plans.map((plan) => plan[rate]),
    plans.map((plan) => plan.decisions),
    mean,
  );
  plans.forEach((plan, i) => {
    plan[rate] = shifted[i]!;
  });
}
