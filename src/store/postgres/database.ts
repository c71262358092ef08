import { createHash } from "node:crypto";
import pg from "pg";
import { EnvironmentError } from "../../core/errors.js";

/** Where statements are sent: the pool or one transaction. */
export interface Queries {
  rows<T extends object>(text: string, values?: readonly unknown[]): Promise<T[]>;
}

export interface DatabaseOptions {
  /** Most connections. */
  connections?: number;
  /** The name of this process in the server's own views. */
  name?: string;
}

const INT8 = 20;
const RECONNECT_MS = 2000;

/** Counts arrive as numbers: nothing here reaches 2^53. */
const types = {
  getTypeParser: (oid: number, format?: string) =>
    oid === INT8 ? Number : pg.types.getTypeParser(oid, format as "text"),
} as typeof pg.types;

/** A PostgreSQL database. Every statement names its workspace. */
export class Database implements Queries {
  private readonly pool: pg.Pool;

  constructor(
    readonly url: string,
    { connections = 10, name = "defensible" }: DatabaseOptions = {},
  ) {
    this.pool = new pg.Pool({
      connectionString: url,
      max: connections,
      application_name: name,
      types,
      allowExitOnIdle: true,
    });
    // Without listeners, a broken connection would end the process, whether it is idle or between two statements of a transaction.
    this.pool.on("error", () => {});
    this.pool.on("connect", (client) => client.on("error", () => {}));
  }

  /** Like `transaction`, for work that takes a `Database`. */
  together<T>(work: (database: Database) => Promise<T>): Promise<T> {
    return this.transaction((queries) => work(new JoinedDatabase(this.url, queries)));
  }

  rows<T extends object>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    return rowsOf<T>(this.pool, text, values);
  }

  async transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    const client = await this.pool.connect().catch(rethrow);
    let broken: Error | undefined;
    try {
      await client.query("begin");
      const result = await work({ rows: (text, values = []) => rowsOf(client, text, values) });
      await client.query("commit");
      return result;
    } catch (cause) {
      await client.query("rollback").catch((failed: Error) => {
        broken = failed;
      });
      return rethrow(cause);
    } finally {
      client.release(broken);
    }
  }

  /** Runs work while no other process runs any under the same name. */
  async exclusive<T>(name: string, work: () => Promise<T>): Promise<T> {
    const lock = await this.lock(name, "pg_advisory_xact_lock");
    try {
      return await work();
    } finally {
      await lock!.release();
    }
  }

  /** A lock held until it is released or the process ends; null: another process holds it. */
  hold(name: string): Promise<Lock | null> {
    return this.lock(name, "pg_try_advisory_xact_lock");
  }

  /** Uses its own connection and a transaction, so that it also works through a pooler and ends with the process. */
  private async lock(name: string, take: "pg_advisory_xact_lock" | "pg_try_advisory_xact_lock"): Promise<Lock | null> {
    const client = new pg.Client({ connectionString: this.url, application_name: "defensible lock" });
    let lost = false;
    client.on("error", () => {
      lost = true;
    });
    client.on("end", () => {
      lost = true;
    });
    try {
      await client.connect();
      await client.query("begin");
      const { rows } = await client.query(`select ${take}(hashtextextended($1, 0)) as taken`, [name]);
      if (rows[0].taken !== false) return { isLost: () => lost, release: () => client.end() };
    } catch (cause) {
      await client.end().catch(() => {});
      return rethrow(cause);
    }
    await client.end();
    return null;
  }

  /**
   * Listens to a channel on its own connection, which is reopened when it breaks. `missed` is called whenever listening begins: earlier messages may
   * have been missed. Returns a function that stops it.
   */
  listen(channel: string, heard: (message: string) => void, missed: () => void): () => Promise<void> {
    let client: pg.Client | null = null;
    let timer: NodeJS.Timeout | null = null;
    let ended = false;
    const connect = async () => {
      timer = null;
      const made = new pg.Client({
        connectionString: this.url,
        application_name: "defensible events",
        keepAlive: true,
      });
      client = made;
      let lost = false;
      const retry = () => {
        if (lost || ended) return;
        lost = true;
        made.end().catch(() => {});
        timer = setTimeout(connect, RECONNECT_MS);
        timer.unref();
      };
      made.on("error", retry);
      made.on("end", retry);
      made.on("notification", ({ payload }) => heard(payload ?? ""));
      try {
        await made.connect();
        await made.query(`listen ${pg.escapeIdentifier(channel)}`);
        missed();
      } catch {
        retry();
      }
    };
    connect();
    return async () => {
      ended = true;
      if (timer) clearTimeout(timer);
      await client?.end().catch(() => {});
    };
  }

  async close(): Promise<void> {
    await this.pool.end();
  }
}

