import { InputError } from "../../core/errors.js";
import type { ReviewOutcome } from "../../core/records/label.js";
import type { GateStore, RouteStore } from "../ports.js";
import {
  closedEvent,
  type GateEvent,
  openedEvent,
  parseGateEvent,
  type StoredWatch,
  storedWatchSchema,
} from "../records/gate-event.js";
import {
  type Closure,
  closureSchema,
  type GateInForce,
  inForceSchema,
  sealed,
  sealProblem,
  standingAfter,
  standingOf,
  standingRecord,
  standingSchema,
  withStanding,
} from "../records/suspensions.js";
import { columnText, type Database, type Queries } from "./database.js";
import type { PostgresRecords } from "./records.js";
import type { Vault } from "./secrets.js";

const BATCH = 1000;

interface Head {
  epoch: number;
  gate_changes: number;
  switch_changes: number;
  active: object | null;
  standing: object | null;
  closure: object | null;
}

/** The gate changed since it was read. */
export class StaleEpoch extends Error {
  constructor(readonly epoch: number) {
    super(`the gate is at epoch ${epoch}`);
  }
}

/** The gate of a workspace: one row whose epoch every change increments, so that no process can route by a replaced gate. */
export class PostgresGate implements GateStore {
  constructor(
    private readonly database: Database,
    private readonly workspace: string,
    private readonly vault: Vault,
    /** Announces events in the transaction that records them. */
    private readonly announce: (queries: Queries, events: readonly GateEvent[]) => Promise<void> = async () => {},
    /** The transaction that all statements join. */
    private readonly inside: Queries | null = null,
    /** A change fails with a StaleEpoch if the gate has changed since this epoch; null: no check. */
    private readonly expected: { epoch: number } | null = null,
  ) {}

  private get queries(): Queries {
    return this.inside ?? this.database;
  }

  /** The same gate, but changes fail if another change came after this epoch. */
  expecting(epoch: number): PostgresGate {
    return new PostgresGate(this.database, this.workspace, this.vault, this.announce, this.inside, { epoch });
  }

  /** Waiting callers hold no connection of the pool, which the running one may need. */
  withGateLock<T>(work: (store: PostgresGate) => Promise<T>): Promise<T> {
    const { database, workspace, vault, announce, expected } = this;
    return database.exclusive(`gate ${workspace}`, () =>
      database.transaction(async (queries) => {
        const locked = new PostgresGate(database, workspace, vault, announce, queries, expected);
        // Checked here because work that finds nothing to change would not notice.
        const epoch = await locked.epoch();
        if (expected && expected.epoch !== epoch) throw new StaleEpoch(epoch);
        return work(locked);
      }),
    );
  }

  async active(): Promise<GateInForce | null> {
    const head = await this.head();
    if (!head?.active) return null;
    const unsealed = { ...head.active, sampling_key: this.opened(head.active as { sampling_key: string }) };
    const parsed = inForceSchema.safeParse(unsealed);
    if (!parsed.success) throw damaged("the active gate cannot be understood");
    const problem = sealProblem(unsealed);
    if (problem) throw damaged(`the active gate ${problem}`);
    return withStanding(parsed.data as GateInForce, standingIn(head));
  }

  async activate({ content_hash: _, signature: __, ...gate }: GateInForce): Promise<void> {
    const record = sealed(gate);
    const kept = { ...record, sampling_key: this.vault.seal(Buffer.from(record.sampling_key)).toString("base64") };
    await this.change("gate", { active: kept, standing: standingRecord(standingAfter(gate)) });
  }

  async standing() {
    const head = await this.head();
    return head && standingIn(head);
  }

  keepStanding(standing: Parameters<GateStore["keepStanding"]>[0]): Promise<void> {
    return this.change("gate", { standing: standingRecord(standing) });
  }

  async marks() {
    const head = await this.head();
    return { gate: String(head?.gate_changes ?? 0), closure: String(head?.switch_changes ?? 0) };
  }

