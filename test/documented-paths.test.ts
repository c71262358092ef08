import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { Gate } from "../src/core/gate.js";
import type { Decision } from "../src/core/records/decision.js";
import { type Route, routeSchema } from "../src/core/records/route.js";
import type { Report } from "../src/core/results/report.js";
import type { GateReport } from "../src/measures/gate/gate-report.js";
import { cliOk, temporaryFolder } from "./support/cli.js";
import { shell } from "./support/shell.js";

const ROOT = join(import.meta.dirname, "..");
const page = (path: string) => readFileSync(resolve(ROOT, path), "utf8");

function routesIn(path: string): Route[] {
  return readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => routeSchema.parse(JSON.parse(line)));
}

const GOLD = ["gold.level", "gold.inverse", "gold.rule_ids"];

/** Decisions as a spreadsheet of a trust and safety team has them. */
function csvOf(lines: readonly string[]): string {
  const rows = lines.map((line) => {
    const { id, community, content, decision, human_label, gold } = JSON.parse(line) as Decision;
    const { title, body } = typeof content === "string" ? { title: "", body: content } : content;
    const { level, inverse, rule_ids } = gold!;
    return [id, community, title, body, decision, human_label, level, inverse, JSON.stringify(rule_ids)];
  });
  const header = ["id", "community", "title", "text", "action", "moderator_action", ...GOLD];
  const cell = (value: unknown) => `"${String(value ?? "").replaceAll('"', '""')}"`;
  return [header, ...rows].map((row) => `${row.map(cell).join(",")}\n`).join("");
}

