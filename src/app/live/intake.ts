import { fingerprint } from "../../audit/arms.js";
import type { Actions } from "../../core/records/actions.js";
import { type Audit, auditSchema } from "../../core/records/audit.js";
import type { Decision } from "../../core/records/decision.js";
import type { Manifest } from "../../core/records/manifest.js";
import { VERSION } from "../../io/machine.js";
import { isAudit } from "../../measures/gate/route/input.js";
import { EQUAL_WEIGHTS } from "../../measures/signals/components.js";
import type { NewJob, Queue } from "../../queue/queue.js";
import type { Context } from "../../store/context.js";
import { canonicalValue, Fault } from "../../store/formats/parse-json.js";
import { columnText, type Database, type Queries } from "../../store/postgres/database.js";
import { datedByArrival, decisionsById } from "../../store/postgres/live.js";
import type { PostgresRecords } from "../../store/postgres/records.js";
import { appendLive } from "../../store/postgres/runs.js";
import { explainRecord, fits } from "../../store/records/fits.js";
import { normalise } from "../../store/records/normalise.js";
import { RECORD_KINDS, type RecordKind, type RecordObject } from "../../store/records/record-kinds.js";

/** The result of a record that was sent. `conflict`: a record with the same identity but other contents is stored. */
export interface Received {
  id: string | null;
  status: "accepted" | "duplicate" | "conflict" | "rejected";
  /** Why it was rejected. */
  detail?: string;
}

const LONGEST_ID = 512;

/** Whether records can be found by this id: PostgreSQL stores neither NUL nor half of a surrogate pair. */
export function isKeepable(id: string): boolean {
  return id.length <= LONGEST_ID && columnText(id) === id;
}

interface IntakeOptions<T extends object> {
  database: Database;
  records: PostgresRecords<T>;
  actions: Actions;
  queue: Queue;
  /** Jobs to commit together with the accepted records. */
  jobs: (ids: readonly string[]) => NewJob[];
}

/** Stores records that were sent; they may be anything. New records and the jobs they need are committed together. */
export async function receiveRecords<T extends object>(
  { database, records, actions, queue, jobs }: IntakeOptions<T>,
  values: readonly unknown[],
): Promise<Received[]> {
  const outcomes = values.map((value): Received => {
    const problem = recordProblem(records.kind, value, actions);
    return problem === null
      ? { id: idOf(value), status: "accepted" }
      : { id: idOf(value), status: "rejected", detail: problem.message };
  });
  const rows = new Map<string, { row: ReturnType<typeof records.rowOf>; at: number }>();
  values.forEach((value, at) => {
    if (outcomes[at]!.status !== "accepted") return;
    const row = records.rowOf(records.canonical(value as T));
    const name = row.identity.toString("hex");
    const same = rows.get(name);
    if (same) outcomes[at]!.status = same.row.hash.equals(row.hash) ? "duplicate" : "conflict";
    else rows.set(name, { row, at });
  });
  const kept = [...rows.values()];
  if (kept.length === 0) return outcomes;
  await withoutDeadlock(database, async (queries) => {
    const rowsOnly = kept.map(({ row }) => row);
    const found = await records.insert(rowsOnly, queries);
    kept.forEach(({ at }, i) => {
      outcomes[at]!.status = found[i]!;
    });
    const fresh = outcomes.filter(({ status }) => status === "accepted").map(({ id }) => id!);
    if (fresh.length > 0) await queue.add(jobs(fresh), queries);
  });
  return outcomes;
}

const DEADLOCK = "40P01";
const TRIES = 5;

/** Retries after a deadlock: if two transactions store the same records in different order, the database aborts one of them. */
async function withoutDeadlock(database: Database, work: (queries: Queries) => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await database.transaction(work);
    } catch (cause) {
      if ((cause as { code?: string }).code !== DEADLOCK || tries === TRIES) throw cause;
    }
  }
}

/** Why a value is not a record of a kind. */
class RecordProblem extends Error {}

/** null: it is a record. */
export function recordProblem(kind: RecordKind, value: unknown, actions: Actions): RecordProblem | null {
  if (value === undefined) return new RecordProblem("not JSON, longer than 1 MB, or with a key twice");
  const { fields } = RECORD_KINDS[kind];
  if (fits(fields, value, actions)) {
    if (kind === "decisions" && "audit" in (value as object))
      return new RecordProblem("audit: audits are made here; leave it out");
    if (!isKeepable(idOf(value) ?? ""))
      return new RecordProblem("id: expected at most 512 characters, without NUL and half characters");
    // Unknown members may be anything that can be stored.
    const canonical = normalise(fields, value as RecordObject, actions);
    return canonical instanceof Fault ? unkeepable(canonical) : null;
  }
  const { field, reason } = explainRecord(RECORD_KINDS[kind], value, actions);
  // Without the value: it could be user content, and receivers log the answers.
  const said = reason.replace(/\bgot .*, expected/s, "expected");
  return new RecordProblem(field ? `${field}: ${said}` : said);
}

/** Without the member's name, which is sender's text. */
const unkeepable = ({ reason }: Fault) => new RecordProblem(`a member of it ${reason}`);

