// Memory of the API and a worker over many new decisions: the peak of the last quarter against that of the second.
import { row } from "../measure.mjs";
import { load } from "./load.mjs";
import { residentMb, WORKSPACE } from "./place.mjs";

const DECISIONS = Number(process.env.DECISIONS ?? 200_000);
/** One key may ask 60,000 times a minute. */
const KEYS = 4;
const LOOK_MS = 100;

export async function benchMemory(place) {
  // The baseline needs no model, so a worker can keep up.
  await place.database.query(
    'update defensible.workspace set config = (config::jsonb || \'{"auditor":"baseline"}\')::json where workspace_id = $1',
    [WORKSPACE],
  );
  const [api, worker] = [await place.serve(), await place.work()];
  const keys = await Promise.all(Array.from({ length: KEYS }, () => place.key("route:ask")));
  const peaks = { api: [0, 0, 0, 0], worker: [0, 0, 0, 0] };
  let n = 0;
  const next = () => {
    n++;
    return JSON.stringify({
      id: `memory${n}`,
      community: "ask-anything",
      content: {
        title: `What is number ${n}?`,
        body: "I only want to know what others think. ".repeat(5),
        kind: "post",
      },
      decision: n % 3 === 0 ? "remove" : "approve",
      decided_at: new Date().toISOString(),
    });
  };
  const timer = setInterval(() => {
    const quarter = Math.min(3, Math.floor((4 * n) / DECISIONS));
    peaks.api[quarter] = Math.max(peaks.api[quarter], residentMb(api.pid));
    peaks.worker[quarter] = Math.max(peaks.worker[quarter], residentMb(worker.pid));
  }, LOOK_MS);
  for (let i = 0; n < DECISIONS; i++) {
    const headers = { "content-type": "application/json", authorization: `Bearer ${keys[i % KEYS]}` };
    await load({ ...api, headers }, next, { requests: Math.min(5000, DECISIONS - n) });
  }
  clearInterval(timer);
  const { rows } = await place.database.query(
    "select count(*)::integer as n from defensible.audit where workspace_id = $1 and decision_id like 'memory%'",
    [WORKSPACE],
  );
  for (const [name, all] of Object.entries(peaks)) {
    row(`memory: ${name}, peaks of the quarters of ${DECISIONS} decisions`, `${all.map(Math.round).join(", ")} MB`);
    row("  last against second (at most 1.1)", (all[3] / all[1]).toFixed(2));
  }
  row("  decisions that the worker has audited by then", `${rows[0].n}`);
  await place.stop(worker);
  await place.stop(api);
}
