import { TEMPERATURES } from "../../experiments/replicate/accessor.js";
import { collectGarbage } from "../../io/limits.js";
import type { StabilityFlags } from "../commands/stability.js";
import { type StabilityAudits, stabilityAudits, stabilityOf } from "../stability/action.js";
import { keepStep, type StepContext } from "./context.js";
import type { ReplicateRuns } from "./runs.js";

/** Pilot, choice of cases, replicates: as many of each case, as in the paper. */
export async function replicateStability(context: StepContext): Promise<void> {
  const { runs } = context;
  let audits: StabilityAudits | null = null;
  await runs.audit(async () => {
    audits = await stabilityAudits(runs.fitted, stabilityFlags(runs));
    return audits && audits.places[0]!.manifest;
  });
  collectGarbage();
  context.results.stability = keepStep(context, await stabilityOf(audits!));
}

function stabilityFlags(runs: ReplicateRuns): StabilityFlags {
  const { stability } = runs.cohorts;
  const { replicates, cases, pilot, draws } = runs.sizes;
  return {
    ...runs.auditFlags(stability === null ? {} : { cohort: stability }),
    temperatures: [...TEMPERATURES],
    fixed: true,
    replicates,
    cases,
    pilot,
    draws,
    rows: 12,
  };
}
