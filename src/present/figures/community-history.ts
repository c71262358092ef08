import type { GateState } from "../../core/gate.js";
import { fleetState } from "../../measures/gate/fleet-state.js";
import type { GateCohort, GateLimits } from "../../measures/gate/gate-input.js";
import type { ReportPage, TimelineRow } from "../../measures/report-page.js";
import { periodName } from "../words/period-name.js";

/** A community at the end of a period. */
export interface HistoryPoint {
  /** Name of the period, for example "2025-03". */
  period: string;
  /** Verdicts of the period alone; all counts 0 where it had none. */
  alone: GateCohort;
  /** Verdicts up to its end. */
  so_far: GateCohort;
  /** State by the rates as seen, of all verdicts up to its end. */
  state: GateState;
}

/** Stretches of periods in which the state did not change. */
export interface StateStretch {
  state: GateState;
  from: string;
  to: string;
  periods: number;
}

/** What the gate would have said of a community at the end of each period, from its first verdict on; empty without times. */
export function communityHistory(page: ReportPage, community: string, limits: GateLimits): HistoryPoint[] {
  if (!page.timeline) return [];
  const own = page.timeline.rows.filter((row) => row.community === community);
  const byPeriod = new Map(own.map((row) => [row.period, row]));
  const first = Math.min(...byPeriod.keys());
  const points: HistoryPoint[] = [];
  let so_far = counts(community);
  const { unit, periods } = page.timeline;
  periods.forEach((start, index) => {
    if (index < first) return;
    const alone = counts(community, byPeriod.get(index));
    so_far = sum(so_far, alone);
    points.push({ period: periodName(unit, start), alone, so_far, state: fleetState(so_far, limits) });
  });
  return own.length > 0 ? points : [];
}

export function stateStretches(history: readonly HistoryPoint[]): StateStretch[] {
  const stretches: StateStretch[] = [];
  for (const { period, state } of history) {
    const last = stretches.at(-1);
    if (last?.state === state) {
      last.to = period;
      last.periods += 1;
    } else stretches.push({ state, from: period, to: period, periods: 1 });
  }
  return stretches;
}

function counts(key: string, row?: TimelineRow): GateCohort {
  const { n = 0, indefensible = 0, inverse_yes = 0, inverse_yes_pure = 0 } = row ?? {};
  return { key, n, indefensible, inverse_yes, inverse_yes_pure, unscored: 0 };
}

function sum(a: GateCohort, b: GateCohort): GateCohort {
  return {
    ...a,
    n: a.n + b.n,
    indefensible: a.indefensible + b.indefensible,
    inverse_yes: a.inverse_yes + b.inverse_yes,
    inverse_yes_pure: a.inverse_yes_pure + b.inverse_yes_pure,
  };
}
