// Routing a stream of audited decisions against a bare JSON loop over the same lines.
import { once } from "node:events";
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLI, measure, onOneCore, row } from "./measure.mjs";

const LOOP = new URL("peers/json-loop.mjs", import.meta.url).pathname;
const CALIBRATION = "20260101T000000Z-0001";
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

async function workspaceIn(folder) {
  const workspace = join(folder, "workspace");
  await measure("node", [CLI, "init", workspace, "--example"]);
  await measure("node", [CLI, "audit", "--workspace", workspace], { stdio: ["ignore", "pipe", "ignore"] });
  const out = join(workspace, "audits.jsonl");
  await measure("node", [CLI, "export", "--workspace", workspace, "--format", "jsonl", "--out", out]);
  const audits = linesOf(out);
  const { run_id, auditor, auditor_version, prompt_version, template, signal, tier } = audits[0];
  const evidence = { run_id, auditor, auditor_version, prompt_version, template, signal, tier };
  const communities = [...new Set(audits.map((audit) => audit.community))];
  const { contentHash } = await import("../dist/store/files/calibration-store.js");
  const fitted = calibration(evidence);
  put(join(workspace, "calibrations"), `${CALIBRATION}.json`, { ...fitted, content_hash: contentHash(fitted) });
  const { sealed } = await import("../dist/store/files/gate-seal.js");
  const inForce = {
    gate: gate(evidence, communities),
    sampling_key: "a key for the benchmark alone",
    in_force_since: "2026-01-01T00:00:00Z",
  };
  put(join(workspace, "gate"), "current.json", sealed(inForce));
  return workspace;
}

function put(folder, name, value) {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, name), JSON.stringify(value));
}

function linesOf(path) {
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
}

async function makeStream(workspace, path, rows) {
  const decisions = linesOf(join(workspace, "decisions.jsonl"));
  const ordinary = linesOf(join(workspace, "audits.jsonl")).filter((audit) => audit.arm === "");
  const audits = new Map(ordinary.map((audit) => [audit.decision_id, audit]));
  const file = createWriteStream(path, { highWaterMark: 1 << 20 });
  for (let i = 0; i < rows; i++) {
    const decision = decisions[i % decisions.length];
    const id = `${decision.id}-${i}`;
    const line = JSON.stringify({ ...decision, id, audit: { ...audits.get(decision.id), decision_id: id } });
    if (!file.write(`${line}\n`)) await once(file, "drain");
  }
  file.end();
  await once(file, "finish");
  return path;
}

/** Every community passes, so that the longest way, to the random share, is the usual one. */
function gate(evidence, communities) {
  const rates = ["community_coverage", "decision_coverage_eligible", "decision_coverage_all", "fleet_di", "fleet_ai"];
  const risks = ["base_indefensible_rate", "automated_indefensible_rate", "exposure_reduction"];
  const unknown = [...rates, ...risks, "conditional_risk_reduction", "random_gate_baseline"];
  const fleet = Object.fromEntries(unknown.map((name) => [name, null]));
  return {
    format: 1,
    gate_id: "bench",
    mode: "shrunk",
    thresholds: { di: 0.9, ai: 0.15, min_decisions: 25 },
    fleet: { ...fleet, name: "Standard", di: 0.9, ai: 0.15, passing: communities.length },
    scenarios: [],
    communities: communities.map((community) => ({
      community,
      n: 100,
      indefensible: 2,
      inverse_yes: 5,
      di: 0.98,
      ai: 0.05,
      state: "earned_autonomy",
      suspended: null,
      passes: { paper: true, shrunk: true, certified: true },
      more_decisions_needed: null,
    })),
    evidence,
    selective: {
      score: "p_calibrated",
      calibration_id: CALIBRATION,
      method: "learn_then_test",
      risk: 0.05,
      delta: 0.05,
      threshold: 0.5,
      reason: null,
      n: 1000,
      by_community: {},
    },
  };
}

function calibration(evidence) {
  const errors = ["equal_frequency", "tie_averaged", "equal_width", "debiased_rms", "smooth", "null_95"];
  return {
    format: 1,
    calibration_id: CALIBRATION,
    created_at: "2026-01-01T00:00:00Z",
    component: "h_w",
    method: "platt",
    weights: { alpha: 0.5, beta: 0.1, gamma: 0.4 },
    loss: null,
    n: 1000,
    active_constraints: [],
    ece: Object.fromEntries(errors.map((name) => [name, null])),
    brier: null,
    log_loss: null,
    auroc: null,
    mean_pds: { all: null, defensible: null, indefensible: null },
    evidence: { ...evidence, temperature: 0.2 },
    target: { kind: "human", source: null, n: 1000, indefensible: 100 },
    score: "p_calibrated",
    seed: 1,
    model: { kind: "platt", slope: 1, intercept: 0 },
  };
}
