import type { AuditTable } from "../../analysis/audit-table.js";
import { loadDecisionFields } from "../../analysis/decision-fields.js";
import { loadLabelTargets } from "../../analysis/labels/label-sample.js";
import { TARGETS } from "../../analysis/labels/targets.js";
import { loadTrueVerdicts, TRUE_VERDICTS } from "../../analysis/labels/true-verdicts.js";
import { readReplicates } from "../../analysis/replicate-columns.js";
import {
  type ArmSize,
  armSizes,
  makeReplicateSpread,
  readBeside,
  readSignalColumns,
  type SignalColumns,
} from "../../analysis/signal-columns.js";
import type { DecisionFiles } from "../../store/ports.js";
import type { ReferencePlaces } from "../audits.js";
import { type Reference, type ReplicateSpread, sigmaRow } from "./measure-signals.js";
import type { SamplingComparison, SigmaRow, SignalName } from "./result.js";
import { compareSampling, LEAST_REPLICATES } from "./sampling.js";
import { type MeasuredColumns, measuredColumns } from "./signals.js";

/** Everything the tables are made from, of the arm that analysis is about. */
export interface SignalReading {
  arm: ArmSize;
  columns: MeasuredColumns;
  references: Reference[];
  spread: ReplicateSpread;
}

/** The plain arm; where a run has none, its coldest temperature, else its first arm. */
export async function readSignalRun(table: AuditTable, places: ReferencePlaces | null): Promise<SignalReading | null> {
  const [arm] = await armSizes(table);
  if (!arm) return null;
  const columns = await readSignalColumns(table, arm.arm);
  const confidence = places ? await deciderConfidence(table, columns, arm.arm, places.decisions) : null;
  return {
    arm,
    columns: measuredColumns(columns, confidence),
    references: places ? await readReferences(table, columns, arm.arm, places) : [],
    spread: arm.replicated > 0 ? await replicateSpread(table, columns, arm.arm) : {},
  };
}

async function deciderConfidence(
  table: AuditTable,
  columns: Parameters<typeof readBeside>[1],
  arm: string,
  decisions: DecisionFiles,
): Promise<Float64Array> {
  await loadDecisionFields(table, decisions, ["decider.confidence"]);
  const value = `CASE WHEN TRY_CAST(b."decider.confidence" AS DOUBLE) BETWEEN 0 AND 1 THEN TRY_CAST(b."decider.confidence" AS DOUBLE) END`;
  return readBeside(table, columns, arm, "decision_fields", value);
}

const SPREAD = [
  "pds",
  "p_defensible",
  "inverse_yes_prob",
  "h_weight_bits",
  "h_citation_bits",
  "output_confidence",
] as const satisfies readonly SignalName[];

async function replicateSpread(
  table: AuditTable,
  columns: Parameters<typeof readBeside>[1],
  arm: string,
): Promise<ReplicateSpread> {
  await makeReplicateSpread(table, arm);
  const spread: ReplicateSpread = {};
  for (const name of SPREAD) spread[name] = await readBeside(table, columns, arm, "replicate_spread", `b.${name}`);
  return spread;
}

/** A row of the table of σ(ρ) for the plain arm and for each temperature of a run. */
export async function sigmaRows(table: AuditTable, label: string): Promise<SigmaRow[]> {
  const rows: SigmaRow[] = [];
  for (const { arm } of await armSizes(table)) {
    if (arm !== "" && !/^t=[0-9.]+$/.test(arm)) continue;
    const columns = await readSignalColumns(table, arm);
    const temperature = arm === "" ? columns.temperature.find((t) => !Number.isNaN(t)) : Number(arm.slice(2));
    const name = arm === "" ? label : `${label}, ${arm}`;
    rows.push(sigmaRow({ name, temperature: temperature ?? null }, columns));
  }
  return rows;
}

/** Probabilities against frequencies, for each arm whose decisions were audited often enough. */
export async function samplingComparisons(table: AuditTable, label: string): Promise<SamplingComparison[]> {
  const found: SamplingComparison[] = [];
  for (const { arm, most, sampled } of await armSizes(table)) {
    // A level that most of several draws gave is no draw.
    if (sampled || most < LEAST_REPLICATES || (arm !== "" && !/^t=[0-9.]+$/.test(arm))) continue;
    const replicates = await readReplicates(table, arm, LEAST_REPLICATES);
    if (replicates.decisions < 2) continue;
    found.push(compareSampling(arm === "" ? label : `${label}, ${arm}`, replicates));
  }
  return found;
}

/** What else says whether the decisions of these rows are defensible: truth or gold, people, another auditor. */
async function readReferences(
  table: AuditTable,
  columns: SignalColumns,
  arm: string,
  places: ReferencePlaces,
): Promise<Reference[]> {
  const found: Reference[] = [];
  const add = async (name: string, relation: string, under: string[] = []) => {
    const level = Uint8Array.from(await readBeside(table, columns, arm, relation, "b.level"), (one) => one || 0);
    if (level.some((one) => one > 0)) found.push({ name, level, ...(under.length > 0 && { under }) });
  };
  const truth = await loadTrueVerdicts(table, places, arm);
  if (truth) await add(truth.kind === "simulation" ? "truth" : "gold", TRUE_VERDICTS, truth.under);
  const { labels, runId } = places;
  if (!labels) return found;
  for (const source of ["human", "gold", "auditor"] as const) {
    if (found.some(({ name }) => name === source)) continue;
    if ((await loadLabelTargets(table, labels, { source, runId })).given > 0) await add(source, TARGETS);
  }
  return found;
}
