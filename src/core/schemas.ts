import { z } from "zod";
import { calibrationSchema, weightsSchema } from "./calibration.js";
import { configSchema } from "./config.js";
import { estimateSchema } from "./estimate-schema.js";
import { figureSchema } from "./figure.js";
import { gateSchema } from "./gate.js";
import { auditSchema, traceSchema } from "./records/audit.js";
import { decisionSchema, precedentSchema } from "./records/decision.js";
import { labelSchema, outcomeSchema, truthSchema } from "./records/label.js";
import { cohortSchema, manifestSchema } from "./records/manifest.js";
import { answerLineSchema, promptLineSchema } from "./records/prompt-line.js";
import { routeSchema } from "./records/route.js";
import { ruleSetSchema } from "./records/rule-set.js";
import { compareSchema } from "./results/compare.js";
import { experimentSchema } from "./results/experiment.js";
import { lintSchema, rulesDraftSchema } from "./results/lint.js";
import { planSchema } from "./results/plan.js";
import { reportSchema } from "./results/report.js";
import { simulatedAuditorSchema } from "./results/simulated-auditor.js";
import { simulatedWorldSchema, simulationSchema } from "./results/simulation.js";

/** Formats by their name in `defensible schema`. Those of experiments are in `src/experiments/registry.ts`. */
export const FORMATS = {
  decision: decisionSchema,
  ruleset: ruleSetSchema,
  precedent: precedentSchema,
  label: labelSchema,
  outcome: outcomeSchema,
  trace: traceSchema,
  prompt: promptLineSchema,
  answer: answerLineSchema,
  audit: auditSchema,
  estimate: estimateSchema,
  report: reportSchema,
  gate: gateSchema,
  route: routeSchema,
  plan: planSchema,
  compare: compareSchema,
  calibration: calibrationSchema,
  weights: weightsSchema,
  manifest: manifestSchema,
  experiment: experimentSchema,
  lint: lintSchema,
  rules_draft: rulesDraftSchema,
  figure: figureSchema,
  simulation: simulationSchema,
  simulated_world: simulatedWorldSchema,
  simulated_auditor: simulatedAuditorSchema,
  truth: truthSchema,
  cohort: cohortSchema,
  config: configSchema,
} as const;

/** JSON Schema (draft 2020-12) of a format. */
export function jsonSchema(name: string, of: z.ZodType): Record<string, unknown> {
  const schema = z.toJSONSchema(of, { io: "input" }) as Record<string, unknown>;
  return { title: name, ...schema };
}
