import { dollars } from "../../audit/calls/budget.js";
import { DEFAULT_WANTED } from "../../experiments/attack/build/plan.js";
import { TEMPERATURES } from "../../experiments/replicate/accessor.js";
import { type Block, type Document, table } from "../../present/document/document.js";
import { plural, whole } from "../../present/words/numbers.js";
import { readCohort } from "../../store/files/cohorts.js";
import type { Step, StepContext } from "./context.js";
import type { RunName } from "./requests.js";

export interface PlannedStep {
  step: string;
  /** Audits that no step before it makes. */
  audits: number;
  /** null: the price of the auditor is not known. */
  cost_usd: number | null;
  reason: string | null;
}

export interface ReplicatePlan {
  steps: PlannedStep[];
  audits: number;
  cost_usd: number | null;
}

/** What every step would audit. Of stability and attacks the cost is that of as many audits of the mean price. */
export async function planReplicate(context: StepContext, steps: readonly Step[]): Promise<ReplicatePlan> {
  const planned: PlannedStep[] = [];
  const seen = new Set<RunName>();
  const sum = { audits: 0, cost: 0 as number | null };
  const add = (audits: number, cost: number | null) => {
    sum.audits += audits;
    sum.cost = cost === null || sum.cost === null ? null : sum.cost + cost;
  };
  for (const step of steps) {
    const refused = (await step.refuses?.(context)) ?? null;
    if (refused) {
      planned.push({ step: step.name, audits: 0, cost_usd: 0, reason: refused.reason });
      continue;
    }
    const one: PlannedStep = { step: step.name, audits: 0, cost_usd: 0, reason: null };
    for (const name of step.needs(context)) {
      const { key, audits, cost_usd } = await context.runs.plan(name);
      if (seen.has(key)) continue;
      seen.add(key);
      one.audits += audits;
      one.cost_usd = one.cost_usd === null || cost_usd === null ? null : one.cost_usd + cost_usd;
    }
    const more = besides(step.name, context, one.audits);
    const mean = sum.audits + one.audits > 0 ? meanCost(sum, one) : 0;
    one.audits += more;
    one.cost_usd = one.cost_usd === null || mean === null ? null : one.cost_usd + more * mean;
    add(one.audits, one.cost_usd);
    planned.push(one);
  }
  return { steps: planned, audits: sum.audits, cost_usd: sum.cost };
}

function meanCost(sum: { audits: number; cost: number | null }, one: PlannedStep): number | null {
  if (sum.cost === null || one.cost_usd === null) return null;
  return (sum.cost + one.cost_usd) / (sum.audits + one.audits);
}

/** Candidates of the pilot for each case, where no cohort says which. */
const CANDIDATES_PER_CASE = 5;

/** Audits of what is chosen only once other audits are there, at most. `base`: those that attacks are made of, if they are not there already. */
function besides(step: Step["name"], { runs }: StepContext, base: number): number {
  const { replicates, cases, pilot } = runs.sizes;
  const { sample = Number.POSITIVE_INFINITY, limit = Number.POSITIVE_INFINITY } = runs.flags;
  if (step === "stability") {
    const { stability } = runs.cohorts;
    const there =
      stability === null ? CANDIDATES_PER_CASE * cases : readCohort(runs.workspace, stability).decision_ids.length;
    const candidates = Math.min(there, sample, limit);
    return pilot * candidates + replicates * Math.min(cases, candidates) * TEMPERATURES.length;
  }
  if (step !== "attack") return 0;
  const { clean, action_flip, hallucinated_grounding } = DEFAULT_WANTED;
  return Math.min(clean + action_flip + hallucinated_grounding, base || Number.POSITIVE_INFINITY, sample, limit);
}

/** The plan, for people. */
export function planDocument({ steps, audits, cost_usd }: ReplicatePlan, auditor: string): Document {
  const paid = cost_usd === null || cost_usd > 0;
  const cost = (value: number | null) => (value === null ? "unknown" : dollars(value));
  const blocks: Block[] = [
    {
      kind: "text",
      text: `${plural(audits, "audit")} by ${auditor}${paid ? `, about ${cost(cost_usd)}` : ""}. What is there already, or in the response cache, costs nothing. Nothing was done.`,
    },
    table(
      ["step", ">audits", ...(paid ? [">cost"] : []), "~"],
      steps.map((one) => [
        one.step,
        one.reason ? "–" : whole(one.audits),
        ...(paid ? [one.reason ? "–" : cost(one.cost_usd)] : []),
        one.reason ? `not done: ${one.reason}` : one.audits === 0 ? "uses what other steps audit" : "",
      ]),
    ),
  ];
  return { title: "Plan of the replication", subtitle: "", blocks };
}
