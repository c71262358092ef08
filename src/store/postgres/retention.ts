import { noteActivity } from "./access.js";
import type { Database, Queries } from "./database.js";
import { APPEAL_SAYS, BATCH, eraseContent } from "./erasure.js";
import { forgetOldForeign } from "./foreign.js";

/** Days for which events and their deliveries are kept. */
const EVENT_DAYS = 30;

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

/** Erases what is past each workspace's retention, and deletes expired sessions, events and deliveries. By the database's clock. */
export async function applyRetention(database: Database): Promise<number> {
  let erased = 0;
  const workspaces = await database.rows<{ workspace_id: string; content_days: number }>(
    "select workspace_id, content_days from defensible.workspace where content_days is not null",
  );
  for (const { workspace_id: workspace, content_days: days } of workspaces) {
    while (true) {
      const due = await database.rows<{ line: string }>(
        `select record::text as line from defensible.record where workspace_id = $1 and kind = 'decisions' and erased_at is null
           and received_at < now() - make_interval(days => $2) order by received_at limit ${BATCH}`,
        [workspace, days],
      );
      if (due.length === 0) due.push(...(await writtenSince(database, workspace, days)));
      const ids = due.map(({ line }) => (JSON.parse(line) as { id: string }).id);
      const { first, again } = await eraseContent(database, workspace, ids, {
        actor: "service",
        reason: `older than ${days} days`,
      });
      erased += first.length;
      if (first.length + again.length === 0) break;
    }
  }
  await forgetOldForeign(database);
  await database.rows(`delete from defensible.event where at < now() - interval '${EVENT_DAYS} days'`);
  await database.rows(`delete from defensible.delivery where at < now() - interval '${EVENT_DAYS} days'`);
  await database.rows("delete from defensible.session where expires_at < now()");
  await database.rows("delete from defensible.login where expires_at < now()");
  return erased;
}

/** Erased decisions about which something was written afterwards that is now old enough to erase. */
function writtenSince(database: Database, workspace: string, days: number): Promise<{ line: string }[]> {
  return database.rows<{ line: string }>(
    `select record::text as line from defensible.record
      where workspace_id = $1 and kind = 'decisions' and erased_at is not null and subject in (
        select decision_id from defensible.review
         where workspace_id = $1 and note is not null and at < now() - make_interval(days => $2)
        union all select decision_id from defensible.appeal
         where workspace_id = $1 and ${APPEAL_SAYS} and coalesce(decided_at, created_at) < now() - make_interval(days => $2))
      limit ${BATCH}`,
    [workspace, days],
  );
}
