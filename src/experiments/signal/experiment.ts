import { type AuditTable, openAuditTable } from "../../analysis/audit-table.js";
import { communityCount } from "../../analysis/labels/judgements.js";
import { readDecisionIds } from "../../analysis/score-table.js";
import { armSizes, readSignalColumns, SIGNAL_COLUMNS, type SignalColumns } from "../../analysis/signal-columns.js";
import { readWeights } from "../../app/audit/run-tools.js";
import type { AuditsPlace } from "../../app/find-audits.js";
import { loadScores } from "../../app/report/choose-target.js";
import { InputError } from "../../core/errors.js";
import { paperScores } from "../../measures/calibration/paper/design.js";
import { EQUAL_WEIGHTS } from "../../measures/signals/components.js";
import type { Weights } from "../../measures/signals/weights.js";
import type { Context } from "../../store/context.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { fileStores } from "../../store/files/stores.js";
import { auditorNotes, keepResult, referencePlaces } from "../audits.js";
import type { Analysis } from "../slice.js";
import { heldOutRow } from "../study/calibration-table.js";
import { drawing, type Step, withRun } from "../study/run/step.js";
import { signalDocument } from "./document.js";
import {
  levelRows,
  measureSignals,
  readSignalRun,
  regimeRows,
  type SignalReading,
  samplingComparisons,
  sigmaRow,
  sigmaRows,
  spanOf,
} from "./measure-signals.js";
import type { LevelRow, RegimeRow, SamplingComparison, SigmaRow, SignalExperiment } from "./result.js";
import { compareDraws } from "./sampling.js";
import { signalFigures } from "./signal-figures.js";
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

function temperatureOf(arm: string): number | null {
  const match = /^t=([0-9.]+)$/.exec(arm);
  return match ? Number(match[1]) : null;
}

async function plainSigmaRow(table: AuditTable, name: string): Promise<SigmaRow> {
  const columns = await readSignalColumns(table, "");
  const temperature = columns.temperature.find((t) => !Number.isNaN(t)) ?? null;
  return sigmaRow({ name, temperature }, columns);
}

/** Signals in disagreements against agreements of decider and person. The weights of S need not be those of the run. */
async function regimesOf(table: AuditTable, weights: Weights | null): Promise<RegimeRow[]> {
  const columns = await readSignalColumns(table, "");
  const fitted = weights ? { ...columns, pds: paperScores(columns, weights) } : columns;
  return regimeRows(measuredColumns(fitted, null), {});
}

export interface SignalRequest {
  /** The first provides the tables; others add rows of σ(ρ), and samples for comparison. */
  places: readonly [AuditsPlace, ...AuditsPlace[]];
  /** null: a file, without references or the decider's confidence. */
  context: Context | null;
}

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
  // Rows keep their order, since columns that are read separately must match.
  return withDuckDB(async (db) =>
    work(await openAuditTable(db, place.source, { actions: place.actions, also: SIGNAL_COLUMNS })),
  );
}

