import { createHash } from "node:crypto";
import type { Audit } from "../../core/records/audit.js";
import type { Decision } from "../../core/records/decision.js";
import type { ReviewOutcome } from "../../core/records/label.js";
import { noteActivity } from "./access.js";
import { columnText, type Database, type Queries } from "./database.js";
import { rulesChanged } from "./records.js";
import { WAITS } from "./reviews.js";

/** The newest audit of each decision that has one, as written. Only audits that routing may use: no arm, first replicate. */
export async function newestAudits(
  queries: Queries,
  workspace: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await queries.rows<{ decision_id: string; line: string }>(
    `select newest.decision_id, newest.line from unnest($2::text[]) as asked(id) cross join lateral (
       select decision_id, record::text as line from defensible.audit
        where workspace_id = $1 and decision_id = asked.id and arm = '' and replicate = 0 order by seq desc limit 1) as newest`,
    [workspace, [...new Set(ids.map(columnText))]],
  );
  return new Map(rows.map(({ decision_id, line }) => [decision_id, line]));
}

export async function decisionsById(queries: Queries, workspace: string, ids: readonly string[]): Promise<Decision[]> {
  const rows = await queries.rows<{ line: string }>(
    `select record::text as line from defensible.record where workspace_id = $1 and kind = 'decisions' and subject = any($2::text[])`,
    [workspace, ids.map((id) => columnText(id).slice(0, 512))],
  );
  return rows.map(({ line }) => JSON.parse(line) as Decision);
}

/** A decision sent without a time is dated by its arrival, since gates and monitoring go by time. */
export async function datedByArrival(queries: Queries, workspace: string, audits: readonly Audit[]): Promise<Audit[]> {
  const undated = audits.filter((audit) => !audit.decided_at).map(({ decision_id }) => decision_id);
  if (undated.length === 0) return [...audits];
  const arrived = await arrivals(queries, workspace, undated);
  return audits.map((audit) => ({
    ...audit,
    decided_at: audit.decided_at ?? arrived.get(columnText(audit.decision_id)) ?? null,
  }));
}

async function arrivals(queries: Queries, workspace: string, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await queries.rows<{ subject: string; at: string }>(
    `select subject, to_char(received_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at
       from defensible.record where workspace_id = $1 and kind = 'decisions' and subject = any($2::text[])`,
    [workspace, ids.map((id) => columnText(id).slice(0, 512))],
  );
  return new Map(rows.map(({ subject, at }) => [subject, at]));
}

export interface ChainFault {
  stream: string;
  number: number;
  /** `changed`: the line's hash differs; `missing`: a number is skipped; `content`: the decision is no longer the one that was routed. */
  fault: "changed" | "missing" | "content";
}

/** Recomputes the hashes of every line. Lines cut off the end of a stream are not noticed. */
export async function verifyRouteLog(
  queries: Queries,
  workspace: string,
): Promise<{ lines: number; faults: ChainFault[] }> {
  const faults: ChainFault[] = [];
  let lines = 0;
  const streams = await queries.rows<{ stream: string }>(
    "select distinct stream from defensible.route_log where workspace_id = $1 and stream is not null",
    [workspace],
  );
  for (const { stream } of streams) {
    let head: Buffer = createHash("sha256").update(stream).digest();
    let last = 0;
    while (true) {
      const rows = await queries.rows<{ number: number; line: string; hash: Buffer }>(
        `select number, line::text as line, hash from defensible.route_log
          where workspace_id = $1 and stream = $2 and number > $3 order by number limit 1000`,
        [workspace, stream, last],
      );
      if (rows.length === 0) break;
      for (const { number, line, hash } of rows) {
        if (number !== last + 1) faults.push({ stream, number: last + 1, fault: "missing" });
        head = createHash("sha256").update(head).update(line).digest();
        if (!head.equals(hash)) faults.push({ stream, number, fault: "changed" });
        // Later lines are checked against the hash found here, so that one change is one fault.
        head = hash;
        last = number;
        lines++;
      }
    }
  }
  // For decisions that were not erased, each line proves the content.
  const others = await queries.rows<{ stream: string; number: number }>(
    `select l.stream, l.number from defensible.route_log l join defensible.record r on r.workspace_id = l.workspace_id
        and r.kind = 'decisions' and r.subject = l.decision_id
      where l.workspace_id = $1 and l.stream is not null and r.salt is not null and l.line::text like '{"at":"%","content_hash":"%'
        and (position('"content_hash":"' || encode(sha256(r.salt || r.record_hash), 'hex') || '"' in l.line::text) = 0
             or sha256(convert_to(r.record::text, 'UTF8')) <> r.record_hash)`,
    [workspace],
  );
  return { lines, faults: [...faults, ...others.map((one): ChainFault => ({ ...one, fault: "content" }))] };
}

