import { isKeepable } from "../app/live/intake.js";
import { LiveState } from "../app/route/live.js";
import type { Decision } from "../core/records/decision.js";
import type { Route } from "../core/records/route.js";
import { routeDecision } from "../measures/gate/route/decision.js";
import { isDecision } from "../measures/gate/route/input.js";
import type { RouteState } from "../measures/gate/route/state.js";
import { noticeText } from "../present/words/route-words.js";
import type { GraphileQueue } from "../queue/graphile-queue.js";
import type { Database, Queries } from "../store/postgres/database.js";
import type { PostgresRecords } from "../store/postgres/records.js";
import { type RouteLine, RouteStream } from "../store/postgres/routing.js";
import type { PostgresContext } from "../store/postgres/stores.js";
import type { NewEvent } from "../store/postgres/webhooks.js";
import { safeJson } from "../text/printable.js";
import { auditJobs, auditJobsAgain, byCommunity } from "./audit-jobs.js";
import { contentMark, RouteMemory, type Sent } from "./route-memory.js";

/** Most decisions that one transaction routes, and most that may wait. */
const BATCH = 500;
const MOST_WAITING = 10_000;
/** If the gate changes during this many attempts in a row, routing gives up. */
const TRIES = 20;
const DEADLOCK = "40P01";
/** Reviewers are not shown a decision that only awaits its audit for this long. */
const HOLD_SECONDS = 60;

export interface Routed extends Route {
  /** Counts the changes of everything that routing depends on. */
  epoch: number;
  /** The audit is under way; the route of this decision may change when it is done. */
  pending?: boolean;
}

/** A route, and its JSON as logged. */
export interface Answer {
  route: Routed;
  text: string;
}

/** What was sent and, if it can be kept, the decision in it. */
interface Given {
  value: unknown;
  sent: Sent | null;
}

interface Waiting extends Given {
  /** The route is an event for webhooks: its audit is done, and the caller no longer waits. */
  announced: boolean;
  answer: (answer: Answer) => void;
  fail: (cause: unknown) => void;
}

export class Overloaded extends Error {}

/** Rolls back what was prepared under a gate, an audit or content that has changed since. */
class Changed extends Error {}

/**
 * Routes decisions of one workspace. While one transaction commits, the next decisions gather: two concurrent transactions would be half as
 * large, and cost more than they gain. A transaction keeps new decisions, orders their audits, and logs the routes on condition that
 * neither the gate nor anything else they depend on has changed; only then are they answered. So every answer has its line in the log, and
 * no answer uses a gate that was replaced before its line was written, on any number of nodes.
 */
