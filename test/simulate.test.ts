import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { truthSchema } from "../src/core/records/label.js";
import { type SimulatedWorld, simulatedWorldSchema, simulationSchema } from "../src/core/results/simulation.js";
import { cli, cliOk, temporaryFolder } from "./support/cli.js";

const lines = (path: string) => readFileSync(path, "utf8").trimEnd().split("\n");

/** Every file of a folder with the hash of its bytes. */
function bytes(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return `${path.slice(folder.length)} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
    })
    .sort();
}

describe("defensible simulate", () => {
  let root: string;
  let world: string;
  let result: SimulatedWorld;

  beforeAll(() => {
    root = temporaryFolder();
    world = join(root, "world");
    result = simulatedWorldSchema.parse(JSON.parse(cliOk(["simulate", world, "--seed", "3", "--json"])));
  });

  it("makes a workspace that says what it is, with the truth apart", () => {
    expect(readdirSync(world).sort()).toEqual(
      [
        "README.md",
        "cohorts",
        "decisions.jsonl",
        "defensible.yaml",
        "precedents.jsonl",
        "rules",
        "runs",
        "simulation.json",
        "truth",
      ].sort(),
    );
    expect(readFileSync(join(world, "README.md"), "utf8")).toMatch(/^# A simulated platform/);
    simulationSchema.parse(JSON.parse(readFileSync(join(world, "simulation.json"), "utf8")));
    const truths = lines(join(world, "truth", "truth.jsonl")).map((line) => truthSchema.parse(JSON.parse(line)));
    const ids = lines(join(world, "decisions.jsonl")).map((line) => JSON.parse(line).id);
    expect(truths.map(({ decision_id }) => decision_id)).toEqual(ids);
    expect(ids).toHaveLength(600);
  });

  it("counts what is true", () => {
    const truths = lines(join(world, "truth", "truth.jsonl")).map((line) => truthSchema.parse(JSON.parse(line)));
    const share = (test: (truth: (typeof truths)[number]) => boolean) => truths.filter(test).length / truths.length;
    expect(result).toMatchObject({ decisions: 600, communities: 12, simulated: true, seed: 3, book: "harbour" });
    expect(result.cohorts.main).toMatchObject({
      defensibility_index: share(({ level }) => level !== 3),
      ambiguity_index: share(({ inverse }) => inverse),
      void: share(({ level, inverse }) => level === 3 && !inverse),
      ambiguity: {
        platform: share(({ inverse, rule }) => inverse && rule?.scope === "platform"),
        community: share(({ inverse, rule }) => inverse && rule?.scope === "community"),
      },
    });
  });

  it("writes the same bytes for the same seed", () => {
    const again = join(root, "again");
    cliOk(["simulate", again, "--seed", "3"]);
    expect(bytes(again)).toEqual(bytes(world));
    const other = join(root, "other");
    cliOk(["simulate", other, "--seed", "4"]);
    expect(bytes(other)).not.toEqual(bytes(world));
  });

  it("can be audited by the baseline and by cohort, and read by `report`", () => {
    cliOk(["audit", "--workspace", world, "--auditor", "baseline", "--cohort", "main"]);
    const report = JSON.parse(cliOk(["report", "--workspace", world, "--json"]));
    expect(report.counts).toMatchObject({ attempted: 600, verdicts: 600 });
    expect(report.run.auditor).toBe("baseline");
  });

  it("takes other books, sizes and settings, and refuses unknown ones with what there is", () => {
    const folder = join(root, "set");
    const flags = [
      "--book",
      "meridian",
      "--communities",
      "3",
      "--decisions",
      "40",
      "--set",
      "cohorts.main.violating=0.5",
    ];
    cliOk(["simulate", folder, ...flags, "--set", "auditor.bias=0.2", "--decider", "simulated-1"]);
    const { world: settings, auditor } = JSON.parse(readFileSync(join(folder, "simulation.json"), "utf8"));
    expect(settings).toMatchObject({
      book: "meridian",
      decider: { id: "simulated-1" },
      cohorts: [{ violating: 0.5, decisions: 40 }],
    });
    expect(auditor.bias).toBe(0.2);
    expect(readdirSync(join(folder, "rules"))).toHaveLength(4);
    const refused = cli(["simulate", join(root, "never"), "--set", "cohorts.main.violatin=1"]);
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringMatching(/no such setting.*violating/s) });
    expect(existsSync(join(root, "never"))).toBe(false);
  });

  it("replaces a simulation when told to, and never anything else", () => {
    expect(cli(["simulate", world])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/holds a simulation already/),
    });
    const own = join(root, "own");
    cliOk(["init", own]);
    expect(cli(["simulate", own, "--force"])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/never overwritten/),
    });
    const folder = join(root, "replaced");
    cliOk(["simulate", folder]);
    mkdirSync(join(folder, "notes"));
    writeFileSync(join(folder, "notes", "mine.txt"), "kept");
    mkdirSync(join(folder, "humans"));
    writeFileSync(join(folder, "redaction.key"), "of the world before");
    cliOk(["simulate", folder, "--force", "--seed", "9"]);
    expect(["humans", "redaction.key"].filter((name) => existsSync(join(folder, name)))).toEqual([]);
    expect(readFileSync(join(folder, "notes", "mine.txt"), "utf8")).toBe("kept");
    expect(JSON.parse(readFileSync(join(folder, "simulation.json"), "utf8")).seed).toBe(9);
  });

  it("says in words what was made and what is true", () => {
    const text = cliOk(["simulate", join(root, "words"), "--md"]);
    expect(text).toMatch(/600 decisions in 12 communities/);
    expect(text).toMatch(/By construction \d+\.\d% of the decisions are derivable/);
    expect(text).not.toMatch(/NaN|undefined/);
  });
});
