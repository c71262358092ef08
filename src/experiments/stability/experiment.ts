import { collectGarbage } from "../../io/limits.js";
import { keepStep, type Step } from "../study/run/step.js";
import { TEMPERATURES } from "../study/values.js";
import { makeStability, stabilityOf } from "./run-stability.js";

/** Candidates of the pilot for each case, where no cohort says which. */
const CANDIDATES_PER_CASE = 5;

/** Pilot, choice of cases, replicates: as many of each case, as in the paper. */
export const stabilityStep: Step = {
  name: "stability",
  title: "repeated audits",
  needs: () => [],
  async more({ runs }, { chosen }) {
    const { replicates, cases, pilot } = runs.sizes;
    const { stability } = runs.cohorts;
    const cohort = stability === null ? null : await runs.context.cohorts.find(stability);
    const candidates = Math.min(cohort?.decision_ids.length ?? CANDIDATES_PER_CASE * cases, chosen);
    return pilot * candidates + replicates * Math.min(cases, candidates) * TEMPERATURES.length;
  },
  async run(context) {
    const { runs, seed } = context;
    const { replicates, cases, pilot, draws } = runs.sizes;
    const audits = await makeStability(
      runs.context,
      {
        make: async (wanted) => (await runs.audit(wanted, { fitted: true })).manifest,
        selection: runs.selectionOf({ cohort: runs.cohorts.stability }),
        planned: (words, notes) => context.tell({ event: "planned", words, notes }),
      },
      { temperatures: TEMPERATURES, mode: "fixed", replicates, cases, pilot, draws, seed },
    );
    collectGarbage();
    context.results.stability = await keepStep(context, await stabilityOf(audits!));
  },
};
