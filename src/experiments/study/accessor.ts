import type { AuditTable } from "../../analysis/audit-table.js";
import { armSizes, readSignalColumns } from "../../analysis/signal-columns.js";
import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { paperScores } from "../../measures/calibration/paper/design.js";
import type { Weights } from "../../measures/signals/weights.js";
import { levelRows, regimeRows, sigmaRow } from "../signal/measure-signals.js";
import type { LevelRow, RegimeRow, SigmaRow } from "../signal/result.js";
import { measuredColumns } from "../signal/signals.js";
import type { StepResults } from "./build-replicate.js";
import type { ReplicateStep } from "./result.js";

/** Another reading of a printed number. */
export interface Beside {
  what: string;
  estimate: Estimate;
}

/** Where our value of a printed number comes from. */
export interface Accessor {
  step: ReplicateStep;
  /** Called only where the step was done. */
  find: (results: StepResults) => Found;
  beside?: (results: StepResults) => Beside;
}

export type Accessors = Record<string, Accessor>;

/** Accessors of one step, that are given what it found. */
export function accessors<S extends ReplicateStep>(
  step: S,
  found: Record<string, (result: NonNullable<StepResults[S]>) => Found>,
  beside: Record<string, (result: NonNullable<StepResults[S]>) => Beside> = {},
): Accessors {
  const of = (results: StepResults) => results[step] as NonNullable<StepResults[S]>;
  return Object.fromEntries(
    Object.entries(found).map(([id, find]): [string, Accessor] => {
      const other = beside[id];
      return [
        id,
        { step, find: (results) => find(of(results)), ...(other && { beside: (results) => other(of(results)) }) },
      ];
    }),
  );
}

/** A row at a temperature, or why there is none. */
type RowAt<T> = (temperature: number) => T | string;

/** Accessors of numbers that the paper prints for the four temperatures of its sweep. */
export function perTemperature<R, T extends object>(
  prefix: string,
  fields: Record<string, (row: T) => Found>,
  rowsOf: (result: R) => RowAt<T>,
): Record<string, (result: R) => Found> {
  return Object.fromEntries(
    TEMPERATURES.flatMap((temperature) =>
      Object.entries(fields).map(([field, find]) => [
        `${prefix}.${temperature}.${field}`,
        (result: R) => {
          const row = rowsOf(result)(temperature);
          return typeof row === "string" ? undefinedEstimate(row) : find(row);
        },
      ]),
    ),
  );
}

/** The row of a temperature. */
export function at<T extends { temperature: number | null }>(
  rows: readonly T[],
  temperature: number,
  otherwise?: string | null,
): T | string {
  const found = rows.find((row) => row.temperature === temperature);
  return found ?? otherwise ?? `nothing was audited at T = ${temperature}`;
}

export const TEMPERATURES = [0.1, 0.3, 0.7, 1] as const;

/** A count as it is. */
export function counted(plain: number): Found {
  return { plain, n: plain };
}

/** k of n as a count, with the interval of the share. */
export function asCount(share: Estimate, n: number): Found {
  if (share.estimate === null) return share;
  const { cluster: _, k: __, ...rest } = share;
  return { ...rest, estimate: share.estimate * n, lower: share.lower * n, upper: share.upper * n, n };
}

/** |x| of an estimate; an interval across 0 begins there. */
export function absolute(estimate: Estimate): Estimate {
  if (estimate.estimate === null) return estimate;
  const [low, high] = [Math.abs(estimate.lower), Math.abs(estimate.upper)].sort((a, b) => a - b) as [number, number];
  const lower = estimate.lower < 0 && estimate.upper > 0 ? 0 : low;
  return { ...estimate, estimate: Math.abs(estimate.estimate), lower, upper: high };
}

/** A number that has no interval: a count, or an error measured in a single community. */
interface Plain {
  plain: number;
  n: number;
}

/** Our value of something that the paper prints. */
export type Found = Estimate | Plain;

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
