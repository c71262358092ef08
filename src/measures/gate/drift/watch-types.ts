import { logOneSidedEValue } from "../../../stats/tests/mixture-e-value.js";

/** The two rates watched in each community: those that the gate limits. */
export const WATCHED = ["indefensible", "ambiguous"] as const;
export type Watched = (typeof WATCHED)[number];

/** What raised an alarm. Watches only have e-detectors; files of earlier versions may name a CUSUM. */
export const WATCH_DETECTORS = ["e_detector", "cusum"] as const;
export type WatchDetector = (typeof WATCH_DETECTORS)[number];

/** One verdict, or one thread of verdicts. The caller puts rows in time order. */
export interface WatchRow {
  /** Community, or cohort of the gate. */
  key: string;
  /** Milliseconds since 1970, UTC: when it was decided, or when it was audited if that is unknown; null: unknown. */
  time: number | null;
  /** Whether `time` is that of the decision. Only such a row can show that a decision was made after an alarm. */
  decided: boolean;
  /** Level 3: 0 or 1, or its probability, or its share of a thread's verdicts. */
  x_indefensible: number;
  /** Inverse check says Yes: 0 or 1, or its probability, or its share of a thread's verdicts. */
  x_ambiguous: number;
  /** Verdicts of the thread, default 1. */
  n?: number;
  /** Weight in (0, 1]; default 1. */
  weight?: number;
  /** Auditor, prompt version and rule set version as one text. */
  version: string;
}

interface WatchEventBase {
  key: string;
  /** Time of the row, ISO 8601 in UTC. */
  at: string | null;
  /** Index of the row, from 0, counted since the watch began. */
  row: number;
}

/** The key is no longer automated. */
export interface SuspendedEvent extends WatchEventBase {
  type: "suspended";
  which: Watched;
  detector: WatchDetector;
  /** ln M of the e-detector. */
  statistic: number;
  threshold: number;
  version: string;
}

/** Rows since the alarm have certified the key again. */
export interface ReinstatedEvent extends WatchEventBase {
  type: "reinstated";
  /** Verdicts since the alarm, and how many of them were indefensible or ambiguous. */
  n: number;
  indefensible: number;
  ambiguous: number;
  log_e: Record<Watched, number>;
  version: string;
}

/** The auditor, prompt or rule set changed, so earlier rows say nothing about the new version. */
export interface ResetEvent extends WatchEventBase {
  type: "reset";
  from: string;
  to: string;
}

export type WatchEvent = SuspendedEvent | ReinstatedEvent | ResetEvent;

/** Where p0 comes from. With an estimate the run length is not guaranteed. */
export const P0_SOURCES = ["limit", "upper_bound", "estimate"] as const;
export type P0Source = (typeof P0_SOURCES)[number];

/** What a row of the watch is, and therefore the unit of run lengths. */
export const WATCH_UNITS = ["decisions", "threads"] as const;

/** Sums over verdicts, and weighted sums over rows. */
export interface WatchSums extends Record<Watched, number> {
  n: number;
  weighted: { n: number } & Record<Watched, number>;
}

export interface WatchOptions {
  /** Largest acceptable rates, those of the gate: 1 − DI limit, AI limit. */
  p0: Record<Watched, number>;
  /** What a row is; default `decisions`. */
  units?: (typeof WATCH_UNITS)[number] | undefined;
  /** Default `limit`. */
  p0_from?: P0Source | undefined;
  /** Communities in the fleet, known beforehand. */
  fleet: number;
  /** 1/α rows per community pass on average before the first false alarm anywhere in the fleet. Default 0.001. */
  alpha?: number | undefined;
  /** Probability that a community at or above its limit is reinstated after an alarm. Default 0.05. */
  delta?: number | undefined;
  /** Odds ratios that the e-detector detects; default `DRIFT_ODDS_RATIOS`. */
  odds_ratios?: readonly number[] | undefined;
}

/** State of one key. Its size does not depend on the number of rows. */
export interface WatchKeyState {
  key: string;
  /** Version of the last row. */
  version: string;
  /** Recent versions, the newest last, at most `VERSIONS_KEPT`. A return to one of them resets nothing. */
  versions: string[];
  /** Rows in total, rows whose version differs from that of the row before, and resets. */
  rows: number;
  changes: number;
  resets: number;
  /** `rows` at the last resets, at most `RESETS_ALLOWED` of them. */
  reset_rows: number[];
  /** Verdicts, and how many were indefensible or ambiguous, since the last reset or reinstatement. */
  n: number;
  indefensible: number;
  ambiguous: number;
  /** The same sums over rows, weighted. */
  weighted: WatchSums["weighted"];
  /** Statistics of the e-detectors, for each watched rate and each p1. */
  m: number[];
  /** Null: not suspended. */
  suspended: Suspension | null;
}

