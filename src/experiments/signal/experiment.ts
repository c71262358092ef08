import type { AuditTable } from "../../analysis/audit-table.js";
import { communityCount } from "../../analysis/labels/judgements.js";
import { armSizes, readSignalColumns, SIGNAL_COLUMNS } from "../../analysis/signal-columns.js";
import { readWeights } from "../../app/audit/run-tools.js";
import { loadScores } from "../../app/report/choose-target.js";
import { paperScores } from "../../measures/calibration/paper/design.js";
import { EQUAL_WEIGHTS } from "../../measures/signals/components.js";
import type { Weights } from "../../measures/signals/weights.js";
import { fileStores } from "../../store/files/stores.js";
import { keepResult } from "../audits.js";
import type { Analysis } from "../slice.js";
import { heldOutRow } from "../study/calibration-table.js";
import { drawing, type Step, withRun } from "../study/run/step.js";
import { signalDocument } from "./document.js";
import { levelRows, regimeRows, sigmaRow } from "./measure-signals.js";
import type { LevelRow, RegimeRow, SigmaRow, SignalExperiment } from "./result.js";
import { runSignal } from "./run-signal.js";
import { measuredColumns } from "./signals.js";

export const signal: Analysis<SignalExperiment, object> = {
  audits: "there",
  options: {},
  examples: [
    "defensible experiment signal",
    "defensible experiment signal --run LOGPROBS_RUN --run SAMPLING_RUN --md=signal.md",
    "defensible experiment signal --audits audits.parquet --figure-data figures",
  ],
  more: "The tables are about the first run (or file). Others add rows to the table of temperatures, and samples to compare with.",
  async run({ context, places }) {
    return keepResult(context, await runSignal({ places, context }));
  },
  document: signalDocument,
};

export const signalStep: Step = {
  name: "signal",
  title: "signals at four temperatures, held-out calibration",
  needs: ({ runs }) => ["balanced", "random", "spread", ...(runs.cohorts.expert === null ? [] : ["expert" as const])],
  async run(context) {
    const { runs, results } = context;
    const { context: stores } = runs;
    const [random, spread, balanced] = [await runs.get("random"), await runs.get("spread"), await runs.get("balanced")];
    const expert = runs.cohorts.expert === null ? null : await runs.get("expert");
    const experiment = await runSignal({ places: [random, spread], context: stores });
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
    return {
      experiment,
      levels: await withRun(random, levelsByTemperature, also),
      expert: expert && (await withRun(expert, (table) => plainSigmaRow(table, "expert"), also)),
      regimes: await withRun(balanced, (table) => regimesOf(table, weights.calibrated ? weights : null), also),
      spread: repeated.agreement,
      heldOut: loaded ? loaded.temperatures.map((arm) => heldOutRow(arm, weights, drawing(context))) : [],
      heldOutReason: loaded ? null : (results.calibration?.reason ?? "no weights of S were fitted"),
    };
  },
};

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
