import { createHash } from "node:crypto";
import { isKeepable } from "../app/live/intake.js";
import { LiveState } from "../app/route/live.js";
import type { Actions } from "../core/records/actions.js";
import type { Decision } from "../core/records/decision.js";
import type { Route } from "../core/records/route.js";
import { routeDecision } from "../measures/gate/route/decision.js";
import { isDecision } from "../measures/gate/route/input.js";
import type { RouteState } from "../measures/gate/route/state.js";
import { noticeText } from "../present/words/notices.js";
import type { GraphileQueue } from "../queue/graphile-queue.js";
import { columnText, type Database, type Queries } from "../store/postgres/database.js";
import { appealedAmong, newestAudits, RouteStream } from "../store/postgres/live.js";
import type { PostgresRecords } from "../store/postgres/records.js";
import { queueReviews } from "../store/postgres/reviews.js";
import type { PostgresContext } from "../store/postgres/stores.js";
import type { NewEvent } from "../store/postgres/webhooks.js";
import { safeJson } from "../text/printable.js";
import { auditJobs, auditJobsAgain, byCommunity } from "./audit-jobs.js";

/** Most decisions that one transaction routes, and most that may wait. */
const BATCH = 500;
const MOST_WAITING = 10_000;
/** A gate that changes during every one of so many tries is being changed without end. */
const TRIES = 20;
const DEADLOCK = "40P01";
/** What only waits for its audit is not shown to reviewers for so long. */
const HOLD_SECONDS = 60;

export interface Routed extends Route {
  /** Counts the changes of what routing goes by. */
  epoch: number;
  /** The audit is under way; the route of the same decision will be another when it is there. */
  pending?: boolean;
}

interface Waiting {
  decision: unknown;
  announced: boolean;
  answer: (route: Routed) => void;
  fail: (cause: unknown) => void;
}

export class Overloaded extends Error {}

/** Rolls back what was prepared under a gate that was replaced. */
class GateChanged extends Error {}

/**
 * Routes decisions of one workspace. While one transaction commits, the next decisions gather. A transaction keeps new decisions, orders their audits,
 * and writes the routes to the log under the condition that the gate has not changed; only then are they answered. So no answer is without its line, and
 * none goes by a gate that was replaced before its line was written, on any number of nodes.
 */
export class RouteDesk {
  private readonly stream: RouteStream;
  private waiting: Waiting[] = [];
  private busy = false;
  /** How many were sent where. */
  readonly routed = new Map<string, number>();
  private state: { epoch: number; state: RouteState } | null = null;

  constructor(
    private readonly workspace: string,
    private readonly database: Database,
    private readonly context: PostgresContext,
    private readonly decisions: PostgresRecords<Decision>,
    private readonly queue: GraphileQueue,
    private readonly say: (message: string) => void,
    private readonly announce: (queries: Queries, events: readonly NewEvent[]) => Promise<void> = async () => {},
    /** Called when routes were logged, and with them the queue of reviews may have changed. */
    private readonly changed: () => void = () => {},
  ) {
    this.stream = new RouteStream(workspace);
  }

  /**
   * @param decision what was sent, which may be anything
   * @param announced the route is an event for webhooks: its audit has come, and the caller is no longer waiting
   */
  route(decision: unknown, { announced = false } = {}): Promise<Routed> {
    if (this.waiting.length >= MOST_WAITING)
      return Promise.reject(new Overloaded("too many decisions wait for their route"));
    return new Promise((answer, fail) => {
      this.waiting.push({ decision, announced, answer, fail });
      if (!this.busy) setImmediate(() => this.pump());
    });
  }

  /** How many wait. */
  get depth(): number {
    return this.waiting.length;
  }

  private async pump(): Promise<void> {
    if (this.busy || this.waiting.length === 0) return;
    this.busy = true;
    const batch = this.waiting.splice(0, BATCH);
    try {
      const routes = await this.routeBatch(
        batch.map(({ decision }) => decision),
        batch.some(({ announced }) => announced) ? batch.map(({ announced }) => announced) : null,
      );
      for (const [i, { answer }] of batch.entries()) answer(routes[i]!);
      for (const { route } of routes) this.routed.set(route, (this.routed.get(route) ?? 0) + 1);
      this.changed();
    } catch (cause) {
      // The state may be what failed: it is read anew for the next ones.
      this.state = null;
      for (const { fail } of batch) fail(cause);
    } finally {
      this.busy = false;
      this.pump();
    }
  }

  private async routeBatch(given: readonly unknown[], announced: readonly boolean[] | null): Promise<Routed[]> {
    for (let tries = 0; tries < TRIES; tries++) {
      this.state ??= await this.read();
      const { epoch, state } = this.state;
      try {
        return await this.database.transaction(async (queries) => {
          const routes = await this.attempt(queries, given, epoch, state);
          if (announced) await this.announce(queries, routeEvents(routes.filter((_, i) => announced[i])));
          return routes;
        });
      } catch (cause) {
        this.state = null;
        if (cause instanceof GateChanged) continue;
        this.stream.restart();
        // Two nodes that keep the same decisions in another order: the database lets one of them go on.
        if ((cause as { code?: string }).code !== DEADLOCK) throw cause;
      }
    }
    throw new Overloaded("the gate keeps changing");
  }

