import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { validateSchema } from "../src/experiments/validate/result.js";
import { cli, cliOk, temporaryFolder } from "./support/cli.js";

const world = join(temporaryFolder(), "world");
const at = ["--workspace", world];

beforeAll(() => {
  cliOk(["simulate", world, "--seed", "5"]);
  cliOk(["audit", ...at]);
});

describe("defensible validate", () => {
  it("holds a run against the truth, counted here once more", () => {
    const result = validateSchema.parse(JSON.parse(cliOk(["validate", "--worlds", "0", "--json", ...at])));
    const truths = readFileSync(join(world, "truth", "truth.jsonl"), "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { decision_id: string; level: number; inverse: boolean });
    const levels = new Map(truths.map((truth) => [truth.decision_id, truth]));
    const file = join(world, "audits.jsonl");
    cliOk(["export", "--format", "jsonl", "--out", file, ...at]);
    const audits = readFileSync(file, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as { decision_id: string; arm: string; level: number | null });
    const verdicts = audits.filter(({ arm, level }) => arm === "" && level);
    const table = [1, 2, 3].map((truth) =>
      [1, 2, 3].map(
        (level) => verdicts.filter((one) => one.level === level && levels.get(one.decision_id)!.level === truth).length,
      ),
    );
    expect(result.run!.levels).toEqual(table);
    expect(result.run!.matched).toBe(verdicts.length);
    const defensible = verdicts.filter((one) => levels.get(one.decision_id)!.level < 3).length;
    expect(result.run!.quantities[0]!.truth).toBeCloseTo(defensible / verdicts.length, 12);
  });

  it("reads well and keeps its result", () => {
    const words = cliOk(["validate", "--worlds", "2", "--communities", "6", "--decisions", "240", ...at]);
    expect(words).toContain("This run against the truth");
    expect(words).toContain("Gates: communities that passed and should not");
    expect(words).not.toMatch(/NaN|undefined|Infinity/);
    expect(JSON.parse(readFileSync(join(world, "experiments", "validate.json"), "utf8")).worlds.count).toBe(2);
  });

  it("says so where no truth is known", () => {
    const plain = join(temporaryFolder(), "plain");
    cliOk(["init", plain, "--example", "commons-hard"]);
    expect(cli(["validate", "--workspace", plain])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("is no simulation"),
    });
    const damaged = join(temporaryFolder(), "damaged");
    cliOk(["simulate", damaged, "--decisions", "50"]);
    cliOk(["audit", "--workspace", damaged]);
    writeFileSync(join(damaged, "truth", "truth.jsonl"), "{}\n");
    expect(cli(["validate", "--worlds", "0", "--workspace", damaged])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining("not the truth of a decision"),
    });
  });
});