function idOf(value: unknown): string | null {
  const { id, decision_id } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const own = id ?? decision_id;
  return typeof own === "string" ? own : null;
}

/**
 * Stores audits made by another tool. Each belongs to a run for the day (UTC), the auditor and the sender (`selection.sent_by` of the run). The
 * first audit of a decision counts, wherever it was made.
 * @param values what was sent, which may be anything
 */
export async function keepSentAudits(
  context: Context,
  { database, workspace, sender }: { database: Database; workspace: string; sender: string },
  values: readonly unknown[],
): Promise<Received[]> {
  const known = await knownDecisions(database, workspace, values);
  const groups = new Map<string, { manifest: Manifest; audits: Audit[] }>();
  const outcomes = values.map((value): Received => {
    const id = decisionIdOf(value);
    const decision = known.get(id ?? "");
    const problem = auditProblem(value, decision);
    if (problem !== null) return { id, status: "rejected", detail: problem.message };
    const audit = ofDecision(value as Audit, decision!);
    const manifest = manifestOf(context, audit, sender);
    const group = groups.get(manifest.fingerprint) ?? { manifest, audits: [] };
    groups.set(manifest.fingerprint, group);
    // If a request has two audits of a decision, the first counts.
    if (group.audits.every(({ decision_id }) => decision_id !== audit.decision_id)) group.audits.push(audit);
    return { id, status: "duplicate" };
  });
  for (const { manifest, audits } of groups.values()) {
    const dated = await datedByArrival(database, workspace, audits);
    const kept = new Set((await appendLive(database, workspace, manifest, dated)).map((one) => one.decision_id));
    for (const one of outcomes) {
      if (one.status === "duplicate" && kept.delete(one.id ?? "")) one.status = "accepted";
    }
  }
  return outcomes;
}

async function knownDecisions(
  database: Database,
  workspace: string,
  values: readonly unknown[],
): Promise<Map<string, Decision>> {
  const ids = values.map(idOf).filter((id) => id !== null);
  const found = ids.length > 0 ? await decisionsById(database, workspace, ids) : [];
  return new Map(found.map((decision) => [decision.id, decision]));
}

/** Why a value is not an audit of a decision, without quoting it; null: it is one. */
function auditProblem(value: unknown, decision: Decision | undefined): RecordProblem | null {
  if (value === undefined) return new RecordProblem("not JSON, longer than 1 MB, or with a key twice");
  const parsed = auditSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    // Nested keys may be the sender's own words.
    return new RecordProblem(`${String(issue?.path[0] ?? "the audit")}: not in the format`);
  }
  const audit = parsed.data;
  if (audit.arm !== "" || audit.replicate !== 0)
    return new RecordProblem("arm, replicate: expected an empty arm and replicate 0");
  if (!audit.auditor_version || !audit.prompt_version)
    return new RecordProblem(
      "auditor_version, prompt_version: both are needed, since a gate holds for one version of an auditor",
    );
  if (!decision) return new RecordProblem("decision_id: there is no such decision; send it first");
  if (audit.community !== decision.community || audit.decision !== decision.decision)
    return new RecordProblem("community, decision: not those of the decision");
  const whole = canonicalValue(value, "");
  if (whole instanceof Fault) return unkeepable(whole);
  if (!isAudit(audit)) return new RecordProblem("its numbers are impossible or contradict each other (docs/route.md)");
  return null;
}

/** Replaces what the sender says about the decision by what is stored here. */
function ofDecision(audit: Audit, { human_label, thread_id, decided_at }: Decision): Audit {
  return {
    ...audit,
    human_label: human_label ?? null,
    thread_id: thread_id ?? null,
    decided_at: decided_at ?? null,
  };
}

function manifestOf({ config, now, newId }: Context, audit: Audit, sender: string): Manifest {
  const at = now();
  const { auditor, auditor_version, prompt_version, template, tier, temperature, signal, missing } = audit;
  const { alpha, beta, gamma, component } = EQUAL_WEIGHTS;
  const identity = {
    ...{ auditor, template, tier, temperature, signal },
    auditor_version: auditor_version!,
    prompt_version: prompt_version!,
    ...(missing === "paper" ? { missing } : {}),
    replicates: 1,
    humans: false,
    seed: config.seed,
    actions: config.actions,
    selection: { live: at.toISOString().slice(0, 10), sent_by: sender },
    hashes: { decisions: "sent", rules: "sent", precedents: "sent" },
    weights: { alpha, beta, gamma, component, calibrated: false },
  };
  return {
    format: 1,
    run_id: newId(at),
    parent_run_id: null,
    status: "open",
    created_at: at.toISOString(),
    sealed_at: null,
    software: VERSION,
    fingerprint: fingerprint(identity),
    ...identity,
    counts: { planned: 0, verdicts: 0, unscored: 0, errors: 0 },
  };
}

function decisionIdOf(value: unknown): string | null {
  const id = typeof value === "object" && value !== null ? (value as { decision_id?: unknown }).decision_id : null;
  return typeof id === "string" ? id : null;
}
