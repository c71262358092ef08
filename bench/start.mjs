// Start-up: short commands against an empty Node program, and against the same commands of the commit before the program was bundled.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CLI, measure, row } from "./measure.mjs";
import { makeStream, sampleIn, workspaceIn } from "./route-workspace.mjs";

const BEFORE = "b5a86a1";
const TURNS = 15;
const root = fileURLToPath(new URL("..", import.meta.url));

/** Medians of wall time, all commands in turns. */
export async function benchStart() {
  const folder = mkdtempSync(join(tmpdir(), "defensible-start-"));
  const tree = join(folder, "before");
  try {
    const before = buildBefore(tree);
    const empty = join(folder, "empty.mjs");
    writeFileSync(empty, "");
    const workspace = await workspaceIn(folder);
    const ten = await makeStream(workspace, join(folder, "ten.jsonl"), 10);
    const commands = {
      route: ["route", ten, "--workspace", workspace, "--log", join(folder, "routes.jsonl")],
      report: ["report", "--workspace", await sampleIn(join(folder, "sample"))],
    };
    const now = await mediansOf({
      empty: [empty],
      version: [CLI, "--version"],
      help: [CLI, "--help"],
      ...Object.fromEntries(Object.entries(commands).map(([name, args]) => [name, [CLI, ...args]])),
      ...Object.fromEntries(Object.entries(commands).map(([name, args]) => [`${name} before`, [before, ...args]])),
    });
    tell(now);
  } finally {
    execFileSync("git", ["-C", root, "worktree", "remove", "--force", tree], { stdio: "ignore" });
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The program of that commit, with the packages of this one. */
function buildBefore(tree) {
  execFileSync("git", ["-C", root, "worktree", "add", "--detach", tree, BEFORE], { stdio: "ignore" });
  symlinkSync(join(root, "node_modules"), join(tree, "node_modules"));
  execFileSync(process.execPath, ["scripts/build.mjs"], { cwd: tree, stdio: ["ignore", "ignore", "inherit"] });
  return join(tree, "dist", "cli", "main.js");
}

async function mediansOf(commands) {
  const seconds = Object.fromEntries(Object.keys(commands).map((name) => [name, []]));
  for (let turn = 0; turn < TURNS; turn++) {
    for (const [name, args] of Object.entries(commands)) {
      seconds[name].push((await measure("node", args, { stdio: ["ignore", "pipe", "ignore"] })).seconds);
    }
  }
  return Object.fromEntries(
    Object.entries(seconds).map(([name, all]) => [name, all.sort((a, b) => a - b)[Math.floor(TURNS / 2)]]),
  );
}

function tell(medians) {
  const ms = (name) => `${Math.round(1000 * medians[name])} ms`;
  row("an empty Node program", ms("empty"));
  row("--version", ms("version"));
  row("--help", ms("help"));
  const help = medians.help / medians.empty;
  row("  --help at most 2.5 times the empty program", `${help.toFixed(2)} times: ${help <= 2.5 ? "holds" : "FAILS"}`);
  for (const [name, what] of Object.entries({ route: "route of 10 lines", report: "report on the sample" })) {
    row(what, `${ms(name)}, at ${BEFORE} ${ms(`${name} before`)}`);
    const ratio = medians[`${name} before`] / medians[name];
    row("  at least 1.5 times faster", `${ratio.toFixed(2)} times: ${ratio >= 1.5 ? "holds" : "FAILS"}`);
  }
}
