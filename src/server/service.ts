import { configSchema } from "../core/config.js";
import type { Decision } from "../core/records/decision.js";
import type { ReviewOutcome } from "../core/records/label.js";
import { GraphileQueue } from "../queue/graphile-queue.js";
import { noteGateEvents } from "../store/postgres/access.js";
import type { Database, Queries } from "../store/postgres/database.js";
import { decisionsById, workspaceConfig, workspaceNames } from "../store/postgres/live.js";
import { PostgresRecords } from "../store/postgres/records.js";
import type { Vault } from "../store/postgres/secrets.js";
import { type PostgresContext, postgresContext } from "../store/postgres/stores.js";
import type { NewEvent } from "../store/postgres/webhooks.js";
import type { GateEvent } from "../store/records/gate-event.js";
import { type HintSubject, Hints } from "./hints.js";
import { LivePages } from "./live-page.js";
import { Outgoing } from "./outgoing.js";
import { Problem } from "./problems.js";
import { RouteDesk } from "./route-desk.js";
import { announce, gateEvents } from "./webhooks.js";

export interface ServiceOptions {
  database: Database;
  queue: GraphileQueue;
  vault: Vault;
  /** Folder for files of the analysis. */
  cache?: string;
  /** Hosts that webhooks may call although they are not public. */
  allowHosts?: readonly string[];
  /** Default: its own. */
  hints?: Hints;
  /** Shared by all services of one database. */
  pages?: LivePages;
  outgoing?: Outgoing;
  say?: (message: string) => void;
}

interface Open {
  /** The stored settings from which the rest was made. */
  settings: string;
  context: PostgresContext;
  desk: RouteDesk;
  decisions: PostgresRecords<Decision>;
  outcomes: PostgresRecords<ReviewOutcome>;
}

const SWEEP_MS = 300_000;
/** How long a process may use settings that have changed. */
const SETTINGS_MS = 2000;
const VIEW_MS = 3_600_000;
const MOST_VIEWS = 10_000;

/** What every endpoint works with: the workspaces of one database. */
export class Service {
  readonly database: Database;
  readonly queue: GraphileQueue;
  readonly vault: Vault;
  /** Calls addresses that users name. */
  readonly outgoing: Outgoing;
  readonly hints: Hints;
  readonly pages: LivePages;
  private readonly opened = new Map<string, Promise<Open>>();
  /** When the settings of each workspace were last checked. */
  private readonly checked = new Map<string, number>();
  /** When a person was last shown a subject, for the activity log. */
  private readonly views = new Map<string, number>();
  private sweeping: NodeJS.Timeout | null = null;

  constructor(private readonly options: ServiceOptions) {
    this.database = options.database;
    this.queue = options.queue;
    this.vault = options.vault;
    this.outgoing = options.outgoing ?? new Outgoing({ allow: options.allowHosts ?? [] });
    this.hints = options.hints ?? new Hints(options.database);
    this.pages = options.pages ?? new LivePages(options.database);
  }

  /** Notifies every open page that something changed. */
  hint(workspace: string, subject: HintSubject): void {
    this.hints.send(workspace, subject);
  }

  /** The same service over a database whose statements form one transaction. Not for routing, which has transactions of its own. */
  over(database: Database): Service {
    const { hints, outgoing, pages } = this;
    return new Service({ ...this.options, hints, outgoing, pages, database, queue: new GraphileQueue(database) });
  }

  /** Whether this process has not shown the person this subject within the hour: open pages ask again and again. */
  isNewView(workspace: string, person: string, subject: string): boolean {
    const key = JSON.stringify([workspace, person, subject]);
    const now = Date.now();
    if (now - (this.views.get(key) ?? 0) < VIEW_MS) return false;
    if (this.views.size >= MOST_VIEWS) this.views.clear();
    this.views.set(key, now);
    return true;
  }

  context = async (workspace: string): Promise<PostgresContext> => (await this.open(workspace)).context;

  async desk(workspace: string): Promise<RouteDesk> {
    return (await this.open(workspace)).desk;
  }

  async decisions(workspace: string): Promise<PostgresRecords<Decision>> {
    return (await this.open(workspace)).decisions;
  }

