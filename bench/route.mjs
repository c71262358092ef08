// Routing a stream of audited decisions against a bare JSON loop over the same lines.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLI, measure, onOneCore, row } from "./measure.mjs";
import { makeStream, workspaceIn } from "./route-workspace.mjs";

const LOOP = new URL("peers/json-loop.mjs", import.meta.url).pathname;
const ROUTED = 100_000;

/** Decisions of the sample with their audits embedded, again and again under new ids: log included, on one core. */
export async function benchRoute() {
  const folder = mkdtempSync(join(tmpdir(), "defensible-route-"));
  try {
    const workspace = await workspaceIn(folder);
    const sizes = [0, ROUTED / 10, ROUTED];
    const files = new Map();
    for (const n of sizes) files.set(n, await makeStream(workspace, join(folder, `stream-${n}.jsonl`), n));
    const characters = Math.round(readFileSync(files.get(ROUTED / 10)).length / (ROUTED / 10));
    const best = { start: Infinity, ours: Infinity, bare: Infinity };
    const peaks = {};
    for (let i = 0; i < 3; i++) {
      for (const n of sizes) {
        const { seconds, peak } = await route(workspace, files.get(n), folder);
        peaks[n] = Math.max(peaks[n] ?? 0, peak);
        if (n === 0) best.start = Math.min(best.start, seconds);
        if (n === ROUTED) best.ours = Math.min(best.ours, seconds);
      }
      const bare = await toNowhere("node", [LOOP, files.get(ROUTED)]);
      best.bare = Math.min(best.bare, bare.seconds);
    }
    report(best, peaks, characters);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function report(best, peaks, characters) {
  const rate = ROUTED / (best.ours - best.start);
  const bare = ROUTED / best.bare;
  row(`JSON.parse and stringify, ${ROUTED} lines of ${characters} bytes`, `${Math.round(bare)}/s`);
  row(
    "route, the same lines, embedded audits, log included",
    `${Math.round(rate)}/s, start-up ${best.start.toFixed(2)} s`,
  );
  row("  at least 20,000 decisions/s on one core", rate >= 20_000 ? "holds" : "FAILS");
  row("  at least 1.0 times the bare loop", `${(rate / bare).toFixed(2)} times: ${rate >= bare ? "holds" : "FAILS"}`);
  const ratio = peaks[ROUTED] / peaks[ROUTED / 10];
  row(
    `  peak of ${ROUTED} within 1.2 times that of ${ROUTED / 10}`,
    `${Math.round(peaks[ROUTED])} MB, ${ratio.toFixed(2)} times: ${ratio <= 1.2 ? "holds" : "FAILS"}`,
  );
}

function route(workspace, file, folder) {
  const log = join(folder, "routes.jsonl");
  rmSync(log, { force: true });
  return toNowhere("node", [CLI, "route", file, "--workspace", workspace, "--log", log]);
}

/** On one core, with the answers thrown away by the shell: a reader of ours would want its share of the machine. */
function toNowhere(command, args) {
  return measure(...onOneCore("sh", ["-c", 'exec "$@" > /dev/null 2>&1', "sh", command, ...args]));
}
