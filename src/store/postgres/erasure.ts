import { createHash, randomBytes } from "node:crypto";
import { type Audit, auditSchema } from "../../core/records/audit.js";
import type { Decision } from "../../core/records/decision.js";
import { noteActivity } from "./access.js";
import { keyBytes } from "./answers.js";
import { columnText, type Database, type Queries } from "./database.js";

/** Most decisions that one transaction erases. */
const BATCH = 100;
/** How long events and their deliveries are kept, in days. */
const EVENT_DAYS = 30;

/** Tables that hold answers and pages for a while, and can be made again. They are emptied: which of their rows quote a decision is not known. */
const CACHES = ["response", "page", "run_page", "idempotency"];

/** A decision without what people wrote: ids, times and codes. */
function erasedDecision(decision: Decision): object {
  const {
    id,
    community,
    decision: action,
    human_label,
    decided_at,
    ruleset_version,
    thread_id,
    appeal,
    gold,
  } = decision;
  const { kind, id: decider, confidence } = decision.decider ?? {};
  return {
    ...{ id, community, content: "", decision: action, human_label, decided_at, ruleset_version, thread_id },
    ...(decision.decider ? { decider: { kind, id: decider, confidence } } : {}),
    ...(appeal ? { appeal: { filed_at: appeal.filed_at, outcome: appeal.outcome } } : {}),
    ...(gold ? { gold: { level: gold.level, inverse: gold.inverse, rule_ids: gold.rule_ids } } : {}),
    erased: true,
  };
}

/** What may stay of an audit: its numbers and codes. A trace quotes the content. */
const KEPT = Object.keys(auditSchema.shape).filter(
  (key) => !["trace", "citation_spans", "prompt", "error", "read"].includes(key),
);

function erasedAudit(audit: Audit): object {
  const kept = Object.fromEntries(Object.entries(audit).filter(([key]) => KEPT.includes(key)));
  return {
    ...kept,
    ...(audit.error ? { error: { code: audit.error.code, message: "erased" } } : {}),
    // Whatever is sent under this id from here on is not what was audited, and goes to review.
    read: { content: "erased", rules: "erased", precedents: "erased" },
    erased: true,
  };
}

/**
 * Erases what people wrote in decisions: contents, rationales, appeals, reviewers' notes, traces, answers of models and pages made of them. Ids, numbers
 * and the log of routes stay; the salted hashes in the log lose their salt and with it their meaning. Returns how many were erased.
 */
export async function eraseContent(
  database: Database,
  workspace: string,
  ids: readonly string[],
  { actor, reason }: { actor: string; reason: string },
): Promise<number> {
  let erased = 0;
  for (let from = 0; from < ids.length; from += BATCH) {
    const some = ids.slice(from, from + BATCH);
    erased += await database.transaction(async (queries) => {
      const done = await eraseSome(queries, workspace, some);
      if (done.length === 0) return 0;
      await emptyCaches(queries, workspace);
      const subject = done.length === 1 ? columnText(done[0]!) : `${done.length} decisions`;
      await noteActivity(queries, workspace, { actor, action: "content.erase", subject, doc: { reason, ids: done } });
      return done.length;
    });
  }
  return erased;
}

async function emptyCaches(queries: Queries, workspace: string): Promise<void> {
  await queries.rows("update defensible.workspace set erasures = erasures + 1 where workspace_id = $1", [workspace]);
  for (const table of CACHES)
    await queries.rows(`delete from defensible.${table} where workspace_id = $1`, [workspace]);
}

async function eraseSome(queries: Queries, workspace: string, ids: readonly string[]): Promise<string[]> {
  const subjects = ids.map((id) => columnText(id).slice(0, 512));
  const rows = await queries.rows<{ identity: Buffer; line: string }>(
    `select identity, record::text as line from defensible.record
      where workspace_id = $1 and kind = 'decisions' and subject = any($2::text[]) and erased_at is null for update`,
    [workspace, subjects],
  );
  if (rows.length === 0) return [];
  const decisions = rows.map(({ line }) => JSON.parse(line) as Decision);
  // The hash of the content must not stay either: whoever guesses a text could prove that it was this one.
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
  await eraseRest(queries, workspace, subjects);
  await eraseAudits(queries, workspace, subjects);
  for (const { id } of decisions) {
    const prefix = keyBytes(`${id}\u0000`);
    await queries.rows("delete from defensible.answer where workspace_id = $1 and substr(key, 1, $3) = $2", [
      workspace,
      prefix,
      prefix.length,
    ]);
  }
  return decisions.map(({ id }) => id);
}

