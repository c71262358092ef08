import { type ForeignCall, readForeign } from "../../app/live/foreign.js";
import { receiveRecords } from "../../app/live/intake.js";
import { keepOutcome } from "../../app/live/reviewing.js";
import type { Decision } from "../../core/records/decision.js";
import type { ReviewOutcome } from "../../core/records/label.js";
import { appealsOf, decideAppeal, fileAppeal } from "../../store/postgres/appeals.js";
import { decisionsById } from "../../store/postgres/live.js";
import { ruleSetName } from "../../store/records/parse-rule-set.js";
import type { Actor } from "../auth.js";
import { decisionReceiver } from "../endpoints/decisions.js";
import type { Service } from "../service.js";

/** Keeps what a system sent, and earlier parts that are now complete, all in the transaction of the call. */
export async function receiveForeign(service: Service, actor: Actor, call: ForeignCall) {
  const { workspace, scopes } = actor;
  const { config } = await service.context(workspace);
  const joined = await readForeign(service.database, workspace, config.actions, call);
  const receive = await decisionReceiver(service, workspace);
  const received = await receive(joined.decisions.map(({ record }) => record));
  const there = received.flatMap(({ id, status }) => (status === "rejected" ? [] : [id!]));
  const kept = new Map(
    (await decisionsById(service.database, workspace, there)).map((decision) => [decision.id, decision] as const),
  );
  const erased = new Set([...kept.values()].flatMap(({ id, erased }) => (erased ? [id] : [])));
  const known = new Set(there.filter((id) => !erased.has(id)));
  const appeals: { id: string; status: "accepted" | "duplicate" }[] = [];
  const differs: { id: string; fields: string[] }[] = [];
  const records = await service.decisions(workspace);
  const outcomes = joined.outcomes.filter(({ decision_id }) => known.has(decision_id));
  const mayLabel = scopes.has("labels:write");
  const ruled = new Set(mayLabel ? outcomes.flatMap((one) => (one.source === "appeal" ? [one.decision_id] : [])) : []);
  for (const [i, { record, by }] of joined.decisions.entries()) {
    const { id, status } = received[i]!;
    if (id === null || !known.has(id) || (by === "new" && status === "conflict")) continue;
    const now = records.canonical(record) as Decision;
    const fields = status === "conflict" ? differing(now, kept.get(id)!) : [];
    if (record.appeal && scopes.has("appeals:write")) {
      const done = await attachAppeal(service, actor, now, ruled.has(id));
      if (done === "accepted" || (done !== null && by !== "before")) appeals.push({ id, status: done });
      if (done !== null && fields.includes("appeal")) fields.splice(fields.indexOf("appeal"), 1);
    }
    if (fields.length > 0) differs.push({ id, fields });
  }
  for (const { id, erased } of await decisionsById(service.database, workspace, joined.gone))
    if (!erased) differs.push({ id, fields: ["id"] });
  const keptOutcomes = mayLabel ? await keepOutcomes(service, workspace, outcomes) : [];
  const ruleSets = await keepRules(service, actor, joined.rule_sets);
  const { waiting } = await joined.settle(known, erased);
  return {
    decisions: received.flatMap((one, i) => {
      const { by } = joined.decisions[i]!;
      if (by === "before" && (one.status === "duplicate" || one.status === "conflict")) return [];
      return [by === "again" && one.status === "conflict" ? { id: one.id, status: "duplicate" as const } : one];
    }),
    ...{ outcomes: keptOutcomes, appeals, rule_sets: ruleSets, differs, waiting },
    rejected: joined.rejected.map(({ source, field, reason }) => ({ at: source.line, field, reason })),
    left_out: joined.left_out.map(({ code, what, count, line }) => ({ code, what, count, at: line })),
    not_kept: {
      rule_sets: joined.rule_sets.length - ruleSets.length,
      outcomes: mayLabel ? 0 : outcomes.length,
      review_items: joined.review_items,
    },
  };
}

