/** What a row promises. Bounds hold up to three standard errors of the simulation. */
export interface Promised {
  /**
   * `guaranteed`: holds at every sample size under the assumptions of its method. `approximate`: meant to come near `nominal`, the
   * bounds say how near. `computed`: equal to `nominal`, which another part of the program computes. `broken`: the assumptions do not
   * hold here, and the row shows that the promise does not either.
   */
  kind: "guaranteed" | "approximate" | "computed" | "broken";
  nominal?: number;
  at_least?: number;
  at_most?: number;
}

/** One figure of a simulation, or of an exact enumeration. */
export interface Row {
  /** The page of docs/ that has its table. Default `guarantees`. */
  page?: string;
  /** Rows of one topic form one table. */
  topic: string;
  method: string;
  setting: string;
  /** What `observed` is: "coverage", "false certificates". */
  measure: string;
  /** Null: a figure that nothing was promised of. */
  promise: Promised | null;
  observed: number;
  /** Of a mean. Absent: `observed` is a share of the draws. */
  standard_error?: number;
  /** Further figures of the same draws, by their names. */
  beside?: Record<string, number>;
  /** Simulated data sets; null: enumerated, so exact. */
  draws: number | null;
  seed: number | string | null;
}

/** Rows by the simulation they come from, in its order. */
export type Results = Record<string, Row[]>;

/** Whether a row does what it says, up to three standard errors. */
export function isKept(row: Row): boolean;
/** The page with its tables made anew. Throws where a topic has no place in the page, or a place no topic. */
export function render(page: string, results: Results, name?: string): string;
export function readResults(): Results;
/** A page of docs/ by its name; default `guarantees`. */
export function readPage(name?: string): string;
/** Puts the tables of `test/simulations/results.json` into `docs/guarantees.md` and the other pages that rows name. */
export function writePage(): void;
