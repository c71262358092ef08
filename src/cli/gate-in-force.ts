import type { Gate, GateCommunity } from "../domain/gate.js";
import { communityInKey } from "../gate/cohort-key.js";
import { cohortLabels } from "../gate/cohort-labels.js";
import type { GateReport } from "../gate/gate-report.js";
import { canonicalValue } from "../workspace/canonical.js";

/** Suspended communities, by name. */
export type Suspensions = Map<string, NonNullable<GateCommunity["suspended"]>>;

/**
 * Suspensions of the gate in force, by the names of the new one. Where the two divide by other keys, whatever has a suspended cohort's
 * community is suspended: a change of keys must not open what an alarm closed.
 */
export function carriedOver(gate: Gate, report: Pick<GateReport, "by" | "communities">): Suspensions {
  const suspended: Suspensions = new Map();
  const before = gate.by ?? ["community"];
  for (const one of gate.communities) if (one.suspended) suspended.set(one.community, one.suspended);
  if (!otherKeys(gate, report)) return suspended;
  const communities = new Map([...suspended].map(([key, value]) => [communityInKey(before, key), value]));
  for (const { community: key } of report.communities) {
    const found = communities.get(communityInKey(report.by, key));
    if (found) suspended.set(key, found);
  }
  return suspended;
}

/** Whether a gate divides decisions by other keys than another. */
export function otherKeys(gate: Gate, report: Pick<GateReport, "by">): boolean {
  return (gate.by ?? ["community"]).join() !== report.by.join();
}

/** The gate in force with other suspensions, also of communities that it does not know. */
export function withSuspensions(gate: Gate, suspended: Suspensions): Gate {
  const known = new Set(gate.communities.map((one) => one.community));
  return {
    ...gate,
    communities: [
      ...gate.communities.map((one) => ({ ...one, suspended: suspended.get(one.community) ?? null })),
      ...absentFrom(known, suspended),
    ],
  };
}

/** What `route` needs of a gate, what a report computes it from, and no more: it is read at every start. */
export function inForceGate(report: GateReport, suspended: Suspensions): Gate {
  const { mode, thresholds, format, gate_id, created_at, by, evidence, selective, review_share, variable } = report;
  const { adjust, look, delta, q, risk } = report;
  const slim = ({ estimates: _, reasons: __, ...scenario }: GateReport["fleet"]) => scenario;
  const known = new Set(report.communities.map((one) => one.community));
  return {
    mode,
    thresholds,
    fleet: slim(report.fleet),
    scenarios: report.scenarios.map(slim),
    communities: [
      ...report.communities.map((one) => ({
        community: one.community,
        n: one.n,
        indefensible: one.indefensible,
        inverse_yes: one.inverse_yes,
        inverse_yes_pure: one.inverse_yes_pure,
        di: one.di,
        ai: one.ai,
        state: one.state,
        suspended: one.suspended,
        passes: one.passes,
        more_decisions_needed: one.more_decisions_needed,
      })),
      ...absentFrom(known, suspended),
    ],
    format,
    gate_id,
    created_at,
    by,
    evidence,
    selective,
    review_share,
    variable,
    adjust,
    look,
    delta,
    q,
    risk,
    ...(report.judge_error_required
      ? { judge_error_required: true, label_counts: cohortLabels(report.judge_error) }
      : {}),
  };
}

/** A suspended community without audits stays suspended for the day it comes back. */
function absentFrom(known: ReadonlySet<string>, suspended: Suspensions): GateCommunity[] {
  return [...suspended]
    .filter(([community]) => !known.has(community))
    .map(([community, suspension]) => nobodyThere(community, suspension));
}

function nobodyThere(community: string, suspended: GateCommunity["suspended"]): GateCommunity {
  return {
    community,
    n: 0,
    indefensible: 0,
    inverse_yes: 0,
    di: null,
    ai: null,
    state: "insufficient",
    suspended,
    passes: { paper: false, shrunk: false, certified: false },
    more_decisions_needed: null,
  };
}

/** Whether two gates say the same, apart from when they were made. */
export function sameGate(a: Gate, b: Gate): boolean {
  const said = ({ gate_id: _, created_at: __, ...gate }: Gate) => JSON.stringify(canonicalValue(gate, ""));
  return said(a) === said(b);
}
