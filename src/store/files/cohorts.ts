import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import { type Cohort, cohortSchema } from "../../core/records/manifest.js";
import { fileError, writeFileAtomic } from "../../io/files.js";
import { checkCohortName, unknownCohort } from "../cohorts.js";
import type { Workspace } from "./workspace.js";

/** All cohorts by name. */
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

/** null: nothing is there. */
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
