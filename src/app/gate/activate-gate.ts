import { randomBytes } from "node:crypto";
import { EnvironmentError, InputError } from "../../core/errors.js";
import type { GateCommunity } from "../../core/gate.js";
import type { GateReport, GateSettings, WatchedEvent } from "../../measures/gate/gate-report.js";
import type { GateStore } from "../../store/ports.js";
import { type GateEvent, isRepeated, type RecordedLook, readLooks } from "../../store/records/gate-event.js";
import {
  carriedOver,
  type GateInForce,
  type GateStanding,
  gateHash,
  type Suspensions,
  suspendedIn,
  suspendedInHistory,
  withSuspensions,
} from "../../store/records/suspensions.js";
import type { Applied, GateWords, Obstacle } from "../notices.js";
import { inForceGate, sameGate } from "./kill-switch.js";
import type { WatchOutcome } from "./watch.js";

export interface ApplyRequest {
  settings: GateSettings;
  /** How this differs from the workspace's own gate; empty if it does not. */
  obstacles: readonly Obstacle[];
  /** Obstacles that arose after the run was chosen; evaluated under the lock. */
  late: () => Promise<Obstacle[]>;
  /** The limits are not those of the active gate, so a watch suspends and reinstates nothing. */
  otherLimits: boolean;
  /** Activate the gate. Only this activates it. */
  apply: boolean;
  dryRun: boolean;
  /** Do not record a look that changes nothing. */
  quiet?: boolean;
  now: string;
  /** Time of the earliest decision per community, if needed. */
  first: ReadonlyMap<string, string>;
  /** Runs the watch under the same lock: two watches at once would both see the same verdicts. */
  watch: (() => Promise<WatchOutcome>) | null;
  words: GateWords;
}

/**
 * Records the look, carries suspensions over from the active gate, and activates the gate if requested, all under one lock, so that
 * concurrent gate commands run one after the other. design/gate-in-force.md gives the reasons.
 */
export async function recordGate(store: GateStore, report: GateReport, request: ApplyRequest): Promise<void> {
  if (request.dryRun) {
    const watched = (await request.watch?.())?.report ?? null;
    report.watch = watched && { ...watched, kept: false };
    const { current } = await readableGate(store, report, request);
    const standing = await standingSuspensions(store, current, report, request);
    markSuspended(report, suspensionsAfter(standing.suspended, report.watch?.events ?? [], request.now));
    report.in_force = noteOf({ status: "not_recorded", problem: null, current }, request);
    return;
  }
  try {
    await store.withGateLock((own) => applyLocked(own, report, request));
  } catch (cause) {
    // Looking is allowed without write access; an explicit request must be carried out or fail.
    if (!(cause instanceof EnvironmentError) || request.apply || request.watch) throw cause;
    const current = await store.active();
    markSuspended(report, (await standingSuspensions(store, current, report, request)).suspended);
    report.in_force = noteOf({ status: "not_recorded", problem: cause.message, current }, request);
  }
}

async function applyLocked(store: GateStore, report: GateReport, request: ApplyRequest): Promise<void> {
  const { current, damaged } = await readableGate(store, report, request);
  const standing = await standingSuspensions(store, current, report, request);
  const watched = (await request.watch?.()) ?? null;
  const wanted = request.apply;
  const reasons = [...differences(standing, report, request), ...(await request.late())];
  // Without an active gate there is nothing to suspend, so the state is not kept and the next watch sees the same verdicts again.
  const kept = watched !== null && !request.otherLimits && current !== null;
  report.watch = watched && { ...watched.report, kept };
  const alarms = kept ? watched.report.events : [];
  const events = watchEvents(alarms, request.now);
  const suspended = suspensionsAfter(standing.suspended, kept ? (report.watch?.events ?? []) : [], request.now);
  if (wanted || (request.watch && request.obstacles.length === 0)) {
    events.push(...certifiedAgain(report, suspended, request));
  }
  markSuspended(report, suspended);
  const gate = inForceGate(report, suspended);
  // A gate with other settings may agree by chance; it is still a different gate.
  const same = current !== null && (wanted || request.obstacles.length === 0) && sameGate(current.gate, gate);
  if (same) report.gate_id = current.gate.gate_id ?? report.gate_id;
  const applied = request.apply && request.obstacles.length > 0;
  let hash = current?.content_hash;
  const activate = async (active: GateInForce) => {
    await store.activate(active);
    hash = gateHash(active);
  };
  if (same && request.apply && (current.applied ?? false) !== applied) await activate({ ...current, applied });
  if (wanted && !same) {
    const sampling_key = current?.sampling_key ?? randomBytes(32).toString("hex");
    await activate({ gate, sampling_key, in_force_since: request.now, ...(applied ? { applied } : {}) });
  } else if (current && events.length > 0) {
    await activate({ ...current, gate: withSuspensions(current.gate, suspended) });
  }
  report.in_force = noteOf(appliedAs(report, current, wanted || same, reasons, request.watch !== null), request);
  const replaced = damaged && wanted;
  const hashed = hash === undefined ? {} : { content_hash: hash };
  const look = {
    ...lookOf(report, request, wanted || same),
    ...(wanted || same ? hashed : {}),
    ...(replaced ? { replaced_damaged: true } : {}),
  };
  const unseen = request.quiet === true && !wanted && events.length === 0;
  const repeated = !replaced && (unseen || isRepeated(await readLooks(store.history()), look));
  const all = [...(repeated ? [] : [look]), ...events.map((event) => ({ ...event, ...hashed }))];
  if (all.length > 0) await store.record(all);
  if (kept) await watched.keep?.(store);
}

