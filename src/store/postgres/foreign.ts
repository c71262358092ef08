import { columnText, type Database, type Queries } from "./database.js";

/** An object of another system, as it came, for those that come later and belong to it. */
export interface ForeignObject {
  hash: Buffer;
  links: readonly string[];
  /** All others refer to it. */
  shared: boolean;
  value: object;
  /** Actions of theirs that are ours, as the call that brought it said. */
  given: Readonly<Record<string, string>>;
}

/** Appeals may come for six months (Article 20 of the DSA), and take their time. */
const KEPT_DAYS = 200;
/** Without its other half, it says nothing of a decision. */
const WAITING_DAYS = 30;
/** Objects that are read together with those of one call. */
const MOST_JOINED = 2000;

/** Calls that may belong together wait for each other, so that none misses what the other brings. Until the transaction ends. */
export async function lockChannel(queries: Queries, workspace: string, channel: string): Promise<void> {
  await queries.rows("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    JSON.stringify(["in", workspace, channel]),
  ]);
}

/** Keeps objects. One that is shared replaces that of the same name. Returns the hashes of those that are new, or say something new. */
export async function keepForeign(
  queries: Queries,
  workspace: string,
  channel: string,
  objects: readonly ForeignObject[],
): Promise<Set<string>> {
  const fresh = new Set<string>();
  for (const { hash, links, shared, value, given } of objects) {
    const rows = await queries.rows(
      `insert into defensible.foreign_object as f (workspace_id, channel, hash, links, shared, doc, given)
         values ($1, $2, $3, $4, $5, $6::json, $7::json)
       on conflict (workspace_id, channel, hash) do update set doc = excluded.doc, given = excluded.given, received_at = now()
         where f.workspace_id = $1 and (f.doc::text <> excluded.doc::text or f.given::text <> excluded.given::text)
       returning 1`,
      [workspace, channel, hash, links, shared, JSON.stringify(value), JSON.stringify(given)],
    );
    if (rows.length > 0) fresh.add(hash.toString("hex"));
  }
  return fresh;
}

interface Row {
  part: number;
  seq: number;
  hash: Buffer;
  links: string[];
  shared: boolean;
  doc: object;
  given: Record<string, string>;
  waits: boolean;
}

export type KeptForeign = ForeignObject & { waits: boolean };

const COLUMNS = "seq, hash, links, shared, doc, given, not shared and decision_ids = '{}' as waits";
const kept = ({ doc, seq: _, part: __, ...row }: Row): KeptForeign => ({ ...row, value: doc });

/** What belongs to these names, directly or through another object, and what all refer to. In the order in which it came. */
export async function linkedForeign(
  queries: Queries,
  workspace: string,
  channel: string,
  links: readonly string[],
  { withWaiting }: { withWaiting: boolean },
): Promise<KeptForeign[]> {
  const names = new Set(links);
  for (;;) {
    const rows = await queries.rows<Row>(
      `select * from (
         select 0 as part, ${COLUMNS} from defensible.foreign_object where workspace_id = $1 and channel = $2 and shared
         union all
         select 1, ${COLUMNS} from defensible.foreign_object
          where workspace_id = $1 and channel = $2 and not shared and links && $3::text[]
         union all
         select 2, ${COLUMNS} from defensible.foreign_object
          where $4 and workspace_id = $1 and channel = $2 and not shared and decision_ids = '{}' and not links && $3::text[]
       ) as found order by part, seq desc limit ${MOST_JOINED}`,
      [workspace, channel, [...names], withWaiting],
    );
    const before = names.size;
    for (const row of rows) for (const name of row.links) names.add(name);
    if (names.size === before || rows.length === MOST_JOINED) return rows.sort((a, b) => a.seq - b.seq).map(kept);
  }
}

/** Notes which decisions objects belong to, by which they are erased. */
export async function noteDecisions(
  queries: Queries,
  workspace: string,
  channel: string,
  hashes: readonly Buffer[],
  ids: readonly string[],
): Promise<void> {
  await queries.rows(
    `update defensible.foreign_object set decision_ids = array(select distinct unnest(decision_ids || $4::text[]))
      where workspace_id = $1 and channel = $2 and hash = any($3::bytea[]) and not decision_ids @> $4::text[]`,
    [workspace, channel, hashes, ids],
  );
}

/** Removes what decisions were read from. */
export async function forgetForeign(queries: Queries, workspace: string, ids: readonly string[]): Promise<void> {
  // What the service takes has no other spelling in a column.
  const exact = ids.filter((id) => columnText(id) === id);
  await queries.rows("delete from defensible.foreign_object where workspace_id = $1 and decision_ids && $2::text[]", [
    workspace,
    exact,
  ]);
}

/** Removes what is older than contents are kept, or than anything that belongs to it may come. */
export async function forgetOldForeign(database: Database): Promise<void> {
  await database.rows(
    `delete from defensible.foreign_object f using defensible.workspace w
      where f.workspace_id = w.workspace_id and not f.shared and f.received_at < now() - make_interval(days =>
        least(coalesce(w.content_days, ${KEPT_DAYS}), case when f.decision_ids = '{}' then ${WAITING_DAYS} else ${KEPT_DAYS} end))`,
  );
}
