import { weightsSchema } from "../../core/calibration.js";
import { InputError } from "../../core/errors.js";
import { type CalibratedWith, calibrationFits } from "../../measures/calibration/calibration-model.js";
import { EQUAL_WEIGHTS, parseWeights, type Weights } from "../../measures/signals/weights.js";
import type { CalibrationStore } from "../../store/ports.js";
import type { Notice } from "../notices.js";

export interface WorkspaceWeights {
  weights: Weights;
  /** Why they are not those of the file, or not known to suit; null: there is nothing to say. */
  notice: Notice | null;
}

/**
 * Weights of S for audits of this kind. A file that says whose audits it was fitted on counts for audits of the same auditor, version, prompt,
 * template, signal mode and mode for missing labels; others get equal weights. One that does not say so (the paper's own form) was put
 * there on purpose: they are used, and the audits are flagged `uncalibrated`, since it is not known which audits they suit.
 */
export async function weightsFor(
  calibrations: Pick<CalibrationStore, "weights">,
  audits: CalibratedWith,
): Promise<WorkspaceWeights> {
  const file = await readWeights(calibrations);
  if (!file) return { weights: EQUAL_WEIGHTS, notice: null };
  if (!file.fittedOn) {
    return {
      weights: { ...file.weights, calibrated: false, provenance: "unknown" },
      notice: { code: "weights_of_unknown_audits" },
    };
  }
  const mismatches = calibrationFits({ evidence: file.fittedOn }, audits);
  if (mismatches.length === 0) return { weights: { ...file.weights, provenance: "fitted" }, notice: null };
  return { weights: EQUAL_WEIGHTS, notice: { code: "weights_of_other_audits", differences: mismatches } };
}

/** The weights that are kept, whoever they were fitted for. Null: nothing is there. */
export async function readWeights(
  calibrations: Pick<CalibrationStore, "weights">,
): Promise<{ weights: Weights; fittedOn: CalibratedWith | null } | null> {
  const kept = await calibrations.weights();
  if (kept === null) return null;
  let json: unknown;
  try {
    json = JSON.parse(kept.text.replace(/^\ufeff/, ""));
  } catch {
    throw new InputError("bad_weights", `${kept.place}: not JSON`, "Restore it, or delete it for equal weights.");
  }
  return { weights: parseWeights(json), fittedOn: weightsSchema.parse(json).fitted_on ?? null };
}
