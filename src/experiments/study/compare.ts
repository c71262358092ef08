import { InputError } from "../../core/errors.js";
import { isSilent, wideInterval } from "../../present/words/numbers.js";
import { normalQuantile } from "../../stats/distributions/normal.js";
import { hasWidth } from "../../stats/intervals/proportion.js";
import { compareStudies, type StudyVerdict } from "../../stats/tests/two-proportion-test.js";
import type { StepResults } from "./build-replicate.js";
import { type Compared, replicateSchema, type StepRecord, type StudyValue } from "./result.js";
import { besideOf, type Found, findNumber, PAPER_VALUES, type StudyNumber, simulatedReason } from "./values.js";

/** The reference of a study: an earlier study, one of another auditor, or the numbers printed in the paper. */
export interface ReferenceStudy {
  name: string;
  auditor: string | null;
  values: readonly (Pick<StudyValue, "id" | "value" | "lower" | "upper"> & {
    role?: Compared["role"];
    caveat?: string | null;
  })[];
}

export const PAPER: ReferenceStudy = { name: "the paper", auditor: null, values: PAPER_VALUES };

export function readReference(name: string, json: unknown): ReferenceStudy {
  const read = replicateSchema.safeParse(json);
  if (!read.success) {
    throw new InputError(
      "bad_reference",
      `--reference: ${name} is not the result of a study`,
      "Write one with `defensible study --json=FILE`, or name `paper`.",
    );
  }
  const { auditor, values, compared } = read.data;
  return { name, auditor, values: values ?? compared.map(({ id, ours }) => ({ id, ...ours })) };
}

/** Every number found, or why it is missing. */
export function studyValues(
  numbers: readonly StudyNumber[],
  results: StepResults,
  steps: readonly StepRecord[],
): StudyValue[] {
  const records = new Map(steps.map((one) => [one.step, one]));
  return numbers.map((number) => {
    const { id, place, what, unit, digits, step } = number;
    const named = { id, place, what, unit, digits, step };
    const result = (results as Record<string, unknown>)[step];
    const found = result === undefined ? notDone(records.get(step)) : flat(findNumber(number, result), unit);
    return { ...named, ...found };
  });
}

function notDone(record: StepRecord | undefined): Compared["ours"] {
  const reason = record?.reason ?? (record?.status === "left_out" ? "the step was left out" : "it was not done");
  return { value: null, lower: null, upper: null, n: 0, method: null, reason };
}

/** A number fixed by construction is no evidence, and neither is an interval without width. */
const BY_CONSTRUCTION = "by construction";

function flat(found: Found, unit: StudyNumber["unit"]): Compared["ours"] {
  if ("plain" in found) {
    const method = unit === "count" ? "count" : null;
    return { value: found.plain, lower: null, upper: null, n: found.n, method, reason: null };
  }
  if (found.estimate === null) {
    return { value: null, lower: null, upper: null, n: found.n, method: null, reason: found.reason };
  }
  if (found.method === BY_CONSTRUCTION || isSilent(found)) {
    return { value: found.estimate, lower: null, upper: null, n: found.n, method: found.method, reason: null };
  }
  const bounds = wideInterval(found)!;
  const clustered = found.cluster?.lower === bounds.lower && found.cluster.upper === bounds.upper;
  // A t interval of a share may exceed 0 or 1.
  const within = (value: number) => (unit === "share" ? Math.min(1, Math.max(0, value)) : value);
  return {
    value: found.estimate,
    lower: within(bounds.lower),
    upper: within(bounds.upper),
    n: found.n,
    method: clustered ? found.cluster!.method : found.method,
    reason: null,
  };
}

export interface CompareSettings {
  /** The world was made with the paper's rates, so numbers that were inputs must be distinguished. */
  paperRates: boolean;
  /** The world also has the paper's sizes; otherwise counts are not compared. */
  paperSizes: boolean;
  /** The steps, with reasons for those that were not run. */
  steps: readonly StepRecord[];
}

