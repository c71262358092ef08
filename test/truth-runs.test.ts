import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { GapExperiment } from "../src/experiments/gap/result.js";
import type { SignalExperiment } from "../src/experiments/signal/result.js";
import type { Validate } from "../src/experiments/validate/result.js";
import { cli, cliOk, temporaryFolder } from "./support/cli.js";

describe("runs of a simulated world against its truth", () => {
  const world = join(temporaryFolder(), "world");
  const at = { cwd: world };
  const json = <T>(...args: string[]) => JSON.parse(cliOk([...args, "--json"], at)) as T;
  const newest = () => {
    const listed = JSON.parse(cliOk(["runs", "--json"], at));
    const [first] = (listed.runs ?? listed) as { run_id: string }[];
    return first!.run_id;
  };
  let title = "";
  let arms = "";
  let sampled = "";

  beforeAll(() => {
    cliOk(["simulate", world, "--preset", "small", "--seed", "3"]);
    cliOk(["audit", "--auditor", "simulated:columns,noise=0", "--limit", "120", "--tier", "title"], at);
    title = newest();
    cliOk(
      [
        "audit",
        "--auditor",
        "simulated",
        "--limit",
        "12",
        "--signal",
        "sampling",
        "--samples",
        "4",
        "--replicates",
        "4",
      ],
      at,
    );
    sampled = newest();
    cliOk(["rules", "tiers", "--auditor", "simulated:columns", "--limit", "30"], at);
    arms = newest();
  });

  it("take the truth of their tier", () => {
    const { run } = json<Validate>("validate", "--worlds", "0", "--run", title);
    expect(run).toMatchObject({ tiers: ["title"], without_truth: 0 });
    const [index] = run!.quantities;
    const { columns } = json<GapExperiment>("experiment", "gap", "--run", title);
    expect(columns[0]!.truth).toMatchObject({ under: ["title"], without_truth: 0 });
    expect(columns[0]!.truth!.defensibility_index.estimate).toBeCloseTo(index!.truth!, 12);
    const truths = new Map(
      readFileSync(join(world, "truth", "truth.jsonl"), "utf8")
        .trim()
        .split("\n")
        .map((line) => JSON.parse(line))
        .map((truth) => [truth.decision_id as string, truth.tiers.title.level as number]),
    );
    cliOk(["export", "--run", title, "--format", "jsonl", "--out", "title.jsonl"], at);
    const rows = readFileSync(join(world, "title.jsonl"), "utf8").trim().split("\n");
    const verdicts = rows
      .map((line) => JSON.parse(line))
      .filter(({ arm, outcome }) => arm === "" && outcome === "verdict");
    const good = verdicts.filter(({ decision_id }) => truths.get(decision_id) !== 3).length;
    expect(index!.truth).toBeCloseTo(good / verdicts.length, 12);
    const { references } = json<SignalExperiment>("experiment", "signal", "--run", title);
    expect(references[0]).toMatchObject({ name: "truth", under: ["title"] });
    expect(cliOk(["experiment", "circularity", "--run", title], at)).toContain("(tier title)");
  });

  it("without a plain arm are refused, and what was kept stays", () => {
    const kept = ["gap", "validate"].map((kind) => join(world, "experiments", `${kind}.json`));
    const before = kept.map((file) => readFileSync(file, "utf8"));
    for (const args of [
      ["experiment", "gap"],
      ["validate", "--worlds", "0"],
    ]) {
      const { status, stderr } = cli([...args, "--run", arms], at);
      expect(status).toBe(1);
      expect(stderr).toMatch(/all its audits are under its arms/);
    }
    expect(kept.map((file) => readFileSync(file, "utf8"))).toEqual(before);
  });

  it("with signal sampling say why their replicates are not compared", () => {
    const { sampling } = json<SignalExperiment>("experiment", "signal", "--run", sampled);
    expect(sampling).toMatchObject({ available: false, reason: expect.stringMatching(/made of several draws/) });
  });

  it("of another auditor are no evidence of this one", () => {
    const page = cliOk(["experiment", "circularity", "--run", title], at).replace(/\s+/g, " ");
    expect(page).toContain(`the kept result of experiment tiers is of run ${arms} by auditor simulated:columns`);
    const file = join(world, "experiments", "stability.json");
    expect(existsSync(file)).toBe(false);
    writeFileSync(file, '{"experiment":"stability","format":1}');
    const damaged = cli(["experiment", "circularity"], at);
    expect(damaged).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/is not a result of experiment stability/),
    });
  });
});