/** An alarm, and the rows since. */
export interface Suspension extends SuspendedEvent {
  /** Time of the alarm: only decisions made later count. Null: unknown, so no decision counts. */
  after: number | null;
  /** Sums over decisions made after the alarm. */
  since: WatchSums;
  /** Rows after the alarm that do not count: decided before it, or at an unknown time. */
  not_counted: number;
}

export function noSums(): WatchSums {
  return { n: 0, indefensible: 0, ambiguous: 0, weighted: { n: 0, indefensible: 0, ambiguous: 0 } };
}

/** How many versions of a key are remembered. */
const VERSIONS_KEPT = 16;
/** At most `RESETS_ALLOWED` resets in this many rows of a key: detectors that are reset all the time detect nothing. */
const RESETS_ALLOWED = 4;
const RESETS_IN_ROWS = 400;

/** The whole state of a watch as JSON, to resume from. */
export interface WatchState {
  format: 1;
  settings: Required<Omit<WatchOptions, "p0_from" | "units">> & {
    p0_from: P0Source;
    units: (typeof WATCH_UNITS)[number];
  };
  rows: number;
  keys: WatchKeyState[];
}

/**
 * Evidence, from the rows since an alarm, that both rates are below their limits again; null while there is not enough. A community whose rate is
 * at or above its limit is reinstated with probability at most δ, however often this is checked.
 *
 * Formula: ln E(k, n, r) ≥ ln(1/δ) for both rates (`logOneSidedEValue`), at the same row. With weights u and shares x, k = Σux and n = Σu: valid,
 * since (a^x b^{1−x})^u ≤ 1 + u(xa + (1 − x)b − 1) for u in [0, 1].
 * Range: logarithms of e-values of at least 1/δ.
 * Undefined when: k outside 0..n, or a limit outside (0, 1): RangeError.
 * Differs from the paper: the paper has no reinstatement.
 * @see `logOneSidedEValue`
 * @example
 * evidenceOfReturn({ n: 10, indefensible: 0, ambiguous: 0 }, { indefensible: 0.1, ambiguous: 0.15 }, 0.05) // => null
 */
export function evidenceOfReturn(
  since: { n: number } & Record<Watched, number>,
  limits: Record<Watched, number>,
  delta: number,
): Record<Watched, number> | null {
  const needed = -Math.log(delta);
  // The e-value is a mean of likelihood ratios, so the largest bounds it: for nearly all rows two logarithms replace an incomplete beta.
  for (const which of WATCHED) if (greatestLogRatio(since[which], since.n, limits[which]) < needed) return null;
  const found = {
    indefensible: logOneSidedEValue(since.indefensible, since.n, limits.indefensible),
    ambiguous: logOneSidedEValue(since.ambiguous, since.n, limits.ambiguous),
  };
  return found.indefensible >= needed && found.ambiguous >= needed ? found : null;
}

function greatestLogRatio(k: number, n: number, r: number): number {
  const rate = k / n;
  if (!(rate < r)) return 0;
  return (k === 0 ? 0 : k * Math.log(rate / r)) + (n - k) * (Math.log1p(-rate) - Math.log1p(-r));
}

type VersionMemory = Pick<WatchKeyState, "version" | "versions" | "rows" | "changes" | "resets" | "reset_rows"> & {
  suspended: unknown;
};

/**
 * Records the version of the next row of a key; true: it is new, and the detectors must restart at zero.
 *
 * A recent version is not new. While a key is not suspended, at most 4 of 400 rows reset it: otherwise a stream in which every row has its own
 * version would never be watched. If a new version causes no reset, the detectors run on across versions and their guarantee still holds: it only
 * requires that each row's rate is within the limit, whatever its version. A suspended key is reset by every new version, which can only delay its
 * return.
 */
export function takeVersion(key: VersionMemory, version: string): boolean {
  const row = key.rows;
  key.rows += 1;
  if (key.version === version) return false;
  key.version = version;
  key.changes += 1;
  const place = key.versions.indexOf(version);
  if (place >= 0) key.versions.splice(place, 1);
  key.versions.push(version);
  if (key.versions.length > VERSIONS_KEPT) key.versions.shift();
  if (place >= 0) return false;
  const often = key.reset_rows.length === RESETS_ALLOWED && row - key.reset_rows[0]! < RESETS_IN_ROWS;
  if (often && key.suspended === null) return false;
  key.resets += 1;
  key.reset_rows.push(row);
  if (key.reset_rows.length > RESETS_ALLOWED) key.reset_rows.shift();
  return true;
}
