// The demo: a workspace from the sample platform in ./demo, audited with the embedded baseline, its report, the experiments that the
// baseline can do, and all of it as one page to look at.
import { execFile, spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const cli = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

function defensible(...args) {
  console.log(`\n$ defensible ${args.join(" ")}`);
  const { status } = spawnSync(process.execPath, [cli, ...args], { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

/** Some one after the other, without what they print unless one fails: the page has it. */
async function quietly(...commands) {
  for (const args of commands) {
    console.log(`$ defensible ${args.join(" ")}`);
    await new Promise((done) => {
      execFile(process.execPath, [cli, ...args], { cwd: root, maxBuffer: 2 ** 28 }, (error, stdout, stderr) => {
        if (!error) return done();
        process.stderr.write(`${stdout}${stderr}`);
        process.exit(1);
      });
    });
  }
}

rmSync(`${root}/demo`, { recursive: true, force: true });
defensible("init", "demo", "--example", "commons-hard");
defensible("audit", "--workspace", "demo", "--humans", "--flip", "all");
defensible("report", "--workspace", "demo", "--against", "gold");
defensible("calibrate", "--workspace", "demo", "--json=demo/calibration.json", "--md=demo/calibration.md");
defensible("gate", "apply", "--workspace", "demo", "--json=demo/gate.json", "--md=demo/gate.md");

console.log("\nThe experiments that the baseline can do, a few seconds each:");
const workspace = ["--workspace", "demo"];
await Promise.all([
  quietly(
    ["stability", ...workspace, "--sample", "40", "--replicates", "60", "--md=demo/stability.md"],
    ["experiment", "gap", ...workspace, "--md=demo/gap.md"],
    ["experiment", "signal", ...workspace, "--md=demo/signal.md"],
    ["experiment", "dual", ...workspace, "--md=demo/dual.md"],
  ),
  quietly(
    ["rules", "tiers", ...workspace, "--md=demo/tiers.md"],
    ["rules", "scopes", ...workspace, "--md=demo/scopes.md"],
    ["attack", "build", ...workspace, "--out", "demo/attacks.jsonl"],
    ["attack", "run", "demo/attacks.jsonl", ...workspace, "--md=demo/attack.md"],
  ),
]);
// Last, since it reads what the others found.
await quietly(["experiment", "circularity", ...workspace, "--md=demo/circularity.md"]);

// After the experiments, so that the page and report.json hold the same.
const files = [
  "--json=demo/report.json",
  "--md=demo/report.md",
  "--html",
  "demo/report.html",
  "--figures",
  "demo/figures",
];
defensible("report", ...workspace, "--against", "gold", ...files);

console.log(`
The auditor here is the embedded baseline: it compares with precedents by their letters and reads rules by their words, so that everything can be tried without a model.
It is a baseline and no judge of real policy; docs/baseline.md says how well it does.

No community of the sample passes the default gate (at most 10 % indefensible, at most 15 % open to the opposite), and that is right: the baseline calls
about a third of the decisions indefensible and more than half open, and against gold it is wrong on about every second level. On its word nothing should be automated.

To try next, from here:

  See how far the score can be trusted, and what the gate says of each community:
    npx defensible calibrate --workspace demo
    npx defensible gate apply --workspace demo

  What if the limits were much looser? Nothing comes into force by this:
    npx defensible gate --workspace demo --mode paper --di 0.65 --ai 0.75 --json=demo/what-if.json

  Which decisions would have been automated by that gate, and why not the others? In shadow, so nothing is:
    npx defensible route demo/decisions.jsonl --workspace demo --run newest --gate demo/what-if.json --shadow --json=demo/routes.jsonl

docs/route.md has the way from new decisions to routes.

The whole report, to look at in a browser (no network needed; figures alone are in demo/figures):

    ${join(root, "demo", "report.html")}
`);
