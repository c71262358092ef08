// The route endpoint with everything on (key, limits, security headers, committed and chained log) against a bare Fastify that reads the same bodies.
import { row } from "../measure.mjs";
import { addAudited } from "./decisions.mjs";
import { load, pace, turns } from "./load.mjs";
import { databaseCpu, median } from "./place.mjs";

const ROUNDS = 5;
const SECONDS = 3;
const PER_SECOND = 200;
/** A process remembers 20,000 audits: of twice as many in turn, none. */
const REMEMBERED = 5000;
const FORGOTTEN = 40_000;
const REFERENCE = new URL("reference.mjs", import.meta.url).pathname;
/** Headers that Node writes by itself. */
const OWN = new Set(["content-length", "date", "connection", "keep-alive"]);

export async function benchRoute(place) {
  const memory = turns(await addAudited(place, "memory", REMEMBERED));
  const database = turns(await addAudited(place, "database", FORGOTTEN));
  // One key may ask 60,000 times a minute, on every node.
  const key = await place.key("route:ask");
  const headers = { "content-type": "application/json", authorization: `Bearer ${key}` };
  const served = { ...(await place.serve()), headers };
  const first = await fetch(`${served.address}/v1/route`, { method: "POST", headers, body: memory() });
  const answer = {
    answer: await first.json(),
    headers: Object.fromEntries([...first.headers].filter(([n]) => !OWN.has(n))),
  };
  process.env.ANSWER = JSON.stringify(answer);
  const bare = { ...(await place.program(REFERENCE)), headers };
  const benches = {
    bare: [bare, memory],
    "served, audits in memory": [served, memory],
    "served, audits from PostgreSQL": [served, database],
  };
  // A service that runs: the database has put away what was just loaded, and the programs are compiled.
  await place.database.query("vacuum analyze");
  await place.database.query("checkpoint");
  await load(bare, memory, { requests: 4 * REMEMBERED });
  await load(served, memory, { requests: 4 * REMEMBERED });
  const found = Object.fromEntries(Object.keys(benches).map((name) => [name, []]));
  const paced = { bare: [], served: [] };
  for (let round = 0; round < ROUNDS; round++) {
    const another = await place.key("route:ask");
    for (const target of [bare, served]) target.headers = { ...headers, authorization: `Bearer ${another}` };
    for (const [name, [target, next]] of Object.entries(benches)) {
      // What the database bench pushed out of memory is read again.
      if (name === "served, audits in memory") await load(served, memory, { requests: REMEMBERED });
      const before = databaseCpu(place.postmaster);
      const one = await load(target, next, { seconds: SECONDS });
      found[name].push({ ...one, database: (databaseCpu(place.postmaster) - before) / one.n });
      if (next === memory) {
        const p99 = await pace(target, next, { seconds: SECONDS, perSecond: PER_SECOND });
        paced[target === bare ? "bare" : "served"].push(p99);
      }
    }
  }
  await place.stop(served);
  await place.stop(bare);
  const of = (name, what) => median(found[name].map((one) => one[what]));
  const lines = { "served, audits in memory": "at least 0.45", "served, audits from PostgreSQL": "at least 0.35" };
  for (const name of Object.keys(benches)) {
    const cpu = `CPU of the API ${Math.round(of(name, "cpu"))} µs, of PostgreSQL ${Math.round(of(name, "database"))} µs`;
    row(`route: requests/s, ${name}`, `${Math.round(of(name, "rate"))}; ${cpu} a request`);
    if (!lines[name]) continue;
    const shares = found[name].map((one, i) => one.rate / found.bare[i].rate);
    row(
      `  share of the bare rate (${lines[name]}), by rounds`,
      `${median(shares).toFixed(2)}: ${shares.map((s) => s.toFixed(2)).join(" ")}`,
    );
  }
  const [few, many] = [median(paced.bare), median(paced.served)];
  row(
    `  p99 at ${PER_SECOND}/s, audits in memory (at most 6 times)`,
    `${few.toFixed(1)} and ${many.toFixed(1)} ms: ${(many / few).toFixed(1)} times`,
  );
}
