// A database with the sample in it, and the servers that the benches of the live service start on it.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { CLI, measure } from "../measure.mjs";

export const WORKSPACE = "commons";
const ROOT = new URL("../..", import.meta.url).pathname;

/** The sample with its gate in a PostgreSQL of its own, with default durability. */
export async function openPlace() {
  const folder = mkdtempSync(join(tmpdir(), "defensible-serve-"));
  // As root, PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  const started = new Set();
  const demo = await start(started, [CLI, "serve", "--demo", join(folder, "live"), "--port", "0", "--no-worker"]);
  // It holds the database, and would go on to send decisions of its own.
  demo.child.kill("SIGSTOP");
  const notes = readFileSync(join(folder, "live", "database", "pg18", "postmaster.pid"), "utf8").split("\n");
  const url = `postgres://postgres@/postgres?host=${encodeURIComponent(notes[4])}`;
  const env = { ...process.env, DEFENSIBLE_SECRET: readFileSync(join(folder, "live", "secret.key"), "utf8").trim() };
  const database = new pg.Pool({ connectionString: url, max: 4 });
  database.on("error", () => {});
  return {
    folder,
    url,
    env,
    database,
    postmaster: Number(notes[0]),
    /** `defensible` to its end. */
    run: (...args) => measure(process.execPath, [CLI, ...args, "--database", url], { env, cwd: folder }),
    serve: (...node) => start(started, [...node, CLI, "serve", "--database", url, "--port", "0", "--no-worker"], env),
    work: (...args) => start(started, [CLI, "worker", "--database", url, ...args], env, /Waiting for jobs/),
    program: (...args) => start(started, args),
    key: async (scopes) => {
      const args = ["tenant", "key", WORKSPACE, "--name", "bench", "--scopes", scopes, "--database", url];
      const { output } = await measure(process.execPath, [CLI, ...args], { env });
      return /dfk_\S+/.exec(output)[0];
    },
    stop: (server) => stop(started, server),
    async close() {
      await database.end();
      for (const server of [...started].reverse()) await stop(started, server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a program that says when it is ready, and where it listens. */
async function start(started, args, env = process.env, ready = /Listening on (\S+)/) {
  const child = spawn(process.execPath, args, { cwd: ROOT, env, stdio: ["ignore", "pipe", "pipe"] });
  const server = { child, pid: child.pid, address: null };
  started.add(server);
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`${args.slice(0, 4).join(" ")} ended with ${code}`);
  });
  const said = new Promise((resolve) => {
    for (const input of [child.stdout, child.stderr]) {
      const lines = createInterface({ input }).on("line", (line) => {
        const found = server.address === null && ready.exec(line);
        if (!found) return;
        server.address = found[1] ?? "";
        // Its log would be read by the process that makes the load.
        lines.close();
        input.resume();
        resolve();
      });
    }
  });
  ended.catch(() => {});
  await Promise.race([said, ended]);
  return server;
}

async function stop(started, server) {
  const { child } = server;
  started.delete(server);
  child.kill("SIGCONT");
  child.kill("SIGTERM");
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

/** Microseconds of processor time that a process has used. */
export function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** The same of PostgreSQL with all its processes. Those that have ended are counted with their parent. */
export function databaseCpu(postmaster) {
  let sum = 0;
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const fields = readFileSync(`/proc/${name}/stat`, "utf8").split(") ")[1].split(" ");
      if (Number(name) === postmaster) sum += fields.slice(11, 15).reduce((all, one) => all + Number(one), 0);
      else if (Number(fields[1]) === postmaster) sum += Number(fields[11]) + Number(fields[12]);
    } catch {
      // It has just ended.
    }
  }
  return sum * 10_000;
}

/** Megabytes that a process holds now. */
export function residentMb(pid) {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))[1]) / 1024;
}

export const median = (values) => [...values].sort((a, b) => a - b)[values.length >> 1];

/** The load of the machine, which others share. */
export const machineLoad = () => readFileSync("/proc/loadavg", "utf8").split(" ")[0];
