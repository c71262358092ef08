import { createHash, randomBytes, randomUUID } from "node:crypto";
import type { Database, Queries } from "./database.js";
import type { Vault } from "./secrets.js";

export const EVENT_TYPES = [
  "audit.completed",
  "route.decided",
  "gate.applied",
  "gate.suspended",
  "gate.reinstated",
  "gate.closed",
  "gate.opened",
  "review.completed",
  "appeal.decided",
] as const;
export type EventType = (typeof EVENT_TYPES)[number];

export interface NewEvent {
  type: EventType;
  /** Ids, versions and numbers. Never content. */
  data: Readonly<Record<string, unknown>>;
  /** Events with the same key are one event, however often they are announced. */
  key?: string;
}

const UTC = `'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'`;

/** Writes, in the caller's transaction, the events that a webhook wants. Returns the deliveries due; their jobs belong in the same transaction. */
export async function writeEvents(
  queries: Queries,
  workspace: string,
  events: readonly NewEvent[],
): Promise<{ webhook_id: string; event_id: string }[]> {
  if (events.length === 0) return [];
  return queries.rows(
    `with hook as (select webhook_id, events from defensible.webhook where workspace_id = $1 and disabled_at is null),
       made as (
         insert into defensible.event (workspace_id, event_id, type, data)
         select $1, given.id, given.type, given.data from unnest($2::text[], $3::text[], $4::json[]) as given(id, type, data)
          where exists (select 1 from hook where given.type = any(hook.events))
         on conflict do nothing returning event_id, type)
     select made.event_id, hook.webhook_id from made join hook on made.type = any(hook.events)`,
    [
      workspace,
      events.map(({ type, key }) => eventId(key === undefined ? randomUUID() : `${type}\0${key}`)),
      events.map(({ type }) => type),
      events.map(({ data }) => JSON.stringify(data)),
    ],
  );
}

const eventId = (key: string) => `msg_${createHash("sha256").update(key).digest("base64url").slice(0, 27)}`;

export interface WebhookInfo {
  webhook_id: string;
  url: string;
  events: EventType[];
  created_at: string;
  /** Consecutive failed attempts. */
  failures: number;
  failing_since: string | null;
  disabled_at: string | null;
}

const INFO = `webhook_id, url, events, to_char(created_at at time zone 'utc', ${UTC}) as created_at, failures,
  to_char(failing_since at time zone 'utc', ${UTC}) as failing_since, to_char(disabled_at at time zone 'utc', ${UTC}) as disabled_at`;

