import { z } from "zod";

const rate = z.number().nullable();

export const GATE_MODES = ["paper", "shrunk", "certified"] as const;
export const GATE_STATES = ["earned_autonomy", "policy_gaps", "normative_complexity", "insufficient"] as const;

const scenarioSchema = z.looseObject({
  name: z.string(),
  di: z.number(),
  ai: z.number(),
  passing: z.number().int(),
  community_coverage: rate,
  decision_coverage_eligible: rate,
  decision_coverage_all: rate,
  fleet_di: rate,
  fleet_ai: rate,
  base_indefensible_rate: rate,
  automated_indefensible_rate: rate,
  exposure_reduction: rate,
  conditional_risk_reduction: rate,
  random_gate_baseline: rate,
});

/** The result of `defensible gate`. */
export const gateSchema = z.looseObject({
  mode: z.enum(GATE_MODES),
  thresholds: z.object({ di: z.number(), ai: z.number(), min_decisions: z.number().int() }),
  fleet: scenarioSchema,
  scenarios: z.array(scenarioSchema),
  communities: z.array(
    z.looseObject({
      community: z.string(),
      n: z.number().int(),
      indefensible: z.number().int(),
      inverse_yes: z.number().int(),
      di: rate,
      ai: rate,
      state: z.enum(GATE_STATES),
      suspended: z.object({ since: z.string(), reason: z.string() }).nullable(),
      passes: z.object({ paper: z.boolean(), shrunk: z.boolean(), certified: z.boolean() }),
      more_decisions_needed: z.number().int().nullable(),
    }),
  ),
});
