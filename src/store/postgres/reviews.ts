import { randomUUID } from "node:crypto";
import { namesOf } from "./access.js";
import { lockDecision, lockFree, PARTY_TO_APPEAL } from "./appeals.js";
import { columnText, type Database, type Queries } from "./database.js";

/** Minutes for which a claim holds unless it is renewed. */
const CLAIM_MINUTES = 10;

export interface ReviewItem {
  item_id: number;
  decision_id: string;
  community: string;
  /** Without the reasons that the reviewer must not know: a random draw and the verdict of the audit. */
  reasons: string[];
  created_at: string;
}

/** Reasons that reveal the audit's finding: a reviewer who knows them has seen the verdict. */
export const VERDICT_REASONS = "'{indefensible,probably_indefensible,below_threshold}'::text[]";

export const ITEM = `item_id, decision_id, community,
  case when sampled then '{}'::text[] else array(select reason from unnest(reasons) as reason where reason <> all(${VERDICT_REASONS})) end as reasons,
  to_char(created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as created_at`;

/** An item that can be claimed: not held back, and unclaimed or with an expired claim. */
export const WAITS =
  "(state = 'open' or (state = 'claimed' and claim_until < now())) and (hold_until is null or hold_until < now())";

/** Known items are hidden from reviewers who have already reviewed their decisions. */
export const IS_FOR = (person: string) => `(gold_level is null or not exists (select 1 from defensible.review v
  where v.workspace_id = review_item.workspace_id and v.decision_id = review_item.decision_id and v.reviewer = ${person}))`;

/** Claims up to n items for a person, except those whose appeal they filed or decided. No item has two valid claims; expired ones may be taken. */
export function claimItems(
  database: Database,
  workspace: string,
  {
    by,
    n,
    communities,
    item = null,
  }: { by: string; n: number; communities: readonly string[] | null; item?: number | null },
): Promise<(ReviewItem & { claim: string })[]> {
  return database.transaction(async (queries) => {
    const names = await namesOf(queries, workspace, by);
    const apart = `not exists (select 1 from defensible.appeal a
      where a.workspace_id = $1 and a.decision_id = review_item.decision_id and ${PARTY_TO_APPEAL("$2")})`;
    const chosen = await queries.rows<{ item_id: number; decision_id: string }>(
      `select item_id, decision_id from defensible.review_item
        where workspace_id = $1 and ${WAITS} and ${IS_FOR("$3")} and ($5::text[] is null or community = any($5)) and ${apart}
          and case when $6::bigint is null then not ($3 = any(skipped_by)) else item_id = $6 end
        order by item_id limit $4 for update skip locked`,
      [workspace, names, by, n, communities?.map(columnText) ?? null, item],
    );
    const decisions = chosen.map(({ decision_id }) => decision_id);
    const free = new Set(await lockFree(queries, workspace, decisions));
    const items = chosen.filter(({ decision_id }) => free.has(decision_id)).map(({ item_id }) => item_id);
    // Checked again: only a statement that begins after the lock was granted sees what others did under it.
    return queries.rows<ReviewItem & { claim: string }>(
      `update defensible.review_item set state = 'claimed', claim = $4, claim_by = $3, claim_until = now() + make_interval(mins => ${CLAIM_MINUTES})
        where workspace_id = $1 and item_id = any($5::bigint[]) and ${WAITS} and ${apart} returning ${ITEM}, claim`,
      [workspace, names, by, randomUUID(), items],
    );
  });
}

/** A person's hold on an item. The token alone is not enough, because others may have read it. */
export interface Claim {
  by: string;
  claim: string;
}

/** Extends a claim. False: it was lost. */
export async function renewItem(
  database: Database,
  workspace: string,
  item: number,
  { by, claim }: Claim,
): Promise<boolean> {
  const rows = await database.rows(
    `update defensible.review_item set claim_until = now() + make_interval(mins => ${CLAIM_MINUTES})
      where workspace_id = $1 and item_id = $2 and claim = $3 and claim_by = $4 and state = 'claimed' returning 1`,
    [workspace, item, claim, by],
  );
  return rows.length > 0;
}

/** Gives an item back. `skip`: the person gets it again only on request. */
export async function releaseItem(
  database: Database,
  workspace: string,
  item: number,
  { by, claim }: Claim,
  skip = false,
): Promise<boolean> {
  const rows = await database.rows(
    `update defensible.review_item set state = 'open', claim = null, claim_by = null, claim_until = null,
       skipped_by = case when $5 then array_append(skipped_by, $4) else skipped_by end
      where workspace_id = $1 and item_id = $2 and claim = $3 and claim_by = $4 and state = 'claimed' returning 1`,
    [workspace, item, claim, by, skip],
  );
  return rows.length > 0;
}