/** The settings of a workspace as written; null: no workspace has that name. */
export async function workspaceConfig(queries: Queries, workspace: string): Promise<unknown> {
  const [row] = await queries.rows<{ config: unknown }>(
    "select config from defensible.workspace where workspace_id = $1",
    [workspace],
  );
  return row?.config ?? null;
}

/** False: the workspace exists already and keeps its settings. */
export async function createWorkspace(queries: Queries, workspace: string, config: object): Promise<boolean> {
  const made = await queries.rows(
    "insert into defensible.workspace (workspace_id, config) values ($1, $2::json) on conflict (workspace_id) do nothing returning 1",
    [workspace, JSON.stringify(config)],
  );
  return made.length > 0;
}

/** Whether a workspace has any records that use its actions. */
export async function hasDecisions(queries: Queries, workspace: string): Promise<boolean> {
  const rows = await queries.rows(
    "select 1 from defensible.record where workspace_id = $1 and kind in ('decisions', 'precedents') limit 1",
    [workspace],
  );
  return rows.length > 0;
}

/** Replaces the settings of a workspace and increments the epoch, since routing and audits depend on them. */
export function changeSettings(
  database: Database,
  workspace: string,
  config: object,
  { by, changed }: { by: string; changed: readonly string[] },
): Promise<void> {
  return database.transaction(async (queries) => {
    await queries.rows("update defensible.workspace set config = $2::json where workspace_id = $1", [
      workspace,
      JSON.stringify(config),
    ]);
    await rulesChanged(queries, workspace);
    await noteActivity(queries, workspace, { actor: by, action: "settings.change", doc: { changed } });
  });
}

interface Before {
  /** Only what came before this place. */
  before?: number;
  limit: number;
}

/** Routes of a decision as logged, newest first. */
export function routesOf(
  queries: Queries,
  workspace: string,
  id: string,
  { before = Number.MAX_SAFE_INTEGER, limit }: Before,
): Promise<{ seq: number; line: object }[]> {
  return queries.rows(
    `select seq, line from defensible.route_log
      where workspace_id = $1 and decision_id = $2 and seq < $3 order by seq desc limit $4`,
    [workspace, columnText(id), before, limit],
  );
}

/** Audits of a decision as written, newest first. */
export function auditsOf(
  queries: Queries,
  workspace: string,
  id: string,
  { before = Number.MAX_SAFE_INTEGER, limit }: Before,
): Promise<{ seq: number; line: string }[]> {
  return queries.rows(
    `select seq, record::text as line from defensible.audit
      where workspace_id = $1 and decision_id = $2 and seq < $3 order by seq desc limit $4`,
    [workspace, columnText(id), before, limit],
  );
}

/** All audits of a decision in the run of its newest audit, in order of writing. */
export async function newestRunAudits(queries: Queries, workspace: string, id: string): Promise<Audit[]> {
  const rows = await queries.rows<{ line: string }>(
    `select record::text as line from defensible.audit where workspace_id = $1 and decision_id = $2 and run_id = (
       select run_id from defensible.audit
        where workspace_id = $1 and decision_id = $2 and arm = '' and replicate = 0 order by seq desc limit 1) order by seq`,
    [workspace, columnText(id)],
  );
  return rows.map(({ line }) => JSON.parse(line) as Audit);
}

/** Outcomes of a decision, in order of arrival. */
export async function outcomesOf(queries: Queries, workspace: string, id: string): Promise<ReviewOutcome[]> {
  const rows = await queries.rows<{ line: string }>(
    `select record::text as line from defensible.record
      where workspace_id = $1 and kind = 'outcomes' and subject = $2 order by seq`,
    [workspace, columnText(id).slice(0, 512)],
  );
  return rows.map(({ line }) => JSON.parse(line) as ReviewOutcome);
}

/** Audits of a run in order of writing, after a place, without those of some decisions. */
export function runAuditsAfter(
  queries: Queries,
  workspace: string,
  runId: string,
  { after, limit, without }: { after: number; limit: number; without: readonly string[] },
): Promise<{ seq: number; decision_id: string; line: string }[]> {
  return queries.rows(
    `select seq, decision_id, record::text as line from defensible.audit
      where workspace_id = $1 and run_id = $2 and seq > $3 and decision_id <> all($5::text[]) order by seq limit $4`,
    [workspace, columnText(runId), after, limit, without],
  );
}

/** Those of these decisions that have no route yet, or one that waits for the audit. */
export async function unrouted(queries: Queries, workspace: string, ids: readonly string[]): Promise<string[]> {
  const rows = await queries.rows<{ id: string }>(
    `select asked.id from unnest($2::text[]) as asked(id) left join lateral (
       select line::text as line from defensible.route_log where workspace_id = $1 and decision_id = asked.id order by seq desc limit 1) as newest on true
      where newest.line is null or newest.line like '%,"pending":true}'`,
    [workspace, ids.map(columnText)],
  );
  return rows.map(({ id }) => id);
}

export interface Figures {
  review_open: number;
  review_oldest_seconds: number;
  gates_closed: number;
  communities_suspended: number;
  audit_cost_usd: number;
}