/** Names of the fields in which a decision differs from the kept one. */
function differing(now: Decision, kept: Decision): string[] {
  const names = new Set([...Object.keys(now), ...Object.keys(kept)]) as Set<keyof Decision>;
  return [...names].filter((name) => JSON.stringify(now[name]) !== JSON.stringify(kept[name])).map(String);
}

/**
 * Files a waiting appeal once per decision; closes one that was decided elsewhere. null: there is nothing to do.
 * @param ruled its outcome arrived separately
 */
async function attachAppeal(
  service: Service,
  { workspace, name: filer }: Actor,
  { id, community, appeal }: Decision,
  ruled: boolean,
): Promise<"accepted" | "duplicate" | null> {
  const { database } = service;
  const there = await appealsOf(database, workspace, id);
  if (appeal?.outcome !== "upheld" && appeal?.outcome !== "overturned") {
    if (there.length > 0) return "duplicate";
    const [filedAt, text] = [appeal?.filed_at ?? null, appeal?.text ?? null];
    await fileAppeal(database, workspace, { decisionId: id, community, filedAt, filedBy: null, filer, text });
    return "accepted";
  }
  const open = there.filter(({ state }) => state === "open");
  const outcome = appeal.outcome === "upheld" ? "uphold" : "overturn";
  for (const { appeal_id } of open) await closeAppeal(database, workspace, appeal_id, outcome, null);
  if (open.length === 0) return there.length > 0 ? "duplicate" : null;
  if (ruled) return "accepted";
  // The decision is kept as it arrived, before its appeal was decided.
  const stores = { outcomes: await service.outcomes(workspace), queue: service.queue };
  const at = (await service.context(workspace)).now().toISOString();
  const about = { decision_id: id, reviewer: ELSEWHERE, at, source: "appeal" as const };
  await keepOutcome(database, workspace, stores, { outcome, saw_audit: false }, about);
  return "accepted";
}

/** Takes the place of a person whom the other system does not name. */
const ELSEWHERE = "elsewhere";

async function closeAppeal(
  database: Service["database"],
  workspace: string,
  appeal: number,
  outcome: ReviewOutcome["outcome"],
  reviewer: string | null,
): Promise<void> {
  await decideAppeal(database, workspace, appeal, {
    ...{
      reviewer: reviewer ?? ELSEWHERE,
      outcome,
      level: null,
      inverse: null,
      note: null,
      ruleIds: [],
      sawAudit: false,
    },
  });
}

async function keepOutcomes(service: Service, workspace: string, outcomes: readonly ReviewOutcome[]) {
  if (outcomes.length === 0) return [];
  const { database, queue } = service;
  const { actions } = (await service.context(workspace)).config;
  const records = await service.outcomes(workspace);
  const labels = { task: "labels", payload: { workspace }, key: `labels ${workspace}`, delay: 5 };
  const kept = await receiveRecords({ database, records, actions, queue, jobs: () => [labels] }, outcomes);
  for (const [i, { status }] of kept.entries()) {
    const { decision_id, outcome, source, reviewer } = outcomes[i]!;
    if (status !== "accepted" || source !== "appeal") continue;
    for (const one of await appealsOf(database, workspace, decision_id))
      if (one.state === "open") await closeAppeal(database, workspace, one.appeal_id, outcome, reviewer ?? null);
  }
  return kept.filter(({ status }) => status !== "duplicate");
}

async function keepRules(
  service: Service,
  { workspace, scopes }: Actor,
  sets: Awaited<ReturnType<typeof readForeign>>["rule_sets"],
): Promise<{ name: string; status: "accepted" | "duplicate" }[]> {
  if (sets.length === 0 || !scopes.has("rules:write")) return [];
  const { imports, records } = await service.context(workspace);
  return imports.withImportLock(async () => {
    const there = new Set((await records.rules()).map(({ set }) => ruleSetName(set)));
    const kept: { name: string; status: "accepted" | "duplicate" }[] = [];
    for (const set of sets) {
      const name = ruleSetName(set);
      if (!there.has(name)) await imports.addRules(set, null);
      kept.push({ name, status: there.has(name) ? "duplicate" : "accepted" });
    }
    return kept;
  });
}
