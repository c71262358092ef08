import { randomBytes } from "node:crypto";
import { EnvironmentError } from "../errors.js";
import type { GateReport, GateSettings, WatchedEvent } from "../reports/gate-report.js";
import { isRepeated, type RecordedLook, readLooks } from "../workspace/gate-looks.js";
import {
  type GateEvent,
  type GateInForce,
  putInForce,
  readGateInForce,
  recordGateEvents,
  withGateLock,
} from "../workspace/gate-store.js";
import type { Workspace } from "../workspace/workspace.js";
import { carriedOver, inForceGate, type Suspensions, sameGate } from "./gate-in-force.js";
import type { WatchOutcome } from "./gate-watch.js";

export interface ApplyRequest {
  settings: GateSettings;
  /** Why this is a what-if, each a few words; none: it may come into force. */
  obstacles: readonly string[];
  /** Put it in force whatever speaks against it. */
  apply: boolean;
  dryRun: boolean;
  now: string;
  /** When the earliest decision of each community was made, where that matters. */
  first: ReadonlyMap<string, string>;
  /** Watches, under the same lock: two watches at once would both see the same verdicts. */
  watch: (() => Promise<WatchOutcome>) | null;
}

/**
 * Records the look, carries suspensions over from the gate in force, and puts the gate in force where it is the workspace's own. All of it
 * under one lock, so that two gates at once follow one another. design/gate-in-force.md tells why.
 */
export async function applyGate(workspace: Workspace, report: GateReport, request: ApplyRequest): Promise<void> {
  if (request.dryRun) {
    report.watch = (await request.watch?.())?.report ?? null;
    const current = readGateInForce(workspace);
    markSuspended(report, suspensionsAfter(current, report, report.watch?.events ?? [], request.now));
    report.in_force = {
      status: "not_recorded",
      text: `Dry run: nothing was recorded; ${following(current)}.`,
      before: told(current),
    };
    return;
  }
  try {
    await withGateLock(workspace, () => applyLocked(workspace, report, request));
  } catch (cause) {
    // To look is allowed where one may not write; what was asked for by name must be done or fail.
    if (!(cause instanceof EnvironmentError) || request.apply || request.watch) throw cause;
    const current = readGateInForce(workspace);
    markSuspended(report, suspensionsAfter(current, report, [], request.now));
    report.in_force = {
      status: "not_recorded",
      text: `Nothing was recorded (${cause.message}), so this look does not count and ${following(current)}.`,
      before: told(current),
    };
  }
}

async function applyLocked(workspace: Workspace, report: GateReport, request: ApplyRequest): Promise<void> {
  const watched = (await request.watch?.()) ?? null;
  report.watch = watched?.report ?? null;
  const current = readGateInForce(workspace);
  const events = watchEvents(report.watch?.events ?? [], request.now);
  const suspended = suspensionsAfter(current, report, report.watch?.events ?? [], request.now);
  const wanted = request.apply || request.obstacles.length === 0;
  if (wanted) events.push(...certifiedAgain(report, suspended, request));
  markSuspended(report, suspended);
  if (wanted) {
    const gate = inForceGate(report, suspended);
    if (current && sameGate(current.gate, gate)) report.gate_id = current.gate.gate_id ?? report.gate_id;
    else {
      const sampling_key = current?.sampling_key ?? randomBytes(32).toString("hex");
      putInForce(workspace, { gate, sampling_key, in_force_since: request.now });
    }
    report.in_force = { status: "in_force", text: inForceText(report, current, request), before: told(current) };
  } else {
    if (current && events.length > 0) putInForce(workspace, withSuspensions(current, suspended));
    report.in_force = { status: "what_if", text: whatIfText(current, request.obstacles), before: told(current) };
  }
  const look = lookOf(report, request, wanted);
  const repeated = isRepeated(await readLooks(workspace), look);
  const all = [...(repeated ? [] : [look]), ...events];
  if (all.length > 0) await recordGateEvents(workspace, all);
  watched?.keep?.();
}

