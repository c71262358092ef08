import type { RunName } from "./requests.js";
import type { Step, StepContext } from "./step.js";

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
export async function planSteps(context: StepContext, steps: readonly Step[]): Promise<ReplicatePlan> {
  const planned: PlannedStep[] = [];
  const seen = new Set<RunName>();
  const { sample, limit = Number.POSITIVE_INFINITY } = context.runs.request.selection;
  const chosen = Math.min(sample?.size ?? Number.POSITIVE_INFINITY, limit);
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
    const more = (await step.more?.(context, { audits: one.audits, chosen })) ?? 0;
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
