// A workspace in which decisions can be routed, and streams of them.
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CLI, measure } from "./measure.mjs";

const CALIBRATION = "20260101T000000Z-0001";

/** The sample, audited. With the paper's template: the commit that `start.mjs` compares with knows no newer one. */
export async function sampleIn(workspace) {
  await measure("node", [CLI, "init", workspace, "--example", "commons-hard"]);
  const settings = join(workspace, "defensible.yaml");
  writeFileSync(settings, readFileSync(settings, "utf8").replace(/^template: .*$/m, "template: paper"));
  await measure("node", [CLI, "audit", "--workspace", workspace], { stdio: ["ignore", "pipe", "ignore"] });
  return workspace;
}

/** The same with a calibration and an active gate. */
export async function workspaceIn(folder) {
  const workspace = await sampleIn(join(folder, "workspace"));
  const out = join(workspace, "audits.jsonl");
  await measure("node", [CLI, "export", "--workspace", workspace, "--format", "jsonl", "--out", out]);
  const audits = linesOf(out);
  const { run_id, auditor, auditor_version, prompt_version, template, signal, tier } = audits[0];
  const evidence = { run_id, auditor, auditor_version, prompt_version, template, signal, tier };
  const communities = [...new Set(audits.map((audit) => audit.community))];
  put(join(workspace, "calibrations"), `${CALIBRATION}.json`, sealed(calibration(evidence)));
  const inForce = {
    gate: gate(evidence, communities),
    sampling_key: "a key for the benchmark alone",
    in_force_since: "2026-01-01T00:00:00Z",
  };
  put(join(workspace, "gate"), "current.json", sealed(inForce));
  return workspace;
}

/** A record with the hash of all that is in it, whatever the order of its members. */
function sealed(record) {
  const sorted = JSON.stringify(record, (_key, value) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return { ...record, content_hash: createHash("sha256").update(sorted).digest("hex") };
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

/** Decisions of the sample with their audits, again and again under new ids. */
export async function makeStream(workspace, path, rows) {
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
