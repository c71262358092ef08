import { type AuditTable, openAuditTable } from "../../analysis/audit-table.js";
import { SIGNAL_COLUMNS } from "../../analysis/signal-columns.js";
import type { AuditsPlace } from "../../app/calibrate/load-scores.js";
import { InputError } from "../../core/errors.js";
import type { SamplingComparison, SigmaRow, SignalExperiment } from "../../core/results/signal-experiment.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import type { Workspace } from "../../store/files/workspace.js";
import { referencePlaces } from "../truth-places.js";
import { type Drawn, pairDraws, readDrawn } from "./read-draws.js";
import { readSignalRun, samplingComparisons, sigmaRows } from "./read-run.js";
import { type SignalInputs, signalExperiment } from "./signal-experiment.js";

export interface SignalRequest {
  /** The first is the one that the tables are about; others add rows of σ(ρ), and samples to compare with. */
  places: readonly [AuditsPlace, ...AuditsPlace[]];
  /** Null: a file, without references or the decider's confidence. */
  workspace: Workspace | null;
}

/** Signals against confidence, read from audits. */
export async function runSignal(request: SignalRequest): Promise<SignalExperiment> {
  const [main, ...others] = request.places;
  const { inputs, drawn } = await readMain(main, request, others.length > 0);
  for (const other of others) {
    const more = await readOther(other, drawn && { name: main.label, drawn });
    inputs.temperatures.push(...more.temperatures);
    inputs.sampling.push(...more.sampling);
  }
  return signalExperiment(inputs);
}

function withTable<T>(place: AuditsPlace, work: (table: AuditTable) => Promise<T>): Promise<T> {
  // Rows keep their order: columns that are read apart must fit together.
  return withDuckDB(async (db) =>
    work(await openAuditTable(db, place.source, { actions: place.actions, also: SIGNAL_COLUMNS })),
  );
}

async function readMain(
  place: AuditsPlace,
  { workspace, places }: SignalRequest,
  paired: boolean,
): Promise<{ inputs: SignalInputs; drawn: Drawn | null }> {
  const { manifest, label } = place;
  return withTable(place, async (table) => {
    const reading = await readSignalRun(table, workspace && referencePlaces(workspace));
    if (!reading) {
      throw new InputError("no_verdicts", `${label}: no audit has a verdict`, "Audit some decisions first.");
    }
    const inputs: SignalInputs = {
      ...reading,
      source: {
        name: label,
        run_id: manifest?.run_id ?? null,
        auditor: manifest?.auditor ?? null,
        signal: manifest?.signal ?? null,
      },
      runs: places.flatMap((one) => (one.manifest ? [one.manifest.run_id] : [])).sort(),
      temperatures: await sigmaRows(table, label),
      sampling: await samplingComparisons(table, label),
      calibrated: manifest?.weights.calibrated ?? false,
    };
    return { inputs, drawn: paired ? await readDrawn(table, reading.arm.arm, reading.columns) : null };
  });
}

async function readOther(
  place: AuditsPlace,
  main: { name: string; drawn: Drawn } | null,
): Promise<{ temperatures: SigmaRow[]; sampling: SamplingComparison[] }> {
  return withTable(place, async (table) => {
    const temperatures = await sigmaRows(table, place.label);
    const sampling = await samplingComparisons(table, place.label);
    const reading = main && (await readSignalRun(table, null));
    if (!reading) return { temperatures, sampling };
    const drawn = await readDrawn(table, reading.arm.arm, reading.columns);
    const pair = pairDraws(`${main.name} against ${place.label}`, main.drawn, drawn);
    return { temperatures, sampling: pair ? [...sampling, pair] : sampling };
  });
}
