import { columnText, type Queries } from "./database.js";
import type { ReviewInput } from "./reviews.js";

export interface AppealRow {
  appeal_id: number;
  decision_id: string;
  community: string;
  state: "open" | "decided";
  filed_at: string;
  filed_by: string | null;
  text: string | null;
  reviewer: string | null;
  outcome: "uphold" | "overturn" | null;
  level: 1 | 2 | 3 | null;
  inverse: string | null;
  note: string | null;
  rule_ids: string[];
  saw_audit: boolean | null;
  decided_at: string | null;
}

const time = (column: string) => `to_char(${column} at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as ${column}`;
const APPEAL = `appeal_id, decision_id, community, state, ${time("filed_at")}, filed_by, text, reviewer, outcome, level, inverse, note,
  rule_ids, saw_audit, ${time("decided_at")}`;

export interface NewAppeal {
  decisionId: string;
  community: string;
  /** null: now. */
  filedAt: string | null;
  filedBy: string | null;
  /** The key or person that files the appeal, possibly on behalf of another. */
  filer: string;
  text: string | null;
}

/** Locks the judgements of a decision until the transaction ends: claims, reviews and appeals check who took part, and would not see each other. */
export async function lockDecision(queries: Queries, workspace: string, decisionId: string): Promise<void> {
  await queries.rows("select pg_advisory_xact_lock(hashtextextended($1, 0))", [lockName(workspace, decisionId)]);
}

/** Locks those of these decisions that no other transaction is judging, and returns them. It does not wait: a claim already holds row locks. */
export async function lockFree(queries: Queries, workspace: string, decisionIds: readonly string[]): Promise<string[]> {
  const rows = await queries.rows<{ at: number; locked: boolean }>(
    `select at::integer, pg_try_advisory_xact_lock(hashtextextended(name, 0)) as locked from unnest($1::text[]) with ordinality as given(name, at)`,
    [decisionIds.map((id) => lockName(workspace, id))],
  );
  return rows.flatMap(({ at, locked }) => (locked ? decisionIds[at - 1]! : []));
}

const lockName = (workspace: string, decisionId: string) => `decision ${workspace} ${columnText(decisionId)}`;

/** Whether one of these names filed or decided an appeal. */
export const PARTY_TO_APPEAL = (names: string) => `array[a.reviewer, a.filer, a.filed_by] && ${names}::text[]`;

export async function fileAppeal(queries: Queries, workspace: string, appeal: NewAppeal): Promise<AppealRow> {
  const { decisionId, community, filedAt, filedBy, filer, text } = appeal;
  await lockDecision(queries, workspace, decisionId);
  const [row] = await queries.rows<AppealRow>(
    `insert into defensible.appeal (workspace_id, decision_id, community, filed_at, filed_by, filer, text)
     values ($1, $2, $3, coalesce($4::timestamptz, now()), $5, $6, $7) returning ${APPEAL}`,
    [
      workspace,
      columnText(decisionId),
      columnText(community),
      filedAt,
      filedBy && columnText(filedBy),
      columnText(filer),
      text && columnText(text),
    ],
  );
  return row!;
}

export async function findAppeal(queries: Queries, workspace: string, id: number): Promise<AppealRow | null> {
  const [row] = await queries.rows<AppealRow>(
    `select ${APPEAL} from defensible.appeal where workspace_id = $1 and appeal_id = $2`,
    [workspace, id],
  );
  return row ?? null;
}

/** Notes that a person was given the content of an appealed case. */
export async function noteAppealRead(queries: Queries, workspace: string, id: number, person: string): Promise<void> {
  await queries.rows(
    `update defensible.appeal set read_by = array_append(read_by, $3) where workspace_id = $1 and appeal_id = $2 and not ($3 = any(read_by))`,
    [workspace, id, person],
  );
}

export async function hasReadAppeal(queries: Queries, workspace: string, id: number, person: string): Promise<boolean> {
  const rows = await queries.rows(
    "select 1 from defensible.appeal where workspace_id = $1 and appeal_id = $2 and $3 = any(read_by)",
    [workspace, id, person],
  );
  return rows.length > 0;
}

/** In order of arrival, after a place. */
export function appealsAfter(
  queries: Queries,
  workspace: string,
  { after, limit, state, without }: { after: number; limit: number; state: string | null; without: readonly string[] },
): Promise<AppealRow[]> {
  return queries.rows(
    `select ${APPEAL} from defensible.appeal
      where workspace_id = $1 and appeal_id > $2 and ($4::text is null or state = $4)
        and (state = 'open' or decision_id <> all($5::text[])) order by appeal_id limit $3`,
    [workspace, after, limit, state, without],
  );
}

export function appealsOf(queries: Queries, workspace: string, decisionId: string): Promise<AppealRow[]> {
  return queries.rows(
    `select ${APPEAL} from defensible.appeal where workspace_id = $1 and decision_id = $2 order by appeal_id`,
    [workspace, columnText(decisionId)],
  );
}

/** Everyone who has reviewed a decision, or filed or decided an appeal against it. `but`: a review to leave out. */
export async function parties(
  queries: Queries,
  workspace: string,
  decisionId: string,
  but: number | null = null,
): Promise<Set<string>> {
  const rows = await queries.rows<{ name: string | null }>(
    `select reviewer as name from defensible.review where workspace_id = $1 and decision_id = $2 and review_id is distinct from $3
     union select unnest(array[reviewer, filer, filed_by]) from defensible.appeal where workspace_id = $1 and decision_id = $2`,
    [workspace, columnText(decisionId), but],
  );
  return new Set(rows.flatMap(({ name }) => name ?? []));
}

/** Records the outcome of an open appeal. null: it was decided already, and nothing was written. */
export async function decideAppeal(
  queries: Queries,
  workspace: string,
  id: number,
  { reviewer, outcome, level, inverse, note, ruleIds, sawAudit }: Omit<ReviewInput, "seconds">,
): Promise<AppealRow | null> {
  const [row] = await queries.rows<AppealRow>(
    `update defensible.appeal set state = 'decided', reviewer = $3, outcome = $4, level = $5, inverse = $6, note = $7, saw_audit = $8,
       rule_ids = $9, decided_at = now() where workspace_id = $1 and appeal_id = $2 and state = 'open' returning ${APPEAL}`,
    [workspace, id, reviewer, outcome, level, inverse, note && columnText(note), sawAudit, ruleIds.map(columnText)],
  );
  return row ?? null;
}