/** Reviewers of one community change their minds; a month later the watch suspends it, and verdicts do not lift that. */
function watchesReviews(world: string): void {
  const log = join(world, "gate", "routes.jsonl");
  const monthAgo = new Date(Date.now() - 30 * 86_400_000).toISOString();
  writeFileSync(log, page(log).replace(/^\{"at":"[^"]+"/gm, `{"at":"${monthAgo}"`));
  const drawn = routesIn(log).filter((route) => route.sampled);
  const community = drawn[0]!.community!;
  const bad = drawn.filter((route) => route.community === community);
  const rows = bad.map(({ decision_id }) => {
    return { decision_id, outcome: "overturn", level: 3, reviewer: "ann", at: new Date().toISOString() };
  });
  const file = join(world, "second.jsonl");
  writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  cliOk(["outcomes", "import", file, "--workspace", world]);
  const watch = () => JSON.parse(cliOk(["gate", "--watch", "--workspace", world, "--json"])) as GateReport;
  const first = watch();
  expect(first.watch!.events).toMatchObject([{ type: "suspended", community, by: "reviews" }]);
  expect(first.watch!.reviews!.threads).toBeGreaterThan(100);
  expect(first.realised_risk!.risk.upper.anytime).toBeGreaterThan(first.realised_risk!.risk.estimate!);
  const second = watch();
  expect(second.watch!.events).toEqual([]);
  expect(second.communities.find((one) => one.community === community)!.suspended).toMatchObject({ by: "reviews" });
  const decision = page(join(world, "decisions.jsonl"))
    .split("\n")
    .find((line) => line.includes(`"id":${JSON.stringify(bad[0]!.decision_id)}`))!;
  const route = JSON.parse(cliOk(["route", "--decision", decision, "--run", "newest", "--workspace", world])) as Route;
  expect(route).toMatchObject({ route: "review", would_automate: false });
  expect(route.reasons).toContain("suspended");
}

describe("the commands of", () => {
  it("the README work in their order, from an empty folder to routes of new decisions", async () => {
    const folder = temporaryFolder();
    const decisions = page("examples/commons-hard/decisions.jsonl").trim().split("\n");
    writeFileSync(join(folder, "decisions.csv"), csvOf(decisions.slice(0, -20)));
    writeFileSync(join(folder, "today.jsonl"), `${decisions.slice(-20).join("\n")}\n`);
    writeFileSync(
      join(folder, "guidelines.md"),
      "# Rules\n\n1. **Be civil.** No insults and no threats.\n2. **No advertising.** Offers to sell are removed.\n",
    );
    const blocksOf = (heading: string) => {
      const [, section] = page("README.md").split(`\n${heading}\n`) as [string, string];
      return [...section.split(/\n##+ /)[0]!.matchAll(/^```\n([\s\S]*?)^```$/gm)].map((match) => match[1]!);
    };
    const blocks = [...blocksOf("## Use it"), ...blocksOf("### Calibrate, gate, route")];
    expect(blocks).toHaveLength(3);
    await shell(blocks.join("\n"), folder);
    const routes = routesIn(join(folder, "my-platform", "routes.jsonl"));
    expect(routes).toHaveLength(20);
    for (const { reasons } of routes) expect(reasons).not.toContain("no_audit");
  }, 60_000);

  it("docs/experiments.md work in the sample, and in a world of known truth", async () => {
    const folder = temporaryFolder();
    const [, section] = page("docs/experiments.md").split("\n## Every experiment\n") as [string, string];
    const blocks = [...section.split(/\n##+ /)[0]!.matchAll(/^```\n([\s\S]*?)^```$/gm)].map(([, text]) => text!);
    expect(blocks).toHaveLength(2);
    cliOk(["init", join(folder, "try"), "--example", "commons-hard"]);
    cliOk(["audit", "--workspace", join(folder, "try")]);
    copyFileSync(join(ROOT, "test/guidelines/allotment-society.md"), join(folder, "try", "guidelines.md"));
    const rules = page("examples/commons-hard/rules/film-club.yaml");
    writeFileSync(
      join(folder, "try", "new-rules.yaml"),
      rules.replace('version: "1"', 'version: "2"').replace("title: ", "title: Plainly, "),
    );
    await shell(blocks[0]!, join(folder, "try"));
    // The last line takes as long as all others: `study.test.ts` runs it.
    const [world, replicate] = blocks[1]!.split(/^cd \.\. && (?=defensible study )/m) as [string, string];
    expect(replicate.trim().split("\n")).toHaveLength(1);
    const few = world.replace("--worlds 20", "--worlds 2");
    expect(few).not.toBe(world);
    await shell(few, folder);
  }, 300_000);

  it("docs/route.md lead from new decisions to routes, joined and embedded alike", async () => {
    const folder = temporaryFolder();
    const blocks = [...page("docs/route.md").matchAll(/<!-- path -->\n```sh\n([\s\S]*?)^```$/gm)].map(
      ([, text]) => text!,
    );
    expect(blocks).toHaveLength(2);
    await shell(blocks.join("\n"), folder);
    const joined = routesIn(join(folder, "commons", "routes.jsonl"));
    expect(joined.map((route) => route.decision_id)).toEqual(["new-1", "new-2"]);
    for (const { reasons, score } of joined) {
      expect(reasons).not.toContain("no_audit");
      expect(score).not.toBeNull();
    }
    expect(routesIn(join(folder, "commons", "routes-embedded.jsonl"))).toEqual(joined);
  }, 60_000);

  it("docs/outcomes.md lead from a world to the realised risk, and its bounds hold the true one", async () => {
    const folder = temporaryFolder();
    const [block = ""] = [...page("docs/outcomes.md").matchAll(/<!-- path -->\n```sh\n([\s\S]*?)^```$/gm)].map(
      ([, text]) => text!,
    );
    await shell(block, folder);
    const world = join(folder, "world");
    const html = join(folder, "r.html");
    const report = JSON.parse(cliOk(["report", "--workspace", world, "--json", "--html", html])) as Report;
    const { risk, overturned, cells, frame, drawn } = report.realised_risk!;
    const truth = new Map(
      page(join(world, "truth", "truth.jsonl"))
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line) as { decision_id: string; level: number })
        .map(({ decision_id, level }) => [decision_id, level]),
    );
    const automated = routesIn(join(world, "routes.jsonl")).filter((route) => route.would_automate);
    const bad = automated.filter((route) => truth.get(route.decision_id!) === 3).length / automated.length;
    expect(frame).toBe(automated.length);
    expect(drawn).toBe(automated.filter((route) => route.sampled).length);
    expect(risk).toMatchObject({ n: drawn, missing: 0, open: 0 });
    expect(risk.n).toBeGreaterThan(100);
    expect(risk.upper.once).toBeGreaterThanOrEqual(bad);
    expect(overturned.k).toBe(risk.k);
    expect(new Set(cells.map(({ by }) => by))).toEqual(new Set(["community", "action", "language", "week"]));
    const gate = JSON.parse(cliOk(["gate", "--workspace", world, "--json", "--dry-run"])) as Gate;
    expect(gate.realised_risk).toMatchObject({ frame, drawn });
    for (const command of [["report", "--md"], ["gate"]]) {
      expect(cliOk([...command, "--workspace", world])).toContain("Realised risk of automated decisions");
    }
    expect(readFileSync(html, "utf8")).toContain("realised_risk");
    watchesReviews(world);
    const labels = page(join(world, "labels.jsonl"));
    expect(labels).toContain('"drawn":"review","inclusion":0.1,"stratum":"share 0.1","frame":"automated"');
  }, 120_000);
});