function suspensionsAfter(
  current: GateInForce | null,
  report: GateReport,
  events: readonly WatchedEvent[],
  now: string,
): Suspensions {
  const suspended = current ? carriedOver(current.gate, report) : new Map();
  for (const event of events) {
    if (event.type === "suspended") suspended.set(event.community, { since: now, reason: event.text, after: event.at });
    if (event.type === "reinstated") suspended.delete(event.community);
  }
  return suspended;
}

/**
 * Lifts the suspension of communities that this run certifies by decisions which are all younger than the alarm: by e-values, which may be
 * looked at with every run.
 */
function certifiedAgain(report: GateReport, suspended: Suspensions, { first, now }: ApplyRequest): GateEvent[] {
  return report.communities.flatMap((one): GateEvent[] => {
    const alarm = Date.parse(suspended.get(one.community)?.after ?? "");
    const certified = one.certified.ln_e !== null && one.certified.ln_e >= -Math.log(report.delta);
    if (!certified || !(Date.parse(first.get(one.community) ?? "") > alarm)) return [];
    suspended.delete(one.community);
    const reason = `Certified again by ${one.n} decisions, all younger than the alarm: ${one.indefensible} indefensible.`;
    report.notes.push(`${one.community} is no longer suspended. ${reason}`);
    return [{ type: "reinstated", at: now, community: one.community, reason }];
  });
}

function markSuspended(report: GateReport, suspended: Suspensions): void {
  for (const one of report.communities) one.suspended = suspended.get(one.community) ?? null;
}

function withSuspensions(current: GateInForce, suspended: Suspensions): GateInForce {
  const communities = current.gate.communities.map((one) => ({
    ...one,
    suspended: suspended.get(one.community) ?? null,
  }));
  return { ...current, gate: { ...current.gate, communities } };
}

/** Only what changes the gate; changes of version and communities that never passed are told in the report. */
function watchEvents(events: readonly WatchedEvent[], now: string): GateEvent[] {
  return events
    .filter((event) => event.type === "suspended" || event.type === "reinstated")
    .map((event) => ({
      type: event.type as "suspended" | "reinstated",
      at: now,
      community: event.community,
      decision_time: event.at,
      reason: event.text,
    }));
}

function lookOf(report: GateReport, { settings, now }: ApplyRequest, inForce: boolean): RecordedLook {
  return {
    type: "gate",
    at: now,
    gate_id: report.gate_id,
    in_force: inForce,
    mode: report.mode,
    settings: { ...settings },
    evidence: report.evidence,
    data: report.data,
    look: report.look,
    states: Object.fromEntries(report.communities.map((one) => [one.community, one.state])),
    passing: report.communities.filter((one) => one.passes[report.mode]).map((one) => one.community),
  };
}

function told(current: GateInForce | null) {
  if (!current) return null;
  const { gate_id = null, mode, fleet } = current.gate;
  return { gate_id, mode, passing: fleet.passing };
}

function following(current: GateInForce | null): string {
  if (!current) return "no gate is in force";
  return `\`defensible route\` keeps following gate ${current.gate.gate_id ?? "without an id"} (mode ${current.gate.mode}, since ${current.in_force_since})`;
}

function inForceText(report: GateReport, current: GateInForce | null, { obstacles }: ApplyRequest): string {
  const applied = obstacles.length > 0 ? ` by --apply, although ${obstacles.join(" and ")}` : "";
  if (current && current.gate.gate_id === report.gate_id) {
    return `\`defensible route\` follows this gate: it is in force since ${current.in_force_since}, and nothing has changed.`;
  }
  const before = current
    ? `before it was gate ${current.gate.gate_id ?? "without an id"} in mode ${current.gate.mode}, with ${current.gate.fleet.passing} passing`
    : "it is the first";
  return `This gate is now in force for \`defensible route\`${applied}; ${before}.`;
}

function whatIfText(current: GateInForce | null, obstacles: readonly string[]): string {
  return `This is a what-if, because ${obstacles.join(" and ")}; ${following(current)}. --apply puts it in force.`;
}
