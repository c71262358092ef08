import { z } from "zod";
import { attackCaseSchema, attackResultSchema } from "./attack.js";
import { auditSchema } from "./audit.js";
import { calibrationSchema } from "./calibration.js";
import { circularitySchema } from "./circularity.js";
import { cohortSchema } from "./cohort.js";
import { compareSchema } from "./compare.js";
import { configSchema } from "./config.js";
import { decisionSchema } from "./decision.js";
import { dualSchema } from "./dual.js";
import { estimateSchema } from "./estimate-schema.js";
import { experimentSchema } from "./experiment.js";
import { figureSchema } from "./figure.js";
import { gapExperimentSchema } from "./gap-experiment.js";
import { gateSchema } from "./gate.js";
import { humansSchema, ratingKeySchema } from "./humans.js";
import { labelSchema } from "./label.js";
import { lintSchema } from "./lint.js";
import { manifestSchema } from "./manifest.js";
import { outcomeSchema } from "./outcome.js";
import { planSchema } from "./plan.js";
import { precedentSchema } from "./precedent.js";
import { replicateSchema } from "./replicate.js";
import { reportSchema } from "./report.js";
import { routeSchema } from "./route.js";
import { ruleSetSchema } from "./rule-set.js";
import { rulesDiffSchema } from "./rules-diff.js";
import { scopesSchema } from "./scopes.js";
import { signalExperimentSchema } from "./signal-experiment.js";
import { simulatedAuditorSchema } from "./simulated-auditor.js";
import { simulatedWorldSchema } from "./simulated-world.js";
import { simulationSchema } from "./simulation.js";
import { stabilitySchema } from "./stability.js";
import { tiersSchema } from "./tiers.js";
import { traceSchema } from "./trace.js";
import { truthSchema } from "./truth.js";
import { validateSchema } from "./validate.js";
import { weightsSchema } from "./weights.js";

/** Every format that crosses the border of the program, by the name `defensible schema` knows it under. */
export const SCHEMAS = {
  decision: decisionSchema,
  ruleset: ruleSetSchema,
  precedent: precedentSchema,
  label: labelSchema,
  outcome: outcomeSchema,
  trace: traceSchema,
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
