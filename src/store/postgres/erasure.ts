import { createHash, randomBytes } from "node:crypto";
import type { Audit } from "../../core/records/audit.js";
import type { Decision } from "../../core/records/decision.js";
import type { Manifest } from "../../core/records/manifest.js";
import { Quotes } from "../../text/quotes.js";
import type { ErasedPlace, ErasureStore } from "../ports.js";
import { erasedDecision, erasedRow, questionIds, wordsOf } from "../records/erased.js";
import type { RecordObject } from "../records/record-kinds.js";
import { noteActivity } from "./access.js";
import { keyBytes } from "./answers.js";
import { bury, type Changed, erasedHere } from "./chain.js";
import { columnText, type Database, type Queries } from "./database.js";
import { forgetForeign } from "./foreign.js";
import { scrubQuotations } from "./quotations.js";

/** Most decisions erased in one transaction. */
export const BATCH = 100;

/** Tables that cache answers and pages, which can be made again. They are emptied, because it is not known which rows quote a decision. */
const CACHES = ["response", "page", "run_page", "idempotency"];

/** The outcome of a request to erase decisions. */
export interface Erasure {
  /** Erased for the first time. */
  first: string[];
  /** Erased before; something had been written about them since. */
  again: string[];
  /** Decisions that exist, whether or not anything was left to erase. */
  known: number;
}

/**
 * Erases what people wrote in decisions: contents, rationales, appeals, reviewers' notes, traces, model answers and pages made from them. Ids,
 * numbers and the log of routes stay; the salted hashes in the log lose their salt and so can no longer be matched to a text. A repeated call erases
 * what was written since.
 */
export async function eraseContent(
  database: Database,
  workspace: string,
  ids: readonly string[],
  { actor, reason }: { actor: string; reason: string },
): Promise<Erasure> {
  const all: Erasure = { first: [], again: [], known: 0 };
  for (let from = 0; from < ids.length; from += BATCH) {
    const some = ids.slice(from, from + BATCH);
    const { first, again, known } = await database.transaction(async (queries) => {
      const erased = await eraseSome(queries, workspace, some, { by: actor, reason });
      const done = [...erased.first, ...erased.again];
      if (done.length === 0) return erased;
      await emptyCaches(queries, workspace);
      const subject = done.length === 1 ? columnText(done[0]!) : `${done.length} decisions`;
      await noteActivity(queries, workspace, { actor, action: "content.erase", subject, doc: { reason, ids: done } });
      return erased;
    });
    all.first.push(...first);
    all.again.push(...again);
    all.known += known;
  }
  return all;
}

async function emptyCaches(queries: Queries, workspace: string): Promise<void> {
  await queries.rows("update defensible.workspace set erasures = erasures + 1 where workspace_id = $1", [workspace]);
  for (const table of CACHES)
    await queries.rows(`delete from defensible.${table} where workspace_id = $1`, [workspace]);
}

/** How rows of decisions are found. Text columns are only for lookup: two different ids may be equal there. */
function rowsOf(ids: readonly string[]) {
  return {
    /** Of decisions and precedents. */
    identities: ids.map((id) => createHash("sha256").update(id).digest()),
    /** Of labels and outcomes; other ids may have the same. */
    subjects: ids.map((id) => columnText(id).slice(0, 512)),
    /** Of audits. Only column and key prefix together are unique. */
    columns: ids.map(columnText),
    keys: ids.map((id) => keyBytes(`${id}\u0000`)),
    /** Of reviews and appeals: the service accepts no id that its column would spell differently. */
    exact: ids.filter((id) => columnText(id) === id),
  };
}

type RowsOf = ReturnType<typeof rowsOf>;

/** Whether an appeal has text by people or names the person it was filed for. */
export const APPEAL_SAYS = "(text is not null or note is not null or filed_by is not null)";

const AUDITS_OF = (columns: string, keys: string) =>
  `decision_id = any(${columns}::text[]) and exists (select 1 from unnest(${keys}::bytea[]) as begin where substr(key, 1, length(begin)) = begin)`;