/** Figures for operators, over all workspaces. */
export async function operatingFigures(queries: Queries): Promise<Figures> {
  const [row] = await queries.rows<Figures>(
    `select item.n as review_open, item.oldest as review_oldest_seconds,
       (select count(*) from defensible.gate_head where closure is not null) as gates_closed,
       (select coalesce(sum(regexp_count(standing::text, '"community":')), 0)::integer from defensible.gate_head) as communities_suspended,
       (select coalesce(sum(cost_usd), 0) from defensible.run) as audit_cost_usd
     from (select count(*) as n, coalesce(extract(epoch from now() - min(created_at)), 0)::double precision as oldest
             from defensible.review_item where ${WAITS} and gold_level is null) as item`,
  );
  return row!;
}

/** Decisions in order of arrival, after a place. */
export async function decisionsAfter(
  queries: Queries,
  workspace: string,
  {
    after,
    limit,
    community,
    without,
  }: { after: number; limit: number; community: string | null; without: readonly string[] },
): Promise<{ seq: number; line: string }[]> {
  return queries.rows(
    `select seq, record::text as line from defensible.record
      where workspace_id = $1 and kind = 'decisions' and seq > $2 and ($4::text is null or community = $4)
        and subject <> all($5::text[]) order by seq limit $3`,
    [workspace, after, limit, community, without],
  );
}

export async function workspaceNames(queries: Queries): Promise<string[]> {
  const rows = await queries.rows<{ workspace_id: string }>("select workspace_id from defensible.workspace order by 1");
  return rows.map(({ workspace_id }) => workspace_id);
}

export interface KeptPage {
  /** The state of the data that the page was made from. */
  mark: string;
  /** The report as a single file, compressed. */
  html: Buffer;
  /** Its data as JSON, compressed. */
  data: Buffer;
}

export type RunPage = Pick<KeptPage, "mark" | "html">;

/** The mark of the stored page, and when it was made; null: there is no page yet. */
export async function pageMark(queries: Queries, workspace: string): Promise<{ mark: string; made_at: string } | null> {
  const [row] = await queries.rows<{ mark: string; made_at: string }>(
    `select mark, to_char(made_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as made_at from defensible.page
      where workspace_id = $1 and data is not null`,
    [workspace],
  );
  return row ?? null;
}

export async function keptPage<Part extends "html" | "data">(
  queries: Queries,
  workspace: string,
  part: Part,
): Promise<Pick<KeptPage, "mark" | Part> | null> {
  const [row] = await queries.rows<Pick<KeptPage, "mark" | Part>>(
    `select mark, ${part} from defensible.page where workspace_id = $1 and data is not null`,
    [workspace],
  );
  return row ?? null;
}

export async function keepPage(queries: Queries, workspace: string, { mark, html, data }: KeptPage): Promise<void> {
  await queries.rows(
    `insert into defensible.page (workspace_id, mark, html, data) values ($1, $2, $3, $4)
     on conflict (workspace_id) do update set mark = excluded.mark, html = excluded.html, data = excluded.data, made_at = now()`,
    [workspace, mark, html, data],
  );
}

export async function keptRunPage(queries: Queries, workspace: string, runId: string): Promise<RunPage | null> {
  const [row] = await queries.rows<RunPage>(
    "select mark, html from defensible.run_page where workspace_id = $1 and run_id = $2",
    [workspace, columnText(runId)],
  );
  return row ?? null;
}

export async function keepRunPage(
  queries: Queries,
  workspace: string,
  runId: string,
  { mark, html }: RunPage,
): Promise<void> {
  await queries.rows(
    `insert into defensible.run_page (workspace_id, run_id, mark, html) values ($1, $2, $3, $4)
     on conflict (workspace_id, run_id) do update set mark = excluded.mark, html = excluded.html, made_at = now()`,
    [workspace, columnText(runId), mark, html],
  );
}

/** Changes when an audit of the run, a label or an outcome arrives. */
export async function runMark(queries: Queries, workspace: string, runId: string): Promise<string> {
  const [row] = await queries.rows<{ mark: string }>(
    `select concat_ws(',', (select max(seq) from defensible.audit where workspace_id = $1 and run_id = $2),
       (select max(seq) from defensible.record where workspace_id = $1 and kind <> 'decisions')) as mark`,
    [workspace, columnText(runId)],
  );
  return row!.mark;
}

/** Changes when an audit, a label or an outcome arrives, or the gate changes. */
export async function workspaceMark(queries: Queries, workspace: string): Promise<string> {
  const [row] = await queries.rows<{ mark: string }>(
    `select concat_ws(',', (select max(seq) from defensible.audit where workspace_id = $1),
       (select max(seq) from defensible.record where workspace_id = $1 and kind <> 'decisions'),
       (select epoch from defensible.gate_head where workspace_id = $1)) as mark`,
    [workspace],
  );
  return row!.mark;
}
