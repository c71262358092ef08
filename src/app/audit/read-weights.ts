import { readFileSync } from "node:fs";
import { weightsSchema } from "../../core/calibration.js";
import { InputError } from "../../core/errors.js";
import { type CalibratedWith, calibrationFits } from "../../measures/calibration/calibration-model.js";
import { EQUAL_WEIGHTS, parseWeights, type Weights } from "../../measures/signals/weights.js";
import type { Workspace } from "../../store/files/workspace.js";

export interface WorkspaceWeights {
  weights: Weights;
  /** Why they are not those of the file, or not known to suit; null: there is nothing to say. */
  notice: string | null;
}

/**
 * Weights of S for audits of this kind. A file that says whose audits it was fitted on counts for audits of the same auditor, version, prompt,
 * template, signal mode and mode for missing labels; others get equal weights. One that does not say so (the paper's own form) was put
 * there by somebody who wants these weights: they are used, and the audits are flagged `uncalibrated`, since nobody knows whom they suit.
 */
export function weightsFor(workspace: Workspace, audits: CalibratedWith): WorkspaceWeights {
  const file = readWeights(workspace);
  if (!file) return { weights: EQUAL_WEIGHTS, notice: null };
  if (!file.fittedOn) {
    return {
      weights: { ...file.weights, calibrated: false, provenance: "unknown" },
      notice:
        "pds_weights.json does not say which auditor its weights were fitted for: S is computed with them, and audits are flagged uncalibrated. `defensible calibrate --method paper` fits them to a run.",
    };
  }
  const mismatches = calibrationFits({ evidence: file.fittedOn }, audits);
  if (mismatches.length === 0) return { weights: { ...file.weights, provenance: "fitted" }, notice: null };
  return {
    weights: EQUAL_WEIGHTS,
    notice: `The weights of S in pds_weights.json belong to other audits (${mismatches.join("; ")}): S gets equal weights, and audits are flagged uncalibrated. \`defensible calibrate --method paper\` fits them to this auditor once it has audited.`,
  };
}

/** The workspace's weights file, whoever it was fitted for. Null: there is none; a file that cannot be read is an error. */
export function readWeights(workspace: Workspace): { weights: Weights; fittedOn: CalibratedWith | null } | null {
  const path = workspace.paths.weights;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new InputError(
      "unreadable_weights",
      `${path}: cannot be read (${(cause as Error).message})`,
      "Make it readable, or delete it for equal weights.",
    );
  }
  let json: unknown;
  try {
    json = JSON.parse(text.replace(/^\ufeff/, ""));
  } catch {
    throw new InputError("bad_weights", `${path}: not JSON`, "Restore it, or delete it for equal weights.");
  }
  return { weights: parseWeights(json), fittedOn: weightsSchema.parse(json).fitted_on ?? null };
}