async function eraseSome(
  queries: Queries,
  workspace: string,
  ids: readonly string[],
  eraser: { by: string; reason: string },
): Promise<Erasure> {
  const found = await queries.rows<{ identity: Buffer; line: string; erased: boolean }>(
    `select identity, record::text as line, erased_at is not null as erased from defensible.record
      where workspace_id = $1 and kind = 'decisions' and identity = any($2::bytea[]) order by identity for update`,
    [workspace, rowsOf(ids).identities],
  );
  if (found.length === 0) return { first: [], again: [], known: 0 };
  const rows = found.filter(({ erased }) => !erased);
  const decisions = rows.map(({ line }) => JSON.parse(line) as Decision);
  // The content hash must go too: with it, a guessed text could be confirmed.
  await queries.rows(
    `update defensible.record r set record = given.line, record_hash = given.hash, salt = null, erased_at = now()
       from unnest($2::bytea[], $3::json[], $4::bytea[]) as given(identity, line, hash)
      where r.workspace_id = $1 and r.kind = 'decisions' and r.identity = given.identity`,
    [
      workspace,
      rows.map(({ identity }) => identity),
      decisions.map((one) => JSON.stringify(erasedDecision(one))),
      rows.map(() => randomBytes(32)),
    ],
  );
  const first = decisions.map(({ id }) => id);
  const all = found.map(({ line }) => (JSON.parse(line) as Decision).id);
  const audits = await eraseAudits(queries, workspace, rowsOf(all));
  const rest = await eraseRest(queries, workspace, rowsOf(all), new Set(all));
  const changed = [...audits.changed, ...rest.changed];
  const touched = new Set([
    ...changed.map(({ id }) => id),
    ...rest.noted,
    ...(await eraseAnswers(queries, workspace, all)),
  ]);
  const again = all.filter((id) => touched.has(id) && !first.includes(id));
  const done = [...first, ...again];
  await forgetForeign(queries, workspace, all);
  const quotes = new Quotes();
  for (const one of decisions) quotes.add(one.id, wordsOf(one));
  for (const { id, reasoning } of audits.reasoning) quotes.add(id, { own: [], around: [reasoning] });
  await scrubQuotations(queries, workspace, quotes, new Set(done));
  await bury(queries, workspace, done, changed, eraser);
  return { first, again, known: found.length };
}

/** Erases raw model answers: keys begin with the decision, those of batches are hashes. Returns the decisions that had answers. */
async function eraseAnswers(queries: Queries, workspace: string, ids: readonly string[]): Promise<string[]> {
  const answered: string[] = [];
  for (const id of ids) {
    const prefix = keyBytes(`${id}\u0000`);
    const gone = await queries.rows(
      "delete from defensible.answer where workspace_id = $1 and substr(key, 1, $3) = $2 returning 1",
      [workspace, prefix, prefix.length],
    );
    if (gone.length > 0) answered.push(id);
  }
  const runs = await queries.rows<{ run_id: string; manifest: Manifest }>(
    `select run_id, manifest from defensible.run r where workspace_id = $1
       and exists (select 1 from defensible.answer a where a.workspace_id = $1 and a.run_id = r.run_id and a.sort = 'batch')`,
    [workspace],
  );
  for (const { run_id, manifest } of runs) {
    const keys = [...questionIds(manifest, ids)].map(keyBytes);
    await queries.rows(
      "delete from defensible.answer where workspace_id = $1 and run_id = $2 and sort = 'batch' and key = any($3::bytea[])",
      [workspace, run_id, keys],
    );
  }
  return answered;
}

/**
 * Erases notes of reviewers and labels, appeals and whom they were filed for, a precedent of the same id, and queued items, which would be empty for
 * a reviewer. Returns the changes to the logs, and the decisions that had other such text.
 */
async function eraseRest(
  queries: Queries,
  workspace: string,
  { exact, identities, subjects }: RowsOf,
  ids: ReadonlySet<string>,
): Promise<{ changed: Changed[]; noted: string[] }> {
  const of = [workspace, exact];
  const reviews = await queries.rows<{ id: string }>(
    `update defensible.review set note = null where workspace_id = $1 and decision_id = any($2::text[]) and note is not null
      returning decision_id as id`,
    of,
  );
  const appeals = await queries.rows<{ id: string }>(
    `update defensible.appeal set text = null, note = null, filed_by = null where workspace_id = $1 and decision_id = any($2::text[])
       and ${APPEAL_SAYS} returning decision_id as id`,
    of,
  );
  await queries.rows(
    `update defensible.review_item set state = 'withdrawn' where workspace_id = $1 and decision_id = any($2::text[])
       and state in ('open', 'claimed')`,
    of,
  );
  const precedents = await queries.rows<{ id: string }>(
    `delete from defensible.record where workspace_id = $1 and kind = 'precedents' and identity = any($2::bytea[])
      returning record->>'id' as id`,
    [workspace, identities],
  );
  const noted = await queries.rows<{ kind: string; identity: Buffer; line: string }>(
    `select kind, identity, record::text as line from defensible.record
      where workspace_id = $1 and kind in ('labels', 'outcomes') and subject = any($2::text[])`,
    [workspace, subjects],
  );
  const changed: Changed[] = [];
  const labelled: { id: string }[] = [];
  for (const { kind, identity, line } of noted) {
    const record = erasedRow(kind as "labels" | "outcomes", JSON.parse(line) as RecordObject);
    const text = JSON.stringify(record);
    if (text === line || !ids.has(String(record.decision_id))) continue;
    labelled.push({ id: String(record.decision_id) });
    if (kind === "outcomes") changed.push({ id: String(record.decision_id), outcome: identity, line: text });
    await queries.rows(
      "update defensible.record set record = $4::json, record_hash = $5 where workspace_id = $1 and kind = $2 and identity = $3",
      [workspace, kind, identity, text, createHash("sha256").update(text).digest()],
    );
  }
  return { changed, noted: [...reviews, ...appeals, ...precedents, ...labelled].map(({ id }) => id) };
}

