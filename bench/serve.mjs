// The route endpoint with everything on (key, limits, security headers, committed and chained log) against a bare Fastify that reads the same body.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Pool } from "undici";
import { CLI, row } from "./measure.mjs";

const ROUNDS = 5;
const SECONDS = 3;
const CONNECTIONS = 32;
const PER_SECOND = 200;

const BARE = `import Fastify from "fastify";
const app = Fastify();
app.post("/v1/route", async (request) => ({ decision_id: request.body.id, route: "review", reasons: ["no_gate"], community: request.body.community }));
await app.listen({ port: 0, host: "127.0.0.1" });
console.log("Listening on http://127.0.0.1:" + app.server.address().port);`;

export async function benchServe() {
  const folder = mkdtempSync(join(tmpdir(), "defensible-serve-"));
  // As root, PostgreSQL runs as another user.
  chmodSync(folder, 0o755);
  const started = [];
  try {
    const bare = await start(started, ["--input-type=module", "-e", BARE]);
    const served = await start(
      started,
      [CLI, "serve", "--demo", join(folder, "live"), "--port", "0", "--no-worker"],
      (line) => /token=(\S+)/.exec(line)?.[1],
    );
    const headers = { "content-type": "application/json", authorization: `Bearer ${await keyOf(served)}` };
    // Decisions that were audited before: after the first round their audits are in memory.
    const sample = readFileSync(new URL("../examples/commons/decisions.jsonl", import.meta.url), "utf8")
      .trim()
      .split("\n");
    const bodies = sample.slice(0, 400);
    const targets = { bare: { ...bare, headers }, served: { ...served, headers } };
    for (const target of Object.values(targets)) await load(target, bodies, 1);
    const found = { bare: [], served: [] };
    const paced = { bare: [], served: [] };
    for (let round = 0; round < ROUNDS; round++) {
      for (const [name, target] of Object.entries(targets)) {
        found[name].push(await load(target, bodies, SECONDS));
        paced[name].push(await pace(target, bodies, SECONDS));
      }
    }
    const middle = (name, of) => median(found[name].map(of));
    const rate = (name) => middle(name, (one) => one.rate);
    const p99 = (name) => median(paced[name].map((one) => one.p99));
    row("route: requests/s, bare Fastify", `${Math.round(rate("bare"))}`);
    row("route: requests/s, served, audits in memory", `${Math.round(rate("served"))}`);
    row("  share of the bare rate (at least 0.45)", (rate("served") / rate("bare")).toFixed(2));
    row(
      "  CPU of the API per request, bare and served",
      `${Math.round(middle("bare", (o) => o.cpu))} and ${Math.round(middle("served", (o) => o.cpu))} µs`,
    );
    row(
      `  p99 at ${PER_SECOND}/s, bare and served, median of ${ROUNDS}`,
      `${p99("bare").toFixed(1)} and ${p99("served").toFixed(1)} ms: ${(p99("served") / p99("bare")).toFixed(1)} times`,
    );
  } finally {
    for (const child of started) {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
    }
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts a server that prints where it listens; `more` finds what else is waited for. */
async function start(started, args, more = null) {
  const child = spawn(process.execPath, args, {
    cwd: new URL("..", import.meta.url).pathname,
    stdio: ["ignore", "pipe", "ignore"],
  });
  started.push(child);
  let [address, token] = [null, null];
  for await (const line of createInterface({ input: child.stdout })) {
    address ??= /Listening on (\S+)/.exec(line)?.[1] ?? null;
    token ??= more?.(line) ?? null;
    if (address && (token || !more)) break;
  }
  child.stdout.resume();
  return { pid: child.pid, address, token };
}

/** A key for routing, made in the name of the person who signs in. */
async function keyOf({ address, token }) {
  const signed = await fetch(`${address}/sign-in?token=${token}`, { redirect: "manual" });
  const cookie = signed.headers.get("set-cookie").split(";")[0];
  const made = await fetch(`${address}/v1/keys`, {
    method: "POST",
    headers: { cookie, "content-type": "application/json", "sec-fetch-site": "same-origin" },
    body: JSON.stringify({ name: "bench", scopes: ["route:ask"] }),
  });
  if (!made.ok) throw new Error(await made.text());
  return (await made.json()).key;
}

/** Microseconds of processor time that a process has used. */
function cpuOf(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

async function ask(pool, { headers }, body) {
  const { statusCode, body: answer } = await pool.request({ method: "POST", path: "/v1/route", headers, body });
  await answer.dump();
  if (statusCode !== 200) throw new Error(`answered ${statusCode}`);
}

/** As many as it can, over a fixed number of connections. */
async function load(target, bodies, seconds) {
  const pool = new Pool(target.address, { connections: CONNECTIONS, pipelining: 1 });
  const [until, cpu, begun] = [performance.now() + seconds * 1000, cpuOf(target.pid), performance.now()];
  let n = 0;
  const one = async () => {
    while (performance.now() < until) await ask(pool, target, bodies[n++ % bodies.length]);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  const result = { rate: n / ((performance.now() - begun) / 1000), cpu: (cpuOf(target.pid) - cpu) / n };
  await pool.close();
  return result;
}

/** A fixed number in a second, whatever the answers take. */
async function pace(target, bodies, seconds) {
  const pool = new Pool(target.address, { connections: 8, pipelining: 1 });
  const begun = performance.now();
  const times = await Promise.all(
    Array.from({ length: seconds * PER_SECOND }, async (_, i) => {
      const due = begun + (i * 1000) / PER_SECOND;
      await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
      await ask(pool, target, bodies[i % bodies.length]);
      return performance.now() - due;
    }),
  );
  await pool.close();
  return { p99: times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)] };
}

const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];
