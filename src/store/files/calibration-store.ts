import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type NewCalibration, type StoredCalibration, storedCalibrationSchema } from "../../core/calibration.js";
import { DefensibleError, InputError } from "../../core/errors.js";
import { fileError, writeFileAtomic } from "../../io/files.js";
import { type CalibratedWith, calibrationFits } from "../../measures/calibration/calibration-fits.js";
import type { Workspace } from "./workspace.js";

const ID = /^\d{8}T\d{6}Z-[0-9a-f]{4,}$/;

/** Every calibration, newest first. One that cannot be understood is an error: the one before it must not quietly take its place. */
export function listCalibrations(workspace: Workspace): StoredCalibration[] {
  return ids(workspace)
    .map((id) => readFile(pathOf(workspace, id), id))
    .sort(newestFirst);
}

/** A file among the calibrations that is none. */
export interface DamagedCalibration {
  calibration_id: string;
  damaged: string;
}

/** The same for looking at: one that cannot be understood is told beside the others and hides none of them. */
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
  const known = ids(workspace);
  if (known.includes(idOrName)) return readFile(pathOf(workspace, idOrName), idOrName);
  const named = listCalibrations(workspace).find((calibration) => calibration.name === idOrName);
  if (named) return named;
  const begun = idOrName ? known.filter((id) => id.startsWith(idOrName)) : [];
  if (begun.length === 1) return readFile(pathOf(workspace, begun[0]!), begun[0]);
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
  const stored = storedCalibrationSchema.parse({
    format: 1,
    calibration_id: `${stamp}-${hash.slice(0, length)}`,
    ...calibration,
  });
  return { ...stored, content_hash: contentHash(stored) };
}

/** SHA-256 of what a calibration says, whatever the order of its members: a file that was changed by hand is told by it. */
export function contentHash(calibration: object): string {
  const { content_hash: _, ...content } = JSON.parse(JSON.stringify(calibration));
  const sorted = JSON.stringify(content, (_key, value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => compare(a, b)))
      : value,
  );
  return createHash("sha256").update(sorted).digest("hex");
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
  return allFitting(workspace, evidence).find(({ model }) => model) ?? null;
}

/** The calibration to look at: the newest that gives a probability, else the newest weights of S, which give none. */
export function newestToShow(workspace: Workspace, evidence: CalibratedWith): StoredCalibration | null {
  const fitting = allFitting(workspace, evidence);
  return fitting.find(({ model }) => model) ?? fitting[0] ?? null;
}

function allFitting(workspace: Workspace, evidence: CalibratedWith): StoredCalibration[] {
  return listCalibrations(workspace).filter((calibration) => calibrationFits(calibration, evidence).length === 0);
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

/** `id`: the one that the file must have, by its name. Whatever has no proper id is no calibration: ids go into audits and onto terminals. */
function readFile(path: string, id?: string): StoredCalibration {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw fileError(cause, path);
  }
  const remedy = "Restore the file, or delete it and calibrate again.";
  let calibration: StoredCalibration;
  let raw: object;
  try {
    raw = JSON.parse(text);
    calibration = storedCalibrationSchema.parse(raw);
  } catch {
    throw new InputError("bad_calibration", `${path}: not a calibration`, remedy);
  }
  const found = calibration.calibration_id;
  if (!ID.test(found) || (id !== undefined && found !== id)) {
    throw new InputError(
      "bad_calibration",
      `${path}: not a calibration; got calibration_id ${JSON.stringify(found).slice(0, 80)}, expected ${id ?? "the time and a hash, such as 20261115T120000Z-1a2b"}`,
      remedy,
    );
  }
  const hash = calibration.content_hash;
  if (hash !== undefined && hash !== contentHash(raw)) {
    throw new InputError(
      "bad_calibration",
      `${path}: was changed after it was written; its content_hash is another`,
      remedy,
    );
  }
  return calibration;
}

function newestFirst(a: StoredCalibration, b: StoredCalibration): number {
  return compare(b.created_at, a.created_at) || compare(b.calibration_id, a.calibration_id);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
