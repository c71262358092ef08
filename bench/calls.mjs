// Audits through a model's server on this machine against a bare loop of requests to the same server.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeDecisions } from "./make-data.mjs";
import { CLI, measure, row } from "./measure.mjs";

const BARE = new URL("peers/bare-loop.mjs", import.meta.url).pathname;
const SERVER = new URL("fake-server.mjs", import.meta.url).pathname;

/** Answers of 250 kB at once, 32 in flight; memory; and with 200 ms of latency, 64 in flight. */
export async function benchCalls() {
  const folder = mkdtempSync(join(tmpdir(), "defensible-calls-"));
  try {
    await throughput(folder);
    await memory(folder);
    await latency(folder, 30, "40 kB");
    await latency(folder, 200, "250 kB");
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function throughput(folder) {
  const requests = 4000;
  await withServer([], async (port) => {
    const workspace = await workspaceWith(folder, `fast-${requests}`, requests);
    let ours = 0;
    let bare = 0;
    for (let i = 0; i < 3; i++) {
      bare = Math.max(bare, requests / (await measure("node", [BARE, port, requests, 32])).seconds);
      ours = Math.max(ours, requests / (await audit(workspace, port, 32)).seconds);
    }
    row(`bare loop of undici requests with JSON.parse, 32 in flight`, `${Math.round(bare)}/s`);
    row(`audit, 250 kB an answer, signals, ledger, sealed, 32 in flight`, `${Math.round(ours)}/s`);
    row(
      "  at least 1.2 times the bare loop",
      `${(ours / bare).toFixed(2)} times: ${ours >= 1.2 * bare ? "holds" : "FAILS"}`,
    );
  });
}

async function memory(folder) {
  await withServer([], async (port) => {
    const peaks = {};
    for (const requests of [2000, 20_000]) {
      const workspace = await workspaceWith(folder, `memory-${requests}`, requests);
      peaks[requests] = (await audit(workspace, port, 32)).peak;
      row(`audit of ${requests} decisions, peak`, `${Math.round(peaks[requests])} MB`);
    }
    const ratio = peaks[20_000] / peaks[2000];
    row(
      "  peak of 20,000 within 1.15 times that of 2,000",
      `${ratio.toFixed(2)} times: ${ratio <= 1.15 ? "holds" : "FAILS"}`,
    );
  });
}

async function latency(folder, tokens, size) {
  const requests = 4000;
  await withServer(["--latency", "200", "--tokens", String(tokens)], async (port) => {
    const workspace = await workspaceWith(folder, `latency-${tokens}`, requests);
    const ours = await rateAfterRampUp(port, requests, () => audit(workspace, port, 64));
    const bare = await rateAfterRampUp(port, requests, () => measure("node", [BARE, port, requests, 64]));
    const ideal = 64 / 0.2;
    row(
      `200 ms ± 20%, 64 in flight, ${size} an answer`,
      `${Math.round(ours)}/s; bare loop ${Math.round(bare)}/s; ideal ${ideal}/s`,
    );
    if (tokens < 100)
      row(
        "  at least 0.92 of the ideal rate",
        `${(ours / ideal).toFixed(2)}: ${ours >= 0.92 * ideal ? "holds" : "FAILS"}`,
      );
    else
      row(
        "  at least 1.0 times the bare loop",
        `${(ours / bare).toFixed(2)} times: ${ours >= bare ? "holds" : "FAILS"}`,
      );
  });
}

/** Answers a second between a quarter of the requests and the last hundred: neither ramp-up nor end. */
async function rateAfterRampUp(port, requests, work) {
  const answered = async () => (await (await fetch(`http://127.0.0.1:${port}/stats`)).json()).answered;
  const before = await answered();
  const seen = [];
  const timer = setInterval(async () => {
    const count = (await answered()) - before;
    if (count >= requests / 4 && count <= requests - 100) seen.push([performance.now(), count]);
  }, 50);
  await work();
  clearInterval(timer);
  const [first, last] = [seen[0], seen.at(-1)];
  return ((last[1] - first[1]) / (last[0] - first[0])) * 1000;
}

async function workspaceWith(folder, name, decisions) {
  const path = join(folder, name);
  await measure("node", [CLI, "init", path, "--example", "commons-hard"]);
  await makeDecisions(join(path, "decisions.jsonl"), decisions);
  return path;
}

function audit(workspace, port, inFlight) {
  const server = ["--base-url", `http://127.0.0.1:${port}/v1`, "--dialect", "openai"];
  // The cache is on, as by default, and empty, so that every answer is asked for and kept.
  rmSync(join(workspace, "cache"), { recursive: true, force: true });
  const flags = ["--concurrency", inFlight, "--workspace", workspace, "--new"];
  return measure(
    "node",
    [CLI, "audit", "--auditor", "openai-compatible:gpt-4.1-mini", ...server, ...flags.map(String)],
    {
      stdio: ["ignore", "pipe", "ignore"],
      env: { ...process.env, OPENAI_API_KEY: "bench" },
    },
  );
}

async function withServer(flags, work) {
  const server = spawn("node", [SERVER, ...flags], { stdio: ["pipe", "pipe", "inherit"] });
  try {
    const port = await new Promise((resolve) => server.stdout.once("data", (line) => resolve(Number(line))));
    await work(port);
  } finally {
    server.stdin.end();
  }
}