/** Notes of reviewers and labels, a precedent of the same id, and what waits for a reviewer, who would see nothing. */
async function eraseRest(queries: Queries, workspace: string, subjects: readonly string[]): Promise<void> {
  const of = [workspace, subjects];
  await queries.rows(
    "update defensible.review set note = null where workspace_id = $1 and decision_id = any($2::text[]) and note is not null",
    of,
  );
  await queries.rows(
    "update defensible.appeal set text = null, note = null where workspace_id = $1 and decision_id = any($2::text[])",
    of,
  );
  await queries.rows(
    `update defensible.review_item set state = 'withdrawn' where workspace_id = $1 and decision_id = any($2::text[])
       and state in ('open', 'claimed')`,
    of,
  );
  await queries.rows(
    "delete from defensible.record where workspace_id = $1 and kind = 'precedents' and subject = any($2::text[])",
    of,
  );
  const noted = await queries.rows<{ kind: string; identity: Buffer; line: string }>(
    `select kind, identity, record::text as line from defensible.record
      where workspace_id = $1 and kind in ('labels', 'outcomes') and subject = any($2::text[]) and record::text like '%"note":%'`,
    of,
  );
  for (const { kind, identity, line } of noted) {
    const { note: _, ...record } = JSON.parse(line) as { note?: unknown };
    const text = JSON.stringify(record);
    await queries.rows(
      "update defensible.record set record = $4::json, record_hash = $5 where workspace_id = $1 and kind = $2 and identity = $3",
      [workspace, kind, identity, text, createHash("sha256").update(text).digest()],
    );
  }
}

async function eraseAudits(queries: Queries, workspace: string, subjects: readonly string[]): Promise<void> {
  const rows = await queries.rows<{ run_id: string; key: Buffer; line: string }>(
    `select run_id, key, record::text as line from defensible.audit where workspace_id = $1 and decision_id = any($2::text[])`,
    [workspace, subjects],
  );
  await queries.rows(
    `update defensible.audit a set record = given.line from unnest($2::text[], $3::bytea[], $4::json[]) as given(run_id, key, line)
      where a.workspace_id = $1 and a.run_id = given.run_id and a.key = given.key`,
    [
      workspace,
      rows.map(({ run_id }) => run_id),
      rows.map(({ key }) => key),
      rows.map(({ line }) => JSON.stringify(erasedAudit(JSON.parse(line) as Audit))),
    ],
  );
}

/** Days after which contents are erased; null: never. */
export async function contentDays(queries: Queries, workspace: string): Promise<number | null> {
  const [row] = await queries.rows<{ content_days: number | null }>(
    "select content_days from defensible.workspace where workspace_id = $1",
    [workspace],
  );
  return row?.content_days ?? null;
}

export async function setContentDays(
  queries: Queries,
  workspace: string,
  days: number | null,
  actor: string,
): Promise<boolean> {
  const rows = await queries.rows(
    "update defensible.workspace set content_days = $2 where workspace_id = $1 returning 1",
    [workspace, days],
  );
  if (rows.length > 0) {
    await noteActivity(queries, workspace, {
      actor,
      action: "retention.set",
      subject: days === null ? "off" : `${days} days`,
    });
  }
  return rows.length > 0;
}

/** Erases what is older than each workspace keeps it, and forgets sessions, events and deliveries of the past. By the database's clock. */
export async function applyRetention(database: Database): Promise<number> {
  let erased = 0;
  const workspaces = await database.rows<{ workspace_id: string; content_days: number }>(
    "select workspace_id, content_days from defensible.workspace where content_days is not null",
  );
  for (const { workspace_id: workspace, content_days: days } of workspaces) {
    while (true) {
      const due = await database.rows<{ subject: string }>(
        `select subject from defensible.record where workspace_id = $1 and kind = 'decisions' and erased_at is null
           and received_at < now() - make_interval(days => $2) order by received_at limit ${BATCH}`,
        [workspace, days],
      );
      const ids = due.map(({ subject }) => subject);
      const done = await eraseContent(database, workspace, ids, {
        actor: "service",
        reason: `older than ${days} days`,
      });
      erased += done;
      if (done === 0) break;
    }
  }
  await eraseLate(database);
  await database.rows(`delete from defensible.event where at < now() - interval '${EVENT_DAYS} days'`);
  await database.rows(`delete from defensible.delivery where at < now() - interval '${EVENT_DAYS} days'`);
  await database.rows("delete from defensible.session where expires_at < now()");
  await database.rows("delete from defensible.login where expires_at < now()");
  return erased;
}

/** A worker that was auditing a decision while it was erased has written its trace afterwards. */
async function eraseLate(database: Database): Promise<void> {
  const late = await database.rows<{ workspace_id: string; ids: string[] }>(
    `select r.workspace_id, array_agg(distinct r.subject) as ids from defensible.record r
       join defensible.audit a on a.workspace_id = r.workspace_id and a.decision_id = r.subject
      where r.kind = 'decisions' and r.erased_at > now() - interval '2 days' and a.written_at > r.erased_at
        and a.record::text not like '%,"erased":true}' group by 1`,
  );
  for (const { workspace_id: workspace, ids } of late) {
    await database.transaction(async (queries) => {
      await eraseAudits(queries, workspace, ids);
      await emptyCaches(queries, workspace);
    });
  }
}

/** In the names of files that were made after so many erasures. */
export const cacheMark = (erasures: number) => `-e${erasures}-`;

/** Counts erasures. Files made before the last one must not be used. */
export async function erasuresOf(queries: Queries, workspace: string): Promise<number> {
  const [row] = await queries.rows<{ erasures: number }>(
    "select erasures from defensible.workspace where workspace_id = $1",
    [workspace],
  );
  return row?.erasures ?? 0;
}
