import type { Decision } from "../../core/records/decision.js";
import type { Level } from "../../core/records/level.js";
import { columnText, type Queries } from "./database.js";
import { IS_FOR, ITEM, type ReviewItem, VERDICT_REASONS, WAITS } from "./reviews.js";
import { SPREAD } from "./routing.js";

/** Decisions searched for known items, and the number of known items that is enough. */
const SEARCHED = 20_000;
const MOST_KNOWN = 500;

const time = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
/** Safe on text: unescaped quotes cannot occur inside a JSON string. */
const AUTOMATED = `line::text like '%"route":"automate"%'`;
const PENDING = `line::text like '%"pending":true%'`;

export interface Traffic {
  /** Start of the step, in seconds since 1970. */
  at: number;
  automated: number;
  review: number;
}

/** An unreadable decision has no id and counts on its own. */
const DECISION = "decision_id, case when decision_id is null then seq end";
const RECENT = `from defensible.route_log where workspace_id = $1 and logged_at > now() - make_interval(mins => $2) and not ${PENDING}`;

/**
 * Decisions routed in the last minutes, in steps, oldest first. A decision counts once, by its newest route, however often it was routed; routes that
 * wait for an audit do not count. Empty steps are left out.
 */
export function traffic(queries: Queries, workspace: string, minutes: number, step: number): Promise<Traffic[]> {
  return queries.rows<Traffic>(
    `select at, count(*) filter (where automated)::integer as automated, count(*) filter (where not automated)::integer as review from (
       select distinct on (${DECISION}) (floor(extract(epoch from logged_at) / $3) * $3)::bigint as at, ${AUTOMATED} as automated
         ${RECENT} order by ${DECISION}, seq desc) as newest group by 1 order by 1`,
    [workspace, minutes, step],
  );
}

export async function routedSince(queries: Queries, workspace: string, minutes: number): Promise<number> {
  const [row] = await queries.rows<{ n: number }>(
    `select (count(distinct decision_id) + count(*) filter (where decision_id is null))::integer as n ${RECENT}`,
    [workspace, minutes],
  );
  return row!.n;
}

export interface LatestRoute {
  seq: number;
  at: string;
  line: string;
}

export function latestRoutes(queries: Queries, workspace: string, limit: number): Promise<LatestRoute[]> {
  return queries.rows<LatestRoute>(
    `select seq, ${time("logged_at")} as at, line::text as line from defensible.route_log where workspace_id = $1 order by seq desc limit $2`,
    [workspace, limit],
  );
}

export interface QueueGroup {
  community: string;
  /** null: queued for the verdict of the audit, or drawn at random. */
  reason: string | null;
  waiting: number;
  claimed: number;
  oldest_seconds: number;
}

/** Waiting and claimed items, by community and by a reason that a reviewer may know: an appeal, or else the first reason. */
export function queueGroups(queries: Queries, workspace: string, person: string): Promise<QueueGroup[]> {
  return queries.rows<QueueGroup>(
    `select community, case when sampled then null when 'appeal' = any(reasons) then 'appeal'
         when reasons[1] <> all(${VERDICT_REASONS}) and reasons[1] <> 'random_review' then reasons[1] end as reason,
       count(*) filter (where ${WAITS})::integer as waiting,
       count(*) filter (where state = 'claimed' and claim_until >= now())::integer as claimed,
       extract(epoch from now() - min(created_at))::double precision as oldest_seconds
     from defensible.review_item where workspace_id = $1
        and ((${WAITS} and ${IS_FOR("$2")}) or (state = 'claimed' and claim_until >= now()))
     group by 1, 2 order by waiting desc, community limit 200`,
    [workspace, person],
  );
}

export interface Item extends ReviewItem {
  state: string;
  claim: string | null;
  claim_by: string | null;
  /** Seconds until the claim expires. */
  claim_seconds: number | null;
  gold_level: Level | null;
  /** People who were given the content. */
  read_by: string[];
}

const WHOLE = `${ITEM}, state, claim, claim_by, extract(epoch from claim_until - now())::double precision as claim_seconds, gold_level, read_by`;

export async function findItem(queries: Queries, workspace: string, item: number): Promise<Item | null> {
  const [row] = await queries.rows<Item>(
    `select ${WHOLE} from defensible.review_item where workspace_id = $1 and item_id = $2`,
    [workspace, item],
  );
  return row ?? null;
}

export async function noteItemRead(queries: Queries, workspace: string, item: number, person: string): Promise<void> {
  await queries.rows(
    `update defensible.review_item set read_by = array_append(read_by, $3) where workspace_id = $1 and item_id = $2 and not ($3 = any(read_by))`,
    [workspace, item, person],
  );
}

/** A person's claimed items, oldest first. */
export function claimsOf(queries: Queries, workspace: string, person: string): Promise<Item[]> {
  return queries.rows<Item>(
    `select ${WHOLE} from defensible.review_item
      where workspace_id = $1 and state = 'claimed' and claim_by = $2 and claim_until > now() order by item_id`,
    [workspace, person],
  );
}

/** Whether a person holds a decision whose audit they must not see yet. */
export async function holdsDecision(
  queries: Queries,
  workspace: string,
  person: string,
  decision: string,
): Promise<boolean> {
  const rows = await queries.rows(
    `select 1 from defensible.review_item where workspace_id = $1 and decision_id = $3 and state = 'claimed' and claim_by = $2
       and claim_until > now()`,
    [workspace, person, columnText(decision)],
  );
  return rows.length > 0;
}

export interface GoldItem {
  decision_id: string;
  community: string;
  level: Level;
  inverse: boolean;
}

/** Items for which known items are drawn at once. */
const MIXED_AT_ONCE = 10_000;

