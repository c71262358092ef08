import { InputError } from "../../../core/errors.js";
import { checkObservation, stepEDetector } from "./e-detector.js";
import { planWatch, type WatchPlan, watchSettings } from "./watch-plan.js";
import {
  evidenceOfReturn,
  noSums,
  takeVersion,
  type WatchEvent,
  type Watched,
  type WatchKeyState,
  type WatchOptions,
  type WatchRow,
  type WatchState,
  type WatchSums,
} from "./watch-types.js";

/** State of a key while the watch runs, with typed arrays in place of the lists in the JSON. */
interface LiveKey extends Omit<WatchKeyState, "m"> {
  m: Float64Array;
}

interface Alarm {
  which: Watched;
  detector: "e_detector";
  statistic: number;
  threshold: number;
}

/**
 * Watches a fleet, decision by decision. Each key is in one of two states:
 *
 *   watched    each row goes into the detectors. An alarm → suspended.
 *   suspended  the detectors rest; rows decided after the alarm, and they alone, are tested for "the rate is at its limit or above" by an e-value
 *              that may be looked at after every row. Both rates rejected at δ → watched again, detectors at zero. A row
 *              whose time of decision is not known, or that was decided before the alarm and audited late, says nothing about the time since.
 *
 * A row of a new version resets all counts to zero, in either state. A suspended key stays suspended and has to be certified under the new version.
 * Alternating versions must not blind the detectors (`takeVersion`).
 */
export class StreamWatch {
  readonly plan: WatchPlan;
  readonly #keys = new Map<string, LiveKey>();
  #rows = 0;

  constructor(options: WatchOptions, state?: WatchState) {
    this.plan = planWatch(options);
    if (state === undefined) return;
    const [before, now] = [fixedSettings(watchSettings(state.settings)), fixedSettings(this.plan.settings)];
    if (state.format !== 1 || before !== now) {
      throw new InputError(
        "watch.settings",
        `watch: begun with other settings; got ${now}, expected ${before}`,
        "Go on with the settings it was begun with, or begin a new watch.",
      );
    }
    this.#rows = state.rows;
    checkStatistics(state.keys, 2 * this.plan.settings.odds_ratios.length);
    for (const key of state.keys)
      this.#keys.set(key.key, {
        ...structuredClone(key),
        m: Float64Array.from(key.m),
      });
  }

  /** Processes one row; returns the resulting events, usually none. */
  push(row: WatchRow): readonly WatchEvent[] {
    checkObservation(row.x_indefensible);
    checkObservation(row.x_ambiguous);
    const { n = 1, weight = 1 } = row;
    if (!(n >= 1 && weight > 0 && weight <= 1)) {
      throw new RangeError(`row: n from 1 on and a weight above 0, at most 1; got n = ${n}, weight = ${weight}`);
    }
    const number = this.#rows;
    this.#rows += n;
    let live = this.#keys.get(row.key);
    if (live === undefined) {
      live = this.#newKey(row);
      this.#keys.set(row.key, live);
    }
    const from = live.version;
    const changed = takeVersion(live, row.version) ? this.#reset(live, row, number, from) : null;
    addRow(live, row);
    const outcome = live.suspended === null ? this.#watch(live, row, number) : this.#test(live, row, number);
    if (changed === null && outcome === null) return NOTHING;
    return [changed, outcome].filter((event) => event !== null);
  }

  /** A copy, for JSON. */
  state(): WatchState {
    const keys = [...this.#keys.values()].map((live) => ({
      ...structuredClone(live),
      m: Array.from(live.m),
    }));
    return { format: 1, settings: structuredClone(this.plan.settings), rows: this.#rows, keys };
  }

  #newKey({ key, version }: WatchRow): LiveKey {
    const size = this.plan.settings.odds_ratios.length;
    return {
      key,
      version,
      versions: [version],
      rows: 0,
      changes: 0,
      resets: 0,
      reset_rows: [],
      ...noSums(),
      m: new Float64Array(2 * size),
      suspended: null,
    };
  }

  #reset(live: LiveKey, row: WatchRow, number: number, from: string): WatchEvent {
    if (live.suspended) live.suspended.since = noSums();
    this.#clear(live);
    return { type: "reset", key: row.key, at: isoTime(row), row: number, from, to: row.version };
  }

  #clear(live: LiveKey): void {
    Object.assign(live, noSums());
    live.m.fill(0);
  }

  #watch(live: LiveKey, row: WatchRow, number: number): WatchEvent | null {
    // Both rates are always processed; of two alarms in one row only the first is reported.
    const first = this.#step(live, "indefensible", 0, row.x_indefensible, row.weight);
    const second = this.#step(live, "ambiguous", 1, row.x_ambiguous, row.weight);
    const alarm = first ?? second;
    if (alarm === null) return null;
    const { key, time, version } = row;
    const event = { type: "suspended", key, at: isoTime(row), row: number, version, ...alarm } as const;
    // A decision is made before it is audited, so the time of the audit is a safe substitute for an unknown time of decision.
    live.suspended = { ...event, after: time, since: noSums(), not_counted: 0 };
    return event;
  }

  #step(live: LiveKey, which: Watched, place: 0 | 1, x: number, weight = 1): Alarm | null {
    const { e_detector, arl_each } = this.plan;
    const factors = e_detector[which];
    const m = stepEDetector(live.m, place * factors.up.length, x, factors, weight);
    if (m < arl_each) return null;
    return { which, detector: "e_detector", statistic: Math.log(m), threshold: Math.log(arl_each) };
  }

  #test(live: LiveKey, row: WatchRow, number: number): WatchEvent | null {
    const { since, after } = live.suspended!;
    if (!row.decided || row.time === null || after === null || row.time <= after) {
      live.suspended!.not_counted += row.n ?? 1;
      return null;
    }
    addRow(since, row);
    const { p0, delta } = this.plan.settings;
    const log_e = evidenceOfReturn(since.weighted, p0, delta);
    if (log_e === null) return null;
    live.suspended = null;
    this.#clear(live);
    const { weighted: _, ...counts } = since;
    return { type: "reinstated", key: row.key, at: isoTime(row), row: number, version: row.version, ...counts, log_e };
  }
}

