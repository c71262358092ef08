import { columnText, type Database, type Queries } from "./database.js";

/** An object of another system, unchanged, kept for later objects that belong to it. */
export interface ForeignObject {
  hash: Buffer;
  links: readonly string[];
  /** All other objects refer to it. */
  shared: boolean;
  value: object;
  /** Their actions mapped to ours, as given by the call that brought the object. */
  given: Readonly<Record<string, string>>;
}

/** Days. Appeals may come for six months (Article 20 of the DSA) and take time to decide. */
const KEPT_DAYS = 200;
/** Days for an object whose other half is missing: alone it says nothing about a decision. */
const WAITING_DAYS = 30;
/** Most objects read together with those of one call, and most bytes. */
const MOST_JOINED = 2000;
const MOST_BYTES = 16 << 20;
/** Most decisions noted with each object of a group, in addition to those read from the object itself. */
const MOST_NOTED = 50;

/** Until the transaction ends, calls that may belong together wait for each other, so that neither misses what the other brings. */
export async function lockChannel(queries: Queries, workspace: string, channel: string): Promise<void> {
  await queries.rows("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    JSON.stringify(["in", workspace, channel]),
  ]);
}

/** Stores objects. A shared one replaces that of the same name. Returns the hashes of those that are new or changed. */
export async function keepForeign(
  queries: Queries,
  workspace: string,
  channel: string,
  objects: readonly ForeignObject[],
): Promise<Set<string>> {
  const fresh = new Set<string>();
  for (const { hash, links, shared, value, given } of objects) {
    const rows = await queries.rows(
      `insert into defensible.foreign_object as f (workspace_id, channel, hash, links, shared, doc, given, bytes)
         values ($1, $2, $3, $4, $5, $6::text::json, $7::json, octet_length($6::text))
       on conflict (workspace_id, channel, hash) do update
         set doc = excluded.doc, given = excluded.given, bytes = excluded.bytes, received_at = now()
         where f.workspace_id = $1 and (f.doc::text <> excluded.doc::text or f.given::text <> excluded.given::text)
       returning 1`,
      [workspace, channel, hash, links, shared, JSON.stringify(value), JSON.stringify(given)],
    );
    if (rows.length > 0) fresh.add(hash.toString("hex"));
  }
  return fresh;
}

interface Place {
  seq: number;
  hash: Buffer;
  links: string[];
  bytes: number;
}

interface Row extends Omit<ForeignObject, "value"> {
  doc: object;
  waits: boolean;
}

export type KeptForeign = ForeignObject & { waits: boolean };

/** Objects linked to these names, directly or through another object, and the shared ones, in order of arrival. */
export async function linkedForeign(
  queries: Queries,
  workspace: string,
  channel: string,
  links: readonly string[],
  { withWaiting }: { withWaiting: boolean },
): Promise<KeptForeign[]> {
  const found = new Map<number, Place>();
  let left = { objects: MOST_JOINED, bytes: MOST_BYTES };
  const find = async (which: string, ...values: unknown[]): Promise<Place[]> => {
    const rows = await queries.rows<Place>(
      `select seq, hash, links, bytes from defensible.foreign_object
        where workspace_id = $1 and channel = $2 and ${which} order by seq desc limit ${MOST_JOINED}`,
      [workspace, channel, ...values],
    );
    const fresh: Place[] = [];
    for (const row of rows) {
      if (found.has(row.seq)) continue;
      left = { objects: left.objects - 1, bytes: left.bytes - row.bytes };
      if (left.objects < 0 || left.bytes < 0) break;
      found.set(row.seq, row);
      fresh.push(row);
    }
    return fresh;
  };
  const LINKED = "not shared and links && $3::text[]";
  await find("shared");
  left = { objects: MOST_JOINED, bytes: MOST_BYTES };
  const names = new Set(links);
  // Only an object's new links are followed, so a chain of objects is read once and not again for each link.
  const follow = async (some: readonly Place[]) => {
    for (let next = some; next.length > 0 && left.objects > 0 && left.bytes > 0; ) {
      const more = [...new Set(next.flatMap((one) => one.links))].filter((name) => !names.has(name));
      for (const name of more) names.add(name);
      next = more.length === 0 ? [] : await find(LINKED, more);
    }
  };
  await follow(links.length === 0 ? [] : await find(LINKED, [...names]));
  if (withWaiting) await follow(await find("not shared and decision_ids = '{}'"));
  const rows = await queries.rows<Row & { seq: number }>(
    `select seq, hash, links, shared, doc, given, not shared and decision_ids = '{}' as waits from defensible.foreign_object
      where workspace_id = $1 and channel = $2 and hash = any($3::bytea[]) order by seq`,
    [workspace, channel, [...found.values()].map(({ hash }) => hash)],
  );
  return rows.map(({ doc, seq: _, ...row }) => ({ ...row, value: doc }));
}