/** Withdraws known items whose own item is finished: otherwise a late reviewer would find only known items. */
export async function withdrawGoldItems(queries: Queries, workspace: string): Promise<void> {
  await queries.rows(
    `update defensible.review_item set state = 'withdrawn' where workspace_id = $1 and gold_level is not null
       and (state = 'open' or (state = 'claimed' and claim_until < now())) and not exists (
         select 1 from defensible.review_item l where l.workspace_id = $1 and l.item_id = review_item.gold_for and l.state in ('open', 'claimed'))`,
    [workspace],
  );
}

/** Waiting items for which no known item was drawn yet, now marked. Those under appeal are left out: no known decision comes with an appeal. */
export async function takeUnmixed(queries: Queries, workspace: string): Promise<number[]> {
  const rows = await queries.rows<{ item_id: number; appealed: boolean }>(
    `with chosen as materialized (
       select item_id from defensible.review_item where workspace_id = $1 and state = 'open' and not mixed and ${WAITS}
        order by item_id limit ${MIXED_AT_ONCE} for update skip locked)
     update defensible.review_item set mixed = true where workspace_id = $1 and item_id in (select item_id from chosen)
       returning item_id, 'appeal' = any(reasons) as appealed`,
    [workspace],
  );
  return rows.flatMap(({ item_id, appealed }) => (appealed ? [] : [item_id]));
}

/**
 * Queues items whose answer is known, each just before an item that it resembles: same reasons and time, and a number between that item's and the
 * previous one. An item is left out if its decision is itself in the queue, its content was erased, or no number is free.
 */
export async function addGoldItems(
  queries: Queries,
  workspace: string,
  items: readonly (GoldItem & { before: number })[],
): Promise<void> {
  await queries.rows(
    `insert into defensible.review_item (workspace_id, item_id, decision_id, community, reasons, sampled, created_at, mixed, gold_level, gold_inverse,
       gold_for)
     select $1, free.id, g.decision_id, g.community, l.reasons, l.sampled, l.created_at, true, g.level, g.inverse, l.item_id
       from unnest($2::bigint[], $3::text[], $4::text[], $5::smallint[], $6::boolean[]) as g(before, decision_id, community, level, inverse)
       join defensible.review_item l on l.workspace_id = $1 and l.item_id = g.before
       cross join lateral (select coalesce(max(item_id), 0) as id from defensible.review_item where workspace_id = $1 and item_id < l.item_id) as last
       cross join lateral (select id from generate_series(greatest(last.id + 1, l.item_id - 2 * ${SPREAD}), l.item_id - 1) as between(id)
         order by random() limit 1) as free
      where exists (
        select 1 from defensible.record where workspace_id = $1 and kind = 'decisions' and subject = g.decision_id and erased_at is null)
     on conflict do nothing`,
    [
      workspace,
      items.map(({ before }) => before),
      items.map(({ decision_id }) => columnText(decision_id)),
      items.map(({ community }) => columnText(community)),
      items.map(({ level }) => level),
      items.map(({ inverse }) => inverse),
    ],
  );
}

/** Withdraws waiting known items. If there are known items again later, they are drawn anew. */
export async function removeGoldItems(queries: Queries, workspace: string): Promise<void> {
  await queries.rows(
    `update defensible.review_item set state = case when gold_level is null then state else 'withdrawn' end, mixed = gold_level is not null
      where workspace_id = $1 and state = 'open' and mixed`,
    [workspace],
  );
}

/** The oldest decisions, with their content, that may have a reference annotation. The caller discards false matches. */
export async function annotatedDecisions(queries: Queries, workspace: string): Promise<Decision[]> {
  const rows = await queries.rows<{ line: string }>(
    `select line from (select seq, record::text as line from defensible.record where workspace_id = $1 and kind = 'decisions' and erased_at is null
       order by seq limit ${SEARCHED}) as oldest where line like '%"gold":{%' order by seq limit ${MOST_KNOWN}`,
    [workspace],
  );
  return rows.map(({ line }) => JSON.parse(line) as Decision);
}

export async function hasAnswered(queries: Queries, workspace: string, item: number, person: string): Promise<boolean> {
  const rows = await queries.rows(
    "select 1 from defensible.review where workspace_id = $1 and item_id = $2 and reviewer = $3 limit 1",
    [workspace, item, person],
  );
  return rows.length > 0;
}

export interface AnswerRow {
  reviewer: string;
  decision_id: string;
  outcome: string;
  level: Level | null;
  gold_level: Level | null;
}

/** The current answer of each reviewer to each decision. */
export function standingAnswers(queries: Queries, workspace: string): Promise<AnswerRow[]> {
  return queries.rows<AnswerRow>(
    `select distinct on (reviewer, decision_id) reviewer, decision_id, outcome, level, gold_level from defensible.review
      where workspace_id = $1 order by reviewer, decision_id, review_id desc`,
    [workspace],
  );
}

export async function keptDocument(
  queries: Queries,
  workspace: string,
  kind: string,
  name: string,
): Promise<object | null> {
  const [row] = await queries.rows<{ doc: object }>(
    "select doc from defensible.document where workspace_id = $1 and kind = $2 and name = $3",
    [workspace, kind, columnText(name)],
  );
  return row?.doc ?? null;
}

export async function keepDocument(
  queries: Queries,
  workspace: string,
  kind: string,
  name: string,
  doc: object,
): Promise<void> {
  await queries.rows(
    `insert into defensible.document (workspace_id, kind, name, doc) values ($1, $2, $3, $4::json)
     on conflict (workspace_id, kind, name) do update set doc = excluded.doc, kept_at = now()`,
    [workspace, kind, columnText(name), JSON.stringify(doc)],
  );
}