export interface ReviewInput {
  reviewer: string;
  outcome: string;
  level: number | null;
  inverse: string | null;
  note: string | null;
  ruleIds: readonly string[];
  seconds: number | null;
  sawAudit: boolean;
}

export interface KeptReview {
  review_id: number;
  decision_id: string;
  at: string;
  /** Its answer was known. */
  gold: boolean;
  saw_audit: boolean;
}

/**
 * Records the review of a claimed item, in the caller's transaction. null: the claim was lost, and nothing was written. `read`: its content was given
 * to the reviewer. `appealed`: the decision came with its appeal, or the reviewer has filed or decided one.
 */
export async function decideItem(
  queries: Queries,
  workspace: string,
  item: number,
  claim: string,
  review: ReviewInput,
): Promise<(KeptReview & { read: boolean; appealed: boolean }) | null> {
  const [there] = await queries.rows<{ decision_id: string }>(
    "select decision_id from defensible.review_item where workspace_id = $1 and item_id = $2",
    [workspace, item],
  );
  if (!there) return null;
  await lockDecision(queries, workspace, there.decision_id);
  const names = await namesOf(queries, workspace, review.reviewer);
  const [done] = await queries.rows<{
    decision_id: string;
    gold_level: number | null;
    read: boolean;
    appealed: boolean;
  }>(
    `update defensible.review_item set state = 'done' where workspace_id = $1 and item_id = $2 and claim = $3 and claim_by = $4
       and state = 'claimed' and claim_until > now()
       returning decision_id, gold_level, $4 = any(read_by) as read, 'appeal' = any(reasons) or exists (select 1 from defensible.appeal a
         where a.workspace_id = $1 and a.decision_id = review_item.decision_id and ${PARTY_TO_APPEAL("$5")}) as appealed`,
    [workspace, item, claim, review.reviewer, names],
  );
  if (!done) return null;
  const { decision_id: decisionId, gold_level: goldLevel, read, appealed } = done;
  const sawAudit = review.sawAudit || (await hasSeenAudit(queries, workspace, review.reviewer, decisionId));
  const of = { item, decisionId, goldLevel, replaces: null };
  const made = await keepReview(queries, workspace, of, { ...review, sawAudit });
  return { ...made, decision_id: decisionId, gold: goldLevel !== null, saw_audit: sawAudit, read, appealed };
}

/** Replaces a review by the same person. null: they have no such review, or have corrected it already. `contested`: an appeal was decided since. */
export async function correctReview(
  queries: Queries,
  workspace: string,
  reviewId: number,
  review: ReviewInput,
): Promise<(KeptReview & { contested: boolean }) | null> {
  const [old] = await queries.rows<{
    item_id: number;
    decision_id: string;
    gold_level: number | null;
  }>(
    "select item_id, decision_id, gold_level from defensible.review where workspace_id = $1 and review_id = $2 and reviewer = $3",
    [workspace, reviewId, review.reviewer],
  );
  if (!old) return null;
  const { item_id: item, decision_id: decisionId, gold_level: goldLevel } = old;
  await lockDecision(queries, workspace, decisionId);
  // A separate statement: only what begins after the lock was granted sees what others wrote under it.
  const [since] = await queries.rows<{ replaced: boolean; contested: boolean }>(
    `select exists (select 1 from defensible.review where workspace_id = $1 and replaces = $2) as replaced,
       exists (select 1 from defensible.appeal a where a.workspace_id = $1 and a.decision_id = r.decision_id and a.decided_at >= r.at) as contested
       from defensible.review r where workspace_id = $1 and review_id = $2`,
    [workspace, reviewId],
  );
  const { replaced, contested } = since!;
  if (replaced) return null;
  const sawAudit = review.sawAudit || (await hasSeenAudit(queries, workspace, review.reviewer, decisionId));
  const of = { item, decisionId, goldLevel, replaces: reviewId };
  const made = await keepReview(queries, workspace, of, { ...review, sawAudit });
  return { ...made, decision_id: decisionId, gold: goldLevel !== null, saw_audit: sawAudit, contested };
}

/** Notes that a person was shown the audits of decisions. */
export async function noteAuditsSeen(
  queries: Queries,
  workspace: string,
  person: string,
  decisions: readonly string[],
): Promise<void> {
  await queries.rows(
    `insert into defensible.audit_seen (workspace_id, person, decision_id) select distinct $1, $2, id from unnest($3::text[]) as given(id)
     on conflict do nothing`,
    [workspace, person, decisions.map(columnText)],
  );
}

/** Notes that a person was given a report, of a run or the live one. It shows the audits written by then. */
export async function noteReport(
  queries: Queries,
  workspace: string,
  person: string,
  run: string | null,
): Promise<void> {
  await queries.rows(
    `insert into defensible.audit_seen (workspace_id, person, run_id) values ($1, $2, $3)
     on conflict (workspace_id, person, decision_id, run_id) do update set at = now()`,
    [workspace, person, columnText(run ?? "")],
  );
}

