import { createHash } from "node:crypto";
import type { Audit } from "../../core/records/audit.js";
import { canonicalJson, sha256 } from "../../evidence/canonical.js";
import type { ChainEntry, ChainHead, ChainSource } from "../../evidence/chain.js";
import { ERASURES, type Tombstone } from "../../evidence/tombstone.js";
import type { ChainStore } from "../ports.js";
import { erasedAudit, restOf } from "../records/erased.js";
import type { Database, Queries } from "./database.js";

const BATCH = 5000;

/** The hash chain over a workspace's logs. Routes have one log per stream: only one process writes to a stream and numbers its lines. */
export function postgresChain(database: Database, workspace: string): ChainStore {
  return {
    async read() {
      const entries = await database.rows<Omit<ChainEntry, "rest"> & { rest: string | null }>(
        "select day, source, n, salt, hash, rest from defensible.chain_entry where workspace_id = $1 order by seq",
        [workspace],
      );
      const heads = await database.rows<{ head: string }>(
        "select head::text as head from defensible.chain_head where workspace_id = $1 order by seq",
        [workspace],
      );
      return {
        entries: entries.map(({ rest, ...entry }) => ({ ...entry, ...(rest !== null && { rest }) })),
        heads: heads.map(({ head }) => JSON.parse(head) as ChainHead),
      };
    },
    async logs() {
      const ends = await endsOf(database, workspace);
      const found: ChainSource[] = await routesOf(database, workspace);
      for (const [source, sql] of Object.entries(LOGS)) {
        found.push({ source, records: await linesOf(database, sql, workspace, ends[source]!), complete: false });
      }
      // The service erases in one transaction and without the signing key.
      found.at(-1)!.sealedLater = true;
      return found;
    },
    append: (entries, head) =>
      database.transaction(async (queries) => {
        for (let from = 0; from < entries.length; from += BATCH) {
          const some = entries.slice(from, from + BATCH);
          await queries.rows(
            `insert into defensible.chain_entry (workspace_id, day, source, n, salt, hash, rest)
             select $1, * from unnest($2::text[], $3::text[], $4::bigint[], $5::text[], $6::text[], $7::text[])`,
            [
              workspace,
              some.map(({ day }) => day),
              some.map(({ source }) => source),
              some.map(({ n }) => n),
              some.map(({ salt }) => salt),
              some.map(({ hash }) => hash),
              some.map(({ rest }) => rest ?? null),
            ],
          );
        }
        await queries.rows("insert into defensible.chain_head (workspace_id, head) values ($1, $2::json)", [
          workspace,
          JSON.stringify(head),
        ]);
      }),
    // The log of routes is never changed.
    rest: (source, record) => (source.startsWith("routes") ? record : restOf(source, record, erasedHere)),
    where: (source, n) => `database: ${source}, record ${n + 1}`,
    withSealLock: (work) => database.exclusive(`chain ${workspace}`, work),
  };
}

/** Lines after one place and up to another, in order. */
const LOGS: Record<string, string> = {
  gate: "select seq, event::text as line from defensible.gate_event where workspace_id = $1 and seq > $2 and seq <= $3 order by seq",
  outcomes:
    "select seq, record::text as line from defensible.record where workspace_id = $1 and kind = 'outcomes' and seq > $2 and seq <= $3 order by seq",
  [ERASURES]:
    "select seq, tombstone::text as line from defensible.erasure where workspace_id = $1 and seq > $2 and seq <= $3 order by seq",
};

/** Where the logs end while nothing is being written, so that no lower place can be taken later. Writers wait for this, not for the reading. */
async function endsOf(database: Database, workspace: string): Promise<Record<string, number>> {
  return database.transaction(async (queries) => {
    await queries.rows("lock table defensible.gate_event, defensible.record, defensible.erasure in share mode");
    const [ends] = await queries.rows<Record<string, number>>(
      `select (select coalesce(max(seq), 0) from defensible.gate_event where workspace_id = $1) as gate,
              (select coalesce(max(seq), 0) from defensible.record where workspace_id = $1 and kind = 'outcomes') as outcomes,
              (select coalesce(max(seq), 0) from defensible.erasure where workspace_id = $1) as ${ERASURES}`,
      [workspace],
    );
    return ends!;
  });
}