  /** Incremented by every change of what routing depends on. */
  async epoch(): Promise<number> {
    return (await this.head())?.epoch ?? 0;
  }

  /** A closure that cannot be parsed still closes the gate. */
  async closure(): Promise<Closure | null> {
    const closure = (await this.head())?.closure;
    if (!closure) return null;
    const parsed = closureSchema.safeParse(closure);
    return parsed.success ? parsed.data : { since: "unknown", reason: "the closure cannot be understood" };
  }

  async close(closure: Closure, actor?: string): Promise<null> {
    await this.change("switch", { closure }, [closedEvent(closure, actor)]);
    return null;
  }

  open(at: string, who?: Parameters<GateStore["open"]>[1]): Promise<void> {
    return this.change("switch", { closure: null }, [openedEvent(at, who)]);
  }

  async watch(): Promise<StoredWatch | null> {
    const [row] = await this.queries.rows<{ doc: unknown }>(
      "select doc from defensible.document where workspace_id = $1 and kind = 'watch' and name = ''",
      [this.workspace],
    );
    if (!row) return null;
    const parsed = storedWatchSchema.safeParse(row.doc);
    if (!parsed.success) throw damaged("the state of the watch cannot be understood");
    return parsed.data as StoredWatch;
  }

  async keepWatch(watch: StoredWatch): Promise<void> {
    await this.queries.rows(
      `insert into defensible.document (workspace_id, kind, name, doc) values ($1, 'watch', '', $2::json)
       on conflict (workspace_id, kind, name) do update set doc = excluded.doc, kept_at = now()`,
      [this.workspace, JSON.stringify(watch)],
    );
  }

  async *history(): AsyncGenerator<GateEvent> {
    for (let after = 0; ; ) {
      const rows = await this.queries.rows<{ seq: number; event: string }>(
        `select seq, event::text as event from defensible.gate_event where workspace_id = $1 and seq > $2 order by seq limit ${BATCH}`,
        [this.workspace, after],
      );
      if (rows.length === 0) return;
      after = rows.at(-1)!.seq;
      for (const { seq, event } of rows) yield parseGateEvent(event, `gate history, event ${seq}`);
    }
  }

  /** Events, newest first, before a place. */
  historyBefore(before: number, limit: number): Promise<{ seq: number; event: GateEvent }[]> {
    return this.queries.rows(
      "select seq, event from defensible.gate_event where workspace_id = $1 and seq < $2 order by seq desc limit $3",
      [this.workspace, before, limit],
    );
  }

  /** Stores a gate as it was shown, so that it can be applied later. Previews older than a week are deleted. */
  async keepPreview(gateId: string, preview: object): Promise<void> {
    await this.database.rows(
      "delete from defensible.document where workspace_id = $1 and kind = 'gate_preview' and kept_at < now() - interval '7 days'",
      [this.workspace],
    );
    await this.database.rows(
      `insert into defensible.document (workspace_id, kind, name, doc) values ($1, 'gate_preview', $2, $3::json)
       on conflict (workspace_id, kind, name) do update set doc = excluded.doc, kept_at = now()`,
      [this.workspace, gateId, JSON.stringify(preview)],
    );
  }

  async preview(gateId: string): Promise<unknown> {
    const [row] = await this.database.rows<{ doc: unknown }>(
      "select doc from defensible.document where workspace_id = $1 and kind = 'gate_preview' and name = $2",
      [this.workspace, columnText(gateId)],
    );
    return row?.doc ?? null;
  }

  record(events: readonly GateEvent[]): Promise<void> {
    return this.together((queries) => this.recordIn(queries, events));
  }

  private async recordIn(queries: Queries, events: readonly GateEvent[]): Promise<void> {
    await queries.rows("insert into defensible.gate_event (workspace_id, event) select $1, unnest($2::json[])", [
      this.workspace,
      events.map((event) => JSON.stringify(event)),
    ]);
    await this.announce(queries, events);
  }