/** Whether a person was shown the audit of a decision in any way. */
export async function hasSeenAudit(
  queries: Queries,
  workspace: string,
  person: string,
  decision: string,
): Promise<boolean> {
  const rows = await queries.rows(
    `select 1 from defensible.audit_seen s where workspace_id = $1 and person = $2 and (decision_id = $3 or (decision_id = '' and exists (
       select 1 from defensible.audit a where a.workspace_id = $1 and a.decision_id = $3 and a.written_at <= s.at
          and (s.run_id = '' or a.run_id = s.run_id)))) limit 1`,
    [workspace, person, columnText(decision)],
  );
  return rows.length > 0;
}

async function keepReview(
  queries: Queries,
  workspace: string,
  {
    item,
    decisionId,
    goldLevel,
    replaces,
  }: { item: number; decisionId: string; goldLevel: number | null; replaces: number | null },
  review: ReviewInput,
): Promise<{ review_id: number; at: string }> {
  const [made] = await queries.rows<{ review_id: number; at: string }>(
    `insert into defensible.review (workspace_id, item_id, decision_id, reviewer, outcome, level, inverse, note, seconds, saw_audit, replaces, rule_ids, gold_level)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
     returning review_id, to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`,
    [
      workspace,
      item,
      decisionId,
      review.reviewer,
      review.outcome,
      review.level,
      review.inverse,
      review.note === null ? null : columnText(review.note),
      review.seconds,
      review.sawAudit,
      replaces,
      review.ruleIds.map(columnText),
      goldLevel,
    ],
  );
  return made!;
}

export interface ReviewRow {
  review_id: number;
  item_id: number;
  decision_id: string;
  reviewer: string;
  outcome: "uphold" | "overturn";
  level: 1 | 2 | 3 | null;
  inverse: string | null;
  note: string | null;
  seconds: number | null;
  saw_audit: boolean;
  rule_ids: string[];
  replaces: number | null;
  at: string;
}

const REVIEW = `review_id, item_id, decision_id, reviewer, outcome, level, inverse, note, seconds, saw_audit, rule_ids, replaces,
  to_char(at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as at`;

/** A known item is given to several people, and their answers would give it away. null: the viewer may know. */
const SHOWN_TO = (person: string) => `(${person}::text is null or gold_level is null or reviewer = ${person})`;

/** Reviews of a decision that a person may see, oldest first. */
export function reviewsOf(
  queries: Queries,
  workspace: string,
  decisionId: string,
  shownTo: string | null,
): Promise<ReviewRow[]> {
  return queries.rows(
    `select ${REVIEW} from defensible.review where workspace_id = $1 and decision_id = $2 and ${SHOWN_TO("$3")} order by review_id`,
    [workspace, columnText(decisionId), shownTo],
  );
}

/** Reviews that a person may see, newest first, before a place; optionally of one reviewer only. */
export function reviewsBefore(
  queries: Queries,
  workspace: string,
  {
    before,
    limit,
    reviewer,
    shownTo,
    without,
  }: {
    before: number;
    limit: number;
    reviewer: string | null;
    shownTo: string | null;
    without: readonly string[];
  },
): Promise<ReviewRow[]> {
  return queries.rows(
    `select ${REVIEW} from defensible.review where workspace_id = $1 and review_id < $2 and ($4::text is null or reviewer = $4) and ${SHOWN_TO("$5")}
        and decision_id <> all($6::text[]) order by review_id desc limit $3`,
    [workspace, before, limit, reviewer, shownTo, without],
  );
}

/** Items by state, for one person. An expired claim is `open` again. Known items are counted too: leaving them out would reveal them. */
export function reviewCounts(database: Database, workspace: string, person: string) {
  return database.rows<{ state: string; n: number; oldest_seconds: number }>(
    `select case when ${WAITS} then 'open' when state = 'open' then 'held' else state end as state, count(*)::integer as n,
       coalesce(extract(epoch from now() - min(created_at)), 0)::double precision as oldest_seconds
     from defensible.review_item where workspace_id = $1 and (not (${WAITS}) or ${IS_FOR("$2")}) group by 1 order by 1`,
    [workspace, person],
  );
}

/** Items that wait for a person, after a place; optionally only those under appeal. */
export function openItems(
  database: Database,
  workspace: string,
  { after, limit, reason, person }: { after: number; limit: number; reason: "appeal" | null; person: string },
): Promise<ReviewItem[]> {
  return database.rows(
    `select ${ITEM} from defensible.review_item where workspace_id = $1 and ${WAITS} and ${IS_FOR("$5")} and item_id > $2
       and ($4::text is null or (not sampled and $4 = any(reasons))) order by item_id limit $3`,
    [workspace, after, limit, reason, person],
  );
}
