import { EventEmitter } from "node:events";
import { hostname } from "node:os";
import { Logger, type Runner, run, runMigrations, type WorkerEvents } from "graphile-worker";
import pg from "pg";
import type { Database, Queries } from "../store/postgres/database.js";
import type { JobInfo, NewJob, Queue, RunningQueue, RunOptions, Task } from "./queue.js";

const LEASE_SECONDS = 30;
const POLL_MS = 1000;
const ATTEMPTS = 8;

/** Makes the tables of the queue, and ours of leases. */
export async function migrateQueue(database: Database): Promise<void> {
  await runMigrations({ connectionString: database.url, logger: silent });
  await database.rows(
    `create table if not exists defensible.worker_lease (node text primary key, worker_ids text[] not null, lease_until timestamptz not null)`,
  );
}

/**
 * Jobs by graphile-worker. It gives the jobs of a killed worker back after four hours, a constant in its SQL. So each process renews a lease on the
 * names of its workers, and whichever process finds an expired lease unlocks the jobs of those workers.
 */
export class GraphileQueue implements Queue {
  constructor(private readonly database: Database) {}

  async add(jobs: readonly NewJob[], queries: Queries = this.database): Promise<void> {
    if (jobs.length === 0) return;
    await queries.rows(
      `select graphile_worker.add_jobs(array(
         select json_populate_record(null::graphile_worker.job_spec, spec) from unnest($1::json[]) as spec), true)`,
      [
        jobs.map(({ task, payload, key, priority = 0, delay = 0, attempts = ATTEMPTS }) =>
          JSON.stringify({
            identifier: task,
            payload,
            job_key: key ?? null,
            priority,
            max_attempts: attempts,
            ...(delay > 0 ? { run_at: new Date(Date.now() + delay * 1000).toISOString() } : {}),
          }),
        ),
      ],
    );
  }