  private together<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    return this.inside ? work(this.inside) : this.database.transaction(work);
  }

  /** Sets columns of the head, increments the epoch and records the events, in one transaction. */
  private async change(
    what: "gate" | "switch",
    columns: Partial<Record<"active" | "standing" | "closure", object | null>>,
    events: readonly GateEvent[] = [],
  ): Promise<void> {
    const { active, standing, closure } = columns;
    const json = (value: object | null | undefined) => (value ? JSON.stringify(value) : null);
    await this.together(async (queries) => {
      await queries.rows("insert into defensible.gate_head (workspace_id) values ($1) on conflict do nothing", [
        this.workspace,
      ]);
      const changed = await queries.rows(
        `update defensible.gate_head set epoch = epoch + 1,
           gate_changes = gate_changes + $2::integer, switch_changes = switch_changes + $3::integer,
           active = case when $4 then $5::json else active end, standing = case when $6 then $7::json else standing end,
           closure = case when $8 then $9::json else closure end
         where workspace_id = $1 and ($10::bigint is null or epoch = $10) returning 1`,
        [
          this.workspace,
          what === "gate" ? 1 : 0,
          what === "switch" ? 1 : 0,
          active !== undefined,
          json(active),
          standing !== undefined,
          json(standing),
          closure !== undefined,
          json(closure),
          this.expected?.epoch ?? null,
        ],
      );
      if (changed.length === 0) throw new StaleEpoch(await this.epoch());
      if (this.expected) this.expected.epoch++;
      if (events.length) await this.recordIn(queries, events);
    });
  }

  private async head(): Promise<Head | null> {
    const [head] = await this.queries.rows<Head>(
      "select epoch, gate_changes, switch_changes, active, standing, closure from defensible.gate_head where workspace_id = $1",
      [this.workspace],
    );
    return head ?? null;
  }

  private opened({ sampling_key }: { sampling_key: string }): string {
    return this.vault.open(Buffer.from(sampling_key, "base64")).toString();
  }
}

function standingIn({ standing }: Head) {
  if (!standing) return null;
  const parsed = standingSchema.safeParse(standing);
  if (parsed.success) return standingOf(parsed.data);
  throw new InputError(
    "bad_gate_state",
    "database: the list of suspensions cannot be understood",
    "Restore it from a backup. Nothing is automated until then.",
  );
}

function damaged(problem: string): InputError {
  return new InputError("bad_gate_file", `database: ${problem}`, "Restore it from a backup, or apply a gate anew.");
}

/** Every routing as a line, and the outcomes of routed decisions. */
export function postgresRoutes(
  database: Database,
  workspace: string,
  outcomes: PostgresRecords<ReviewOutcome>,
): RouteStore {
  return {
    async *lines() {
      for (let after = 0; ; ) {
        const rows = await database.rows<{ seq: number; line: string }>(
          `select seq, line::text as line from defensible.route_log where workspace_id = $1 and seq > $2 order by seq limit ${BATCH}`,
          [workspace, after],
        );
        if (rows.length === 0) return;
        after = rows.at(-1)!.seq;
        yield rows.map(({ line }) => line);
      }
    },
    openAppeals: async () =>
      new Set(
        (
          await database.rows<{ id: string }>(
            "select distinct decision_id as id from defensible.appeal where workspace_id = $1 and state = 'open'",
            [workspace],
          )
        ).map(({ id }) => id),
      ),
    openLog: () => ({
      path: "the database's route_log",
      append: async (lines) => {
        await database.rows("insert into defensible.route_log (workspace_id, line) select $1, unnest($2::json[])", [
          workspace,
          lines.split("\n").filter(Boolean),
        ]);
      },
      close: async () => {},
    }),
    outcomes: () => outcomes.read(),
    addOutcomes: (all) => outcomes.add(all),
  };
}
