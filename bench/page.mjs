// The HTML report of a large fleet: its size, and how a slider of the gate feels, against the computation alone in Node.
import { mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";
import { evaluateGate, fitShrinkage } from "../dist/entry/gate.js";
import { findBrowser } from "../scripts/find-browser.mjs";
import { CLI, measure, row } from "./measure.mjs";

const COMMUNITIES = 300;
const LISTED = 2000;
const MOST_BYTES = 3_000_000;
const STEPS = 20;
/** The page computes the gate, draws a picture of 300 points and a table, and the browser paints them. */
const MOST_TIMES = 6;

export async function benchPage() {
  const folder = mkdtempSync(join(tmpdir(), "defensible-page-"));
  const browser = await chromium.launch({
    executablePath: findBrowser(),
    args: ["--disable-gpu", ...(process.getuid?.() === 0 ? ["--no-sandbox"] : [])],
  });
  try {
    const world = join(folder, "world");
    const html = join(folder, "report.html");
    const size = ["--set", `cohorts.fleet.communities=${COMMUNITIES}`, "--set", "cohorts.fleet.decisions=24000"];
    await measure("node", [CLI, "simulate", world, "--preset", "fleet", "--seed", "3", ...size]);
    await measure("node", [CLI, "audit", "--workspace", world, "--auditor", "simulated"]);
    const written = await measure("node", [
      CLI,
      "report",
      "--workspace",
      world,
      "--html",
      html,
      "--decisions",
      `${LISTED}`,
    ]);
    row(`report --html, ${COMMUNITIES} communities, ${LISTED} listed decisions`, `${written.seconds.toFixed(1)} s`);
    const bytes = statSync(html).size;
    row(
      "  its size, of the 3 MB that can be mailed",
      `${(bytes / MOST_BYTES).toFixed(2)} times: ${bytes < MOST_BYTES ? "holds" : "FAILS"}`,
    );
    const inNode = await gateInNode(world, join(folder, "gate.json"));
    const { opening, step } = await inBrowser(browser, html);
    row("open the fleet, from the file to the drawn view", `${Math.round(opening)} ms`);
    row("one step of a slider, to the painted page", `${step.toFixed(1)} ms, ${inNode.toFixed(1)} ms in Node alone`);
    row(
      `  at most ${MOST_TIMES} times one evaluateGate in Node`,
      `${(step / inNode).toFixed(1)} times: ${step <= MOST_TIMES * inNode ? "holds" : "FAILS"}`,
    );
  } finally {
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Milliseconds of one evaluation of the gate at another limit, as the page does it: without the frontier, with the fit kept. */
async function gateInNode(world, file) {
  await measure("node", [CLI, "gate", "--workspace", world, "--dry-run", `--json=${file}`]);
  const cohorts = JSON.parse(readFileSync(file, "utf8")).communities.map(({ community, ...counts }) => ({
    key: community,
    ...counts,
  }));
  const fit = fitShrinkage(cohorts, "ai");
  const evaluate = (di) =>
    evaluateGate(cohorts, { limits: { di, ai: 0.15, min_decisions: 25, variable: "ai" }, fit, frontier: false });
  for (let i = 0; i < STEPS; i++) evaluate(0.7 + i / 100);
  const started = performance.now();
  for (let i = 0; i < STEPS; i++) evaluate(0.7 + i / 100);
  return (performance.now() - started) / STEPS;
}

async function inBrowser(browser, html) {
  const page = await browser.newPage();
  const started = performance.now();
  await page.goto(`${pathToFileURL(html).href}#/automation`);
  await page.waitForSelector(".view.fleet svg");
  const opening = performance.now() - started;
  const steps = (count) =>
    page.evaluate(async (count) => {
      const slider = document.querySelector("input[type=range]");
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
      const frame = () => new Promise((done) => requestAnimationFrame(done));
      const started = performance.now();
      for (let i = 0; i < count; i++) {
        set.call(slider, String(0.7 + i / 100));
        slider.dispatchEvent(new Event("input", { bubbles: true }));
        do await frame();
        while (document.querySelector(".view.fleet[aria-busy=true]"));
      }
      return (performance.now() - started) / count;
    }, count);
  await steps(STEPS);
  return { opening, step: await steps(STEPS) };
}
