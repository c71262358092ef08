import { hash, randomUUID } from "node:crypto";
import type { Route } from "../../core/records/route.js";
import { columnText, type Queries } from "./database.js";

const HASH_BYTES = 32;
const NO_HASH = Buffer.alloc(HASH_BYTES);
/** The audit's place when nothing is to be compared. */
const UNCHECKED = -1;

/** What the database knows of a decision to be routed. */
export interface Known {
  /** Hash of the stored content; null: the decision is new. */
  hash: Buffer | null;
  salt: Buffer | null;
  /** Place of the newest audit; 0: there is no audit. */
  seq: number;
  /** The parts of the newest audit that routing reads. */
  audit: unknown;
  appealed: boolean;
}

/** Mean random gap between item numbers, so that an item inserted between two later looks like the others. */
export const SPREAD = 16;
const ITEM_NUMBERS = "pg_get_serial_sequence('defensible.review_item', 'item_id')";

const NEWEST = "arm = '' and replicate = 0 order by seq desc limit 1";

/** What is known of decisions, in their order, in one statement. Only audits that routing may use: no arm, first replicate. */
export async function lookUp(
  queries: Queries,
  workspace: string,
  decisions: readonly { id: string; identity: Buffer }[],
): Promise<Known[]> {
  const rows = await queries.rows<Omit<Known, "audit"> & { line: string | null }>(
    `select r.record_hash as hash, r.salt, coalesce(a.seq, 0) as seq, a.line,
       exists (select 1 from defensible.appeal p where p.workspace_id = $1 and p.decision_id = asked.id) as appealed
       from unnest((select $2::text[]), (select $3::bytea[])) with ordinality as asked(id, identity, place)
       left join defensible.record r on r.workspace_id = $1 and r.kind = 'decisions' and r.identity = asked.identity
       left join lateral (select seq, record::text as line from defensible.audit
         where workspace_id = $1 and decision_id = asked.id and ${NEWEST}) as a on true
      order by asked.place`,
    [workspace, decisions.map(({ id }) => columnText(id)), decisions.map(({ identity }) => identity)],
  );
  return rows.map(({ line, ...known }) => ({ ...known, audit: line === null ? null : withoutTexts(JSON.parse(line)) }));
}

/** Of a trace, routing reads only the citations. The other texts may be long and quote the content. */
function withoutTexts(audit: { trace?: Record<string, unknown> | null }): unknown {
  for (const key of Object.keys(audit.trace ?? {})) {
    if (!key.endsWith("_citation") && typeof audit.trace![key] === "string") audit.trace![key] = "";
  }
  return audit;
}

export interface RouteLine {
  route: Pick<Route, "decision_id" | "community" | "route" | "reasons" | "sampled"> & { pending?: boolean };
  line: string;
  /** What the route is based on: nothing is written if it has changed. null: the route goes to review in any case. */
  seen: { identity: Buffer; hash: Buffer; seq: number; appealed: boolean } | null;
}

/**
 * One statement. It checks that the gate and what the routes are based on are unchanged; writes the lines; queues what goes to review, once per
 * decision and never one that a person has reviewed; and removes from the queue what is now automated, unless a reviewer has claimed it. An item that
 * waits only for its audit is held back for a while, because the next route may need no reviewer.
 * Each lookup for a decision is a subquery with a limit that uses the index: a join of a few lines with the queue may scan the whole queue, depending
 * on the planner's last statistics. Lists are subqueries too: when the planner sees a list's length, a plan for that length looks cheaper, and
 * planning the statement anew costs twice as much as running it for one route.
 */
