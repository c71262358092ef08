import { createHash } from "node:crypto";
import { LiveAuditor, type LiveAuditorOptions } from "../app/live/live-auditor.js";
import { RunHalted } from "../audit/calls/budget.js";
import type { Audit } from "../core/records/audit.js";
import type { Decision } from "../core/records/decision.js";
import type { NewJob, Queue, Task } from "../queue/queue.js";
import type { Database } from "../store/postgres/database.js";
import { datedByArrival, decisionsById, newestAudits, unrouted } from "../store/postgres/live.js";
import { appendLive } from "../store/postgres/runs.js";
import { SharedPurse } from "../store/postgres/spend.js";
import type { PostgresContext } from "../store/postgres/stores.js";

/** Decisions per job. Neighbours in the queue are often of one community and so share the beginning of their prompts, which servers cache. */
const PER_JOB = 20;

interface AuditPayload {
  workspace: string;
  ids: string[];
}

/** Jobs that audit decisions. */
export function auditJobs(workspace: string, ids: readonly string[], delay = 0): NewJob[] {
  const jobs: NewJob[] = [];
  const distinct = [...new Set(ids)];
  for (let from = 0; from < distinct.length; from += PER_JOB) {
    const payload: AuditPayload = { workspace, ids: distinct.slice(from, from + PER_JOB) };
    jobs.push({ task: "audit", payload, delay });
  }
  return jobs;
}

/** Jobs for decisions that are already known and whose audits may be under way: one job for each distinct decision. */
export function auditJobsAgain(workspace: string, ids: readonly string[]): NewJob[] {
  return [...new Set(ids)].map((id) => ({
    task: "audit",
    payload: { workspace, ids: [id] } satisfies AuditPayload,
    key: `audit ${createHash("sha256").update(`${workspace}\0${id}`).digest("hex")}`,
  }));
}

/** Prompts of one community begin alike, and servers cache the beginnings of recent prompts. */
export function byCommunity<T extends { community?: string | null }>(all: readonly T[]): T[] {
  const of = ({ community }: T) => community ?? "";
  return [...all].sort((a, b) => (of(a) < of(b) ? -1 : of(a) > of(b) ? 1 : 0));
}

const DAY_MS = 86_400_000;

function isOutOfMoney(why: unknown): boolean {
  return why instanceof RunHalted && why.reason?.code === "max_cost";
}

type Opener = (workspace: string) => Promise<PostgresContext>;

/**
 * Audits the decisions of a job and writes each audit once. A job that runs again skips audits that are written and takes answers that were
 * paid for from the cache.
 */
export class AuditTask {
  private readonly auditors = new Map<string, { config: PostgresContext["config"]; opened: Promise<LiveAuditor> }>();

  constructor(
    private readonly database: Database,
    private readonly queue: Pick<Queue, "add">,
    private readonly open: Opener,
    private readonly options: LiveAuditorOptions,
    /** Called with the decisions that now have an audit. */
    private readonly audited: (workspace: string, ids: readonly string[]) => Promise<void> = async () => {},
  ) {}

  readonly task: Task = async ({ workspace, ids }: AuditPayload, { node }) => {
    const context = await this.open(workspace);
    const there = await newestAudits(this.database, workspace, ids);
    const missing = ids.filter((id) => !there.has(id));
    // A worker that died after it wrote audits left them without routes.
    if (there.size > 0) await this.audited(workspace, await unrouted(this.database, workspace, [...there.keys()]));
    const decisions = byCommunity(await decisionsById(this.database, workspace, missing));
    if (decisions.length > 0) {
      const auditor = await this.auditorOf(workspace, context, node, decisions[0]!);
      const outcomes = await Promise.allSettled(decisions.map((decision) => auditor.audit(decision)));
      const made = outcomes.flatMap((outcome): Audit[] => (outcome.status === "fulfilled" ? [outcome.value] : []));
      if (made.length > 0)
        await appendLive(
          this.database,
          workspace,
          auditor.manifest(),
          await datedByArrival(this.database, workspace, made),
        );
      const failed = outcomes.find((outcome) => outcome.status === "rejected");
      await this.audited(
        workspace,
        made.map(({ decision_id }) => decision_id),
      );
      const why: unknown = (failed as PromiseRejectedResult | undefined)?.reason;
      if (!isOutOfMoney(why)) {
        if (failed) throw why;
        return;
      }
      // The budget is renewed at the next UTC midnight.
      const left = decisions.filter((_, i) => outcomes[i]!.status === "rejected").map(({ id }) => id);
      const now = context.now().getTime();
      await this.queue.add(auditJobs(workspace, left, (Math.ceil((now + 1) / DAY_MS) * DAY_MS - now) / 1000));
    }
  };

  /** One auditor per workspace, until its rules or settings change. */
  private async auditorOf(
    workspace: string,
    context: PostgresContext,
    node: string,
    sample: Decision,
  ): Promise<LiveAuditor> {
    const there = this.auditors.get(workspace);
    if (there) {
      const auditor = await there.opened;
      const same = there.config === context.config && auditor.rulesMark === (await context.records.rulesMark());
      if (same) return auditor;
      if (this.auditors.get(workspace) === there) this.auditors.delete(workspace);
    }
    const other = this.auditors.get(workspace);
    if (other) return other.opened;
    const { config } = context;
    const { usd_per_day: max = null } = config;
    const purse = (expected: number) =>
      new SharedPurse(this.database, { workspace, node, provider: config.auditor, max, expected });
    const opened = LiveAuditor.open(context, { ...this.options, purse, sample });
    this.auditors.set(workspace, { config, opened });
    opened.catch(() => this.auditors.delete(workspace));
    return opened;
  }

  async close(): Promise<void> {
    for (const auditor of this.auditors.values()) await auditor.opened.then((one) => one.close()).catch(() => {});
  }
}
