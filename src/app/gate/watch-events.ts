import type { GateStream, StreamRow } from "../../analysis/gate/stream.js";
import type { GateCommunity } from "../../core/gate.js";
import { fleetEvidence, planWatch } from "../../measures/gate/drift/watch-plan.js";
import type { StreamWatch } from "../../measures/gate/drift/watch-streams.js";
import {
  noSums,
  type WatchEvent,
  type WatchKeyState,
  type WatchOptions,
  type WatchState,
} from "../../measures/gate/drift/watch-types.js";
import type { GateSettings, WatchedEvent, WatchReport } from "../../measures/gate/gate-report.js";
import { indefensibleLimit, LIMIT_SLACK } from "../../measures/gate/limits.js";
import type { GateWords } from "../notices.js";

/** Expected share of false positives among the communities reported as above a limit. */
const NAMED_AT = 0.1;

/** Communities above a limit over all their verdicts, in addition to those with an alarm. */
export function namedCommunities(state: WatchState): WatchReport["named"] {
  const alarmed = new Set(state.keys.filter((key) => key.suspended).map((key) => key.key));
  return fleetEvidence(state)
    .filter((one) => one.q <= NAMED_AT && !alarmed.has(one.key))
    .sort((a, b) => a.q - b.q)
    .map(({ key, q, n, indefensible, ambiguous }) => ({
      community: key,
      q,
      n,
      indefensible: Math.round(indefensible),
      ambiguous: Math.round(ambiguous),
    }));
}

/**
 * Feeds verdicts to the detectors and derives events for the gate. An alarm suspends a community that is automated or has met the limits before.
 * A community that was above them from the start was never open, so there is nothing to suspend.
 */
export class GateWatch {
  private readonly met: Set<string>;
  private readonly automated: ReadonlySet<string>;
  private readonly counts = new Map<string, { n: number; indefensible: number; ambiguous: number }>();
  /** Communities suspended by the detectors for which the gate is suspended, too. */
  private readonly suspended = new Set<string>();

  constructor(
    private readonly streams: StreamWatch,
    private readonly using: { settings: GateSettings; words: GateWords },
    before: { automated: ReadonlySet<string>; met: readonly string[] },
  ) {
    this.automated = before.automated;
    this.met = new Set(before.met);
    for (const { key, n, indefensible, ambiguous, suspended } of streams.state().keys) {
      this.counts.set(key, { n, indefensible, ambiguous });
      if (suspended && (this.automated.has(key) || this.met.has(key) || suspended.version === ""))
        this.suspended.add(key);
    }
  }

  async run(
    stream: GateStream,
    { keys, now, before }: { keys: ReadonlySet<string>; now: number; before: number | null },
  ): Promise<Omit<WatchReport, "runs" | "open_runs" | "kept">> {
    const events: WatchedEvent[] = [];
    const { variable, thread_cap: cap } = this.using.settings;
    const { taken, waiting, late } = await stream.read({ wanted: keys, variable, cap, now, before }, (row) => {
      this.count(row);
      for (const event of this.streams.push(row)) {
        const entry = this.tell(event);
        if (entry) events.push(entry);
      }
    });
    const state = this.streams.state();
    return {
      rows: taken,
      rows_in_all: state.rows,
      waiting,
      late,
      communities: keys.size,
      promise: this.streams.plan.promise,
      events,
      named: namedCommunities(state),
      notes: this.using.words.watchNotes(state, this.suspended),
    };
  }

  state(): WatchState {
    return this.streams.state();
  }

  metLimits(): string[] {
    return [...this.met].sort();
  }

  private count(row: Readonly<StreamRow>): void {
    if (this.met.has(row.key)) return;
    const counts = this.counts.get(row.key) ?? { n: 0, indefensible: 0, ambiguous: 0 };
    this.counts.set(row.key, counts);
    counts.n += row.n;
    counts.indefensible += row.x_indefensible * row.n;
    counts.ambiguous += row.x_ambiguous * row.n;
    const { min_decisions, ai } = this.using.settings;
    const within = (k: number, limit: number) => k / counts.n <= limit + LIMIT_SLACK;
    const low = within(counts.indefensible, indefensibleLimit(this.using.settings)) && within(counts.ambiguous, ai);
    if (low && counts.n >= min_decisions) this.met.add(row.key);
  }

  private tell(event: WatchEvent): WatchedEvent | null {
    const { words } = this.using;
    const { key: community, at } = event;
    if (event.type === "reset") {
      // A suspended community unknown to the watch had no version yet.
      if (event.from === "") return null;
      return { type: "reset", community, at, text: words.reset(event), remedy: null };
    }
    if (event.type === "reinstated") {
      if (!this.suspended.delete(community)) return null;
      return { type: "reinstated", community, at, text: words.reinstated(event), remedy: null };
    }
    const { settings } = this.using;
    const text = words.alarm(event, event.which === "indefensible" ? indefensibleLimit(settings) : settings.ai);
    if (!this.automated.has(community) && !this.met.has(community)) {
      return { type: "above", community, at, text, remedy: null };
    }
    this.suspended.add(community);
    return { type: "suspended", community, at, text, remedy: words.alarmRemedy(event.which) };
  }
}

interface GateKnows {
  /** Communities suspended by the active gate, with the time of the alarm if known. */
  suspended: ReadonlyMap<string, number | null>;
  automated: ReadonlySet<string>;
}

/**
 * The state to continue from. A larger fleet only moves thresholds. Other limits invalidate the sums: they restart at zero, and only suspensions
 * stay. The gate decides what is suspended: a community it has suspended but the watch does not know is taken as suspended; one it automates
 * despite an earlier alarm (it did not pass then) is watched from zero.
 */
export function continuedState(state: WatchState | null, options: WatchOptions, gate: GateKnows): WatchState {
  const { settings } = planWatch(options);
  const same =
    state !== null && JSON.stringify({ ...state.settings, fleet: settings.fleet }) === JSON.stringify(settings);
  const cleared = () => ({ ...noSums(), m: Array<number>(2 * settings.odds_ratios.length).fill(0) });
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

/** When a community was suspended: the time of the decision that raised the alarm, else of the report. */
export function alarmTime({ after, since }: NonNullable<GateCommunity["suspended"]>): number | null {
  const time = Date.parse(after ?? since);
  return Number.isNaN(time) ? null : time;
}
