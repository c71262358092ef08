import type { ExperimentKind } from "../../core/results/experiment.js";
import { SCHEMAS, type SchemaName } from "../../core/schemas.js";

/** Whether a value has the form of a result of this experiment. */
export function isResultOf(kind: ExperimentKind, value: unknown): boolean {
  return SCHEMAS[schemaOf(kind)].safeParse(value).success;
}

function schemaOf(kind: ExperimentKind): SchemaName {
  return kind === "diff" ? "rules_diff" : kind;
}
