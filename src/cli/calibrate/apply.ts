import { existsSync } from "node:fs";
import { type AppliedCalibration, applyToAudits, applyToFile } from "../../analysis/apply-calibration.js";
import type { AuditTable } from "../../analysis/audit-table.js";
import { readScoreColumns } from "../../analysis/score-table.js";
import { evidenceOf, withScoreTable } from "../../app/calibrate/load-scores.js";
import type { StoredCalibration } from "../../core/calibration.js";
import { InputError } from "../../core/errors.js";
import { MODERATION_ACTIONS } from "../../core/records/actions.js";
import { type CalibrationModel, calibrationFits } from "../../measures/calibration/calibration-model.js";
import { deployedPrior, withPrior } from "../../measures/calibration/deployed-prior.js";
import { percent, plural, whole } from "../../present/words/numbers.js";
import { readCalibration, readCalibrationFile } from "../../store/files/calibration-store.js";
import { fileStores } from "../../store/files/stores.js";
import type { Workspace } from "../../store/files/workspace.js";
import { printable } from "../../text/printable.js";
import { print, printJson, say } from "../output.js";
import { type AuditsOptions, auditsOf, dataFile, workspaceFor } from "./request.js";

interface ApplyOptions extends AuditsOptions {
  out: string;
  shiftPrior?: boolean;
  force?: boolean;
}

export async function applyAction(name: string, options: ApplyOptions): Promise<void> {
  const workspace = await workspaceFor(options);
  const calibration = find(workspace, name);
  const model = modelOf(calibration);
  const out = dataFile(options.out);
  const place = await auditsOf(workspace, options);
  const result = await withScoreTable(place, async (table) => {
    const mismatches = calibrationFits(calibration, await evidenceOf(place, table));
    if (mismatches.length > 0 && !options.force) {
      throw new InputError(
        "foreign_calibration",
        `calibration ${calibration.calibration_id} does not fit ${place.label}: ${mismatches.join("; ")}`,
        "Calibrate on audits like these. --force applies it all the same and flags every audit `foreign_calibration`.",
      );
    }
    for (const mismatch of mismatches) say(`Forced, although ${printable(mismatch, 300)}.`);
    const shifted = options.shiftPrior ? await shift(table, model, calibration) : null;
    const applied: AppliedCalibration = {
      calibration_id: calibration.calibration_id,
      model: shifted?.model ?? model,
      foreign: mismatches.length > 0,
    };
    const counts =
      place.manifest && workspace
        ? await applyToAudits(
            fileStores(workspace).runs.audits(place.manifest.run_id),
            applied,
            place.actions ?? MODERATION_ACTIONS,
            out,
          )
        : await applyToFile(table, place.source, applied, out);
    return { ...counts, mismatches, prior: shifted?.prior ?? null };
  });
  const told = { calibration_id: calibration.calibration_id, audits: place.label, out: options.out, ...result };
  if (printJson(told, options)) return;
  if (result.prior) {
    print(
      `Corrected for the mix of levels in ${printable(place.label)}: level 3 is ${percent(result.prior.deployed.at(-1)!)} there, ${percent(result.prior.fitted.at(-1)!)} where the calibration was fitted.`,
    );
  }
  print(
    `Wrote ${plural(result.rows, "audit")} of ${printable(place.label)} to ${printable(options.out)}, ${whole(result.calibrated)} with p_calibrated from ${printable(calibration.calibration_id)}.`,
  );
  if (result.calibrated < result.rows) {
    print(
      `${plural(result.rows - result.calibrated, "audit")} had no verdict or lacked a signal the calibration needs.`,
    );
  }
}

function find(workspace: Workspace | null, name: string): StoredCalibration {
  if (/\.json$/i.test(name) && existsSync(name)) return readCalibrationFile(name);
  if (workspace) return readCalibration(workspace, name);
  throw new InputError(
    "needs_workspace",
    `calibration: "${name}" is no file, and with --audits alone there is no workspace to look in`,
    "Name a file that `defensible calibrate --out` wrote, or add --workspace DIR.",
  );
}

function modelOf(calibration: StoredCalibration): CalibrationModel {
  if (calibration.model) return calibration.model as CalibrationModel;
  throw new InputError(
    "no_model",
    `calibration ${calibration.calibration_id}: method ${calibration.method} fits the weights of S, which is no probability; there is nothing to apply`,
    "New audits use the weights in pds_weights.json. For a probability: `defensible calibrate --method auto`.",
  );
}

type Shift = { model: CalibrationModel; prior: { fitted: number[]; deployed: number[] } };

/** The model corrected for the mix of levels among these audits. */
async function shift(table: AuditTable, model: CalibrationModel, calibration: StoredCalibration): Promise<Shift> {
  const fitted = calibration.fitted_prior;
  if (model.kind === "pds" || !fitted || fitted.length !== 3) {
    throw new InputError(
      "no_prior",
      "--shift-prior: this calibration does not say which mix it was fitted on",
      "Calibrate again.",
    );
  }
  const estimated = deployedPrior(model, await readScoreColumns(table), fitted);
  if (!estimated) {
    throw new InputError("no_signal", "--shift-prior: no audit has the signals to estimate the mix of levels from");
  }
  const [first, second, third] = fitted as [number, number, number];
  const shares = estimated.prior.length === 2 ? [first + second, third] : fitted;
  const prior = { fitted: shares, deployed: estimated.prior };
  return { model: withPrior(model, prior), prior };
}
