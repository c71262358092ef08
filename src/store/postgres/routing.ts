import { hash, randomUUID } from "node:crypto";
import type { Route } from "../../core/records/route.js";
import { columnText, type Queries } from "./database.js";

const HASH_BYTES = 32;
const NO_HASH = Buffer.alloc(HASH_BYTES);
/** Represents the place of an audit where nothing is to be compared. */
const UNCHECKED = -1;

/** What the database knows of a decision that is to be routed. */
export interface Known {
  /** Of the content that is kept; null: the decision is new. */
  hash: Buffer | null;
  salt: Buffer | null;
  /** Place of the newest audit; 0: none. */
  seq: number;
  /** The newest audit as far as routing reads it. */
  audit: unknown;
  appealed: boolean;
}

/** Numbers of items are so far apart on average, at random: what is put between them later looks like the rest. */
export const SPREAD = 16;
const ITEM_NUMBERS = "pg_get_serial_sequence('defensible.review_item', 'item_id')";

const NEWEST = "arm = '' and replicate = 0 order by seq desc limit 1";

/** What is known of decisions, in their order, by one statement. Only of audits that routing may look at: no arm, first replicate. */
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

/** Routing reads no more of a trace than its citations. Its other texts may be long, and quote the content. */
function withoutTexts(audit: { trace?: Record<string, unknown> | null }): unknown {
  for (const key of Object.keys(audit.trace ?? {})) {
    if (!key.endsWith("_citation") && typeof audit.trace![key] === "string") audit.trace![key] = "";
  }
  return audit;
}

export interface RouteLine {
  route: Pick<Route, "decision_id" | "community" | "route" | "reasons" | "sampled"> & { pending?: boolean };
  line: string;
  /** What the route goes by: nothing is written where it is no longer so. null: the route goes to review whatever is there. */
  seen: { identity: Buffer; hash: Buffer; seq: number; appealed: boolean } | null;
}

/**
 * One statement: looks whether the gate and what routes go by are still the same, writes the lines, puts what goes to review into the queue, once for
 * each decision and never one that a person has reviewed, and takes out what is automated now, unless a reviewer has claimed it. What waits for its audit
 * alone is held back for a while: the next route may need no person. Whatever is looked up for a decision is a subquery with a limit, by its index: a
 * join of a few lines with the queue may read the whole queue, by what the planner last knew of it. Lists are subqueries too: a list whose length the
 * planner sees makes a plan for this length look cheaper, and planning the statement anew costs twice as much as running it for one route.
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
 * One process's part of the log. Each line's hash covers the one before it, so that none can be changed, removed or put between without a trace.
 * Every process has a stream of its own, and none waits for another.
 */
export class RouteStream {
  private stream = randomUUID();
  private number = 0;
  private head: Buffer = hash("sha256", this.stream, "buffer");

  constructor(private readonly workspace: string) {}

  /**
   * Writes lines if the gate is still that of the epoch, and what they go by is the same. False: something has changed, and nothing was written. Where
   * the caller's transaction fails afterwards, nothing is known of the lines: call `restart`.
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

  /** The next lines begin another stream, so that lines that were rolled back leave no gap. */
  restart(): void {
    this.stream = randomUUID();
    this.number = 0;
    this.head = hash("sha256", this.stream, "buffer");
  }
}

/** The hash of a line and of everything before it. In one call: a hash that is fed in parts takes twice as long for short lines. */
function chained(head: Buffer, line: string): Buffer {
  const bytes = Buffer.allocUnsafe(HASH_BYTES + 3 * line.length);
  head.copy(bytes);
  return hash("sha256", bytes.subarray(0, HASH_BYTES + bytes.write(line, HASH_BYTES)), "buffer");
}

/** Why a route goes to the queue; empty: it is automated, and what is in the queue leaves it; null: neither. */
function queuedFor({ route, decision_id, community, reasons }: RouteLine["route"], isLast: boolean): string | null {
  if (route === "automate") return "";
  return isLast && decision_id && community ? reasons.join(",") : null;
}