/** Every number of a reference with ours. */
export function compareWith(
  reference: ReferenceStudy,
  numbers: readonly StudyNumber[],
  results: StepResults,
  { paperRates, paperSizes, steps }: CompareSettings,
): Compared[] {
  const records = new Map(steps.map((one) => [one.step, one]));
  const ours = new Map(studyValues(numbers, results, steps).map((one) => [one.id, one]));
  const places = new Map(numbers.map((one) => [one.id, one]));
  const isPaper = reference === PAPER;
  return reference.values.flatMap((printed) => {
    const own = ours.get(printed.id);
    if (!own || printed.value === null) return [];
    const { id, place, what, unit, digits, step, ...value } = own;
    const { lower, upper } = printed;
    const result = (results as Record<string, unknown>)[step];
    const row = {
      id,
      place,
      what,
      unit,
      digits,
      role: isPaper && paperRates ? (printed.role ?? null) : null,
      caveat: printed.caveat ?? null,
      why: isPaper && paperRates ? simulatedReason(id) : null,
      step,
      paper: printed.value,
      paper_interval: lower === null || upper === null ? null : { lower, upper },
      beside: besideOf(places.get(id)!, result),
      // If the step has already run without finding the number, running it again would not help.
      command: result === undefined ? (records.get(step)?.command ?? `defensible study --only ${step}`) : null,
    };
    return withOurs(row, value, unit !== "count" || (isPaper && paperSizes));
  });
}

/** A row with our number. Counts that differ in size by design get no verdict. */
export function withOurs(
  row: Omit<Compared, "ours" | "difference" | "within" | "verdict" | "margin">,
  { value, lower, upper, n, method, reason }: Compared["ours"],
  comparable: boolean,
): Compared {
  const ours = { value, lower, upper, n, method, reason };
  const { unit, paper, paper_interval: bounds, beside, command, ...named } = row;
  const { lower: low, upper: high } = bounds ?? { lower: null, upper: null };
  const reference = { value: paper, lower: low, upper: high };
  return {
    ...named,
    unit,
    paper,
    paper_interval: bounds,
    ours,
    beside,
    difference: value === null ? null : value - paper,
    within: comparable ? isWithin(ours, row) : null,
    verdict: comparable ? judgeDifference({ unit, ours, reference }) : null,
    margin: marginOf(row),
    command,
  };
}

/** Every printed number of the paper with ours. */
export function comparePaper(results: StepResults, settings: CompareSettings): Compared[] {
  return compareWith(PAPER, PAPER_VALUES, results, settings);
}

/** A printed number represents everything that rounds to it. */
function isWithin(
  { lower, upper }: Compared["ours"],
  { paper, digits, unit }: Pick<Compared, "paper" | "digits" | "unit">,
): boolean | null {
  if (lower === null || upper === null) return null;
  const half = unit === "count" ? 0.5 : 0.5 * 10 ** -digits;
  return paper + half >= lower && paper - half <= upper;
}

/** Differences up to these margins count as equal: two points of a share, a tenth of any other number. The limits are ours. */
const SHARE_MARGIN = 0.02;
const RELATIVE_MARGIN = 0.1;

function marginOf({ unit, paper }: Pick<Compared, "unit" | "paper">): number {
  return unit === "share" || unit === "points" ? SHARE_MARGIN : RELATIVE_MARGIN * Math.abs(paper);
}

interface Bounded {
  value: number | null;
  lower: number | null;
  upper: number | null;
}

/**
 * Whether two numbers are equal within the margin. Variances are added by side: below ours to above the reference's, and vice versa, since
 * a share near 0 can hardly be smaller but may well be larger. null: one of them has no interval, or one without width, which says nothing
 * about chance.
 */
export function judgeDifference(row: {
  unit: Compared["unit"];
  ours: Bounded;
  reference: Bounded & { value: number };
}): StudyVerdict | null {
  const { unit, ours, reference } = row;
  const [own, other] = [variancesOf(ours), variancesOf(reference)];
  if (ours.value === null || !own || !other) return null;
  return compareStudies({
    difference: ours.value - reference.value,
    variance: { below: own.below + other.above, above: own.above + other.below },
    margin: marginOf({ unit, paper: reference.value }),
  });
}

/** From the bounds of a 95% interval. A resampled interval may not contain its estimate. */
function variancesOf({ value, lower, upper }: Bounded): { below: number; above: number } | null {
  if (value === null || lower === null || upper === null || !hasWidth({ lower, upper })) return null;
  const variance = (width: number) => (Math.max(0, width) / normalQuantile(0.975)) ** 2;
  return { below: variance(value - lower), above: variance(upper - value) };
}
