import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { InputError } from "../../core/errors.js";
import { type Cohort, type CohortSelection, cohortSchema, cohortSelectionSchema } from "../../core/records/cohort.js";
import type { Decision } from "../../core/records/decision.js";
import { fileError, writeFileAtomic } from "../../io/files.js";
import { readIds } from "../records/cohort-ids.js";
import { balancedCounts, HashSample, isContested } from "../records/cohort-sample.js";
import { parseFilter } from "../records/filter.js";
import { readDecisions } from "./records.js";
import type { Workspace } from "./workspace.js";

/**
 * Chooses decisions and records the choice under a name. The same selection under a taken name gives what was chosen then;
 * another one is refused: a cohort that reports refer to never changes.
 */
export async function createCohort(
  workspace: Workspace,
  name: string,
  selection: CohortSelection,
  now: Date,
): Promise<Cohort> {
  const path = cohortPath(workspace, name);
  const checked = cohortSelectionSchema.safeParse(selection);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw new InputError(
      "bad_selection",
      `cohort ${name}: ${issue!.path.join(".")}: ${issue!.message}`,
      "Check the flags.",
    );
  }
  if (existsSync(path)) {
    const there = readCohort(workspace, name);
    const same = sameSelection(there.selection, checked.data);
    const changed = same && checked.data.kind === "file" && (await hasOtherIds(checked.data.file, there));
    if (same && !changed) return there;
    throw new InputError(
      "cohort_exists",
      `cohort ${name}: there is one already, chosen otherwise${changed ? ": the file had other ids" : ""}`,
      "Choose another name, or delete it first.",
    );
  }
  const chosen = await choose(workspace, checked.data);
  if (chosen.decision_ids.length === 0) {
    throw new InputError(
      "empty_cohort",
      `cohort ${name}: no decision is chosen`,
      "Check the selection, or import decisions first.",
    );
  }
  const cohort: Cohort = { name, selection: checked.data, ...chosen, created_at: now.toISOString() };
  try {
    mkdirSync(workspace.paths.cohorts, { recursive: true });
  } catch (cause) {
    throw fileError(cause, workspace.paths.cohorts);
  }
  writeFileAtomic(path, `${JSON.stringify(cohort, null, 2)}\n`);
  return cohort;
}

type Chosen = Pick<Cohort, "population" | "decision_ids">;

async function choose(workspace: Workspace, selection: CohortSelection): Promise<Chosen> {
  switch (selection.kind) {
    case "random": {
      const sample = new HashSample(selection.seed, selection.size);
      await eachDecision(workspace, (decision) => sample.add(decision.id));
      return { population: sample.population, decision_ids: sample.ids() };
    }
    case "balanced":
      return chooseBalanced(workspace, selection);
    case "filter": {
      const tests = selection.filters.map(parseFilter);
      const ids: string[] = [];
      const population = await eachDecision(workspace, (decision) => {
        if (tests.every((test) => test(decision))) ids.push(decision.id);
      });
      return { population, decision_ids: ids };
    }
    case "file":
      return chooseFromFile(workspace, selection.file);
  }
}

async function chooseBalanced(workspace: Workspace, { size, seed }: { size: number; seed: number }): Promise<Chosen> {
  const { positive } = workspace.config.actions;
  const pair = () => ({ positive: new HashSample(seed, size), negative: new HashSample(seed, size) });
  const strata = { contested: pair(), rest: pair() };
  const population = await eachDecision(workspace, (decision) => {
    const half = isContested(decision) ? strata.contested : strata.rest;
    half[decision.decision === positive ? "positive" : "negative"].add(decision.id);
  });
  const available = (half: ReturnType<typeof pair>) => ({
    positive: half.positive.population,
    negative: half.negative.population,
  });
  const counts = balancedCounts({ contested: available(strata.contested), rest: available(strata.rest) }, size);
  const decision_ids = (["contested", "rest"] as const).flatMap((half) => [
    ...strata[half].positive.ids(counts[half].positive),
    ...strata[half].negative.ids(counts[half].negative),
  ]);
  return { population, decision_ids };
}

async function chooseFromFile(workspace: Workspace, file: string): Promise<Chosen> {
  const ids = await readIds(file);
  const unknown = new Set(ids);
  const population = await eachDecision(workspace, (decision) => {
    unknown.delete(decision.id);
  });
  if (unknown.size === 0) return { population, decision_ids: ids };
  const shown = [...unknown].slice(0, 5).join(", ");
  throw new InputError(
    "unknown_ids",
    `${file}: ${unknown.size} of ${ids.length} ids are no decisions of this workspace: ${shown}${unknown.size > 5 ? ", …" : ""}`,
    "Take them out of the file, or import these decisions first.",
  );
}

/** A file may be another day's under the same name; one that is gone cannot say otherwise. */
async function hasOtherIds(file: string, { decision_ids }: Cohort): Promise<boolean> {
  if (!existsSync(file)) return false;
  const ids = new Set(await readIds(file));
  return ids.size !== decision_ids.length || decision_ids.some((id) => !ids.has(id));
}

async function eachDecision(workspace: Workspace, visit: (decision: Decision) => void): Promise<number> {
  let population = 0;
  for await (const batch of readDecisions(workspace)) {
    population += batch.length;
    for (const decision of batch) visit(decision);
  }
  return population;
}

/** All cohorts by name. */
export function listCohorts(workspace: Workspace): Cohort[] {
  const { cohorts } = workspace.paths;
  if (!existsSync(cohorts)) return [];
  const names = readdirSync(cohorts).filter((file) => /^[a-z0-9][a-z0-9_-]*\.json$/.test(file));
  return names.sort().map((file) => readCohort(workspace, file.slice(0, -".json".length)));
}

export function readCohort(workspace: Workspace, name: string): Cohort {
  const path = cohortPath(workspace, name);
  if (!existsSync(path)) throw unknownCohort(workspace, name);
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

export function deleteCohort(workspace: Workspace, name: string): void {
  const path = cohortPath(workspace, name);
  if (!existsSync(path)) throw unknownCohort(workspace, name);
  try {
    rmSync(path);
  } catch (cause) {
    throw fileError(cause, path);
  }
}

function cohortPath(workspace: Workspace, name: string): string {
  if (!cohortSchema.shape.name.safeParse(name).success) {
    throw new InputError(
      "bad_cohort_name",
      `cohort: got the name "${name}"`,
      "Use lower-case letters, digits, - and _.",
    );
  }
  return join(workspace.paths.cohorts, `${name}.json`);
}

function unknownCohort(workspace: Workspace, name: string): InputError {
  const { cohorts } = workspace.paths;
  const names = existsSync(cohorts) ? readdirSync(cohorts).filter((file) => file.endsWith(".json")) : [];
  const known = names.map((file) => file.slice(0, -".json".length)).sort();
  return new InputError(
    "unknown_cohort",
    `cohort: there is none called "${name}"`,
    known.length ? `There are: ${known.join(", ")}.` : "There are none yet.",
  );
}

function sameSelection(a: CohortSelection, b: CohortSelection): boolean {
  const entries = (selection: CohortSelection) =>
    JSON.stringify(Object.entries(selection).sort(([x], [y]) => (x < y ? -1 : 1)));
  return entries(a) === entries(b);
}