/**
 * Notes which decisions objects belong to, so that they can be erased with them.
 * @param read the decisions that were read from an object itself
 */
export async function noteDecisions(
  queries: Queries,
  workspace: string,
  channel: string,
  { hashes, ids, read }: { hashes: readonly Buffer[]; ids: readonly string[]; read: readonly [Buffer, string][] },
): Promise<void> {
  await queries.rows(
    `update defensible.foreign_object set decision_ids = array(select distinct unnest(decision_ids || $4::text[]))
      where workspace_id = $1 and channel = $2 and hash = any($3::bytea[]) and cardinality(decision_ids) < ${MOST_NOTED}
        and not decision_ids @> $4::text[]`,
    [workspace, channel, hashes, ids.slice(0, MOST_NOTED)],
  );
  if (ids.length <= MOST_NOTED) return;
  await queries.rows(
    `update defensible.foreign_object f set decision_ids = array(select distinct unnest(f.decision_ids || given.ids))
       from (select hash, array_agg(id) as ids from unnest($3::bytea[], $4::text[]) as pair(hash, id) group by hash) as given
      where f.workspace_id = $1 and f.channel = $2 and f.hash = given.hash and not f.decision_ids @> given.ids`,
    [workspace, channel, read.map(([hash]) => hash), read.map(([, id]) => id)],
  );
}

/** Deletes the objects that these decisions were read from, and everything linked to them. */
export async function forgetForeign(queries: Queries, workspace: string, ids: readonly string[]): Promise<void> {
  // The service accepts no id that its column would spell differently.
  const exact = ids.filter((id) => columnText(id) === id);
  const gone = await queries.rows<{ channel: string; links: string[] }>(
    "delete from defensible.foreign_object where workspace_id = $1 and decision_ids && $2::text[] returning channel, links",
    [workspace, exact],
  );
  const channels = new Map<string, Set<string>>();
  for (const { channel, links } of gone) channels.set(channel, new Set([...(channels.get(channel) ?? []), ...links]));
  for (const [channel, names] of channels) {
    for (let next = [...names]; next.length > 0; ) {
      const rows = await queries.rows<{ links: string[] }>(
        `delete from defensible.foreign_object
          where workspace_id = $1 and channel = $2 and not shared and links && $3::text[] returning links`,
        [workspace, channel, next],
      );
      next = [...new Set(rows.flatMap(({ links }) => links))].filter((name) => !names.has(name));
      for (const name of next) names.add(name);
    }
  }
}

/** Deletes objects older than contents are kept, or too old for anything that belongs to them to arrive. */
export async function forgetOldForeign(database: Database): Promise<void> {
  await database.rows(
    `delete from defensible.foreign_object f using defensible.workspace w
      where f.workspace_id = w.workspace_id and not f.shared and f.received_at < now() - make_interval(days =>
        least(coalesce(w.content_days, ${KEPT_DAYS}), case when f.decision_ids = '{}' then ${WAITING_DAYS} else ${KEPT_DAYS} end))`,
  );
}
