// How often the baseline auditor is right: against gold on the sample, apart for the communities it was tuned on and those held out
// (design/holdout.md). Prints the table of docs/baseline.md; test/baseline-figures.test.ts checks that the two agree.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CLI } from "./measure.mjs";

export const HELD_OUT = ["home-cooking", "photo-critique", "secondhand-bikes", "trail-hiking"];
export const DEVELOPMENT = [
  "ask-anything",
  "film-club",
  "indie-games",
  "jardin-garden",
  "quiet-corner",
  "repair-cafe",
  "study-hall",
  "town-square",
];

const inItsOwnProcess = (args) => execFileSync(process.execPath, [CLI, ...args], { encoding: "utf8" });

/** The rows of the table, for a workspace folder that does not exist yet. `command` runs the command line and gives what it prints. */
export function baselineTable(workspace, command = inItsOwnProcess) {
  const run = (...args) => command([...args, "--workspace", workspace]);
  command(["init", workspace, "--example", "commons-hard"]);
  const rows = [];
  for (const [name, communities] of Object.entries({ "held out": HELD_OUT, development: DEVELOPMENT })) {
    for (const temperature of ["0.2", "0"]) {
      run("audit", "--temperature", temperature, "--communities", ...communities);
      const { against } = JSON.parse(run("report", "--against", "gold", "--json"));
      rows.push([
        `${name}, T = ${temperature}`,
        String(against.n),
        estimate(against.level_balanced_accuracy),
        estimate(against.level3_auroc),
        estimate(against.inverse_accuracy),
        temperature === "0.2" ? tierMovement(run, workspace, communities) : "",
      ]);
    }
  }
  const head = [
    "communities",
    "n",
    "balanced level accuracy",
    "AUROC for level 3",
    "inverse accuracy",
    "title → wiki moves p(gold level) up",
  ];
  return [head, head.map(() => "---"), ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

function estimate({ estimate: value, lower, upper }) {
  return `${value.toFixed(3)} (${lower.toFixed(3)}–${upper.toFixed(3)})`;
}

/** Of the decisions whose gold depends on detail, the share whose gold level gets more probable from the title to the wiki tier. */
function tierMovement(run, workspace, communities) {
  const gold = new Map();
  for (const line of readFileSync(join(workspace, "decisions.jsonl"), "utf8").trim().split("\n")) {
    const decision = JSON.parse(line);
    if (decision.tags?.includes("detail_dependent")) gold.set(decision.id, decision.gold.level);
  }
  const probabilities = (tier) => {
    const out = join(workspace, `${tier}.jsonl`);
    run("audit", "--tier", tier, "--communities", ...communities);
    const { run_id } = JSON.parse(run("runs", "--json")).find(
      (one) => one.tier === tier && one.temperature === 0.2 && one.selection.communities[0] === communities[0],
    );
    run("export", "--run", run_id, "--format", "jsonl", "--out", out);
    const rows = readFileSync(out, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    return new Map(rows.map((row) => [row.decision_id, row.level_probs]));
  };
  const title = probabilities("title");
  const wiki = probabilities("wiki");
  let up = 0;
  let n = 0;
  for (const [id, level] of gold) {
    if (!wiki.has(id)) continue;
    n++;
    if (wiki.get(id)[level - 1] > title.get(id)[level - 1]) up++;
  }
  return `${up} of ${n} (${Math.round((100 * up) / n)}%)`;
}

if (import.meta.url === `file://${process.argv[1]}`) {
  const folder = mkdtempSync(join(tmpdir(), "defensible-baseline-"));
  try {
    console.log(baselineTable(join(folder, "ws")));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
