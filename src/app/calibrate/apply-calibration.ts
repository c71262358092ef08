import { type ApplyCounts, applyToAudits, applyToFile } from "../../analysis/apply-calibration.js";
import type { AuditTable } from "../../analysis/audit-table.js";
import type { ExportFormat } from "../../analysis/export.js";
import { readScoreColumns } from "../../analysis/score-table.js";
import type { StoredCalibration } from "../../core/calibration.js";
import { MODERATION_ACTIONS } from "../../core/records/actions.js";
import { type CalibrationModel, calibrationFits } from "../../measures/calibration/calibration-model.js";
import { deployedPrior, withPrior } from "../../measures/calibration/compile-calibration.js";
import type { Context } from "../../store/context.js";
import { findAudits, type NamedAudits } from "../find-audits.js";
import { refuse } from "./fit-calibration.js";
import { evidenceOf, withScoreTable } from "./load-scores.js";

export interface ApplyRequest {
  calibration: StoredCalibration;
  audits: NamedAudits;
  /** Where the audits are written with their probability. */
  out: { path: string; format: ExportFormat };
  /** Correct for another mix of levels in these audits, estimated from them. */
  shiftPrior: boolean;
  /** Apply it to audits of another kind too; they are flagged. */
  force: boolean;
}

export interface Applied extends ApplyCounts {
  /** "run X" or the name of a file. */
  label: string;
  /** What in these audits is not as where the calibration was fitted. */
  mismatches: string[];
  /** Shares of the levels where it was fitted and here, where it was corrected for them. */
  prior: { fitted: number[]; deployed: number[] } | null;
}

/** Writes audits with the probability that a calibration gives them. */
export async function applyCalibration(context: Context | null, request: ApplyRequest): Promise<Applied> {
  const { calibration, out } = request;
  const { calibration_id } = calibration;
  const model = modelOf(calibration);
  const place = await findAudits(context?.runs ?? null, request.audits);
  return withScoreTable(place, async (table) => {
    const mismatches = calibrationFits(calibration, await evidenceOf(place, table));
    const foreign = mismatches.length > 0;
    if (foreign && !request.force) {
      refuse({ code: "foreign_calibration", calibration_id, label: place.label, mismatches });
    }
    const shifted = request.shiftPrior ? await shift(table, model, calibration) : null;
    const applied = { calibration_id, model: shifted?.model ?? model, foreign };
    const counts =
      place.manifest && context
        ? await applyToAudits(
            context.runs.audits(place.manifest.run_id),
            applied,
            place.actions ?? MODERATION_ACTIONS,
            out,
          )
        : await applyToFile(table, place.source, applied, out);
    return { label: place.label, ...counts, mismatches, prior: shifted?.prior ?? null };
  });
}

function modelOf({ model, calibration_id, method }: StoredCalibration): CalibrationModel {
  if (model) return model as CalibrationModel;
  refuse({ code: "no_model", calibration_id, method });
}

type Shift = { model: CalibrationModel; prior: { fitted: number[]; deployed: number[] } };

/** The model corrected for the mix of levels among these audits. */
async function shift(table: AuditTable, model: CalibrationModel, calibration: StoredCalibration): Promise<Shift> {
  const fitted = calibration.fitted_prior;
  if (model.kind === "pds" || !fitted || fitted.length !== 3) refuse({ code: "no_prior" });
  const estimated = deployedPrior(model, await readScoreColumns(table), fitted);
  if (!estimated) refuse({ code: "no_signal" });
  const [first, second, third] = fitted as [number, number, number];
  const shares = estimated.prior.length === 2 ? [first + second, third] : fitted;
  const prior = { fitted: shares, deployed: estimated.prior };
  return { model: withPrior(model, prior), prior };
}
