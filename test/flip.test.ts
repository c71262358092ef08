import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { planAnswer, startFakeServer } from "./fake-models/index.js";
import { cli, cliOk, cliServed, temporaryFolder } from "./support/cli.js";

const folder = temporaryFolder();
let count = 0;

function sample(): string[] {
  const workspace = join(folder, `ws${count++}`);
  cliOk(["init", workspace, "--example", "commons-hard"]);
  return ["--workspace", workspace];
}

function opposites(at: string[]): { decision_id: string; decision: string }[] {
  const out = join(folder, `audits${count++}.jsonl`);
  cliOk(["export", ...at, "--format", "jsonl", "--out", out]);
  const rows = readFileSync(out, "utf8").trim().split("\n");
  return rows.map((row) => JSON.parse(row)).filter(({ arm }) => arm === "opposite");
}

describe("audit --flip", () => {
  it("audits the opposite of 50 random decisions by default, counts them apart, and reports what it shows", () => {
    const at = sample();
    expect(cliOk(["audit", "--dry-run", ...at])).toMatch(/^382 audits planned, and 50 opposites for the flip control/m);
    expect(cliOk(["audit", ...at])).toMatch(/382 verdicts, 0 unscored, 0 errors; flip control: 50 opposites/);
    expect(cliOk(["audit", ...at])).toMatch(/is complete: 382 verdicts/);
    expect(opposites(at)).toHaveLength(50);
    const report = JSON.parse(cliOk(["report", "--json", ...at]));
    expect(report.counts.verdicts).toBe(382);
    expect(report.flip_control.n).toBe(50);
    const { drop, defensibility_index: own, opposite_defensibility_index: opposite } = report.flip_control;
    expect(drop.estimate).toBeCloseTo(own.estimate - opposite.estimate, 12);
    expect(cliOk(["report", ...at]).replaceAll(/\s+/g, " ")).toContain(
      "50 decisions were also audited with the opposite action",
    );
    expect(cliOk(["gate", ...at]).replaceAll(/\s+/g, " ")).toContain("50 decisions were also audited");
    expect(JSON.parse(cliOk(["gate", "--json", ...at])).flip_control).toEqual(report.flip_control);
  });

  it("draws by the seed, flips all or none, and says what the dual audit says of the same opposites", () => {
    const [first, second, all, none] = [sample(), sample(), sample(), sample()];
    const few = ["--communities", "film-club", "quiet-corner"];
    cliOk(["audit", ...few, "--flip", "10", "--seed", "5", ...first]);
    cliOk(["audit", ...few, "--flip", "10", "--seed", "6", ...second]);
    const ids = (at: string[]) => opposites(at).map(({ decision_id }) => decision_id);
    expect(ids(first)).not.toEqual(ids(second));
    cliOk(["audit", "--flip", "all", "--seed", "5", ...all]);
    expect(opposites(all)).toHaveLength(382);
    const own = JSON.parse(cliOk(["report", "--json", ...all])).flip_control;
    const dual = JSON.parse(cliOk(["experiment", "dual", "--seed", "5", "--json", ...all])).all;
    expect(own.opposite_defensibility_index).toEqual(dual.opposite_defensibility_index);
    expect(own.told_apart.k).toBe(dual.determinate.k + dual.model_error.k);
    cliOk(["audit", ...few, "--flip", "0", ...none]);
    expect(opposites(none)).toEqual([]);
    expect(JSON.parse(cliOk(["report", "--json", ...none])).flip_control).toBeNull();
    expect(cli(["audit", "--flip", "-1", ...none])).toMatchObject({ status: 1 });
  });

  it("asks for decisions first, so that a budget cuts the control and no decision", async () => {
    const answer = await planAnswer(TRACE);
    const server = await startFakeServer({ dialect: "openai", key: "sk-test", answer: () => answer });
    const at = sample();
    const flags = ["--auditor", "openai-compatible:gpt-4.1-mini", "--base-url", server.baseUrl, "--dialect", "openai"];
    const audit = (...more: string[]) =>
      cliServed(["audit", "--limit", "20", "--concurrency", "1", "--no-cache", ...flags, ...at, ...more], {
        env: { OPENAI_API_KEY: "sk-test" },
      });
    const first = await audit("--flip", "10", "--json");
    expect(first.status, first.stderr).toBe(0);
    const cost = JSON.parse(first.stdout).usage.cost_usd;
    expect(JSON.parse(first.stdout)).toMatchObject({ counts: { verdicts: 20 }, flip: { planned: 10, verdicts: 10 } });
    const cut = await audit("--flip", "10", "--new", "--max-cost", String(cost * 0.8));
    expect(cut.status).toBe(2);
    const run = JSON.parse(cliOk(["runs", "--json", ...at]))[0];
    expect(run.counts.verdicts).toBe(20);
    expect(run.flip_counts.verdicts).toBeLessThan(10);
    await server.close();
  });
});

const TRACE = JSON.stringify({
  logic_chain: "The post breaks a rule.",
  policy_citation: "R1",
  precedent_weight: "High",
  inverse_check: "No",
  defensibility_level: 1,
});
