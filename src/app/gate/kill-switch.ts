import type { Gate } from "../../core/gate.js";
import { cohortLabels } from "../../measures/gate/certified-gate.js";
import type { GateReport } from "../../measures/gate/gate-report.js";
import { communityInKey } from "../../measures/gate/route/reasons.js";
import { canonicalValue } from "../../store/formats/parse-json.js";
import type { GateStore } from "../../store/ports.js";
import type { GateEvent } from "../../store/records/gate-event.js";
import {
  absentFrom,
  type Closure,
  type GateInForce,
  gateHash,
  type Suspensions,
  suspendedIn,
  withSuspensions,
} from "../../store/records/suspensions.js";
import { refuse } from "../notices.js";

interface SwitchResult {
  closed: Closure | null;
  before: Closure | null;
}

/** The kill switch. If gates are already closed, the earlier time and reason stay. `problem`: why the history lacks the event. */
export async function closeEveryGate(
  gate: GateStore,
  closure: Closure,
): Promise<SwitchResult & { problem: string | null }> {
  const before = await gate.closure();
  if (before) return { closed: before, before, problem: null };
  const problem = await gate.close(closure);
  return { closed: closure, before, problem };
}

/** Lets the active gate take effect again. */
export async function openEveryGate(gate: GateStore, at: string): Promise<SwitchResult> {
  const before = await gate.closure();
  if (before) await gate.open(at);
  return { closed: null, before };
}

/** Lifts a suspension by hand after a false alarm; the community's detectors start anew. Returns the suspension. */
export async function reinstateCommunity(
  gate: GateStore,
  { community, at, reason }: { community: string; at: string; reason: string },
) {
  return gate.withGateLock(async (store) => {
    const current = await store.active();
    // Before any write: a damaged file must not leave the change half done.
    const stored = await store.watch();
    const standing = await store.standing();
    const suspended: Suspensions = current ? suspendedIn(current.gate).suspended : new Map(standing?.suspended);
    const suspension = suspended.get(community);
    if (!suspension) refuse({ code: "not_suspended", community, suspended: [...suspended.keys()] });
    suspended.delete(community);
    const hashed = current && (await suspendIn(store, current, suspended));
    if (!current) await store.keepStanding({ ...standing!, suspended });
    await store.record([{ type: "reinstated", at, community, reason, by_hand: true, ...hashed }]);
    if (stored) {
      const keys = stored.watch.keys.filter((one) => one.key !== community);
      await store.keepWatch({ ...stored, watch: { ...stored.watch, keys } });
    }
    return suspension;
  });
}

/**
 * Suspends a cohort by hand, or all cohorts of a community; only `reinstateCommunity` ends it. Returns the names that are newly suspended, without
 * those that already were.
 */
export async function suspendCommunity(
  gate: GateStore,
  { community, at, reason }: { community: string; at: string; reason: string },
): Promise<string[]> {
  return gate.withGateLock(async (store) => {
    const current = await store.active();
    const standing = await store.standing();
    const by = current?.gate.by ?? standing?.by ?? ["community"];
    const known = (current?.gate.communities ?? []).map((one) => one.community);
    const cells = known.filter((key) => key === community || communityInKey(by, key) === community);
    const before: Suspensions = current ? suspendedIn(current.gate).suspended : new Map(standing?.suspended);
    const names = (cells.length > 0 ? cells : [community]).filter((key) => !before.has(key));
    if (names.length === 0) return [];
    const suspension = { since: at, reason, after: null, by: "hand" as const };
    const suspended: Suspensions = new Map([...before, ...names.map((key) => [key, suspension] as const)]);
    const hashed = current && (await suspendIn(store, current, suspended));
    if (!current) await store.keepStanding({ by, newest: { gate_id: null, created_at: null }, ...standing, suspended });
    await store.record(
      names.map((key) => ({
        ...{ type: "suspended" as const, at, community: key, reason, by: "hand", by_hand: true },
        ...hashed,
      })),
    );
    return names;
  });
}

/** Activates the active gate with other suspensions. Returns its hash, for the history. */
async function suspendIn(
  store: GateStore,
  current: GateInForce,
  suspended: Suspensions,
): Promise<{ content_hash: string }> {
  const active = { ...current, gate: withSuspensions(current.gate, suspended) };
  await store.activate(active);
  return { content_hash: gateHash(active) };
}

interface GateHistory {
  closed: Closure | null;
  events: GateEvent[];
  /** The active gate. */
  gate: Gate | null;
}

export async function gateHistory(store: GateStore): Promise<GateHistory> {
  const events: GateEvent[] = [];
  for await (const event of store.history()) events.push(event);
  return { closed: await store.closure(), events, gate: (await store.active())?.gate ?? null };
}

/** Keeps only what `route` needs and what a report computes the gate from, because it is read at every start. */
export function inForceGate(report: GateReport, suspended: Suspensions): Gate {
  const { mode, thresholds, format, gate_id, created_at, by, evidence, selective, review_share, variable } = report;
  const { adjust, look, delta, q, risk, thread_cap, span, harm } = report;
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
        ...(one.harm ? { harm: one.harm } : {}),
        ...(one.ruleset_versions ? { ruleset_versions: one.ruleset_versions } : {}),
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
    data: report.data,
    delta,
    q,
    risk,
    thread_cap,
    ...(harm ? { harm } : {}),
    ...(span ? { span } : {}),
    ...(report.judge_error_required
      ? { judge_error_required: true, label_counts: cohortLabels(report.judge_error) }
      : {}),
  };
}

/** Whether two gates are equal apart from id and times. */
export function sameGate(a: Gate, b: Gate): boolean {
  const said = ({ gate_id: _, created_at: __, span, ...gate }: Gate) => {
    const { from: _from, to: _to, ...settings } = span ?? {};
    return JSON.stringify(canonicalValue({ ...gate, span: settings }, ""));
  };
  return said(a) === said(b);
}

/** Who changes a gate, and why. */
interface Actor {
  actor: string;
  reason?: string | undefined;
}

/** The same store, with the actor signed in its history. The reason is added to activations and openings only; other events have their own. */
export function actingGate<Store extends GateStore>(store: Store, who: Actor): Store {
  const { actor, reason } = who;
  const signed = (event: GateEvent): GateEvent => ({
    ...event,
    actor,
    ...(event.type === "gate" && event.in_force === true && reason ? { reason } : {}),
  });
  const own: Pick<GateStore, "withGateLock" | "record" | "close" | "open"> = {
    withGateLock: (work) => store.withGateLock((inside) => work(actingGate(inside, who))),
    record: (events) => store.record(events.map(signed)),
    close: (closure) => store.close(closure, actor),
    open: (at) => store.open(at, who),
  };
  return Object.assign(Object.create(store) as Store, own);
}