/** A secret in the format of Standard Webhooks. */
export const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`;

export async function createWebhook(
  queries: Queries,
  vault: Vault,
  { workspace, url, events, secret }: { workspace: string; url: string; events: readonly EventType[]; secret: string },
): Promise<WebhookInfo> {
  const [made] = await queries.rows<WebhookInfo>(
    `insert into defensible.webhook (workspace_id, webhook_id, url, events, secret) values ($1, $2, $3, $4, $5) returning ${INFO}`,
    [workspace, `wh_${randomBytes(9).toString("base64url")}`, url, events, vault.seal(Buffer.from(secret))],
  );
  return made!;
}

export function listWebhooks(queries: Queries, workspace: string): Promise<WebhookInfo[]> {
  return queries.rows(`select ${INFO} from defensible.webhook where workspace_id = $1 order by created_at`, [
    workspace,
  ]);
}

/** Changes the given fields; null: there is no such webhook. Enabling it resets its failures. */
export async function changeWebhook(
  queries: Queries,
  workspace: string,
  webhook: string,
  {
    url = null,
    events = null,
    enabled = null,
  }: { url?: string | null; events?: readonly EventType[] | null; enabled?: boolean | null },
): Promise<WebhookInfo | null> {
  const [row] = await queries.rows<WebhookInfo>(
    `update defensible.webhook set url = coalesce($3, url), events = coalesce($4, events),
       failures = case when $5 then 0 else failures end, failing_since = case when $5 then null else failing_since end,
       disabled_at = case when $5 then null when not $5 then coalesce(disabled_at, now()) else disabled_at end
      where workspace_id = $1 and webhook_id = $2 returning ${INFO}`,
    [workspace, webhook, url, events, enabled],
  );
  return row ?? null;
}

export async function deleteWebhook(queries: Queries, workspace: string, webhook: string): Promise<boolean> {
  const gone = await queries.rows(
    "delete from defensible.webhook where workspace_id = $1 and webhook_id = $2 returning 1",
    [workspace, webhook],
  );
  return gone.length > 0;
}

/** Replaces a webhook's secret. For some hours both sign, so that the receiver can switch without a gap. */
export async function rotateSecret(
  queries: Queries,
  vault: Vault,
  { workspace, webhook, secret, hours }: { workspace: string; webhook: string; secret: string; hours: number },
): Promise<boolean> {
  const rows = await queries.rows(
    `update defensible.webhook set previous_secret = secret, previous_until = now() + make_interval(hours => $4), secret = $3
      where workspace_id = $1 and webhook_id = $2 returning 1`,
    [workspace, webhook, vault.seal(Buffer.from(secret)), hours],
  );
  return rows.length > 0;
}

export interface WebhookTarget {
  url: string;
  /** Newest first. */
  secrets: string[];
}

/** null: the webhook was deleted or disabled. */
export async function webhookTarget(
  queries: Queries,
  vault: Vault,
  workspace: string,
  webhook: string,
  { disabledToo = false } = {},
): Promise<WebhookTarget | null> {
  const [row] = await queries.rows<{ url: string; secret: Buffer; previous: Buffer | null }>(
    `select url, secret, case when previous_until > now() then previous_secret end as previous from defensible.webhook
      where workspace_id = $1 and webhook_id = $2 and ($3 or disabled_at is null)`,
    [workspace, webhook, disabledToo],
  );
  if (!row) return null;
  const sealed = row.previous ? [row.secret, row.previous] : [row.secret];
  return { url: row.url, secrets: sealed.map((one) => vault.open(one).toString()) };
}

/** The body of an event as sent; null: it is no longer kept. */
export async function eventBody(queries: Queries, workspace: string, event: string): Promise<string | null> {
  const [row] = await queries.rows<{ type: string; at: string; data: string }>(
    `select type, to_char(at at time zone 'utc', ${UTC}) as at, data::text as data from defensible.event
      where workspace_id = $1 and event_id = $2`,
    [workspace, event],
  );
  return row ? `{"type":"${row.type}","timestamp":"${row.at}","data":${row.data}}` : null;
}

export interface Delivery {
  event_id: string;
  attempt: number;
  /** HTTP status of the receiver's answer; null: no answer. */
  status: number | null;
  fault: string | null;
  ms: number;
  at: string;
}

/** Consecutive failures, over at least a day, after which a webhook is disabled. */
const MOST_FAILURES = 20;
const GONE = 410;

/** Records an attempt. Returns whether it disabled the webhook. */
export async function noteDelivery(
  queries: Queries,
  workspace: string,
  webhook: string,
  { event_id, attempt, status, fault, ms }: Omit<Delivery, "at">,
): Promise<boolean> {
  await queries.rows(
    `insert into defensible.delivery (workspace_id, webhook_id, event_id, attempt, status, fault, ms) values ($1, $2, $3, $4, $5, $6, $7)`,
    [workspace, webhook, event_id, attempt, status, fault, Math.round(ms)],
  );
  if (fault === null) {
    await queries.rows(
      `update defensible.webhook set failures = 0, failing_since = null where workspace_id = $1 and webhook_id = $2 and failures > 0`,
      [workspace, webhook],
    );
    return false;
  }
  const disabled = await queries.rows<{ disabled: boolean }>(
    `update defensible.webhook set failures = failures + 1, failing_since = coalesce(failing_since, now()),
       disabled_at = case when $3 or (failures + 1 >= ${MOST_FAILURES} and failing_since < now() - interval '1 day') then now() end
      where workspace_id = $1 and webhook_id = $2 and disabled_at is null returning disabled_at is not null as disabled`,
    [workspace, webhook, status === GONE],
  );
  return disabled[0]?.disabled ?? false;
}

/** Newest first. */
export function deliveriesOf(queries: Queries, workspace: string, webhook: string, before: number, limit: number) {
  return queries.rows<Delivery & { delivery_id: number }>(
    `select delivery_id, event_id, attempt, status, fault, ms, to_char(at at time zone 'utc', ${UTC}) as at from defensible.delivery
      where workspace_id = $1 and webhook_id = $2 and delivery_id < $3 order by delivery_id desc limit $4`,
    [workspace, webhook, before, limit],
  );
}

/** Counts over all workspaces, for the operating figures. */
export async function webhookHealth(database: Database): Promise<{ failing: number; disabled: number }> {
  const [row] = await database.rows<{ failing: number; disabled: number }>(
    `select (count(*) filter (where failures > 0 and disabled_at is null))::integer as failing,
       (count(*) filter (where disabled_at is not null))::integer as disabled from defensible.webhook`,
  );
  return row!;
}