async function linesOf(queries: Queries, sql: string, workspace: string, end: number): Promise<string[]> {
  const lines: string[] = [];
  for (let after = 0; ; ) {
    const rows = await queries.rows<{ seq: number; line: string }>(`${sql} limit ${BATCH}`, [workspace, after, end]);
    if (rows.length === 0) return lines;
    after = rows.at(-1)!.seq;
    for (const { line } of rows) lines.push(line);
  }
}

async function routesOf(queries: Queries, workspace: string): Promise<ChainSource[]> {
  const streams = await queries.rows<{ stream: string | null }>(
    `select stream::text as stream from defensible.route_log where workspace_id = $1 group by 1 order by min(seq)`,
    [workspace],
  );
  const found: ChainSource[] = [];
  for (const { stream } of streams) {
    const records: string[] = [];
    for (let after = 0; ; ) {
      const rows = await queries.rows<{ at: number; line: string }>(
        stream === null
          ? `select seq as at, line::text as line from defensible.route_log
              where workspace_id = $1 and stream is null and seq > $2 order by seq limit ${BATCH}`
          : `select number as at, line::text as line from defensible.route_log
              where workspace_id = $1 and stream = $3::uuid and number > $2 order by number limit ${BATCH}`,
        stream === null ? [workspace, after] : [workspace, after, stream],
      );
      if (rows.length === 0) break;
      after = rows.at(-1)!.at;
      for (const { line } of rows) records.push(line);
    }
    found.push({ source: stream === null ? "routes" : `routes:${stream}`, records, complete: false });
  }
  return found;
}

/** The mark comes last, because it is found by its text. */
export const erasedHere = (audit: Audit) => ({ ...erasedAudit(audit), erased: true });

/** A changed record, by where it is kept. */
export type Changed =
  | { id: string; run_id: string; key: Buffer; audit: object }
  | { id: string; outcome: Buffer; line: string };

/** Writes a tombstone for each decision and deletes the salts of its chained records, in the transaction of the erasure. */
export async function bury(
  queries: Queries,
  workspace: string,
  ids: readonly string[],
  changed: readonly Changed[],
  eraser: { by: string; reason: string },
): Promise<void> {
  const at = new Date().toISOString();
  for (const id of ids) {
    const records: Tombstone["records"] = [];
    for (const change of changed.filter((one) => one.id === id)) {
      const place = await placeOf(queries, workspace, change);
      const forgotten = await queries.rows(
        "update defensible.chain_entry set salt = null where workspace_id = $1 and source = $2 and n = $3 returning 1",
        [workspace, place.source, place.n],
      );
      const text = "audit" in change ? canonicalJson(change.audit) : change.line;
      if (forgotten.length > 0) records.push({ ...place, hash: sha256(text) });
    }
    const tombstone: Tombstone = { decision: sha256(id), at, ...eraser, records };
    await queries.rows("insert into defensible.erasure (workspace_id, tombstone) values ($1, $2::json)", [
      workspace,
      JSON.stringify(tombstone),
    ]);
  }
}

async function placeOf(queries: Queries, workspace: string, change: Changed): Promise<{ source: string; n: number }> {
  const [row] = await queries.rows<{ n: number }>(
    "audit" in change
      ? "select count(*) as n from defensible.audit where workspace_id = $1 and run_id = $2 and key < $3"
      : `select count(*) as n from defensible.record where workspace_id = $1 and kind = 'outcomes'
          and seq < (select seq from defensible.record where workspace_id = $1 and kind = 'outcomes' and identity = $2)`,
    "audit" in change ? [workspace, change.run_id, change.key] : [workspace, change.outcome],
  );
  return { source: "audit" in change ? `audits:${change.run_id}` : "outcomes", n: row!.n };
}

/** Which of these decisions are erased. The others stay until the transaction ends, so a later erasure finds what this transaction writes. */
export async function erasedAmong(
  queries: Queries,
  workspace: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const identities = ids.map((id) => createHash("sha256").update(id).digest());
  const rows = await queries.rows<{ identity: Buffer; erased: boolean }>(
    `select identity, erased_at is not null as erased from defensible.record
      where workspace_id = $1 and kind = 'decisions' and identity = any($2::bytea[]) order by identity for share`,
    [workspace, identities],
  );
  const erased = new Set(rows.flatMap((row) => (row.erased ? row.identity.toString("hex") : [])));
  return new Set(ids.filter((_, i) => erased.has(identities[i]!.toString("hex"))));
}
