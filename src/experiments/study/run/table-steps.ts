import type { AuditTable } from "../../../analysis/audit-table.js";
import { countGateCohorts } from "../../../analysis/gate/counts.js";
import { communityCount } from "../../../analysis/labels/judgements.js";
import { countGapCells, loadTrueVerdicts, TRUTH_COLUMNS } from "../../../analysis/labels/true-verdicts.js";
import { armSizes, readSignalColumns, SIGNAL_COLUMNS } from "../../../analysis/signal-columns.js";
import { readWeights } from "../../../app/audit/read-weights.js";
import { loadScores } from "../../../app/calibrate/load-scores.js";
import { TIERS } from "../../../core/records/rule-set.js";
import { paperScores } from "../../../measures/calibration/paper/design.js";
import { EQUAL_WEIGHTS, type Weights } from "../../../measures/signals/weights.js";
import { fileStores } from "../../../store/files/stores.js";
import { armSource, referencePlaces, rulesShown, withArmTable } from "../../audits.js";
import { dualOf } from "../../dual/run-dual.js";
import { gapColumn } from "../../gap/gap-column.js";
import type { GapColumn } from "../../gap/result.js";
import { gapExperiment } from "../../gap/run-gap.js";
import { buildScopes } from "../../rules/build-scopes.js";
import { buildTiers } from "../../rules/build-tiers.js";
import { levelRows, regimeRows, sigmaRow } from "../../signal/measure-signals.js";
import type { LevelRow, RegimeRow, SigmaRow } from "../../signal/result.js";
import { runSignal } from "../../signal/run-signal.js";
import { measuredColumns } from "../../signal/signals.js";
import { heldOutRow, paperCalibration } from "../calibration-table.js";
import { gateTable } from "../gate-table.js";
import { drawing, keepStep, type StepContext, withRun } from "./step.js";

export async function calibration(context: StepContext): Promise<void> {
  const { runs, results } = context;
  const place = await runs.get("balanced");
  const loaded = await loadScores(place, { kind: "self" }, { stores: runs.context, labels: null });
  const found = paperCalibration(loaded!.main.columns, drawing(context));
  results.calibration = found;
  if (!found.weights) {
    context.warnings.push(`S has the workspace's weights, because none could be fitted: ${found.reason}`);
    return;
  }
  const { calibrated: _, ...weights } = found.weights;
  runs.keepWeights({ ...weights, fitted_on: loaded!.evidence });
}

async function gapOf({ runs }: StepContext, name: "random" | "balanced"): Promise<GapColumn> {
  const place = await runs.get(name);
  const read = async (table: AuditTable) => {
    const truth = await loadTrueVerdicts(table, await referencePlaces(runs.context, place));
    const { run_id, auditor } = place.manifest!;
    const cells = await countGapCells(table, { truth: truth !== null });
    return gapColumn({ name, run_id, auditor, cohort: runs.cohorts[name] }, cells, truth);
  };
  return withRun(place, read, { also: TRUTH_COLUMNS });
}

export async function gap(context: StepContext): Promise<void> {
  const [random, balanced] = [await gapOf(context, "random"), await gapOf(context, "balanced")];
  const experiment = await keepStep(context, gapExperiment([random, balanced]));
  context.results.gap = { experiment, random, balanced };
}

export async function signal(context: StepContext): Promise<void> {
  const { runs, results } = context;
  const { context: stores } = runs;
  const [random, spread, balanced] = [await runs.get("random"), await runs.get("spread"), await runs.get("balanced")];
  const expert = runs.cohorts.expert === null ? null : await runs.get("expert");
  const experiment = await keepStep(context, await runSignal({ places: [random, spread], context: stores }));
  const repeated = await runSignal({ places: [spread], context: stores });
  const weights = (await readWeights(fileStores(runs.fitted).calibrations))?.weights ?? EQUAL_WEIGHTS;
  const loaded = weights.calibrated
    ? await loadScores(random, { kind: "self" }, { stores: runs.context, labels: null })
    : null;
  const also = { also: SIGNAL_COLUMNS };
  if (expert) {
    const { planned, verdicts } = expert.manifest!.counts;
    const communities = await withRun(expert, communityCount);
    context.expert = { decisions: planned, valid: verdicts, communities };
  }
  results.signal = {
    experiment,
    levels: await withRun(random, levelsByTemperature, also),
    expert: expert && (await withRun(expert, (table) => plainSigmaRow(table, "expert"), also)),
    regimes: await withRun(balanced, (table) => regimesOf(table, weights.calibrated ? weights : null), also),
    spread: repeated.agreement,
    heldOut: loaded ? loaded.temperatures.map((arm) => heldOutRow(arm, weights, drawing(context))) : [],
    heldOutReason: loaded ? null : (results.calibration?.reason ?? "no weights of S were fitted"),
  };
}

export async function gate(context: StepContext): Promise<void> {
  const place = await context.runs.get("fleet");
  const cohorts = await withRun(place, (table) => countGateCohorts(table, { by: ["community"] }));
  context.results.gate = gateTable(cohorts, drawing(context));
}

/** Decisions that a rule's figures need at least. */
const MIN_DECISIONS = 10;

export async function tiers(context: StepContext): Promise<void> {
  const place = await context.runs.get("tiers");
  const rules = await rulesShown(context.runs.context, place);
  const inputs = { source: armSource(place), tiers: TIERS, rules, minDecisions: MIN_DECISIONS };
  context.results.tiers = await keepStep(context, await withArmTable(place, (table) => buildTiers(table, inputs)));
}

export async function scopes(context: StepContext): Promise<void> {
  const place = await context.runs.get("scopes");
  const rules = await rulesShown(context.runs.context, place);
  const inputs = { source: armSource(place), rules, minDecisions: MIN_DECISIONS };
  context.results.scopes = await keepStep(context, await withArmTable(place, (table) => buildScopes(table, inputs)));
}

export async function dual(context: StepContext): Promise<void> {
  const place = await context.runs.get("dual");
  context.results.dual = await keepStep(context, await dualOf(place, { cases: 100 }));
}

/** What each level looks like at each temperature of a run. */
async function levelsByTemperature(table: AuditTable): Promise<{ temperature: number; levels: LevelRow[] }[]> {
  const found: { temperature: number; levels: LevelRow[] }[] = [];
  for (const { arm } of await armSizes(table)) {
    const temperature = temperatureOf(arm);
    if (temperature === null) continue;
    const columns = await readSignalColumns(table, arm);
    found.push({ temperature, levels: levelRows(measuredColumns(columns, null)) });
  }
  return found;
}

/** `t=0.7` is 0.7. */
function temperatureOf(arm: string): number | null {
  const match = /^t=([0-9.]+)$/.exec(arm);
  return match ? Number(match[1]) : null;
}

/** σ(ρ) against the inverse check in the plain arm of a run. */
async function plainSigmaRow(table: AuditTable, name: string): Promise<SigmaRow> {
  const columns = await readSignalColumns(table, "");
  const temperature = columns.temperature.find((t) => !Number.isNaN(t)) ?? null;
  return sigmaRow({ name, temperature }, columns);
}

/** Signals where decider and person disagree against where they agree, S by weights that need not be those of the run. */
async function regimesOf(table: AuditTable, weights: Weights | null): Promise<RegimeRow[]> {
  const columns = await readSignalColumns(table, "");
  const fitted = weights ? { ...columns, pds: paperScores(columns, weights) } : columns;
  return regimeRows(measuredColumns(fitted, null), {});
}
