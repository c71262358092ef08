import { randomUUID } from "node:crypto";
import { EventEmitter } from "node:events";
import { hostname } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { Logger, type Runner, run, runMigrations, type WorkerEvents } from "graphile-worker";
import pg from "pg";
import { type Database, isAway, type Queries } from "../store/postgres/database.js";
import type { JobInfo, NewJob, Queue, RunningQueue, RunOptions, Task } from "./queue.js";

const LEASE_SECONDS = 30;
const POLL_MS = 1000;
const ATTEMPTS = 8;
/** Connections for statements about jobs. A statement takes a moment, however long the job takes. */
const CONNECTIONS = 8;

/** Creates the tables of graphile-worker and our table of leases. */
export async function migrateQueue(database: Database): Promise<void> {
  await migrateJobs(database);
  await database.rows(
    `create table if not exists defensible.worker_lease (node text primary key, worker_ids text[] not null, lease_until timestamptz not null)`,
  );
}

const migrateJobs = ({ url }: Database) => runMigrations({ connectionString: url, logger: silent });

/**
 * Jobs by graphile-worker. It releases the jobs of a killed worker only after four hours, a constant in its SQL. So each process renews a
 * lease on the names under which it locks jobs, and any process that finds an expired lease unlocks those jobs. Every job is added with a
 * key: a job without one was replaced, while running, by a later job of the same key.
 */
export class GraphileQueue implements Queue {
  constructor(private readonly database: Database) {}

