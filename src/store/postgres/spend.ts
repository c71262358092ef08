import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { dollars, type Purse } from "../../audit/calls/budget.js";
import { CheckFailedError } from "../../core/errors.js";
import type { Database, Queries } from "./database.js";

export interface PurseOptions {
  workspace: string;
  /** The process that holds the lease: if the lease expires, its reservations count as spent. */
  node: string;
  /** The provider whose rate limit applies. */
  provider: string;
  /** USD per day; null: no limit. */
  max: number | null;
  /** Estimated USD per call. */
  expected: number;
}

/** Seconds granted to a process that has no lease yet. */
const NEW_SECONDS = 60;
const LOOK_MS = 250;
/** Kept short: the wait may be over sooner. */
const LONGEST_WAIT_MS = 2000;

/**
 * The budget for calls, shared by every worker of a workspace: one row per day holds what was spent, and each call in flight has its own row, at the
 * highest price observed so far. When a provider asks one worker to slow down, no worker begins a call before that time is over.
 */
export class SharedPurse implements Purse {
  private readonly held: string[] = [];
  private unsettled: (number | null)[] = [];

  constructor(
    private readonly database: Database,
    private readonly options: PurseOptions,
  ) {}

  async reserve(): Promise<void> {
    while (true) {
      const found = await this.database.transaction((queries) => this.tryReserve(queries));
      if (found.state === "held") return;
      if (found.state === "refused") throw refusal(found.spent, this.options.max!);
      await delay(Math.min(LONGEST_WAIT_MS, Math.max(LOOK_MS, found.waitMs)));
    }
  }

  private async tryReserve(
    queries: Queries,
  ): Promise<{ state: "held" } | { state: "refused"; spent: number } | { state: "wait"; waitMs: number }> {
    const { workspace, node, provider, max, expected } = this.options;
    // The row is locked first, so that later statements see every earlier reservation.
    const [today] = await queries.rows<{ spent: number; dearest: number; wait_ms: number }>(
      `insert into defensible.spend (workspace_id, provider, day, dearest) values ($1, $2, (now() at time zone 'utc')::date, $3)
       on conflict (workspace_id, provider, day) do update set dearest = greatest(spend.dearest, excluded.dearest)
       returning spent, dearest, greatest(0, extract(epoch from not_before - now()) * 1000)::double precision as wait_ms`,
      [workspace, provider, expected],
    );
    const { dearest, wait_ms } = today!;
    if (wait_ms > 0) return { state: "wait", waitMs: wait_ms };
    if (max !== null) {
      const spent = today!.spent + (await this.countLost(queries));
      const [others] = await queries.rows<{ amount: number }>(
        "select coalesce(sum(amount), 0)::double precision as amount from defensible.reservation where workspace_id = $1 and provider = $2",
        [workspace, provider],
      );
      if (spent + dearest > max) return { state: "refused", spent };
      if (spent + others!.amount + dearest > max) return { state: "wait", waitMs: 0 };
    }
    if (max === null) return { state: "held" };
    const id = randomUUID();
    await queries.rows(
      "insert into defensible.reservation (workspace_id, id, provider, node, amount) values ($1, $2, $3, $4, $5)",
      [workspace, id, provider, node, dearest],
    );
    this.held.push(id);
    return { state: "held" };
  }

  /** Reservations of dead processes may have been paid for, so they count as spent today. Returns the amount. */
  private async countLost(queries: Queries): Promise<number> {
    const { workspace, provider } = this.options;
    const [lost] = await queries.rows<{ amount: number }>(
      `with lost as (
         delete from defensible.reservation r where workspace_id = $1 and provider = $2 and made_at <= now() - make_interval(secs => ${NEW_SECONDS})
            and not exists (select 1 from defensible.worker_lease l where l.node = r.node and l.lease_until > now()) returning amount),
       sum as (select coalesce(sum(amount), 0)::double precision as amount, count(*) as n from lost)
       update defensible.spend set spent = spent + amount, calls = calls + n from sum
        where n > 0 and workspace_id = $1 and provider = $2 and day = (now() at time zone 'utc')::date returning amount`,
      [workspace, provider],
    );
    return lost?.amount ?? 0;
  }

  /** A cost that cannot be written now is written with the next one. */
  settle(cost: number | null): void {
    this.unsettled.push(cost);
    const costs = this.unsettled;
    this.unsettled = [];
    const ids = this.held.splice(0, costs.length);
    void this.write(ids, costs).catch(() => {
      this.held.unshift(...ids);
      this.unsettled.unshift(...costs);
    });
  }

  private async write(ids: readonly string[], costs: readonly (number | null)[]): Promise<void> {
    const { workspace, provider } = this.options;
    const known = costs.flatMap((cost) => (cost === null ? [] : [cost]));
    await this.database.rows(
      `with over as (delete from defensible.reservation where workspace_id = $1 and id = any($3::uuid[]))
       insert into defensible.spend (workspace_id, provider, day, spent, dearest, calls)
         values ($1, $2, (now() at time zone 'utc')::date, $4::double precision + $5::double precision * $6::double precision, $6::double precision, $7::bigint)
       on conflict (workspace_id, provider, day) do update set dearest = greatest(spend.dearest, $6::double precision), calls = spend.calls + $7::bigint,
         spent = spend.spent + $4::double precision + $5::double precision * greatest(spend.dearest, $6::double precision)`,
      [
        workspace,
        provider,
        ids,
        known.reduce((sum, cost) => sum + cost, 0),
        costs.length - known.length,
        Math.max(0, ...known),
        costs.length,
      ],
    );
  }

  slowed(waitMs: number): void {
    const { workspace, provider } = this.options;
    void this.database
      .rows(
        `update defensible.spend set not_before = greatest(not_before, now() + make_interval(secs => $3))
          where workspace_id = $1 and provider = $2 and day = (now() at time zone 'utc')::date`,
        [workspace, provider, waitMs / 1000],
      )
      .catch(() => {});
  }
}

function refusal(spent: number, max: number): CheckFailedError {
  return new CheckFailedError(
    "max_cost",
    `cost: ${dollars(spent)} are spent today, and another call could pass the limit of ${dollars(max)}`,
    "The audits that are left begin tomorrow, or with a larger `usd_per_day`.",
  );
}