  async run(tasks: Readonly<Record<string, Task>>, options: RunOptions): Promise<RunningQueue> {
    const { concurrency, leaseSeconds = LEASE_SECONDS, pollMs = POLL_MS, say = () => {} } = options;
    const node = `${hostname()}-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
    const pool = new pg.Pool({
      connectionString: this.database.url,
      max: concurrency + 4,
      application_name: "defensible worker",
    });
    pool.on("error", () => {});
    pool.on("connect", (client) => client.on("error", () => {}));
    const events: WorkerEvents = new EventEmitter();
    const workers = new Set<string>();
    let looked = Date.now();
    events.on("worker:create", ({ worker }) => workers.add(worker.workerId));
    events.on("worker:getJob:start", () => {
      looked = Date.now();
    });
    events.on("job:error", ({ job: { id, task_identifier: task, attempts, max_attempts }, error }) => {
      const gone = attempts >= max_attempts ? " It is not tried again by itself." : "";
      say(`Job ${id} (${task}) failed, attempt ${attempts} of ${max_attempts}: ${faultOf(error)}.${gone}`);
    });
    const stopping = new AbortController();
    const lease = new Lease(this.database, node, workers, leaseSeconds, say);
    let runner: Runner;
    try {
      runner = await run({
        pgPool: pool,
        concurrency,
        pollInterval: pollMs,
        noHandleSignals: true,
        logger: silent,
        events,
        ...(options.crontab ? { crontab: options.crontab } : { crontab: "" }),
        taskList: Object.fromEntries(
          Object.entries(tasks).map(([name, task]) => [
            name,
            async (payload: unknown, { job }: { job: { id: string; attempts: number } }) => {
              await task(payload as never, { id: String(job.id), attempt: job.attempts, node, stop: stopping.signal });
            },
          ]),
        ),
      });
    } catch (cause) {
      await pool.end();
      throw cause;
    }
    lease.start();
    return {
      lastLook: () => looked,
      stop: async () => {
        stopping.abort();
        await runner.stop();
        await lease.end();
        await pool.end();
      },
    };
  }

  async dead(workspace?: string): Promise<JobInfo[]> {
    return this.database.rows<JobInfo>(
      `select jobs.id::text as id, tasks.identifier as task, key, attempts::integer, max_attempts::integer, last_error,
         to_char(run_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS"Z"') as run_at, locked_at is not null as running
       from graphile_worker._private_jobs as jobs join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
       where attempts >= max_attempts and locked_at is null and ($1::text is null or jobs.payload->>'workspace' = $1) order by jobs.id`,
      [workspace ?? null],
    );
  }

  async retry(ids: readonly string[]): Promise<number> {
    const retried = await this.database.rows(
      "select 1 from graphile_worker.reschedule_jobs($1::bigint[], run_at := now(), attempts := 0)",
      [ids],
    );
    return retried.length;
  }

  async depth(workspace?: string) {
    // The public view has no payloads, and so does not know whose a job is.
    return this.database.rows<Awaited<ReturnType<Queue["depth"]>>[number]>(
      `select tasks.identifier as task,
         (count(*) filter (where locked_at is null and attempts < max_attempts))::integer as waiting,
         (count(*) filter (where locked_at is not null))::integer as running,
         (count(*) filter (where locked_at is null and attempts >= max_attempts))::integer as dead,
         coalesce(extract(epoch from now() - min(run_at) filter (where locked_at is null and attempts < max_attempts and run_at <= now())), 0)
           ::double precision as oldest_seconds
       from graphile_worker._private_jobs as jobs join graphile_worker._private_tasks as tasks on tasks.id = jobs.task_id
       where $1::text is null or jobs.payload->>'workspace' = $1 group by 1 order by 1`,
      [workspace ?? null],
    );
  }
}

/** Keeps the names of a process's workers alive, and buries those of processes that died. All times are the database's. */
class Lease {
  private timer: NodeJS.Timeout | null = null;
  private busy: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly node: string,
    private readonly workers: ReadonlySet<string>,
    private readonly seconds: number,
    private readonly say: (message: string) => void,
  ) {}

  start(): void {
    const beat = () => {
      this.busy = this.renew()
        .then(() => this.bury())
        .catch((cause: Error) => this.say(`The lease of this worker was not renewed: ${cause.message}`));
    };
    beat();
    this.timer = setInterval(beat, (this.seconds * 1000) / 3);
  }

  private async renew(): Promise<void> {
    await this.database.rows(
      `insert into defensible.worker_lease (node, worker_ids, lease_until) values ($1, $2, now() + make_interval(secs => $3))
       on conflict (node) do update set worker_ids = excluded.worker_ids, lease_until = excluded.lease_until`,
      [this.node, [...this.workers], this.seconds],
    );
  }

  /** Unlocks the jobs of workers whose lease has expired, and forgets them, in one transaction. */
  private async bury(): Promise<void> {
    await this.database.transaction(async (queries) => {
      const gone = await queries.rows<{ node: string; worker_ids: string[] }>(
        "delete from defensible.worker_lease where lease_until < now() returning node, worker_ids",
      );
      // Locked for long by a worker without any lease: its process died before it had one.
      const unknown = await queries.rows<{ worker: string }>(
        `select distinct locked_by as worker from graphile_worker.jobs where locked_at < now() - make_interval(secs => $1)
           and not exists (select 1 from defensible.worker_lease where locked_by = any(worker_ids))`,
        [this.seconds],
      );
      const ids = [...gone.flatMap(({ worker_ids }) => worker_ids), ...unknown.map(({ worker }) => worker)];
      if (ids.length > 0) await queries.rows("select graphile_worker.force_unlock_workers($1::text[])", [ids]);
      for (const { node } of gone) this.say(`Worker ${node} was not heard of: its jobs run again.`);
    });
  }

  async end(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.busy;
    await this.database.rows("delete from defensible.worker_lease where node = $1", [this.node]).catch(() => {});
  }
}

/** What kind of error it is. Its words may quote content. */
export function faultOf(cause: unknown): string {
  const { name, code } = (cause ?? {}) as { name?: unknown; code?: unknown };
  return [name, code].filter((one) => typeof one === "string" && one !== "").join(" ") || "unknown";
}

const silent = new Logger(() => () => {});
