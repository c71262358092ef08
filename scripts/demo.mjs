// The demo: a workspace from the sample platform in ./demo, audited with the embedded baseline, and its report.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const cli = fileURLToPath(new URL("../dist/cli/main.js", import.meta.url));

function defensible(...args) {
  console.log(`\n$ defensible ${args.join(" ")}`);
  const { status } = spawnSync(process.execPath, [cli, ...args], { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exit(status ?? 1);
}

rmSync(`${root}/demo`, { recursive: true, force: true });
defensible("init", "demo", "--example");
defensible("audit", "--workspace", "demo", "--humans");
defensible("report", "--workspace", "demo", "--against", "gold");
defensible("report", "--workspace", "demo", "--against", "gold", "--json=demo/report.json", "--md=demo/report.md");
defensible("calibrate", "--workspace", "demo", "--json=demo/calibration.json", "--md=demo/calibration.md");
defensible("gate", "--workspace", "demo", "--json=demo/gate.json", "--md=demo/gate.md");
console.log(`
The auditor here is the embedded baseline: it reads rules by their words, so that everything can be tried without a model.
It is a baseline and no judge of real policy; docs/baseline.md says how well it does.`);