/** A database whose statements all join one transaction, in the order in which they are sent. Its locks are held until the transaction ends. */
class JoinedDatabase extends Database {
  private last: Promise<unknown> = Promise.resolve();
  private savepoints = 0;

  constructor(
    url: string,
    private readonly queries: Queries,
  ) {
    super(url, { connections: 1 });
  }

  override rows<T extends object>(text: string, values: readonly unknown[] = []): Promise<T[]> {
    const next = this.last.then(() => this.queries.rows<T>(text, values));
    this.last = next.catch(() => {});
    return next;
  }

  override together<T>(work: (database: Database) => Promise<T>): Promise<T> {
    return this.transaction(() => work(this));
  }

  override async transaction<T>(work: (queries: Queries) => Promise<T>): Promise<T> {
    const name = `part${++this.savepoints}`;
    await this.rows(`savepoint ${name}`);
    try {
      const result = await work(this);
      await this.rows(`release savepoint ${name}`);
      return result;
    } catch (cause) {
      await this.rows(`rollback to savepoint ${name}`);
      throw cause;
    }
  }

  override async exclusive<T>(name: string, work: () => Promise<T>): Promise<T> {
    await this.rows("select pg_advisory_xact_lock(hashtextextended($1, 0))", [name]);
    return work();
  }
}

export interface Lock {
  /** The connection broke, so another process may hold the lock now. */
  isLost(): boolean;
  release(): Promise<void>;
}

/** How often each statement was run, and the name it was last prepared under. */
const statements = new Map<string, { hash: string; times: number; name: string }>();

/**
 * Each connection parses and plans a statement once, under a name that changes with its text. PostgreSQL keeps the plan, even one that scans the
 * whole table because the table was empty at the time. The name therefore also changes whenever the number of runs has doubled, which forces a new
 * plan.
 */
function nameOf(text: string): string {
  let one = statements.get(text);
  if (one === undefined) {
    one = { hash: createHash("sha256").update(text).digest("hex").slice(0, 16), times: 0, name: "" };
    statements.set(text, one);
  }
  one.times++;
  // A power of two.
  if ((one.times & (one.times - 1)) === 0) one.name = `${one.hash}-${Math.log2(one.times)}`;
  return one.name;
}

async function rowsOf<T>(client: pg.Pool | pg.PoolClient, text: string, values: readonly unknown[]): Promise<T[]> {
  try {
    return (await client.query({ name: nameOf(text), text, values: [...values] })).rows as T[];
  } catch (cause) {
    return rethrow(cause);
  }
}

/** Errors that end a connection or prevent one. All others are our own bugs or deliberate refusals by the server. */
const AWAY = /^(ECONN|ENOENT|ENOTFOUND|EAI_AGAIN|EPIPE|ETIMEDOUT|08|57P0|53300)/;

/** Whether the database is unreachable, so that a retry may succeed. */
export function isAway(cause: unknown): boolean {
  const { code = "", message = "" } = cause as { code?: string; message?: string };
  return (
    AWAY.test(code) || /Connection terminated|timeout expired|Client has encountered a connection error/.test(message)
  );
}

/** What the operator has to fix in the setup, by the server's error code. */
const SETUP: Readonly<Record<string, string>> = {
  "28000": "Check the role in DATABASE_URL, and that the server lets it in.",
  "28P01": "Check the role and its password in DATABASE_URL.",
  "3D000": "Check the name in DATABASE_URL, or make the database with `createdb`.",
  "42501": "The role in DATABASE_URL has to be the owner of the database and of its schemas.",
};

/** The driver's message when the server asks for a password. */
const NO_PASSWORD = "client password must be a string";

function setupProblem({ code = "", message = "" }: { code?: string; message?: string }): EnvironmentError | null {
  if (message.includes(NO_PASSWORD)) {
    const remedy = "Put it into DATABASE_URL: postgres://role:password@host/name";
    return new EnvironmentError("database_setup", "database: the server asks for a password", remedy);
  }
  const remedy = SETUP[code];
  return remedy === undefined ? null : new EnvironmentError("database_setup", `database: ${message}`, remedy);
}

function rethrow(cause: unknown): never {
  const setup = setupProblem(cause as { code?: string; message?: string });
  if (setup) throw Object.assign(setup, { cause });
  if (cause instanceof EnvironmentError || !isAway(cause)) throw cause;
  throw Object.assign(
    new EnvironmentError(
      "database_away",
      `database: cannot be reached: ${(cause as Error).message || (cause as { code: string }).code}`,
      "Check DATABASE_URL and that PostgreSQL is running. Nothing is automated meanwhile.",
    ),
    { cause },
  );
}

/** Text that PostgreSQL can store: no NUL, no lone surrogate. Only for lookup columns; records are kept unchanged. */
export function columnText(text: string): string {
  return text.replaceAll("\u0000", "\ufffd").toWellFormed();
}
