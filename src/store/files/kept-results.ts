import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { NewCalibration, StoredCalibration } from "../../core/calibration.js";
import { DefensibleError, InputError } from "../../core/errors.js";
import { type Cohort, cohortSchema } from "../../core/records/manifest.js";
import type { RatingKey } from "../../experiments/humans/result.js";
import { fileError, writeFileAtomic } from "../../io/files.js";
import { CALIBRATION_ID, chosenCalibration, identified, newestFirst, understoodCalibration } from "../calibrations.js";
import { checkCohortName, unknownCohort } from "../cohorts.js";
import type { DamagedCalibration } from "../ports.js";
import type { Workspace } from "./workspace.js";

/** Every calibration, newest first. An unreadable one is an error, because the previous one must not silently take its place. */
export function listCalibrations(workspace: Workspace): StoredCalibration[] {
  return ids(workspace)
    .map((id) => readFile(pathOf(workspace, id), id))
    .sort(newestFirst);
}

/** The same for display: unreadable ones are reported separately and do not hide the others. */
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

/** A calibration by its id, a unique prefix of one, or its name (the newest of that name). */
export function readCalibration(workspace: Workspace, idOrName: string): StoredCalibration {
  const id = chosenCalibration(ids(workspace), () => listCalibrations(workspace), idOrName);
  return readFile(pathOf(workspace, id), id);
}

/** Stores a calibration under a new id and returns it with that id. */
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

export function readCalibrationFile(path: string): StoredCalibration {
  return readFile(path);
}

export function calibrationPath(workspace: Workspace, calibration: StoredCalibration): string {
  return pathOf(workspace, calibration.calibration_id);
}

/** The weights of S that audits use; null if absent. */
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

/** `id`: the id that the file must contain, according to its name. */
function readFile(path: string, id?: string): StoredCalibration {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw fileError(cause, path);
  }
  return understoodCalibration(text, path, id);
}

/** All cohorts, by name. */
export function listCohorts(workspace: Workspace): Cohort[] {
  const { cohorts } = workspace.paths;
  if (!existsSync(cohorts)) return [];
  const names = readdirSync(cohorts).filter((file) => /^[a-z0-9][a-z0-9_-]*\.json$/.test(file));
  return names.sort().map((file) => readCohort(workspace, file.slice(0, -".json".length)));
}

export function readCohort(workspace: Workspace, name: string): Cohort {
  const cohort = findCohort(workspace, name);
  if (!cohort) throw unknown(workspace, name);
  return cohort;
}

/** null: there is no such cohort. */
export function findCohort(workspace: Workspace, name: string): Cohort | null {
  const path = cohortPath(workspace, name);
  if (!existsSync(path)) return null;
  try {
    return cohortSchema.parse(JSON.parse(readFileSync(path, "utf8")));
  } catch (cause) {
    const known = fileError(cause, path);
    if (known !== cause) throw known;
    throw new InputError(
      "bad_cohort",
      `${path}: not a cohort`,
      "Restore the file, or delete it and choose the cohort again.",
    );
  }
}

export function writeCohort(workspace: Workspace, cohort: Cohort): void {
  const path = cohortPath(workspace, cohort.name);
  try {
    mkdirSync(workspace.paths.cohorts, { recursive: true });
  } catch (cause) {
    throw fileError(cause, workspace.paths.cohorts);
  }
  writeFileAtomic(path, `${JSON.stringify(cohort, null, 2)}\n`);
}

export function deleteCohort(workspace: Workspace, name: string): void {
  const path = cohortPath(workspace, name);
  if (!existsSync(path)) throw unknown(workspace, name);
  try {
    rmSync(path);
  } catch (cause) {
    throw fileError(cause, path);
  }
}

function cohortPath(workspace: Workspace, name: string): string {
  checkCohortName(name);
  return join(workspace.paths.cohorts, `${name}.json`);
}

function unknown(workspace: Workspace, name: string): InputError {
  const { cohorts } = workspace.paths;
  const names = existsSync(cohorts) ? readdirSync(cohorts).filter((file) => file.endsWith(".json")) : [];
  return unknownCohort(name, names.map((file) => file.slice(0, -".json".length)).sort());
}

type Place = Pick<Workspace, "paths">;

/** Where the workspace stores the key of a rating sheet: separate from the sheet, which is given to raters. */
function keyFile({ paths }: Place, sheetId: string): string {
  return join(paths.humans, `${sheetId}.key.json`);
}

export async function readRatingKey(workspace: Place, sheetId: string): Promise<RatingKey> {
  // Imported here because creating schemas takes longer than the rest of a short command.
  const { noRatingKey, parseRatingKey } = await import("../rating-keys.js");
  const file = keyFile(workspace, sheetId);
  if (!existsSync(file)) throw noRatingKey(file);
  return parseRatingKey(readFileSync(file, "utf8"), file);
}

export function writeRatingKey(workspace: Place, key: RatingKey): string {
  mkdirSync(workspace.paths.humans, { recursive: true });
  const file = keyFile(workspace, key.sheet_id);
  writeFileAtomic(file, `${JSON.stringify(key, null, 2)}\n`);
  return file;
}

/** Ids of the sheets drawn, oldest first. */
export function sheetIds({ paths }: Place): string[] {
  if (!existsSync(paths.humans)) return [];
  return readdirSync(paths.humans)
    .flatMap((name) => /^(?<id>.+)\.key\.json$/.exec(name)?.groups?.id ?? [])
    .sort();
}
