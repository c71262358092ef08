// Requests to a server: as many as it can, or so many a second.
import { Pool } from "undici";
import { cpuOf } from "./place.mjs";

export const CONNECTIONS = 32;
const PACED_CONNECTIONS = 8;

async function ask(pool, { headers }, body) {
  const { statusCode, body: answer } = await pool.request({ method: "POST", path: "/v1/route", headers, body });
  const text = await answer.text();
  if (statusCode !== 200) throw new Error(`answered ${statusCode}: ${text}`);
}

/** Goes through bodies again and again; every bench goes on where it was. */
export function turns(bodies) {
  let at = 0;
  return () => bodies[at++ % bodies.length];
}

/** As many as it can for so many seconds, or so many requests, over a fixed number of connections. CPU is that of the server, in µs a request. */
export async function load(target, next, { seconds = Number.POSITIVE_INFINITY, requests = Number.POSITIVE_INFINITY }) {
  const pool = new Pool(target.address, { connections: CONNECTIONS, pipelining: 1 });
  const [cpu, begun] = [cpuOf(target.pid), performance.now()];
  const until = begun + seconds * 1000;
  let n = 0;
  const one = async () => {
    while (n < requests && performance.now() < until) {
      n++;
      await ask(pool, target, next());
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, one));
  const result = { n, rate: n / ((performance.now() - begun) / 1000), cpu: (cpuOf(target.pid) - cpu) / n };
  await pool.close();
  return result;
}

/** A fixed number in a second, whatever the answers take: the 99th percentile in ms. */
export async function pace(target, next, { seconds, perSecond }) {
  const pool = new Pool(target.address, { connections: PACED_CONNECTIONS, pipelining: 1 });
  const begun = performance.now();
  const times = await Promise.all(
    Array.from({ length: seconds * perSecond }, async (_, i) => {
      const due = begun + (i * 1000) / perSecond;
      await new Promise((resolve) => setTimeout(resolve, due - performance.now()));
      // A timer may fire up to a millisecond early. A request that is sent late has waited, and its wait counts.
      const from = Math.min(due, performance.now());
      await ask(pool, target, next());
      return performance.now() - from;
    }),
  );
  await pool.close();
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.99)];
}
