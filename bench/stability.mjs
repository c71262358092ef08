// The simulated auditor: audits a second of one core, and 100 cases × 1,000 replicates × 4 temperatures end to end.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLI, measure, onOneCore, row } from "./measure.mjs";

const DRAWS = new URL("simulated-draws.mjs", import.meta.url).pathname;
const CASES = 100;
const REPLICATES = 1000;
const TEMPERATURES = [0.1, 0.3, 0.7, 1];

export async function benchStability() {
  const folder = mkdtempSync(join(tmpdir(), "defensible-stability-"));
  try {
    const world = join(folder, "world");
    await measure("node", [CLI, "simulate", world, "--decisions", "1000"]);
    const { output } = await measure(...onOneCore("node", [DRAWS, world]));
    const { columns, replicates, tokens } = JSON.parse(output);
    row("columns, one audit of each case", `${columns}/s`);
    row("columns, 100 audits of each case", `${replicates}/s`);
    row("tokens, written and read, one audit of each case", `${tokens}/s`);
    row("  at least 50,000 draws/s as columns on one core", columns >= 50_000 ? "holds" : "FAILS");
    row("  at least 5,000/s as tokens", tokens >= 5000 ? "holds" : "FAILS");
    await endToEnd(world);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function endToEnd(world) {
  const n = CASES * REPLICATES * TEMPERATURES.length;
  const audit = await measure("node", [
    ...[CLI, "audit", "--workspace", world, "--auditor", "simulated:columns", "--temperature", "0.7"],
    ...["--limit", String(CASES), "--replicates", String(REPLICATES)],
  ]);
  row(`audit, ${CASES} × ${REPLICATES}, sealed`, `${audit.seconds.toFixed(1)} s, peak ${Math.round(audit.peak)} MB`);
  const all = await measure("node", [
    ...[CLI, "stability", "--workspace", world, "--auditor", "simulated:columns", "--fixed", "--json"],
    ...["--cases", String(CASES), "--replicates", String(REPLICATES), "--temperatures", TEMPERATURES.join(",")],
  ]);
  row(
    `stability, ${n} audits, sealed and analysed`,
    `${all.seconds.toFixed(1)} s, ${Math.round(n / all.seconds)}/s, peak ${Math.round(all.peak)} MB`,
  );
  row("  under a minute", all.seconds < 60 ? "holds" : "FAILS");
}