const WRITE = `
  with given as materialized (
    select one.*, text::json as line, substr($6::bytea, (${HASH_BYTES} * (place - 1))::integer + 1, ${HASH_BYTES}) as hash,
           substr($7::bytea, (${HASH_BYTES} * (place - 1))::integer + 1, ${HASH_BYTES}) as identity,
           substr($8::bytea, (${HASH_BYTES} * (place - 1))::integer + 1, ${HASH_BYTES}) as content
      from unnest((select $4::text[]), (select string_to_array($5, E'\\n')), (select $9::bigint[]), (select $10::boolean[]), (select $11::text[]),
                  (select $12::text[]), (select $13::boolean[]), (select $14::boolean[])) with ordinality as one(id, text, seq, appealed, community, reasons, sampled, held, place)),
  checked as materialized (
    select coalesce((select epoch from defensible.gate_head where workspace_id = $1), 0) = $2 and not exists (
      select 1 from given where seq <> ${UNCHECKED} and (
        not exists (select 1 from defensible.record r where r.workspace_id = $1 and r.kind = 'decisions' and r.identity = given.identity
                       and r.record_hash = given.content)
        or seq <> coalesce((select a.seq from defensible.audit a where a.workspace_id = $1 and a.decision_id = given.id and ${NEWEST.replaceAll("seq", "a.seq")}), 0)
        or appealed <> exists (select 1 from defensible.appeal p where p.workspace_id = $1 and p.decision_id = given.id))) as same),
  queued as (
    insert into defensible.review_item (workspace_id, item_id, decision_id, community, reasons, sampled, hold_until)
    select $1, nextval(${ITEM_NUMBERS}) * ${SPREAD} + floor(random() * ${SPREAD})::integer, id, community, string_to_array(reasons, ','), sampled, case when held then now() + make_interval(secs => $15) end
      from given, checked where same and reasons <> '' and (
        select 1 from defensible.review_item i where i.workspace_id = $1 and i.decision_id = given.id and i.state <> 'done' and i.state <> 'withdrawn'
           and (i.state <> 'open' or (not given.held and i.gold_level is null and i.hold_until is null and i.sampled = given.sampled
                and i.reasons = string_to_array(given.reasons, ','))) limit 1) is null
        and (select 1 from defensible.review v where v.workspace_id = $1 and v.decision_id = given.id and v.gold_level is null limit 1) is null
      order by id
    on conflict (workspace_id, decision_id) where state <> 'done' and state <> 'withdrawn'
    do update set reasons = excluded.reasons, sampled = excluded.sampled, hold_until = excluded.hold_until, gold_level = null,
      gold_inverse = null, gold_for = null where review_item.state = 'open'),
  withdrawn as (
    update defensible.review_item set state = 'withdrawn' where workspace_id = $1 and state = 'open' and item_id = any(array(
      select (select i.item_id from defensible.review_item i where i.workspace_id = $1 and i.decision_id = given.id
                 and i.state <> 'done' and i.state <> 'withdrawn' limit 1)
        from given, checked where same and given.reasons = ''))),
  logged as (
    insert into defensible.route_log (workspace_id, epoch, stream, decision_id, line, hash, number)
    select $1, $2, $3, id, line, hash, $16 + place from given, checked where same)
  select same from checked`;

/**
 * The part of the log that one process writes. Each line's hash covers the previous line's, so that no line can be changed, removed or inserted
 * without a trace. Every process has its own stream, so none waits for another.
 */
export class RouteStream {
  private stream = randomUUID();
  private number = 0;
  private head: Buffer = hash("sha256", this.stream, "buffer");

  constructor(private readonly workspace: string) {}

  /**
   * Writes lines if the gate is still at this epoch and what they are based on is unchanged. False: something has changed, and nothing was written.
   * If the caller's transaction fails afterwards, call `restart`, because the lines were rolled back.
   */
  async append(queries: Queries, epoch: number, lines: readonly RouteLine[], holdSeconds: number): Promise<boolean> {
    const hashes: Buffer[] = [];
    let head = this.head;
    for (const { line } of lines) {
      head = chained(head, line);
      hashes.push(head);
    }
    const last = new Map(lines.map(({ route }, at) => [route.decision_id, at]));
    const [checked] = await queries.rows<{ same: boolean }>(WRITE, [
      this.workspace,
      epoch,
      this.stream,
      lines.map(({ route }) => (route.decision_id === null ? null : columnText(route.decision_id))),
      lines.map(({ line }) => line).join("\n"),
      Buffer.concat(hashes),
      Buffer.concat(lines.map(({ seen }) => seen?.identity ?? NO_HASH)),
      Buffer.concat(lines.map(({ seen }) => seen?.hash ?? NO_HASH)),
      lines.map(({ seen }) => seen?.seq ?? UNCHECKED),
      lines.map(({ seen }) => seen?.appealed ?? false),
      lines.map(({ route }) => columnText(route.community ?? "")),
      lines.map(({ route }, at) => queuedFor(route, last.get(route.decision_id) === at)),
      lines.map(({ route }) => route.sampled === true),
      lines.map(({ route }) => route.pending === true),
      holdSeconds,
      this.number,
    ]);
    if (!checked!.same) return false;
    this.number += lines.length;
    this.head = head;
    return true;
  }

  /** Begins another stream, so that rolled-back lines leave no gap. */
  restart(): void {
    this.stream = randomUUID();
    this.number = 0;
    this.head = hash("sha256", this.stream, "buffer");
  }
}

/** The hash of a line and of everything before it. Hashed in one call: feeding the hash in parts takes twice as long for short lines. */
function chained(head: Buffer, line: string): Buffer {
  const bytes = Buffer.allocUnsafe(HASH_BYTES + 3 * line.length);
  head.copy(bytes);
  return hash("sha256", bytes.subarray(0, HASH_BYTES + bytes.write(line, HASH_BYTES)), "buffer");
}

/** The reasons for queueing a route; empty: it is automated, and its queued item is removed; null: neither. */
function queuedFor({ route, decision_id, community, reasons }: RouteLine["route"], isLast: boolean): string | null {
  if (route === "automate") return "";
  return isLast && decision_id && community ? reasons.join(",") : null;
}
