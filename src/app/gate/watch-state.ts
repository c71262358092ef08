import type { GateCommunity } from "../../core/gate.js";
import { planWatch } from "../../measures/gate/drift/watch-plan.js";
import {
  noSums,
  type WatchKeyState,
  type WatchOptions,
  type WatchState,
} from "../../measures/gate/drift/watch-types.js";

export interface GateKnows {
  /** Communities that the gate in force has suspended, and the time of the alarm where it is known. */
  suspended: ReadonlyMap<string, number | null>;
  /** Communities that are automated, or would be. */
  automated: ReadonlySet<string>;
}

/**
 * A state to go on with. A larger fleet only moves thresholds. Other limits make what was summed up meaningless: it starts at zero, and only
 * suspensions stay. The gate has the last word on who is suspended: a community that it has suspended and the watch does not know is
 * taken as suspended; one that it automates although there was an alarm once (it did not pass then) is watched from zero.
 */
export function continuedState(state: WatchState | null, options: WatchOptions, gate: GateKnows): WatchState {
  const { settings } = planWatch(options);
  const same =
    state !== null && JSON.stringify({ ...state.settings, fleet: settings.fleet }) === JSON.stringify(settings);
  const cleared = () => ({ ...noSums(), m: Array<number>(2 * settings.odds_ratios.length).fill(0), cusum: [0, 0] });
  const { suspended } = gate;
  const keys = new Map<string, WatchKeyState>();
  for (const key of state?.keys ?? []) {
    if (key.suspended && !suspended.has(key.key) && gate.automated.has(key.key)) {
      keys.set(key.key, { ...key, ...cleared(), suspended: null });
    } else if (same) keys.set(key.key, key);
    else keys.set(key.key, { ...key, ...cleared(), suspended: key.suspended && { ...key.suspended, since: noSums() } });
  }
  for (const [key, after] of suspended) {
    const known = keys.get(key);
    if (known?.suspended) {
      if (known.suspended.after === null) keys.set(key, { ...known, suspended: { ...known.suspended, after } });
      continue;
    }
    const alarm = { type: "suspended", key, at: null, row: 0, which: "indefensible", detector: "e_detector" } as const;
    const unknown = { ...alarm, statistic: 0, threshold: 0, version: "", after, since: noSums(), not_counted: 0 };
    const nothing = { version: "", versions: [], rows: 0, changes: 0, resets: 0, reset_rows: [] };
    keys.set(key, { key, ...nothing, ...cleared(), suspended: unknown });
  }
  return { format: 1, settings, rows: state?.rows ?? 0, keys: [...keys.values()] };
}

/** When a community was suspended: the time of the decision that raised the alarm, else when it was told. */
export function alarmTime({ after, since }: NonNullable<GateCommunity["suspended"]>): number | null {
  const time = Date.parse(after ?? since);
  return Number.isNaN(time) ? null : time;
}
