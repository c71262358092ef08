import { countGateCohorts } from "../../analysis/gate-counts.js";
import { OPPOSITE_ARM } from "../../audit/arms.js";
import { TIERS } from "../../core/records/rule-set.js";
import { buildDual } from "../../experiments/dual/build-dual.js";
import { gateTable } from "../../experiments/replicate/gate-table.js";
import { buildScopes } from "../../experiments/rules/build-scopes.js";
import { buildTiers } from "../../experiments/rules/build-tiers.js";
import { armSource, rulesShown, withArmTable } from "../arm-audits.js";
import { drawing, keepStep, type StepContext, withRun } from "./context.js";

export async function gate(context: StepContext): Promise<void> {
  const place = await context.runs.get("fleet");
  const cohorts = await withRun(place, (table) => countGateCohorts(table, { by: ["community"] }));
  context.results.gate = gateTable(cohorts, drawing(context));
}

export async function tiers(context: StepContext): Promise<void> {
  const { workspace } = context.runs;
  const place = await context.runs.get("tiers");
  const inputs = { source: armSource(place), rules: rulesShown({ workspace, place }), minDecisions: 10 };
  const result = await withArmTable(place, (table) => buildTiers(table, { ...inputs, tiers: TIERS }));
  context.results.tiers = keepStep(context, result);
}

export async function scopes(context: StepContext): Promise<void> {
  const { workspace } = context.runs;
  const place = await context.runs.get("scopes");
  const inputs = { source: armSource(place), rules: rulesShown({ workspace, place }), minDecisions: 10 };
  context.results.scopes = keepStep(context, await withArmTable(place, (table) => buildScopes(table, inputs)));
}

export async function dual(context: StepContext): Promise<void> {
  const place = await context.runs.get("dual");
  const { run_id, auditor } = place.manifest!;
  const result = await withRun(
    place,
    (table) => buildDual(table, { name: run_id, run_id, auditor, oppositeArm: OPPOSITE_ARM.name, cases: 100 }),
    { anyArm: true },
  );
  context.results.dual = keepStep(context, result);
}
