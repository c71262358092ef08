import type { Actions } from "../../core/records/actions.js";
import type { NewJob, Queue } from "../../queue/queue.js";
import { columnText, type Database, type Queries } from "../../store/postgres/database.js";
import type { PostgresRecords } from "../../store/postgres/records.js";
import { explainRecord, fits } from "../../store/records/fits.js";
import { RECORD_KINDS, type RecordKind } from "../../store/records/record-kinds.js";

/** What became of a record that was sent. `conflict`: one with the same identity and another content is kept. */
export interface Received {
  id: string | null;
  status: "accepted" | "duplicate" | "conflict" | "rejected";
  /** Why it was rejected. */
  detail?: string;
}

const LONGEST_ID = 512;

/** Whether records can be found by an id again: PostgreSQL keeps no NUL and no half of a character. */
export function isKeepable(id: string): boolean {
  return id.length <= LONGEST_ID && columnText(id) === id;
}

interface IntakeOptions<T extends object> {
  database: Database;
  records: PostgresRecords<T>;
  actions: Actions;
  queue: Queue;
  /** Jobs that are committed with what was accepted. */
  jobs: (ids: readonly string[]) => NewJob[];
}

/** Keeps records that were sent, which may be anything. Those that are new and the jobs they need are committed together, or neither is. */
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

/** Two transactions that keep the same records in another order: the database lets one of them go on, and the other begins again. */
async function withoutDeadlock(database: Database, work: (queries: Queries) => Promise<void>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await database.transaction(work);
    } catch (cause) {
      if ((cause as { code?: string }).code !== DEADLOCK || tries === TRIES) throw cause;
    }
  }
}

/** What keeps a value from being a record of a kind. */
export class RecordProblem extends Error {}

/** null: it is a record. */
export function recordProblem(kind: RecordKind, value: unknown, actions: Actions): RecordProblem | null {
  if (value === undefined) return new RecordProblem("not JSON, longer than 1 MB, or with a key twice");
  const { fields } = RECORD_KINDS[kind];
  if (fits(fields, value, actions)) {
    if (kind === "decisions" && "audit" in (value as object))
      return new RecordProblem("audit: audits are made here; leave it out");
    return isKeepable(idOf(value) ?? "")
      ? null
      : new RecordProblem("id: expected at most 512 characters, without NUL and half characters");
  }
  const { field, reason } = explainRecord(RECORD_KINDS[kind], value, actions);
  // Without the value itself: it could be what a person wrote, and answers are logged by their receivers.
  const said = reason.replace(/\bgot .*, expected/s, "expected");
  return new RecordProblem(field ? `${field}: ${said}` : said);
}

function idOf(value: unknown): string | null {
  const { id, decision_id } = (typeof value === "object" && value !== null ? value : {}) as Record<string, unknown>;
  const own = id ?? decision_id;
  return typeof own === "string" ? own : null;
}
