import type { AuditTable } from "../../analysis/audit-table.js";
import { armSizes, readSignalColumns } from "../../analysis/signal-columns.js";
import type { LevelRow, RegimeRow, SigmaRow } from "../../core/results/signal-experiment.js";
import { paperScores } from "../../measures/calibration/paper/design.js";
import type { Weights } from "../../measures/signals/weights.js";
import { levelRows } from "../signal/measure-signals.js";
import { regimeRows, sigmaRow } from "../signal/regimes.js";
import { measuredColumns } from "../signal/signals.js";

/** What each level looks like at each temperature of a run. */
export async function levelsByTemperature(table: AuditTable): Promise<{ temperature: number; levels: LevelRow[] }[]> {
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
export async function plainSigmaRow(table: AuditTable, name: string): Promise<SigmaRow> {
  const columns = await readSignalColumns(table, "");
  const temperature = columns.temperature.find((t) => !Number.isNaN(t)) ?? null;
  return sigmaRow({ name, temperature }, columns);
}

/** Signals where decider and person disagree against where they agree, S by weights that need not be those of the run. */
export async function regimesOf(table: AuditTable, weights: Weights | null): Promise<RegimeRow[]> {
  const columns = await readSignalColumns(table, "");
  const fitted = weights ? { ...columns, pds: paperScores(columns, weights) } : columns;
  return regimeRows(measuredColumns(fitted, null), {});
}
