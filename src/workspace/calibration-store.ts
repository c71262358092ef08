import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type CalibratedWith, calibrationFits } from "../calibration/calibration-fits.js";
import { type NewCalibration, type StoredCalibration, storedCalibrationSchema } from "../domain/calibration.js";
import { InputError } from "../errors.js";
import { fileError, writeFileAtomic } from "../ledger/files.js";
import type { Workspace } from "./workspace.js";

const ID = /^\d{8}T\d{6}Z-[0-9a-f]{4,}$/;

/** Every calibration, newest first. One that cannot be understood is an error: the one before it must not quietly take its place. */
export function listCalibrations(workspace: Workspace): StoredCalibration[] {
  return ids(workspace)
    .map((id) => readFile(pathOf(workspace, id)))
    .sort((a, b) => compare(b.created_at, a.created_at) || compare(b.calibration_id, a.calibration_id));
}

/** A calibration by its id, the unmistakable beginning of one, or the name it was given (then the newest of that name). */
export function readCalibration(workspace: Workspace, idOrName: string): StoredCalibration {
  const known = ids(workspace);
  if (known.includes(idOrName)) return readFile(pathOf(workspace, idOrName));
  const named = listCalibrations(workspace).find((calibration) => calibration.name === idOrName);
  if (named) return named;
  const begun = idOrName ? known.filter((id) => id.startsWith(idOrName)) : [];
  if (begun.length === 1) return readFile(pathOf(workspace, begun[0]!));
  const several = begun.length > 1;
  throw new InputError(
    "unknown_calibration",
    several
      ? `calibration: ${begun.length} ids begin with "${idOrName}": ${begun.slice(0, 5).join(", ")}`
      : `calibration: there is no "${idOrName}"`,
    several
      ? "Write more of the id."
      : known.length
        ? "`defensible calibrate list` shows what there is."
        : "Make one with `defensible calibrate`.",
  );
}

/** A calibration with its id: time, and the beginning of a hash of its content. */
export function identified(
  calibration: NewCalibration,
  isTaken: (id: string) => boolean = () => false,
): StoredCalibration {
  const stamp = calibration.created_at.replace(/[-:]|\.\d+/g, "");
  const hash = createHash("sha256").update(JSON.stringify(calibration)).digest("hex");
  // Two of one second and one beginning of a hash are told apart by more of it.
  let length = 4;
  while (length < hash.length && isTaken(`${stamp}-${hash.slice(0, length)}`)) length += 4;
  return storedCalibrationSchema.parse({
    format: 1,
    calibration_id: `${stamp}-${hash.slice(0, length)}`,
    ...calibration,
  });
}

/** Keeps a calibration under a new id and returns it with that id. */
export function writeCalibration(workspace: Workspace, calibration: NewCalibration): StoredCalibration {
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

/** The newest calibration that gives a probability and was fitted on audits like these; null: there is none. */
export function newestFitting(workspace: Workspace, evidence: CalibratedWith): StoredCalibration | null {
  return (
    listCalibrations(workspace).find(
      (calibration) => calibration.model && calibrationFits(calibration, evidence).length === 0,
    ) ?? null
  );
}

/** A calibration that is kept in a file of its own. */
export function readCalibrationFile(path: string): StoredCalibration {
  return readFile(path);
}

export function calibrationPath(workspace: Workspace, calibration: StoredCalibration): string {
  return pathOf(workspace, calibration.calibration_id);
}

function ids(workspace: Workspace): string[] {
  const { calibrations } = workspace.paths;
  if (!existsSync(calibrations)) return [];
  try {
    return readdirSync(calibrations)
      .filter((file) => file.endsWith(".json"))
      .map((file) => file.slice(0, -".json".length))
      .filter((id) => ID.test(id))
      .sort();
  } catch (cause) {
    throw fileError(cause, calibrations);
  }
}

function pathOf(workspace: Workspace, id: string): string {
  return join(workspace.paths.calibrations, `${id}.json`);
}

function readFile(path: string): StoredCalibration {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw fileError(cause, path);
  }
  try {
    return storedCalibrationSchema.parse(JSON.parse(text));
  } catch {
    throw new InputError(
      "bad_calibration",
      `${path}: not a calibration`,
      "Restore the file, or delete it and calibrate again.",
    );
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
