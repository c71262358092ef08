import { type AuditTable, openAuditTable } from "../../analysis/audit-table.js";
import { type ArmCount, countArms, EVIDENCE_COLUMNS, readEvidence } from "../../analysis/gate/evidence.js";
import { TARGETS } from "../../analysis/labels/targets.js";
import { readDecisionIds, readScoreColumns, SCORE_COLUMNS } from "../../analysis/score-table.js";
import type { CalibrationEvidence, CalibrationTarget } from "../../core/calibration.js";
import type { TemperatureRow } from "../../measures/calibration/candidate-result.js";
import { evaluateScore } from "../../measures/calibration/errors/evaluate-score.js";
import { defensibleTargets, paperScores } from "../../measures/calibration/paper/design.js";
import type { ScoreColumns } from "../../measures/calibration/score-columns.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import type { AuditsPlace } from "../find-audits.js";
import { chooseTarget, type TargetNote, type TargetPlaces, type TargetRequest } from "../report/choose-target.js";
import type { SignalWeights } from "./evaluate-calibration.js";

/** P(defensible) of an arm's rows by models that did not see their decisions; null: S alone is measured. */
type ArmScores = ((arm: LoadedArm) => Float64Array) | null;

/** One row a temperature, coldest first; none where there is only one. @see paper Table "Held-out ECE" */
export function temperatureRows(
  { main, temperatures }: LoadedScores,
  weights: SignalWeights,
  scoreArm: ArmScores,
  settings: { seed: number; draws: number },
): TemperatureRow[] {
  if (temperatures.length === 0) return [];
  const arms = [main, ...temperatures].sort((a, b) => (a.temperature ?? -1) - (b.temperature ?? -1));
  return arms.map((arm) => temperatureRow(arm, weights, scoreArm?.(arm) ?? null, settings));
}

function temperatureRow(
  { arm, temperature, attempted, columns }: LoadedArm,
  weights: SignalWeights,
  score: Float64Array | null,
  { seed, draws }: { seed: number; draws: number },
): TemperatureRow {
  const y = defensibleTargets(columns.targetLevel ?? new Uint8Array(columns.n));
  const s = paperScores(columns, weights);
  const options = { seed, draws, weights: columns.targetWeight };
  const pds = evaluateScore(s, y, options);
  const own = score ? evaluateScore(score, y, options) : null;
  let extracted = 0;
  for (const score of s) if (!Number.isNaN(score)) extracted++;
  return {
    arm,
    temperature,
    n: pds.n,
    skipped: attempted - extracted,
    extraction_rate: attempted === 0 ? null : extracted / attempted,
    ece: pds.ece.equal_frequency.value,
    ece_null_95: pds.ece.equal_frequency.null_95,
    mean_pds: pds.mean_score,
    defensible_rate: defensibleRate(s, y, columns.targetWeight),
    calibrated: own && {
      ece: own.ece.equal_frequency.value,
      ece_null_95: own.ece.equal_frequency.null_95,
      log_loss: own.log_loss.value,
    },
  };
}

/** Share of defensible targets among the rows with S, weighted as they were drawn. */
function defensibleRate(s: Float64Array, y: Uint8Array, weights: Float64Array | undefined): number | null {
  let [defensible, all] = [0, 0];
  for (let i = 0; i < y.length; i += 1) {
    if (Number.isNaN(s[i]!) || y[i]! > 1) continue;
    const w = weights ? weights[i]! : 1;
    defensible += w * y[i]!;
    all += w;
  }
  return all === 0 ? null : defensible / all;
}

/** One temperature (or the main rows): counts of all audits, and the verdicts as columns. */
export interface LoadedArm extends ArmCount {
  columns: ScoreColumns;
  /** The decision of each row, where it was asked for or several arms have the same decisions. */
  ids?: string[];
}

export interface LoadedScores {
  label: string;
  evidence: CalibrationEvidence;
  target: CalibrationTarget;
  notes: TargetNote[];
  main: LoadedArm;
  /** Arms `t=…`: the same decisions at other temperatures. */
  temperatures: LoadedArm[];
}

/** Opens audits with everything a calibration reads. */
export async function withScoreTable<T>(place: AuditsPlace, work: (table: AuditTable) => Promise<T>): Promise<T> {
  // Rows keep their order: what depends on it (ties in bins) must be the same every time.
  return withDuckDB(async (db) => {
    const also = place.manifest ? SCORE_COLUMNS : [...SCORE_COLUMNS, ...EVIDENCE_COLUMNS];
    return work(await openAuditTable(db, place.source, { actions: place.actions, also }));
  });
}

/** Reads audits as columns with their target. Null: no one said anything about any of them. */
export async function loadScores(
  place: AuditsPlace,
  request: TargetRequest,
  places: TargetPlaces,
  { ids = false }: { ids?: boolean } = {},
): Promise<LoadedScores | null> {
  return withScoreTable(place, async (table) => {
    const chosen = await chooseTarget(table, request, {
      ...places,
      runId: place.manifest?.run_id ?? places.runId ?? null,
    });
    if (!chosen) return null;
    const targets = chosen.target.kind === "self" ? undefined : TARGETS;
    const arms: LoadedArm[] = [];
    const counts = await countArms(table);
    const withIds = ids || counts.length > 1;
    for (const arm of counts) {
      const columns = await readScoreColumns(table, { arm: arm.arm, targets });
      // The circle of the paper: the level that the same answer gave.
      if (!targets) columns.targetLevel = columns.level;
      arms.push({ ...arm, columns, ...(withIds && { ids: await readDecisionIds(table, { arm: arm.arm }) }) });
    }
    const main = arms.find(({ arm }) => arm === "")!;
    return {
      label: place.label,
      evidence: await evidenceOf(place, table),
      target: targets ? chosen.target : ownTarget(chosen.target, main.columns),
      notes: chosen.notes,
      main,
      temperatures: arms.filter(({ arm }) => arm !== ""),
    };
  });
}

export async function evidenceOf(place: AuditsPlace, table: AuditTable): Promise<CalibrationEvidence> {
  if (!place.manifest) return { run_id: null, ...(await readEvidence(table, place.label)) };
  const { run_id, auditor, auditor_version, prompt_version, template, signal, missing, tier, temperature } =
    place.manifest;
  const asked = { auditor, auditor_version, prompt_version, template, signal, ...(missing ? { missing } : {}) };
  return { run_id, ...asked, tier, temperature };
}

function ownTarget(target: CalibrationTarget, { n, level }: ScoreColumns): CalibrationTarget {
  let indefensible = 0;
  for (const one of level) if (one === 3) indefensible++;
  return { ...target, n, indefensible };
}
