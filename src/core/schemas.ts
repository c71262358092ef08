import { z } from "zod";
import { calibrationSchema, weightsSchema } from "./calibration.js";
import { configSchema } from "./config.js";
import { estimateSchema } from "./estimate-schema.js";
import { figureSchema } from "./figure.js";
import { gateSchema } from "./gate.js";
import { auditSchema } from "./records/audit.js";
import { decisionSchema, precedentSchema } from "./records/decision.js";
import { labelSchema } from "./records/label.js";
import { cohortSchema, manifestSchema } from "./records/manifest.js";
import { answerLineSchema, promptLineSchema } from "./records/prompt-line.js";
import { routeSchema } from "./records/route.js";
import { ruleSetSchema } from "./records/rule-set.js";
import { traceSchema } from "./records/trace.js";
import { outcomeSchema, truthSchema } from "./records/truth.js";
import { attackCaseSchema, attackResultSchema } from "./results/attack.js";
import { circularitySchema } from "./results/circularity.js";
import { compareSchema } from "./results/compare.js";
import { dualSchema } from "./results/dual.js";
import { experimentSchema } from "./results/experiment.js";
import { gapExperimentSchema } from "./results/gap-experiment.js";
import { humansSchema, ratingKeySchema } from "./results/humans.js";
import { lintSchema, rulesDraftSchema } from "./results/lint.js";
import { planSchema } from "./results/plan.js";
import { replicateSchema } from "./results/replicate.js";
import { reportSchema } from "./results/report.js";
import { rulesDiffSchema } from "./results/rules-diff.js";
import { scopesSchema } from "./results/scopes.js";
import { signalExperimentSchema } from "./results/signal-experiment.js";
import { simulatedAuditorSchema } from "./results/simulated-auditor.js";
import { simulatedWorldSchema } from "./results/simulated-world.js";
import { simulationSchema } from "./results/simulation.js";
import { stabilitySchema } from "./results/stability.js";
import { tiersSchema } from "./results/tiers.js";
import { validateSchema } from "./results/validate.js";

/** Every format that crosses the border of the program, by the name `defensible schema` knows it under. */
export const SCHEMAS = {
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
  stability: stabilitySchema,
  manifest: manifestSchema,
  experiment: experimentSchema,
  dual: dualSchema,
  attack: attackResultSchema,
  attack_case: attackCaseSchema,
  humans: humansSchema,
  validate: validateSchema,
  replicate: replicateSchema,
  rating_key: ratingKeySchema,
  lint: lintSchema,
  tiers: tiersSchema,
  scopes: scopesSchema,
  rules_diff: rulesDiffSchema,
  rules_draft: rulesDraftSchema,
  gap: gapExperimentSchema,
  signal: signalExperimentSchema,
  circularity: circularitySchema,
  figure: figureSchema,
  simulation: simulationSchema,
  simulated_world: simulatedWorldSchema,
  simulated_auditor: simulatedAuditorSchema,
  truth: truthSchema,
  cohort: cohortSchema,
  config: configSchema,
} as const;

export type SchemaName = keyof typeof SCHEMAS;

/** JSON Schema (draft 2020-12) of a format. */
export function jsonSchema(name: SchemaName): Record<string, unknown> {
  const schema = z.toJSONSchema(SCHEMAS[name], { io: "input" }) as Record<string, unknown>;
  return { title: name, ...schema };
}
