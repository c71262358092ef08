import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { AuditTable } from "../../analysis/audit-table.js";
import { countGapCells } from "../../analysis/gap-cells.js";
import { SIGNAL_COLUMNS } from "../../analysis/signal-columns.js";
import { loadTrueVerdicts, TRUTH_COLUMNS } from "../../analysis/true-verdicts.js";
import { communityCount } from "../../analysis/verdict-rows.js";
import { readWeights } from "../../app/audit/read-weights.js";
import { loadScores } from "../../app/calibrate/load-scores.js";
import type { GapColumn } from "../../core/results/gap-experiment.js";
import { gapColumn } from "../../experiments/gap/gap-column.js";
import { gapExperiment } from "../../experiments/gap/run-gap.js";
import { heldOutRow, paperCalibration } from "../../experiments/replicate/calibration-table.js";
import { levelsByTemperature, plainSigmaRow, regimesOf } from "../../experiments/replicate/level-table.js";
import { runSignal } from "../../experiments/signal/run-signal.js";
import { referencePlaces } from "../../experiments/truth-places.js";
import { writeFileAtomic } from "../../io/files.js";
import { EQUAL_WEIGHTS } from "../../measures/signals/weights.js";
import { fileStores } from "../../store/files/stores.js";
import { drawing, keepStep, type StepContext, withRun } from "./context.js";

export async function calibration(context: StepContext): Promise<void> {
  const { runs, results } = context;
  const place = await runs.get("balanced");
  const loaded = await loadScores(place, { kind: "self" }, { stores: fileStores(runs.workspace), labels: null });
  const found = paperCalibration(loaded!.main.columns, drawing(context));
  results.calibration = found;
  if (!found.weights) {
    context.warnings.push(`S has the workspace's weights, because none could be fitted: ${found.reason}`);
    return;
  }
  const { calibrated: _, ...weights } = found.weights;
  const content = { ...weights, fitted_on: loaded!.evidence };
  mkdirSync(dirname(runs.weightsFile), { recursive: true });
  writeFileAtomic(runs.weightsFile, `${JSON.stringify(content, null, 2)}\n`);
}

async function gapOf({ runs }: StepContext, name: "random" | "balanced"): Promise<GapColumn> {
  const place = await runs.get(name);
  const read = async (table: AuditTable) => {
    const truth = await loadTrueVerdicts(table, referencePlaces(runs.workspace));
    const { run_id, auditor } = place.manifest!;
    const cells = await countGapCells(table, { truth: truth !== null });
    return gapColumn({ name, run_id, auditor, cohort: runs.cohorts[name] }, cells, truth);
  };
  return withRun(place, read, { also: TRUTH_COLUMNS });
}

export async function gap(context: StepContext): Promise<void> {
  const [random, balanced] = [await gapOf(context, "random"), await gapOf(context, "balanced")];
  const experiment = keepStep(context, gapExperiment([random, balanced]));
  context.results.gap = { experiment, random, balanced };
}

export async function signal(context: StepContext): Promise<void> {
  const { runs, results } = context;
  const { workspace } = runs;
  const [random, spread, balanced] = [await runs.get("random"), await runs.get("spread"), await runs.get("balanced")];
  const expert = runs.cohorts.expert === null ? null : await runs.get("expert");
  const experiment = keepStep(context, await runSignal({ places: [random, spread], workspace }));
  const repeated = await runSignal({ places: [spread], workspace });
  const weights = readWeights(runs.fitted)?.weights ?? EQUAL_WEIGHTS;
  const loaded = weights.calibrated
    ? await loadScores(random, { kind: "self" }, { stores: fileStores(workspace), labels: null })
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