  async add(jobs: readonly NewJob[], queries: Queries = this.database): Promise<void> {
    if (jobs.length === 0) return;
    await queries.rows(
      `select graphile_worker.add_jobs(array(
         select json_populate_record(null::graphile_worker.job_spec, spec) from unnest($1::json[]) as spec), true)`,
      [
        jobs.map(({ task, payload, key = randomUUID(), lane, priority = 0, delay = 0, attempts = ATTEMPTS }) =>
          JSON.stringify({
            identifier: task,
            payload,
            job_key: key,
            queue_name: lane ?? null,
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
    const stopping = new AbortController();
    const pool = new PatientPool(
      {
        connectionString: this.database.url,
        max: Math.min(concurrency, CONNECTIONS) + 2,
        application_name: "defensible worker",
      },
      { stop: stopping.signal, pauseMs: pollMs, say },
    );
    const events: WorkerEvents = new EventEmitter();
    const held: Held = { names: new Set(), jobs: new Set() };
    let looked = Date.now();
    events.on("pool:create", ({ workerPool }) => held.names.add(workerPool.id));
    events.on("job:start", ({ job }) => held.jobs.add(String(job.id)));
    events.on("job:complete", ({ job }) => held.jobs.delete(String(job.id)));
    events.on("worker:getJob:start", () => {
      looked = Date.now();
    });
    events.on("job:error", ({ job: { id, task_identifier: task, attempts, max_attempts }, error }) => {
      const gone = attempts >= max_attempts ? " It is not tried again by itself." : "";
      say(`Job ${id} (${task}) failed, attempt ${attempts} of ${max_attempts}: ${faultOf(error)}.${gone}`);
    });
    const lease = new Lease(this.database, node, held, leaseSeconds, say);
    let runner: Runner;
    try {
      // Migrations are transactions, which the patient pool does not support, so they use another connection.
      await migrateJobs(this.database);
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
    // The public view has no payloads, so it does not know which workspace a job belongs to.
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

interface Patience {
  /** Once it aborts, statements no longer wait for the database. */
  stop: AbortSignal;
  pauseMs: number;
  say: (message: string) => void;
}

/**
 * Connections for graphile-worker, which ends its process when it cannot record the outcome of a job. This pool repeats each of its
 * statements until the database answers. A queue that is being stopped does not wait: its statement gets no answer, and the lease passes
 * the jobs to other workers.
 */
class PatientPool extends pg.Pool {
  private isLost = false;

  constructor(
    config: pg.PoolConfig,
    private readonly patience: Patience,
  ) {
    super(config);
    this.on("error", () => {});
    this.on("connect", (client) => client.on("error", () => {}));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Parameters<pg.Pool["connect"]>[0]): void;
  override connect(callback?: Parameters<pg.Pool["connect"]>[0]): unknown {
    // Used by `query`, and by the listener, which reconnects by itself.
    if (callback) return super.connect(callback);
    return Promise.resolve({ query: (asked: pg.QueryConfig) => this.ask(asked), release() {} } as never);
  }

  private async ask(asked: pg.QueryConfig): Promise<pg.QueryResult> {
    const { stop, pauseMs, say } = this.patience;
    while (true) {
      try {
        const answer = await this.query(asked);
        this.isLost = false;
        return answer;
      } catch (cause) {
        // Named prepared statements are those about jobs: they are repeated after any error, since its cause may pass.
        if (!isAway(cause) && asked.name === undefined) throw cause;
        if (!this.isLost) say(`Jobs wait for the database: ${faultOf(cause)}.`);
        this.isLost = true;
        await delay(pauseMs, null, { signal: stop }).catch(() => {});
        if (stop.aborted) return { rows: [], rowCount: 0, command: "", oid: 0, fields: [] };
      }
    }
  }
}

/** The names under which a process locks jobs, and the jobs that it runs. */
interface Held {
  names: Set<string>;
  jobs: Set<string>;
}

/** Renews the lease of this process and releases the jobs of processes that died. All times are the database's. */
class Lease {
  private timer: NodeJS.Timeout | null = null;
  private busy: Promise<void> = Promise.resolve();

  constructor(
    private readonly database: Database,
    private readonly node: string,
    private readonly held: Held,
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
      [this.node, [...this.held.names], this.seconds],
    );
  }

  /** Unlocks the jobs of workers whose lease has expired and deletes those leases, in one transaction. */
  private async bury(): Promise<void> {
    await this.database.transaction(async (queries) => {
      const gone = await queries.rows<{ node: string; worker_ids: string[] }>(
        "delete from defensible.worker_lease where lease_until < now() returning node, worker_ids",
      );
      // Locked for long by a worker without a lease: its process died before it had one.
      const unknown = await queries.rows<{ worker: string }>(
        `select distinct locked_by as worker from graphile_worker.jobs where locked_at < now() - make_interval(secs => $1)
           and not exists (select 1 from defensible.worker_lease where locked_by = any(worker_ids))`,
        [this.seconds],
      );
      const ids = [...gone.flatMap(({ worker_ids }) => worker_ids), ...unknown.map(({ worker }) => worker)];
      await this.unlock(queries, ids);
      for (const { node } of gone) this.say(`Worker ${node} was not heard of: its jobs run again.`);
    });
  }

  /** Unlocks the jobs of these workers, and jobs locked in this worker's name that never reached it because its connection broke. */
  private async unlock(queries: Queries, workers: readonly string[]): Promise<void> {
    const [names, running] = [[...this.held.names], [...this.held.jobs]];
    const own = "locked_by = any($2::text[]) and locked_at < now() - make_interval(secs => $3)";
    const lost = `(locked_by = any($1::text[]) or (${own} and id <> all($4::bigint[])))`;
    const of = [workers, names, this.seconds, running];
    // A job that was replaced while it ran is deleted: its successor runs instead.
    await queries.rows(
      `delete from graphile_worker._private_jobs where ${lost} and key is null and attempts >= max_attempts`,
      of,
    );
    await queries.rows(`update graphile_worker._private_jobs set locked_at = null, locked_by = null where ${lost}`, of);
    await queries.rows(
      `update graphile_worker._private_job_queues as lane set locked_at = null, locked_by = null
        where locked_by = any($1::text[]) or (${own} and not exists (
          select 1 from graphile_worker._private_jobs where job_queue_id = lane.id and locked_at is not null))`,
      of.slice(0, 3),
    );
  }

  async end(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.busy;
    await this.database.rows("delete from defensible.worker_lease where node = $1", [this.node]).catch(() => {});
  }
}

/** The kind of an error, without its message, which may quote content. */
export function faultOf(cause: unknown): string {
  const { name, code } = (cause ?? {}) as { name?: unknown; code?: unknown };
  return [name, code].filter((one) => typeof one === "string" && one !== "").join(" ") || "unknown";
}

const silent = new Logger(() => () => {});
