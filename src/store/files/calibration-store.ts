import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { NewCalibration, StoredCalibration } from "../../core/calibration.js";
import { DefensibleError, InputError } from "../../core/errors.js";
import { fileError, writeFileAtomic } from "../../io/files.js";
import { CALIBRATION_ID, chosenCalibration, identified, newestFirst, understoodCalibration } from "../calibrations.js";
import type { DamagedCalibration } from "../ports.js";
import type { Workspace } from "./workspace.js";

/** Every calibration, newest first. One that cannot be understood is an error: the one before it must not quietly take its place. */
export function listCalibrations(workspace: Workspace): StoredCalibration[] {
  return ids(workspace)
    .map((id) => readFile(pathOf(workspace, id), id))
    .sort(newestFirst);
}

/** The same for looking at: one that cannot be understood is reported next to the others and hides none of them. */
export function surveyCalibrations(workspace: Workspace): {
  calibrations: StoredCalibration[];
  damaged: DamagedCalibration[];
} {
  const calibrations: StoredCalibration[] = [];
  const damaged: DamagedCalibration[] = [];
  for (const id of ids(workspace)) {
    try {
      calibrations.push(readFile(pathOf(workspace, id), id));
    } catch (cause) {
      if (!(cause instanceof DefensibleError)) throw cause;
      damaged.push({ calibration_id: id, damaged: cause.message });
    }
  }
  return { calibrations: calibrations.sort(newestFirst), damaged };
}

/** A calibration by its id, the unmistakable beginning of one, or the name it was given (then the newest of that name). */
export function readCalibration(workspace: Workspace, idOrName: string): StoredCalibration {
  const id = chosenCalibration(ids(workspace), () => listCalibrations(workspace), idOrName);
  return readFile(pathOf(workspace, id), id);
}

/** Keeps a calibration under a new id and returns it with that id. */
export function writeCalibration(
  workspace: Workspace,
  calibration: NewCalibration | StoredCalibration,
): StoredCalibration {
  const stored = identified(calibration, (id) => existsSync(pathOf(workspace, id)));
  const { calibrations } = workspace.paths;
  try {
    mkdirSync(calibrations, { recursive: true });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "EEXIST") throw fileError(cause, calibrations);
    throw new InputError("not_a_folder", `${calibrations}: is a file, not a folder`, "Move it away.");
  }
  writeFileAtomic(pathOf(workspace, stored.calibration_id), `${JSON.stringify(stored, null, 2)}\n`);
  return stored;
}

/** A calibration that is kept in a file of its own. */
export function readCalibrationFile(path: string): StoredCalibration {
  return readFile(path);
}

export function calibrationPath(workspace: Workspace, calibration: StoredCalibration): string {
  return pathOf(workspace, calibration.calibration_id);
}

/** The weights of S that audits use; null: nothing is there. */
export function readWeights({ paths: { weights } }: Workspace): { text: string; place: string } | null {
  try {
    return { text: readFileSync(weights, "utf8"), place: weights };
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw new InputError(
      "unreadable_weights",
      `${weights}: cannot be read (${(cause as Error).message})`,
      "Make it readable, or delete it for equal weights.",
    );
  }
}

export function writeWeights({ paths }: Workspace, weights: object): string {
  writeFileAtomic(paths.weights, `${JSON.stringify(weights, null, 2)}\n`);
  return paths.weights;
}

function ids(workspace: Workspace): string[] {
  const { calibrations } = workspace.paths;
  if (!existsSync(calibrations)) return [];
  try {
    return readdirSync(calibrations)
      .filter((file) => file.endsWith(".json"))
      .map((file) => file.slice(0, -".json".length))
      .filter((id) => CALIBRATION_ID.test(id))
      .sort();
  } catch (cause) {
    throw fileError(cause, calibrations);
  }
}

function pathOf(workspace: Workspace, id: string): string {
  return join(workspace.paths.calibrations, `${id}.json`);
}

/** `id`: the one that the file must have, by its name. */
function readFile(path: string, id?: string): StoredCalibration {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw fileError(cause, path);
  }
  return understoodCalibration(text, path, id);
}