function appliedAs(
  { gate_id: gateId }: GateReport,
  current: GateInForce | null,
  inForce: boolean,
  reasons: readonly Obstacle[],
  watch: boolean,
): Applied {
  if (inForce) return { status: "in_force", gateId, obstacles: reasons, current };
  if (watch && current) return { status: "watched", current };
  return { status: "what_if", reasons, current };
}

function noteOf(applied: Applied, { words }: ApplyRequest): NonNullable<GateReport["in_force"]> {
  const { gate_id = null, mode, fleet } = applied.current?.gate ?? {};
  const before = mode && fleet ? { gate_id, mode, passing: fleet.passing } : null;
  return { status: applied.status, text: words.applied(applied), before };
}

/** How this gate differs from the workspace's own: what speaks against activating it. */
function differences(standing: Standing, report: GateReport, { obstacles }: ApplyRequest): Obstacle[] {
  return [...obstacles, ...(isByOtherKeys(standing, report) ? [{ code: "other_keys" as const }] : [])];
}

/** The active gate. A damaged one is replaced by the next that is activated; until then `route` stops. */
async function readableGate(
  store: GateStore,
  report: GateReport,
  { words, apply, dryRun }: ApplyRequest,
): Promise<{ current: GateInForce | null; damaged: boolean }> {
  try {
    return { current: await store.active(), damaged: false };
  } catch (cause) {
    if (!isDamage(cause)) throw cause;
    report.notes.push(words.unreadableGate(cause.message, apply && !dryRun));
    return { current: null, damaged: true };
  }
}

/** The gate file was damaged or edited, and can be replaced by another. */
export function isDamage(cause: unknown): cause is InputError {
  return cause instanceof InputError && cause.code !== "not_a_file";
}

type Standing = Pick<GateStanding, "by" | "suspended">;

/**
 * Suspensions from before this gate: those in the file that outlives gates (if it is lost, in the history) and in the active gate. They hold for
 * cohorts of the keys they were made with, so while there are any, a gate by other keys cannot be activated: it would reopen what an alarm
 * closed.
 */
async function standingSuspensions(
  store: GateStore,
  current: GateInForce | null,
  report: GateReport,
  { apply, dryRun, words }: ApplyRequest,
): Promise<Standing> {
  const kept = await store.standing();
  const own = current && suspendedIn(current.gate);
  const by = kept?.by ?? own?.by ?? report.by;
  const before = { by, suspended: kept?.suspended ?? (await suspendedInHistory(store.history())) };
  const suspended = new Map([...carriedOver(before, report), ...(own ? carriedOver(own, report) : [])]);
  const standing = { by, suspended };
  if (apply && !dryRun && isByOtherKeys(standing, report)) {
    const keys = { asked: report.by, before: by };
    const [message = "", remedy] = words.suspendedByOtherKeys([...suspended.keys()], keys);
    throw new InputError("suspended_keys", message, remedy);
  }
  return standing;
}

function isByOtherKeys({ by, suspended }: Standing, report: GateReport): boolean {
  return suspended.size > 0 && by.join() !== report.by.join();
}

function suspensionsAfter(standing: Suspensions, events: readonly WatchedEvent[], now: string): Suspensions {
  const suspended: Suspensions = new Map(standing);
  for (const event of events) {
    if (event.type === "suspended") suspended.set(event.community, suspensionOf(event, now));
    if (event.type === "reinstated") suspended.delete(event.community);
  }
  return suspended;
}

function suspensionOf({ text, at, by }: WatchedEvent, now: string): NonNullable<GateCommunity["suspended"]> {
  return { since: now, reason: text, after: at, ...(by ? { by } : {}) };
}

/**
 * Lifts the suspension of communities that this run certifies using only decisions made after the alarm. It uses e-values, which may be
 * looked at with every run.
 */
function certifiedAgain(report: GateReport, suspended: Suspensions, { first, now, words }: ApplyRequest): GateEvent[] {
  return report.communities.flatMap((one): GateEvent[] => {
    const alarm = Date.parse(suspended.get(one.community)?.after ?? "");
    const certified = one.certified.ln_e !== null && one.certified.ln_e >= -Math.log(report.delta);
    if (suspended.get(one.community)?.by) return [];
    if (!certified || !(Date.parse(first.get(one.community) ?? "") > alarm)) return [];
    suspended.delete(one.community);
    const reason = words.certifiedAgain(one);
    report.notes.push(words.noLongerSuspended(one.community, reason));
    return [{ type: "reinstated", at: now, community: one.community, reason }];
  });
}

function markSuspended(report: GateReport, suspended: Suspensions): void {
  for (const one of report.communities) one.suspended = suspended.get(one.community) ?? null;
}

/** Only events that change the gate. Changes of version and communities that never passed are in the report. */
function watchEvents(events: readonly WatchedEvent[], now: string): GateEvent[] {
  return events
    .filter((event) => event.type === "suspended" || event.type === "reinstated")
    .map((event) => ({
      type: event.type as "suspended" | "reinstated",
      at: now,
      community: event.community,
      decision_time: event.at,
      reason: event.text,
      ...(event.by ? { by: event.by } : {}),
    }));
}

function lookOf(report: GateReport, { settings, now, apply, obstacles }: ApplyRequest, inForce: boolean): RecordedLook {
  return {
    type: "gate",
    at: now,
    gate_id: report.gate_id,
    in_force: inForce,
    ...(apply && obstacles.length > 0 ? { applied: true } : {}),
    mode: report.mode,
    settings: { ...settings },
    evidence: report.evidence,
    data: report.data,
    look: report.look,
    states: Object.fromEntries(report.communities.map((one) => [one.community, one.state])),
    passing: report.communities.filter((one) => one.passes[report.mode]).map((one) => one.community),
    ...(inForce && report.selective?.calibration_hash ? { calibration_hash: report.selective.calibration_hash } : {}),
  };
}