function addRow(sums: WatchSums, { x_indefensible, x_ambiguous, n = 1, weight = 1 }: WatchRow): void {
  sums.n += n;
  sums.indefensible += x_indefensible * n;
  sums.ambiguous += x_ambiguous * n;
  sums.weighted.n += weight;
  sums.weighted.indefensible += weight * x_indefensible;
  sums.weighted.ambiguous += weight * x_ambiguous;
}

/** The settings that the statistics depend on. α, δ and the fleet size only set the thresholds, so these may change. */
function fixedSettings({ p0, units, odds_ratios }: WatchState["settings"]): string {
  return JSON.stringify({ p0, units, odds_ratios });
}

function isoTime({ time }: WatchRow): string | null {
  return time === null ? null : new Date(time).toISOString();
}

/** If the number of statistics differed from the number of detectors, some detectors would silently stop working. */
function checkStatistics(keys: readonly WatchKeyState[], size: number): void {
  for (const { key, m } of keys) {
    if (m.length === size && m.every((value) => value >= 0 && Number.isFinite(value))) continue;
    throw new InputError(
      "watch.statistics",
      `watch of "${key}": its statistics are damaged; got ${m.length}, expected ${size} numbers from 0 on`,
      "Begin a new watch.",
    );
  }
}

const NOTHING: readonly WatchEvent[] = Object.freeze([]);

/** Watches rows in time order, from the beginning or from a saved state; a pure function of its arguments. */
export function watchStreams(
  rows: Iterable<WatchRow>,
  options: WatchOptions,
  state?: WatchState,
): { events: WatchEvent[]; state: WatchState; plan: WatchPlan } {
  const watch = new StreamWatch(options, state);
  const events: WatchEvent[] = [];
  for (const row of rows) events.push(...watch.push(row));
  return { events, state: watch.state(), plan: watch.plan };
}