/** Also returns the erased reasoning, by which quotations are recognized. */
async function eraseAudits(
  queries: Queries,
  workspace: string,
  { columns, keys }: RowsOf,
): Promise<{ changed: Changed[]; reasoning: { id: string; reasoning: string }[] }> {
  const rows = await queries.rows<{ run_id: string; key: Buffer; line: string }>(
    `select run_id, key, record::text as line from defensible.audit where workspace_id = $1 and ${AUDITS_OF("$2", "$3")}
        and record::text not like '%,"erased":true}'`,
    [workspace, columns, keys],
  );
  const audits = rows.map(({ line }) => JSON.parse(line) as Audit);
  await queries.rows(
    `update defensible.audit a set record = given.line from unnest($2::text[], $3::bytea[], $4::json[]) as given(run_id, key, line)
      where a.workspace_id = $1 and a.run_id = given.run_id and a.key = given.key`,
    [
      workspace,
      rows.map(({ run_id }) => run_id),
      rows.map(({ key }) => key),
      audits.map((audit) => JSON.stringify(erasedHere(audit))),
    ],
  );
  return {
    changed: rows.map(({ run_id, key }, i) => ({
      ...{ id: audits[i]!.decision_id, run_id, key, audit: erasedHere(audits[i]!) },
    })),
    reasoning: audits.flatMap(({ decision_id: id, trace }) =>
      trace?.logic_chain ? { id, reasoning: trace.logic_chain } : [],
    ),
  };
}

export function postgresErasure(database: Database, workspace: string): ErasureStore {
  const find = async (ids: readonly string[]): Promise<ErasedPlace[]> => {
    const { identities, columns, keys, exact } = rowsOf(ids);
    const rows = await database.rows<{ place: string; count: number }>(
      `select 'decisions' as place, count(*) as count from defensible.record
         where workspace_id = $1 and kind = 'decisions' and identity = any($2::bytea[]) and erased_at is null
       union all select 'audits', count(*) from defensible.audit
         where workspace_id = $1 and ${AUDITS_OF("$3", "$4")} and record::text not like '%,"erased":true}'
       union all select kind, count(*) from defensible.record
         where workspace_id = $1 and kind = 'precedents' and identity = any($2::bytea[]) group by 1
       union all select 'notes of reviews', count(*) from defensible.review
         where workspace_id = $1 and decision_id = any($5::text[]) and note is not null
       union all select 'appeals', count(*) from defensible.appeal
         where workspace_id = $1 and decision_id = any($5::text[]) and ${APPEAL_SAYS}
       union all select 'objects of other systems', count(*) from defensible.foreign_object
         where workspace_id = $1 and decision_ids && $5::text[]
       union all select 'cached answers', count(*) from defensible.response where workspace_id = $1`,
      [workspace, identities, columns, keys, exact],
    );
    // With nothing else to erase, the caches stay.
    if (rows.every(({ place, count }) => count === 0 || place.startsWith("cached"))) return [];
    return rows
      .filter(({ count }) => count > 0)
      .map(({ place, count }) => ({
        place: `database: ${place}`,
        count,
        what: place.startsWith("cached") ? "emptied" : "erased",
      }));
  };
  return {
    async buried() {
      const rows = await database.rows<{ decision: string }>(
        "select distinct tombstone->>'decision' as decision from defensible.erasure where workspace_id = $1",
        [workspace],
      );
      return new Set(rows.map(({ decision }) => decision));
    },
    async known(ids) {
      const { identities } = rowsOf(ids);
      const rows = await database.rows<{ identity: Buffer }>(
        "select identity from defensible.record where workspace_id = $1 and kind = 'decisions' and identity = any($2::bytea[])",
        [workspace, identities],
      );
      const known = new Set(rows.map(({ identity }) => identity.toString("hex")));
      return ids.filter((_, i) => known.has(identities[i]!.toString("hex")));
    },
    find,
    // The tombstones are written in the transaction of the erasure.
    bury: async () => undefined,
    async erase(ids, { by, reason }) {
      const places = await find(ids);
      await eraseContent(database, workspace, ids, { actor: by, reason });
      return places;
    },
  };
}

/** The part of a cache file's name that gives the number of erasures before it was made. */
export const cacheMark = (erasures: number) => `-e${erasures}-`;

/** The number of erasures. Files made before the last one must not be used. */
export async function erasuresOf(queries: Queries, workspace: string): Promise<number> {
  const [row] = await queries.rows<{ erasures: number }>(
    "select erasures from defensible.workspace where workspace_id = $1",
    [workspace],
  );
  return row?.erasures ?? 0;
}
