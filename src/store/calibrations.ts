import { createHash } from "node:crypto";
import { type NewCalibration, type StoredCalibration, storedCalibrationSchema } from "../core/calibration.js";
import { InputError } from "../core/errors.js";
import { compareText } from "../core/text-checks.js";
import { type CalibratedWith, calibrationFits } from "../measures/calibration/calibration-model.js";

export const CALIBRATION_ID = /^\d{8}T\d{6}Z-[0-9a-f]{4,}$/;

/** The id for a given id, a unique prefix of one, or a name. `all` is called only for a name. */
export function chosenCalibration(
  known: readonly string[],
  all: () => readonly StoredCalibration[],
  idOrName: string,
): string {
  if (known.includes(idOrName)) return idOrName;
  const named = all().find((calibration) => calibration.name === idOrName);
  if (named) return named.calibration_id;
  const begun = idOrName ? known.filter((id) => id.startsWith(idOrName)) : [];
  if (begun.length === 1) return begun[0]!;
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

/** Among calibrations, newest first: the newest that gives a probability and was fitted on audits like these; null if absent. */
export function newestFitting(all: readonly StoredCalibration[], evidence: CalibratedWith): StoredCalibration | null {
  return allFitting(all, evidence).find(({ model }) => model) ?? null;
}

/** The calibration to show: the newest that gives a probability, otherwise the newest weights of S, which give none. */
export function newestToShow(all: readonly StoredCalibration[], evidence: CalibratedWith): StoredCalibration | null {
  const fitting = allFitting(all, evidence);
  return fitting.find(({ model }) => model) ?? fitting[0] ?? null;
}

function allFitting(all: readonly StoredCalibration[], evidence: CalibratedWith): StoredCalibration[] {
  return all.filter((calibration) => calibrationFits(calibration, evidence).length === 0);
}

/** A calibration with its id: time, and the beginning of a hash of its content. One from elsewhere keeps its own id. */
export function identified(
  calibration: NewCalibration | StoredCalibration,
  isTaken: (id: string) => boolean = () => false,
): StoredCalibration {
  if ("calibration_id" in calibration) return calibration as StoredCalibration;
  const stamp = calibration.created_at.replace(/[-:]|\.\d+/g, "");
  const hash = createHash("sha256").update(JSON.stringify(calibration)).digest("hex");
  // If another has the same second and the same prefix of the hash, the prefix is extended.
  let length = 4;
  while (length < hash.length && isTaken(`${stamp}-${hash.slice(0, length)}`)) length += 4;
  const stored = storedCalibrationSchema.parse({
    format: 1,
    calibration_id: `${stamp}-${hash.slice(0, length)}`,
    ...calibration,
  });
  return { ...stored, content_hash: contentHash(stored) };
}

/**
 * Parses a calibration. A text without a valid id is rejected, because ids are written into audits and onto terminals. `place`: where it was read;
 * `id`: the one it must have.
 */
export function understoodCalibration(text: string, place: string, id?: string): StoredCalibration {
  const bad = (problem: string) =>
    new InputError("bad_calibration", `${place}: ${problem}`, "Restore the file, or delete it and calibrate again.");
  let calibration: StoredCalibration;
  let raw: object;
  try {
    raw = JSON.parse(text);
    calibration = storedCalibrationSchema.parse(raw);
  } catch {
    throw bad("not a calibration");
  }
  const found = calibration.calibration_id;
  if (!CALIBRATION_ID.test(found) || (id !== undefined && found !== id)) {
    const expected = id ?? "the time and a hash, such as 20261115T120000Z-1a2b";
    throw bad(`not a calibration; got calibration_id ${JSON.stringify(found).slice(0, 80)}, expected ${expected}`);
  }
  const hash = calibration.content_hash;
  if (hash !== undefined && hash !== contentHash(raw)) {
    throw bad("was changed after it was written; its content_hash is another");
  }
  return calibration;
}

/** SHA-256 of the content of a calibration, whatever the order of its members, so that manual changes are detected. */
export function contentHash(calibration: object): string {
  const { content_hash: _, ...content } = JSON.parse(JSON.stringify(calibration));
  const sorted = JSON.stringify(content, (_key, value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => compareText(a, b)))
      : value,
  );
  return createHash("sha256").update(sorted).digest("hex");
}

export function newestFirst(a: StoredCalibration, b: StoredCalibration): number {
  return compareText(b.created_at, a.created_at) || compareText(b.calibration_id, a.calibration_id);
}
