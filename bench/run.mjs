// Speed, as ratios to a named reference in the same run: machines differ, ratios less so.
//   npm run bench                 everything
//   npm run bench -- audit        one of: audit, report, import, calls, calibrate, route, stability, page, start, serve
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { benchCalls } from "./calls.mjs";
import { makeAuditsCsv, makeDecisions } from "./make-data.mjs";
import { CLI, measure, onOneCore, row } from "./measure.mjs";
import { benchPage } from "./page.mjs";
import { benchRoute } from "./route.mjs";
import { benchServe } from "./serve.mjs";
import { benchStability } from "./stability.mjs";
import { benchStart } from "./start.mjs";

const PYTHON = process.env.PYTHON ?? "/usr/bin/python3";
const FLOOR_MB = 150;
const folder = mkdtempSync(join(tmpdir(), "defensible-bench-"));
const only = process.argv[2];

const benches = {
  audit: benchAudit,
  report: benchReport,
  import: benchImport,
  calls: benchCalls,
  calibrate: benchCalibrate,
  route: benchRoute,
  stability: benchStability,
  page: benchPage,
  start: benchStart,
  serve: benchServe,
};

try {
  for (const [name, bench] of Object.entries(benches)) if (!only || only === name) await bench();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function workspaceWith(name, decisions) {
  const path = join(folder, name);
  await measure("node", [CLI, "init", path, "--example", "commons-hard"]);
  const length = await makeDecisions(join(path, "decisions.jsonl"), decisions);
  return { path, length };
}

/** Baseline audits end to end into a sealed run, on one core. */
async function benchAudit() {
  const results = {};
  for (const n of [10_000, 100_000]) {
    const { path, length } = await workspaceWith(`audit-${n}`, n);
    const { seconds, peak } = await measure(...onOneCore("node", [CLI, "audit", "--workspace", path]));
    results[n] = { rate: n / seconds, peak };
    row(
      `audit ${n} decisions of ${Math.round(length)} characters, sealed`,
      `${Math.round(n / seconds)}/s, peak ${Math.round(peak)} MB`,
    );
  }
  const allowed = 1.2 * Math.max(FLOOR_MB, results[10_000].peak);
  row("  at least 5,000 audits/s on one core", results[100_000].rate >= 5000 ? "holds" : "FAILS");
  row(
    "  peak of 100,000 within 1.2 times that of 10,000",
    `${(results[100_000].peak / Math.max(FLOOR_MB, results[10_000].peak)).toFixed(2)} times: ${results[100_000].peak <= allowed ? "holds" : "FAILS"}`,
  );
}

/** `report --audits` on a CSV of a million audits against pandas on the same file, start-up included. Best of three each, in turns. */
async function benchReport() {
  const path = join(folder, "audits.csv");
  await makeAuditsCsv(path, 1_000_000);
  let ours = { seconds: Infinity, peak: 0 };
  let theirs = { seconds: Infinity, peak: 0 };
  for (let i = 0; i < 3; i++) {
    const our = await measure("node", [CLI, "report", "--audits", path, "--json"]);
    ours = { seconds: Math.min(ours.seconds, our.seconds), peak: Math.max(ours.peak, our.peak) };
    const their = await measure(PYTHON, [new URL("peers/report.py", import.meta.url).pathname, path]).catch(() => null);
    if (!their) {
      row("pandas is not there", "apt-get install python3-pandas, or PYTHON=… with pandas");
      break;
    }
    theirs = { seconds: Math.min(theirs.seconds, their.seconds), peak: Math.max(theirs.peak, their.peak) };
  }
  row("report --audits, 1,000,000 audits from CSV", `${ours.seconds.toFixed(2)} s, peak ${Math.round(ours.peak)} MB`);
  if (theirs.peak === 0) return;
  row(
    "pandas, DI AI F1 and the community table, same CSV",
    `${theirs.seconds.toFixed(2)} s, peak ${Math.round(theirs.peak)} MB`,
  );
  const ratio = theirs.seconds / ours.seconds;
  row(
    "  at least 2 times faster, under 1 GB",
    `${ratio.toFixed(2)} times: ${ratio >= 2 && ours.peak < 1024 ? "holds" : "FAILS"}`,
  );
}

/** Import streams: its memory does not grow with the file. */
async function benchImport() {
  const results = {};
  for (const n of [100_000, 1_000_000]) {
    const target = join(folder, `import-${n}`);
    const file = join(folder, `import-${n}.jsonl`);
    await measure("node", [CLI, "init", target, "--example", "commons-hard"]);
    await makeDecisions(file, n);
    rmSync(join(target, "decisions.jsonl"));
    results[n] = await measure("node", [CLI, "import", file, "--workspace", target]);
    row(
      `import ${n} decisions from JSONL`,
      `${Math.round(n / results[n].seconds)}/s, peak ${Math.round(results[n].peak)} MB`,
    );
  }
  const ratio = results[1_000_000].peak / Math.max(FLOOR_MB, results[100_000].peak);
  row(
    "  memory of 1,000,000 within 1.5 times that of 100,000",
    `${ratio.toFixed(2)} times: ${ratio <= 1.5 ? "holds" : "FAILS"}`,
  );
}

/**
 * Paper fit, all calibration errors with 200 null draws and the three gate modes on a million audits in 400 communities, against the same
 * work in numpy and scipy, start-up and reading included. Best of three each, in turns.
 */
async function benchCalibrate() {
  const csv = join(folder, "calibrate.csv");
  await makeAuditsCsv(csv, 1_000_000);
  const parquet = await sealedRun(csv);
  const best = { csv: Infinity, parquet: Infinity, peer: Infinity, peak: 0 };
  for (let i = 0; i < 3; i++) {
    for (const [name, path] of Object.entries({ csv, parquet })) {
      const ours = await measure("node", [new URL("calibrate-gate.mjs", import.meta.url).pathname, path]);
      best[name] = Math.min(best[name], ours.seconds);
      best.peak = Math.max(best.peak, ours.peak);
    }
    const script = new URL("peers/calibrate-gate.py", import.meta.url).pathname;
    const peer = await measure(PYTHON, [script, csv]).catch(() => null);
    if (!peer) {
      row("numpy, scipy and pandas are not there", "apt-get install python3-scipy python3-pandas");
      break;
    }
    best.peer = Math.min(best.peer, peer.seconds);
  }
  row(
    "paper fit, ECEs, three gates, 1,000,000 audits, CSV",
    `${best.csv.toFixed(2)} s, peak ${Math.round(best.peak)} MB`,
  );
  row("  the same from Parquet", `${best.parquet.toFixed(2)} s`);
  if (best.peer === Infinity) return;
  row("numpy and scipy, the same work from the same CSV", `${best.peer.toFixed(2)} s`);
  const verdict = (seconds, wanted) =>
    `${(best.peer / seconds).toFixed(2)} times: ${best.peer / seconds >= wanted ? "holds" : "FAILS"}`;
  row("  at least 1.5 times faster from CSV", verdict(best.csv, 1.5));
  row("  at least 2 times faster from Parquet", verdict(best.parquet, 2));
}

/** The audits of a CSV file as Parquet, as a sealed run has them. */
async function sealedRun(csv) {
  const { openDuckDB } = await import("../dist/entry/ledger.js");
  const path = csv.replace(/csv$/, "parquet");
  const db = await openDuckDB();
  await db.run(
    `COPY (SELECT * FROM read_csv('${csv}')) TO '${path}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 1024)`,
  );
  db.close();
  return path;
}
