// Two API nodes and two workers on one database against one of each: CPU for each request and job, and whether every promise holds. Work takes more CPU
// while the other core is busy, whatever it does there; so each is also measured as one next to a program that shares nothing with it.
import { row } from "../measure.mjs";
import { addAudited } from "./decisions.mjs";
import { load, turns } from "./load.mjs";
import { cpuOf, median, WORKSPACE } from "./place.mjs";

const ROUNDS = 5;
const REQUESTS = 12_000;
const JOBS = 300;
const PER_JOB = 20;
const BUSY = new URL("busy.mjs", import.meta.url).pathname;

export async function benchNodes(place) {
  await place.database.query(
    'update defensible.workspace set config = (config::jsonb || \'{"auditor":"baseline"}\')::json where workspace_id = $1',
    [WORKSPACE],
  );
  const next = turns(await addAudited(place, "nodes", 4000));
  const headers = { "content-type": "application/json", authorization: `Bearer ${await place.key("route:ask")}` };
  const nodes = [];
  for (let i = 0; i < 2; i++) nodes.push({ ...(await place.serve()), headers });
  for (const node of nodes) await load(node, next, { requests: 8000 });
  const other = await place.program(BUSY);
  other.child.kill("SIGSTOP");
  const nextTo = async (work) => {
    other.child.kill("SIGCONT");
    const cpu = await work();
    other.child.kill("SIGSTOP");
    return cpu;
  };
  const found = { one: [], busy: [], two: [] };
  for (let round = 0; round < ROUNDS; round++) {
    // One key may ask 60,000 times a minute, on every node.
    const authorization = `Bearer ${await place.key("route:ask")}`;
    for (const node of nodes) node.headers = { ...headers, authorization };
    const one = async () => (await load(nodes[round % 2], next, { requests: REQUESTS })).cpu;
    found.one.push(await one());
    found.busy.push(await nextTo(one));
    const both = await Promise.all(nodes.map((node) => load(node, next, { requests: REQUESTS / 2 })));
    found.two.push((both[0].cpu + both[1].cpu) / 2);
  }
  report("request", found);
  for (const node of nodes) await place.stop(node);

  const workers = [];
  for (let i = 0; i < 2; i++) workers.push(await place.work("--concurrency", "4"));
  const jobs = { one: [], busy: [], two: [] };
  for (let round = -1; round < ROUNDS; round++) {
    for (const count of Object.keys(jobs)) {
      // They take turns, so that both are equally warm. One that is not asked stands still: it would look for jobs.
      const asked = count === "two" ? workers : [workers[(round + 1) % 2]];
      for (const worker of workers) worker.child.kill(asked.includes(worker) ? "SIGCONT" : "SIGSTOP");
      const some = () => work(place, asked, `job${count}${round}`);
      const cpu = await (count === "busy" ? nextTo(some) : some());
      if (round >= 0) jobs[count].push(cpu);
    }
  }
  await place.stop(other);
  report(`job of ${PER_JOB} decisions`, jobs);
  for (const worker of workers) await place.stop(worker);
  await invariants(place);
}

function report(what, { one, busy, two }) {
  const [few, next, many] = [median(one), median(busy), median(two)];
  row(`nodes: CPU of one and of two, µs a ${what}`, `${Math.round(few)} and ${Math.round(many)}`);
  row("  two against one (at most 1.15)", (many / few).toFixed(2));
  row("  one next to a program that shares nothing, against one alone", (next / few).toFixed(2));
  row("  two against one next to such a program", (many / next).toFixed(2));
}

/** Microseconds a job, of all workers. */
async function work({ database }, workers, name) {
  const lines = Array.from({ length: JOBS * PER_JOB }, (_, i) => `${name}-${i}`);
  await database.query(
    `insert into defensible.record (workspace_id, kind, identity, subject, community, record, record_hash, salt)
     select $1, 'decisions', sha256(convert_to(id, 'UTF8')), id, 'ask-anything', line::json, sha256(convert_to(line, 'UTF8')), '\\x00'
       from (select id, '{"id":"' || id || '","community":"ask-anything","content":"What is number ' || id || '?","decision":"approve"}' as line
               from unnest($2::text[]) as id) as one`,
    [WORKSPACE, lines],
  );
  const before = workers.map(({ pid }) => cpuOf(pid));
  const specs = Array.from({ length: JOBS }, (_, i) =>
    JSON.stringify({
      identifier: "audit",
      payload: { workspace: WORKSPACE, ids: lines.slice(i * PER_JOB, (i + 1) * PER_JOB) },
    }),
  );
  await database.query(
    `select graphile_worker.add_jobs(array(select json_populate_record(null::graphile_worker.job_spec, spec) from unnest($1::json[]) as spec), true)`,
    [specs],
  );
  for (let n = 0; n < lines.length; ) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const { rows } = await database.query(
      "select count(*)::integer as n from defensible.route_log where workspace_id = $1 and decision_id like $2 || '-%'",
      [WORKSPACE, name],
    );
    n = rows[0].n;
  }
  return workers.reduce((sum, { pid }, i) => sum + cpuOf(pid) - before[i], 0) / JOBS;
}

async function invariants({ database, run }) {
  const { rows } = await database.query(
    `select (select count(*)::integer from (select 1 from defensible.audit where workspace_id = $1 and decision_id like 'job%'
               group by run_id, decision_id having count(*) > 1) as twice) as twice,
            (select count(*)::integer from defensible.audit where workspace_id = $1 and decision_id like 'job%') as audits`,
    [WORKSPACE],
  );
  const { output } = await run("tenant", "verify-log", WORKSPACE);
  row("  decisions audited, and audited twice", `${rows[0].audits}, ${rows[0].twice}`);
  row("  the log", output.trim().split("\n").at(-1));
}