export class RouteDesk {
  private readonly stream: RouteStream;
  private readonly memory: RouteMemory;
  private waiting: Waiting[] = [];
  /** A transaction is under way, or will begin at the end of this turn. */
  private busy = false;
  /** Number of decisions sent to each route. */
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
    /** Called when routes were logged, which may have changed the review queue. */
    private readonly changed: () => void = () => {},
  ) {
    this.stream = new RouteStream(workspace);
    this.memory = new RouteMemory(workspace, decisions);
  }

  /** @param value what was sent; it may be anything */
  route(value: unknown, { announced = false } = {}): Promise<Answer> {
    if (this.waiting.length >= MOST_WAITING)
      return Promise.reject(new Overloaded("too many decisions wait for their route"));
    // Hashed here, while the previous transaction commits.
    const sent = this.sent(value);
    return new Promise((answer, fail) => {
      this.waiting.push({ value, sent, announced, answer, fail });
      if (this.busy) return;
      this.busy = true;
      setImmediate(() => this.pump());
    });
  }

  get depth(): number {
    return this.waiting.length;
  }

  private async pump(): Promise<void> {
    if (this.waiting.length === 0) {
      this.busy = false;
      return;
    }
    const batch = this.waiting.splice(0, BATCH);
    try {
      const answers = await this.routeBatch(batch);
      for (const [i, { answer }] of batch.entries()) answer(answers[i]!);
      for (const { route } of answers) this.routed.set(route.route, (this.routed.get(route.route) ?? 0) + 1);
      this.changed();
    } catch (cause) {
      // The state may be the cause of the failure, so it is read again next time.
      this.state = null;
      for (const { fail } of batch) fail(cause);
    } finally {
      // Answers go out first, so that the requests they trigger join the next transaction.
      setImmediate(() => this.pump());
    }
  }

  private async routeBatch(batch: readonly Waiting[]): Promise<Answer[]> {
    for (let tries = 0; tries < TRIES; tries++) {
      this.state ??= await this.read();
      const { epoch, state } = this.state;
      try {
        return await this.attempt(batch, epoch, state);
      } catch (cause) {
        if (cause instanceof Changed) {
          if ((await this.context.gate.epoch()) !== epoch) this.state = null;
          continue;
        }
        this.state = null;
        this.stream.restart();
        // Two nodes kept the same decisions in a different order: the database lets one of them go on.
        if ((cause as { code?: string }).code !== DEADLOCK) throw cause;
      }
    }
    throw new Overloaded("the gate keeps changing");
  }

  /** The epoch is read first: whatever is read after it is at least as new, and the log rejects the routes if either has changed since. */
  private async read(): Promise<{ epoch: number; state: RouteState }> {
    const epoch = await this.context.gate.epoch();
    const live = new LiveState(this.context, {
      shadow: false,
      force: false,
      notice: (notice) => this.say(noticeText(notice)),
    });
    return { epoch, state: await live.current() };
  }

  private async attempt(batch: readonly Waiting[], epoch: number, state: RouteState): Promise<Answer[]> {
    const { sent, contested } = differing(batch);
    const known = await this.memory.look(this.database, sent.values());
    const fresh = new Map<string, KeptRow>();
    for (const { id, record, hash } of sent.values()) {
      const there = known.get(id)!.hash;
      if (there === null) fresh.set(id, this.decisions.rowOf(record));
      else if (!there.equals(hash)) contested.add(id);
    }
    const seen = contested.size > 0 ? { ...state, contested } : state;
    const at = new Date().toISOString();
    const lines: RouteLine[] = [];
    const answers = batch.map(({ value }): Answer => {
      const id = idOf(value);
      const there = id === null ? undefined : known.get(id);
      const checked = there && !contested.has(id!) ? there : null;
      const audit = there?.audit ?? null;
      const asked = audit !== null && there?.appealed ? { ...(value as Decision), appeal: {} } : value;
      // What cannot be kept cannot be routed either.
      const route: Routed = { ...routeDecision(seen, id === null ? null : asked, audit), epoch };
      if (checked && audit === null) route.pending = true;
      const text = safeJson(JSON.stringify(route));
      const row = fresh.get(id ?? "");
      const mark = checked && (row ? contentMark(row.salt, row.hash) : checked.mark);
      lines.push({
        route,
        line: `{"at":"${at}",${mark ? `"content_hash":"${mark}",` : ""}${text.slice(1)}`,
        seen: checked && { ...checked, hash: row?.hash ?? checked.hash! },
      });
      return { route, text };
    });
    const routes = answers.map(({ route }) => route);
    const unaudited = byCommunity(routes.filter(({ pending }) => pending)).map((route) => route.decision_id!);
    const jobs = [
      ...auditJobs(
        this.workspace,
        unaudited.filter((id) => fresh.has(id)),
      ),
      ...auditJobsAgain(
        this.workspace,
        unaudited.filter((id) => !fresh.has(id)),
      ),
    ];
    const announced = routes.filter((_, i) => batch[i]!.announced);
    const write = async (queries: Queries) => {
      const kept = await this.decisions.insert([...fresh.values()], queries);
      if (kept.some((outcome) => outcome !== "accepted")) throw new Changed();
      await this.queue.add(jobs, queries);
      if (!(await this.stream.append(queries, epoch, lines, HOLD_SECONDS))) throw new Changed();
      if (announced.length > 0) await this.announce(queries, routeEvents(announced));
    };
    try {
      // A single statement is its own transaction.
      if (fresh.size === 0 && jobs.length === 0 && announced.length === 0) await write(this.database);
      else await this.database.transaction(write);
    } catch (cause) {
      this.memory.forget(known.keys());
      throw cause;
    }
    this.memory.keep(known);
    return answers;
  }

  private sent(value: unknown): Sent | null {
    if (!isDecision(value, this.context.config.actions) || !isKeepable(value.id)) return null;
    const record = this.decisions.canonical(value as Decision);
    return { id: value.id, record, hash: this.decisions.hashOf(record) };
  }
}

/** Decisions that can be kept, by id. `contested`: ids that came with different contents. */
function differing(given: readonly Given[]) {
  const sent = new Map<string, Sent>();
  const contested = new Set<string>();
  for (const { sent: one } of given) {
    if (one === null) continue;
    const same = sent.get(one.id);
    if (same && !same.hash.equals(one.hash)) contested.add(one.id);
    sent.set(one.id, one);
  }
  return { sent, contested };
}

/** One event for each decision and audit, however often it is routed. */
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

function idOf(value: unknown): string | null {
  const id = typeof value === "object" && value !== null ? (value as { id?: unknown }).id : null;
  return typeof id === "string" && isKeepable(id) ? id : null;
}
