import { existsSync } from "node:fs";
import { extname } from "node:path";
import { InputError } from "../core/errors.js";
import { isRestricting } from "../core/records/actions.js";
import type { Decision } from "../core/records/decision.js";
import { type Cohort, type CohortSelection, cohortSchema, cohortSelectionSchema } from "../core/records/manifest.js";
import { fileProblem } from "../io/files.js";
import { fingerprint } from "../io/machine.js";
import { readLines } from "../io/read-lines.js";
import type { Context } from "./context.js";
import { columnPath } from "./formats/csv-table.js";
import { foreignRows } from "./formats/foreign-rows.js";
import { Fault } from "./formats/parse-json.js";
import { sniffFile } from "./formats/sniff-file.js";
import { lookUp } from "./records/fits.js";
import { RECORD_KINDS, type RecordObject } from "./records/record-kinds.js";

/**
 * Chooses decisions and records the choice under a name. The same selection under an existing name returns the original choice; a different
 * selection is rejected, because a cohort that reports refer to never changes.
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

/** The file may have changed since under the same name; if it no longer exists, it cannot contradict the cohort. */
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

/** @param known names of the existing cohorts */
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

interface Ranked {
  id: string;
  high: number;
  low: number;
}

/**
 * The `size` ids with the smallest hash of (seed, id): a random sample without replacement that depends on the seed and on the set of decisions,
 * not on their order. Holds at most twice `size` ids in memory.
 */
export class HashSample {
  private ranked: Ranked[] = [];
  /** Number of ids added. */
  population = 0;

  constructor(
    private readonly seed: number,
    private readonly size: number,
  ) {}

  add(id: string): void {
    this.population++;
    const [high, low] = fingerprint(`${this.seed}:${id}`);
    this.ranked.push({ id, high, low });
    if (this.ranked.length >= 2 * this.size + 1024) this.cut();
  }

  /** The chosen ids, smallest hash first. */
  ids(count = this.size): string[] {
    this.cut();
    return this.ranked.slice(0, count).map(({ id }) => id);
  }

  private cut(): void {
    this.ranked.sort((a, b) => a.high - b.high || a.low - b.low || (a.id < b.id ? -1 : 1));
    this.ranked.length = Math.min(this.ranked.length, this.size);
  }
}

/** Whether the decision was contested: the human label differs, or an appeal was filed. */
export function isContested({ decision, human_label, appeal }: Decision): boolean {
  return (human_label != null && human_label !== decision) || appeal != null;
}

interface Pair<T> {
  positive: T;
  negative: T;
}

interface Strata<T> {
  contested: Pair<T>;
  rest: Pair<T>;
}

/**
 * How many decisions a balanced cohort takes from each stratum. Half are contested (including the odd one), and each half is split evenly between
 * the two actions (the odd one goes to the positive). If a stratum has too few, the other action of its half fills up; if a half has too few, the
 * other half does.
 */
export function balancedCounts(available: Strata<number>, size: number): Strata<number> {
  const there = { contested: total(available.contested), rest: total(available.rest) };
  let contested = Math.min(Math.ceil(size / 2), there.contested);
  const rest = Math.min(size - contested, there.rest);
  contested = Math.min(size - rest, there.contested);
  return { contested: split(available.contested, contested), rest: split(available.rest, rest) };
}

function split(available: Pair<number>, size: number): Pair<number> {
  let positive = Math.min(Math.ceil(size / 2), available.positive);
  const negative = Math.min(size - positive, available.negative);
  positive = Math.min(size - negative, available.positive);
  return { positive, negative };
}

function total({ positive, negative }: Pair<number>): number {
  return positive + negative;
}

/** The ids in a file: one per line, or the `id` or `decision_id` of each row of a JSONL, CSV or Parquet file. In order, without duplicates. */
async function readIds(path: string): Promise<string[]> {
  const sniffed = sniffFile(path);
  const plain = sniffed.format === "csv" && ![".csv", ".tsv"].includes(extname(path).toLowerCase());
  const ids = new Set<string>();
  if (plain || sniffed.format === "ruleset") {
    try {
      for await (const lines of readLines(path)) for (const line of lines) ids.add(line.text.trim());
    } catch (cause) {
      throw fileProblem(cause, path);
    }
    return [...ids];
  }
  const { fields } = RECORD_KINDS.decisions;
  for await (const batch of foreignRows(path, { fields, rename: new Map() }, sniffed)) {
    for (const { line, value } of batch.rows) {
      const id = value instanceof Fault ? undefined : (value.id ?? value.decision_id);
      if (typeof id === "string" || typeof id === "number") ids.add(String(id));
      else {
        const reason = value instanceof Fault ? value.reason : "has neither id nor decision_id";
        throw new InputError("bad_ids", `${path}, line ${line}: ${reason}`, "Give one id a line, or a column id.");
      }
    }
  }
  return [...ids];
}

/**
 * A condition on decisions: `field=value` or `field!=value`. Dotted fields reach into objects (`content.language=es`), a list matches by any of its
 * items, `field=*` means "present" and `field!=*` "absent". A decision without the field differs from every value.
 */
export function parseFilter(expression: string): (decision: Decision) => boolean {
  const match = /^\s*([^=!\s]+)\s*(!?=)(.*)$/s.exec(expression);
  if (!match) {
    throw new InputError(
      "bad_filter",
      `filter: got "${expression}", expected field=value or field!=value`,
      "For example: --filter content.language=es",
    );
  }
  const [, name, operator, right] = match as unknown as [string, string, "=" | "!=", string];
  const path = columnPath(name);
  refuseUnknown(name, path);
  const value = right.trim();
  const wanted = operator === "=";
  if (value === "*") return (decision) => isThere(lookUp(decision as RecordObject, path)) === wanted;
  return (decision) => matches(lookUp(decision as RecordObject, path), value) === wanted;
}

function isThere(value: unknown): boolean {
  return value != null && value !== "" && !(Array.isArray(value) && value.length === 0);
}

function matches(value: unknown, wanted: string): boolean {
  if (Array.isArray(value)) return value.some((item) => matches(item, wanted));
  return value != null && String(value) === wanted;
}

function refuseUnknown(name: string, path: readonly string[]): void {
  const { fields } = RECORD_KINDS.decisions;
  const field = fields.byName.get(path[0]!);
  if (!field) {
    throw new InputError(
      "unknown_field",
      `filter: decisions have no field "${path[0]}"`,
      `Fields: ${fields.list.map((each) => each.name).join(", ")}.`,
    );
  }
  if (path.length > 1 && !field.fields) {
    throw new InputError("unknown_field", `filter: "${name}": ${field.name} has no parts`, `Use ${field.name}=VALUE.`);
  }
}