  /** The epoch is read first: what is read after it is at least as new, and the log takes nothing if either has changed since. */
  private async read(): Promise<{ epoch: number; state: RouteState }> {
    const epoch = await this.context.gate.epoch();
    const live = new LiveState(this.context, {
      shadow: false,
      force: false,
      notice: (notice) => this.say(noticeText(notice)),
    });
    return { epoch, state: await live.current() };
  }

  private async attempt(
    queries: Queries,
    given: readonly unknown[],
    epoch: number,
    state: RouteState,
  ): Promise<Routed[]> {
    const known = await this.keep(queries, given, state);
    const audits = await newestAudits(queries, this.workspace, [...known.ids]);
    // Without an audit nothing is automated anyway.
    const appealed = audits.size > 0 ? await appealedAmong(queries, this.workspace, [...audits.keys()]) : new Set();
    const seen = known.contested.size > 0 ? { ...state, contested: known.contested } : state;
    const routes = given.map((value): Routed => {
      const id = idOf(value);
      const line = id === null ? undefined : audits.get(columnText(id));
      const asked = id !== null && appealed.has(columnText(id)) ? { ...(value as Decision), appeal: {} } : value;
      // What cannot be kept cannot be routed either.
      const route = routeDecision(seen, id === null ? null : asked, line === undefined ? null : JSON.parse(line));
      const pending = id !== null && line === undefined && known.ids.has(id) && !known.contested.has(id);
      return { ...route, epoch, ...(pending ? { pending } : {}) };
    });
    const unaudited = byCommunity(routes.filter(({ pending }) => pending)).map((route) => route.decision_id!);
    const [fresh, again] = [
      unaudited.filter((id) => known.fresh.has(id)),
      unaudited.filter((id) => !known.fresh.has(id)),
    ];
    await this.queue.add([...auditJobs(this.workspace, fresh), ...auditJobsAgain(this.workspace, again)], queries);
    await queueReviews(queries, this.workspace, routes, HOLD_SECONDS);
    const at = new Date().toISOString();
    const lines = routes.map((route) => ({
      decisionId: route.decision_id,
      line: `{"at":"${at}",${contentMark(known.rows.get(route.decision_id ?? ""))}${safeJson(JSON.stringify(route)).slice(1)}`,
    }));
    if (!(await this.stream.append(queries, epoch, lines))) throw new GateChanged();
    return routes;
  }

  /** Keeps decisions that are new. `contested`: those that are known with another content. */
  private async keep(
    queries: Queries,
    given: readonly unknown[],
    { actions }: RouteState,
  ): Promise<{ ids: Set<string>; fresh: Set<string>; contested: Set<string>; rows: Map<string, KeptRow> }> {
    const rows = new Map<string, KeptRow>();
    const contested = new Set<string>();
    for (const value of given) {
      if (!isWellFormed(value, actions)) continue;
      const row = this.decisions.rowOf(this.decisions.canonical(value));
      const same = rows.get(value.id);
      if (same && !same.hash.equals(row.hash)) contested.add(value.id);
      rows.set(value.id, row);
    }
    const outcomes = await this.decisions.insert([...rows.values()], queries);
    const fresh = new Set<string>();
    const ids = new Set(rows.keys());
    [...ids].forEach((id, i) => {
      if (outcomes[i] === "conflict") contested.add(id);
      if (outcomes[i] === "accepted") fresh.add(id);
    });
    for (const id of contested) rows.delete(id);
    return { ids, fresh, contested, rows };
  }
}

/** One for each decision and audit, however often it is routed. */
function routeEvents(routes: readonly Routed[]): NewEvent[] {
  return routes.flatMap(({ decision_id, route, reasons, epoch, gate_id, versions }): NewEvent[] => {
    const key = `${decision_id}\0${JSON.stringify(versions)}\0${epoch}`;
    return [
      { type: "audit.completed", data: { decision_id }, key },
      { type: "route.decided", data: { decision_id, route, reasons, epoch, gate_id }, key },
    ];
  });
}

type KeptRow = ReturnType<PostgresRecords<Decision>["rowOf"]>;

/** The hash of what was routed, hidden by its salt: it proves what the content was as long as it is kept, and nothing once it is erased. */
function contentMark(row: KeptRow | undefined): string {
  if (!row?.salt) return "";
  return `"content_hash":"${createHash("sha256").update(row.salt).update(row.hash).digest("hex")}",`;
}

function isWellFormed(value: unknown, actions: Actions): value is Decision {
  return isDecision(value, actions) && isKeepable(value.id);
}

function idOf(value: unknown): string | null {
  const id = typeof value === "object" && value !== null ? (value as { id?: unknown }).id : null;
  return typeof id === "string" && isKeepable(id) ? id : null;
}