  async outcomes(workspace: string): Promise<PostgresRecords<ReviewOutcome>> {
    return (await this.open(workspace)).outcomes;
  }

  /** Routes decisions again whose audits have arrived: what may be automated leaves the reviewers' queue. */
  async audited(workspace: string, ids: readonly string[]): Promise<void> {
    const desk = await this.desk(workspace);
    const decisions = await decisionsById(this.database, workspace, ids);
    await Promise.all(decisions.map((decision) => desk.route(decision, { announced: true })));
  }

  /** Removes files that this process made before something was erased, now and every few minutes. */
  async sweep(): Promise<void> {
    this.sweeping ??= setInterval(() => this.sweep().catch(() => {}), SWEEP_MS).unref();
    for (const name of await workspaceNames(this.database)) await (await this.context(name)).sweep();
  }

  async close(): Promise<void> {
    if (this.sweeping) clearInterval(this.sweeping);
    await this.outgoing.close();
  }

  /** Number of decisions that wait for a route. */
  async waiting(): Promise<number> {
    const all = await Promise.all([...this.opened.values()].map((one) => one.catch(() => null)));
    return all.reduce((sum, one) => sum + (one?.desk.depth ?? 0), 0);
  }

  /** Number of decisions that this process has sent to each route. */
  async routed(): Promise<Map<string, number>> {
    const all = await Promise.all([...this.opened.values()].map((one) => one.catch(() => null)));
    const sum = new Map<string, number>();
    for (const one of all) for (const [route, n] of one?.desk.routed ?? []) sum.set(route, (sum.get(route) ?? 0) + n);
    return sum;
  }

  private open(workspace: string): Promise<Open> {
    const now = Date.now();
    const old = this.opened.get(workspace);
    if (old && now - (this.checked.get(workspace) ?? 0) < SETTINGS_MS) return old;
    const there = old ? this.renewed(workspace, old) : this.make(workspace);
    this.checked.set(workspace, now);
    this.opened.set(workspace, there);
    there.catch(() => this.opened.delete(workspace));
    return there;
  }

  /** The same workspace, or a new one if its settings have changed. Decisions that wait for a route get it from the old one. */
  private async renewed(workspace: string, old: Promise<Open>): Promise<Open> {
    const open = await old;
    // While the database is unreachable nothing is discarded: requests to it fail by themselves.
    const kept = await workspaceConfig(this.database, workspace).catch(() => null);
    return kept === null || JSON.stringify(kept) === open.settings ? open : this.make(workspace);
  }

  private async make(workspace: string): Promise<Open> {
    const { database, vault, queue, cache, say = () => {} } = this.options;
    const kept = await workspaceConfig(database, workspace);
    if (kept === null) throw new Problem(404, "unknown_workspace", "There is no such workspace.");
    const config = configSchema.parse(kept);
    const tell = (queries: Queries, events: readonly NewEvent[]) => announce(this, queries, workspace, events);
    const context = postgresContext({
      ...{ database, workspace, vault, config },
      ...(cache ? { cache } : {}),
      announce: async (queries, events) => {
        await announced(queries, workspace, events);
        await tell(queries, gateEvents(events));
      },
    });
    const decisions = new PostgresRecords<Decision>(database, workspace, "decisions", config);
    const outcomes = new PostgresRecords<ReviewOutcome>(database, workspace, "outcomes", config);
    const routed = () => this.hint(workspace, "queue");
    const desk = new RouteDesk(workspace, database, context, decisions, queue, say, tell, routed);
    return { settings: JSON.stringify(kept), context, decisions, outcomes, desk };
  }
}

/** Logs what the service did by itself. Requests log what people do. */
async function announced(queries: Queries, workspace: string, events: readonly GateEvent[]): Promise<void> {
  const own = events.filter(({ type, by_hand, actor }) => (type === "suspended" ? !by_hand : OWN_ACTORS.has(actor)));
  await noteGateEvents(queries, workspace, own);
}

const OWN_ACTORS: ReadonlySet<string | undefined> = new Set(["service", "demo"]);