async function readMain(
  place: AuditsPlace,
  { context, places }: SignalRequest,
  paired: boolean,
): Promise<{ inputs: SignalInputs; drawn: Drawn | null }> {
  const { manifest, label } = place;
  return withTable(place, async (table) => {
    const reading = await readSignalRun(table, context && (await referencePlaces(context, place)));
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

/** Level probabilities of an arm's decisions, by decision, and the number of draws behind them (0 if they were read). */
interface Drawn {
  ids: string[];
  p1: Float64Array;
  p2: Float64Array;
  p3: Float64Array;
  unitSpace: Uint8Array;
  samples: Float64Array;
  temperature: number | null;
}

async function readDrawn(table: AuditTable, arm: string, columns: SignalColumns): Promise<Drawn> {
  const { p1, p2, p3, unitSpace, samples, temperature } = columns;
  const [first] = temperature;
  const one = first !== undefined && temperature.every((t) => t === first);
  const ids = await readDecisionIds(table, { arm });
  return { ids, p1, p2, p3, unitSpace, samples, temperature: one ? first : null };
}

/** Compares the two on their shared decisions, if the probabilities of one were read and those of the other drawn. */
function pairDraws(name: string, a: Drawn, b: Drawn): SamplingComparison | null {
  const isDrawn = ({ samples }: Drawn) => samples.some((one) => one >= 2);
  if (isDrawn(a) === isDrawn(b)) return null;
  const [read, drawn] = isDrawn(a) ? [b, a] : [a, b];
  const at = new Map(drawn.ids.map((id, i) => [id, i]));
  const rows = read.ids.flatMap((id, i) => (at.has(id) ? [[i, at.get(id)!] as const] : []));
  const pick = (column: Float64Array, side: 0 | 1) => Float64Array.from(rows, (row) => column[row[side]]!);
  return compareDraws(name, {
    p1: pick(read.p1, 0),
    p2: pick(read.p2, 0),
    p3: pick(read.p3, 0),
    unitSpace: Uint8Array.from(rows, ([row]) => read.unitSpace[row]!),
    drawn: pick(drawn.p3, 1),
    draws: pick(drawn.samples, 1),
    temperature: drawn.temperature,
  });
}

export interface SignalInputs extends SignalReading {
  source: Omit<SignalExperiment["source"], "arm">;
  runs: string[];
  temperatures: SigmaRow[];
  sampling: SamplingComparison[];
  /** The weights of S were fitted. */
  calibrated: boolean;
}

/** Computes every table of the experiment from columns already read. */
export function signalExperiment(inputs: SignalInputs): SignalExperiment {
  const { columns, references, sampling, arm } = inputs;
  const { n, level, agrees } = columns;
  const signals = measureSignals(columns, references);
  const agreement = regimeRows(columns, inputs.spread);
  const count = (column: Uint8Array, value: number) => column.reduce((sum, one) => sum + (one === value ? 1 : 0), 0);
  return {
    format: 1,
    experiment: "signal",
    runs: inputs.runs,
    source: { ...inputs.source, arm: arm.arm },
    counts: {
      verdicts: n,
      communities: columns.communities.length,
      labelled: n - count(agrees, 2),
      disagreements: count(agrees, 0),
      indefensible: count(level, 3),
      replicated: arm.replicated,
    },
    references: references.map((one) => ({
      name: one.name,
      n: n - count(one.level, 0),
      indefensible: count(one.level, 3),
      ...(one.under && { under: one.under }),
    })),
    signals,
    levels: levelRows(columns),
    temperatures: inputs.temperatures,
    agreement,
    output_confidence: {
      agree: spanOf(columns.outputConfidence, agrees, 1),
      disagree: spanOf(columns.outputConfidence, agrees, 0),
    },
    sampling:
      sampling.length > 0
        ? { available: true, comparisons: sampling }
        : {
            available: false,
            reason: arm.sampled
              ? `each audit is made of several draws (signal \`sampling\`): its level is what most of them gave and its probabilities are their shares, so that ${arm.replicated > 0 ? "its replicates are no single draws, and " : ""}there is no pass with probabilities to compare; give a run with signal \`logprobs\` of the same decisions in addition`
              : "no decision was audited four times or more, and no run with signal `sampling` of the same decisions was given",
          },
    figures: signalFigures({ columns, signals, agreement, sampling, calibrated: inputs.calibrated }),
    warnings: warningsOf(inputs, signals),
  };
}

function warningsOf(
  { source, calibrated, references, arm }: SignalInputs,
  signals: SignalExperiment["signals"],
): string[] {
  const warnings = auditorNotes([source.auditor]);
  if (signals.find(({ signal }) => signal === "pds")!.n === 0) warnings.push("no verdict has S");
  else if (!calibrated) warnings.push("S has weights that were not fitted to this auditor");
  if (references.length === 0) {
    warnings.push(
      "only the auditor says which decisions are indefensible, so that every AUROC is against the level of the same answer",
    );
  }
  const areas = signals.flatMap(({ auroc }) => [auroc.own_level, ...Object.values(auroc.references)]);
  if (areas.some((area) => area.estimate !== null && area.warnings)) {
    warnings.push(
      "some AUROCs have no interval over communities: the one given treats decisions as independent and is usually too narrow",
    );
  }
  if (arm.arm !== "") warnings.push(`the run has no plain arm: the tables are of arm ${arm.arm}`);
  return warnings;
}
