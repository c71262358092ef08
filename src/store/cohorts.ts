import { existsSync } from "node:fs";
import { InputError } from "../core/errors.js";
import { isRestricting } from "../core/records/actions.js";
import type { Decision } from "../core/records/decision.js";
import { type Cohort, type CohortSelection, cohortSchema, cohortSelectionSchema } from "../core/records/manifest.js";
import type { Context } from "./context.js";
import { balancedCounts, HashSample, isContested, parseFilter, readIds } from "./records/cohort-sample.js";

/**
 * Chooses decisions and records the choice under a name. The same selection under a taken name gives what was chosen then;
 * another one is refused: a cohort that reports refer to never changes.
 */
export async function createCohort(
  context: Pick<Context, "cohorts" | "records" | "config">,
  name: string,
  selection: CohortSelection,
  now: Date,
): Promise<Cohort> {
  checkCohortName(name);
  const checked = cohortSelectionSchema.safeParse(selection);
  if (!checked.success) {
    const [issue] = checked.error.issues;
    throw new InputError(
      "bad_selection",
      `cohort ${name}: ${issue!.path.join(".")}: ${issue!.message}`,
      "Check the flags.",
    );
  }
  const there = await context.cohorts.find(name);
  if (there) {
    const same = sameSelection(there.selection, checked.data);
    const changed = same && checked.data.kind === "file" && (await hasOtherIds(checked.data.file, there));
    if (same && !changed) return there;
    throw new InputError(
      "cohort_exists",
      `cohort ${name}: there is one already, chosen otherwise${changed ? ": the file had other ids" : ""}`,
      "Choose another name, or delete it first.",
    );
  }
  const chosen = await choose(context, checked.data);
  if (chosen.decision_ids.length === 0) {
    throw new InputError(
      "empty_cohort",
      `cohort ${name}: no decision is chosen`,
      "Check the selection, or import decisions first.",
    );
  }
  const cohort: Cohort = { name, selection: checked.data, ...chosen, created_at: now.toISOString() };
  await context.cohorts.keep(cohort);
  return cohort;
}

type Places = Pick<Context, "records" | "config">;
type Chosen = Pick<Cohort, "population" | "decision_ids">;

async function choose(places: Places, selection: CohortSelection): Promise<Chosen> {
  switch (selection.kind) {
    case "random": {
      const sample = new HashSample(selection.seed, selection.size);
      await eachDecision(places, (decision) => sample.add(decision.id));
      return { population: sample.population, decision_ids: sample.ids() };
    }
    case "balanced":
      return chooseBalanced(places, selection);
    case "filter": {
      const tests = selection.filters.map(parseFilter);
      const ids: string[] = [];
      const population = await eachDecision(places, (decision) => {
        if (tests.every((test) => test(decision))) ids.push(decision.id);
      });
      return { population, decision_ids: ids };
    }
    case "file":
      return chooseFromFile(places, selection.file);
  }
}

async function chooseBalanced(places: Places, { size, seed }: { size: number; seed: number }): Promise<Chosen> {
  const { actions } = places.config;
  const pair = () => ({ positive: new HashSample(seed, size), negative: new HashSample(seed, size) });
  const strata = { contested: pair(), rest: pair() };
  const population = await eachDecision(places, (decision) => {
    const half = isContested(decision) ? strata.contested : strata.rest;
    half[isRestricting(actions, decision.decision) ? "positive" : "negative"].add(decision.id);
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

async function chooseFromFile(places: Places, file: string): Promise<Chosen> {
  const ids = await readIds(file);
  const unknown = new Set(ids);
  const population = await eachDecision(places, (decision) => {
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

async function eachDecision(places: Places, visit: (decision: Decision) => void): Promise<number> {
  let population = 0;
  for await (const batch of places.records.decisions()) {
    population += batch.length;
    for (const decision of batch) visit(decision);
  }
  return population;
}

export function checkCohortName(name: string): void {
  if (cohortSchema.shape.name.safeParse(name).success) return;
  throw new InputError("bad_cohort_name", `cohort: got the name "${name}"`, "Use lower-case letters, digits, - and _.");
}

/** @param known names of the cohorts that there are */
export function unknownCohort(name: string, known: readonly string[]): InputError {
  return new InputError(
    "unknown_cohort",
    `cohort: no cohort is called "${name}"`,
    known.length ? `There are: ${known.join(", ")}.` : "No cohort exists yet.",
  );
}

function sameSelection(a: CohortSelection, b: CohortSelection): boolean {
  const entries = (selection: CohortSelection) =>
    JSON.stringify(Object.entries(selection).sort(([x], [y]) => (x < y ? -1 : 1)));
  return entries(a) === entries(b);
}
