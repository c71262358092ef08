import paper from "../../../data/paper-study.json" with { type: "json" };
import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { proportion } from "../../stats/intervals/proportion.js";
import type { Compared } from "./result.js";

/** The temperatures of the paper's sweep. */
export const TEMPERATURES = [0.1, 0.3, 0.7, 1] as const;

/** A number without an interval: a count, or an error measured in a single community. */
interface Plain {
  plain: number;
  n: number;
}

export type Found = Estimate | Plain;

/** A number that a study yields, and its path in the result of its step. Paths are those of `membersAt`. */
export interface StudyNumber {
  /** `table.row.column`. */
  id: string;
  /** Table or section that lists it. */
  place: string;
  what: string;
  unit: Compared["unit"];
  /** Decimals that are shown, of a fraction. */
  digits: number;
  step: string;
  at: string;
  /** A count to add. */
  plus?: string;
  /** The number is a count out of this many, `less` of which are unknown. */
  of?: string;
  less?: string;
  /** A share that is shown as a count out of this many. */
  times?: string;
  /** Of several, the lowest or highest. */
  pick?: "low" | "high";
  absolute?: boolean;
  /** The number is undefined if this is 0. */
  given?: string;
  /** Why it is missing: text from the result, else `missing`. */
  because?: string;
  missing?: string;
  /** The other reading of an ambiguous number. */
  beside?: string;
  beside_what?: string;
}

/** A number that the paper prints. `lower`, `upper`: its rounding, and its sampling error if the number of rows is printed. */
export interface PaperValue extends StudyNumber {
  value: number;
  lower: number;
  upper: number;
  n: number;
  /** The number's role in a simulation made with the paper's rates. */
  role: "input" | "derived" | "output";
  /** Why the printed number does not mean what it seems to. */
  caveat?: string;
}

/** Every number of the paper's tables and results that a study can be compared with (`data/paper-study.json`). */
export const PAPER_VALUES = paper.values as readonly PaperValue[];

/** Why a world and an auditor made from the paper's rates give another number; null: no reason is known. */
export function simulatedReason(id: string): string | null {
  return paper.simulated.find(([pattern]) => new RegExp(pattern!).test(id))?.[1] ?? null;
}

/** Where a study finds each printed number. */
export const ACCESSORS: Readonly<Record<string, { step: string; find: (results: object) => Found }>> =
  Object.fromEntries(
    PAPER_VALUES.map((one) => [
      one.id,
      { step: one.step, find: (results) => findNumber(one, (results as Record<string, unknown>)[one.step]) },
    ]),
  );

/** The number in the result of its step. */
export function findNumber(number: StudyNumber, result: unknown): Found {
  const first = (path: string | undefined) => (path === undefined ? undefined : membersAt(result, path)[0]);
  const missing = (n = 0) => {
    const because = first(number.because);
    return undefinedEstimate(typeof because === "string" ? because : (number.missing ?? missingText(number.at)), n);
  };
  if (number.given !== undefined && !first(number.given)) return missing();
  const found = membersAt(result, number.at);
  if (number.of !== undefined) {
    const cases = first(number.of);
    if (typeof cases !== "number") return missing();
    if (first(number.less) === cases) return undefinedEstimate("no case was audited often enough for a class", cases);
    return proportion(typeof found[0] === "number" ? found[0] : 0, cases);
  }
  if (typeof found[0] === "number") {
    const more = first(number.plus);
    return counted(found[0] + (typeof more === "number" ? more : 0));
  }
  const defined = found.filter(isFound);
  const one = number.pick === undefined ? defined[0] : extreme(defined as Estimate[], number.pick);
  if (!one) return missing();
  if ("plain" in one) return one;
  if (number.absolute) return absolute(one);
  const times = first(number.times);
  return typeof times === "number" ? asCount(one, times) : one;
}

/** The other reading of a number. */
export function besideOf({ beside, beside_what: what }: StudyNumber, result: unknown): Compared["beside"] {
  if (beside === undefined || what === undefined) return null;
  const [found] = membersAt(result, beside).filter(isFound);
  return !found || "plain" in found || found.estimate === null ? null : { what, value: found.estimate };
}

/**
 * Members of a value along a path such as `/rows/temperature=0.1/rate`. A segment is a name; `a=1,b=2`, the element of a list with these
 * members; `first`, the first member; or `*`, every element.
 */
export function membersAt(value: unknown, path: string): unknown[] {
  return path
    .split("/")
    .slice(1)
    .reduce<unknown[]>((all, step) => all.flatMap((one) => next(one, step)), [value])
    .filter((one) => one !== undefined && one !== null);
}

function next(value: unknown, step: string): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  if (step === "*") return Object.values(value);
  if (step === "first") return Object.values(value).slice(0, 1);
  if (!step.includes("=")) return Object.hasOwn(value, step) ? [(value as Record<string, unknown>)[step]] : [];
  const wanted = step.split(/,(?=\w+=)/).map((one) => one.split("=") as [string, string]);
  const fits = (one: Record<string, unknown>) => wanted.every(([name, is]) => String(one[name]) === is);
  return Object.values(value).filter(fits).slice(0, 1);
}

function isFound(value: unknown): value is Found {
  return typeof value === "object" && value !== null && ("estimate" in value || "plain" in value);
}

function missingText(path: string): string {
  const [, temperature] = /temperature=([\d.]+)/.exec(path) ?? [];
  return temperature === undefined ? "it was not measured" : `nothing was audited at T = ${temperature}`;
}

function counted(plain: number): Found {
  return { plain, n: plain };
}

/** k of n as a count, with the interval of the share. */
function asCount(share: Estimate, n: number): Found {
  if (share.estimate === null) return share;
  const { cluster: _, k: __, ...rest } = share;
  return { ...rest, estimate: share.estimate * n, lower: share.lower * n, upper: share.upper * n, n };
}

/** |x| of an estimate; an interval that includes 0 begins there. */
function absolute(estimate: Estimate): Estimate {
  if (estimate.estimate === null) return estimate;
  const [low, high] = [Math.abs(estimate.lower), Math.abs(estimate.upper)].sort((a, b) => a - b) as [number, number];
  const lower = estimate.lower < 0 && estimate.upper > 0 ? 0 : low;
  return { ...estimate, estimate: Math.abs(estimate.estimate), lower, upper: high };
}

function extreme(found: readonly Estimate[], pick: "low" | "high"): Estimate | undefined {
  const defined = found.filter((one): one is Estimate & { estimate: number } => one.estimate !== null);
  if (defined.length === 0) return found[0];
  return defined.reduce((a, b) => (b.estimate < a.estimate === (pick === "low") ? b : a));
}
