import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Estimate } from "../src/core/estimate.js";
import type { Label } from "../src/core/records/label.js";
import { type RatingKey, ratingKeySchema } from "../src/experiments/humans/result.js";
import { cli, cliOk, temporaryFolder } from "./support/cli.js";

interface Truth {
  level: number;
  inverse: boolean;
}

const folder = temporaryFolder();
const world = join(folder, "world");
const at = ["--workspace", world];
const labelsFile = join(world, "labels.jsonl");
const lines = <T>(path: string): T[] =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as T);

let truth: Map<string, Truth>;
let verdicts: string[];
let auditedLevel: Map<string, number>;
let run: string;
let trueRates: { di: number; ai: number; pure: number; accuracy: number };

/** Draws a sheet, rates every case by the truth and brings the ratings back. */
function rateByTruth(name: string, ...flags: string[]): RatingKey {
  const drawn = JSON.parse(cliOk(["humans", "sample", ...flags, "--out", join(folder, name), "--json", ...at]));
  const key = ratingKeySchema.parse(JSON.parse(readFileSync(drawn.key, "utf8")));
  const rows = key.cases.map(({ case: row, decision_id }) => {
    const { level, inverse } = truth.get(decision_id)!;
    return `${key.sheet_id},${row},${name},${level},${inverse ? "Yes" : "No"}`;
  });
  const file = join(folder, `${name}.csv`);
  writeFileSync(file, `sheet_id,case,rater,level,inverse\n${rows.join("\n")}\n`);
  cliOk(["humans", "import", file, ...at]);
  return key;
}

function covers(estimate: Estimate, value: number): void {
  expect(estimate.estimate).not.toBeNull();
  if (estimate.estimate === null) return;
  expect(estimate.lower).toBeLessThanOrEqual(value);
  expect(estimate.upper).toBeGreaterThanOrEqual(value);
}

beforeAll(() => {
  cliOk(["simulate", world, "--preset", "small", "--communities", "8", "--decisions", "3000", "--seed", "5"]);
  cliOk(["audit", "--auditor", "simulated", ...at]);
  truth = new Map(
    lines<Truth & { decision_id: string }>(join(world, "truth", "truth.jsonl")).map((one) => [one.decision_id, one]),
  );
  cliOk(["export", "--format", "jsonl", "--out", join(folder, "audits.jsonl"), ...at]);
  const audits = lines<{ decision_id: string; arm: string; outcome: string; level: number }>(
    join(folder, "audits.jsonl"),
  ).filter(({ arm, outcome }) => arm === "" && outcome === "verdict");
  verdicts = audits.map(({ decision_id }) => decision_id);
  auditedLevel = new Map(audits.map(({ decision_id, level }) => [decision_id, level]));
  run = JSON.parse(cliOk(["report", "--json", ...at])).run.run_id;
  const share = (test: (one: Truth) => boolean) =>
    verdicts.filter((id) => test(truth.get(id)!)).length / verdicts.length;
  trueRates = {
    di: share(({ level }) => level < 3),
    ai: share(({ inverse }) => inverse),
    pure: share(({ level, inverse }) => inverse && level < 3),
    accuracy: audits.filter(({ decision_id, level }) => truth.get(decision_id)!.level === level).length / audits.length,
  };
  rateByTruth("sheet", "--cases", "300");
});

describe("labels of a rating sheet", () => {
  it("give the run's own rates in `report --against human`, not the sheet's", () => {
    const { against } = JSON.parse(cliOk(["report", "--against", "human", "--json", ...at]));
    covers(against.defensibility_index, trueRates.di);
    covers(against.ambiguity_index, trueRates.ai);
    covers(against.level_accuracy, trueRates.accuracy);
    expect(against.defensibility_index.estimate).toBeGreaterThan(trueRates.di - 0.05);
    expect(against.sample).toMatchObject({ weighted: "by_verdict", flags: [] });
    expect(cliOk(["report", "--against", "human", ...at])).toContain("300 of a stratified sheet");
  });

  it("correct the gate without Rogan and Gladen", () => {
    const { judge_error: judged } = JSON.parse(cliOk(["gate", "--dry-run", "--json", ...at]));
    expect(judged.design).toBe("by_verdict");
    covers(judged.fleet.defensibility_index.prediction_powered, trueRates.di);
    covers(judged.fleet.ambiguity_index.prediction_powered, trueRates.ai);
    covers(judged.fleet.ambiguity_pure.prediction_powered, trueRates.pure);
    expect(judged.fleet.defensibility_index.rogan_gladen.estimate).toBeNull();
    const { exact } = judged.fleet.indefensible_rate.upper_bound;
    expect(exact).toBeGreaterThan(1 - trueRates.di);
    expect(exact).toBeLessThan(0.25);
  });

  it("are told apart from a random draw in `humans report`", () => {
    const told = "a sheet has equal numbers of each verdict";
    const report = () => cliOk(["humans", "report", ...at]).replace(/\s+/g, " ");
    expect(report()).toContain(told);
    const before = readFileSync(labelsFile, "utf8");
    writeFileSync(labelsFile, "");
    rateByTruth("alone", "--random", "30", "--seed", "3");
    expect(report()).toContain("30 cases · 1 rater");
    expect(report()).not.toContain(told);
    writeFileSync(labelsFile, before);
  });

  it("are weighted in a calibration, which says so", () => {
    const fitted = JSON.parse(
      cliOk(["calibrate", "--method", "platt", "--target", "human", "--dry-run", "--json", ...at]),
    );
    expect(fitted.target.sample).toMatchObject({ weighted: "by_verdict" });
    expect(fitted.choice.effective_rows).toBeLessThan(300);
    expect(fitted.warnings.join(" ")).toContain("weighted as they were drawn");
    // The mix of classes is the run's, not the sheet's.
    expect(fitted.fitted_prior[2]).toBeLessThan(2 * (1 - trueRates.di));
    expect(fitted.notes.join(" ")).toContain("300 of a stratified sheet");
  });

  it("are crossed with a random draw of the same run", () => {
    const before = readFileSync(labelsFile, "utf8");
    rateByTruth("random", "--random", "200", "--seed", "9");
    const { against } = JSON.parse(cliOk(["report", "--against", "human", "--json", ...at]));
    expect(against.sample.designs.map(({ drawn, used }: { drawn: string; used: boolean }) => [drawn, used])).toEqual([
      ["random", true],
      ["sheet", true],
    ]);
    expect(against.n).toBeGreaterThan(400);
    covers(against.defensibility_index, trueRates.di);
    covers(against.ambiguity_index, trueRates.ai);
    writeFileSync(labelsFile, before);
  });
});

describe("labels of other designs", () => {
  const write = (labels: Partial<Label>[]) =>
    writeFileSync(labelsFile, labels.map((label) => `${JSON.stringify({ source: "human", ...label })}\n`).join(""));

  it("are refused where they are no sample: appeals alone", () => {
    write(
      verdicts
        .slice(0, 60)
        .map((decision_id) => ({ decision_id, ...truth.get(decision_id)!, drawn: "appeal" })) as Label[],
    );
    const report = cli(["report", "--against", "human", ...at]);
    expect(report.status).toBe(1);
    expect(report.stderr).toContain("no sample");
    expect(cliOk(["gate", "--dry-run", ...at])).toContain("No sample");
    expect(cli(["gate", "--dry-run", "--judge-error", ...at]).stderr).toContain("no sample");
  });

  it("are taken for random and certify nothing where they do not say", () => {
    const labels = verdicts.map((decision_id) => ({ decision_id, level: 1 as const, inverse: false }));
    write(labels);
    const { against } = JSON.parse(cliOk(["report", "--against", "human", "--json", ...at]));
    expect(against.sample).toMatchObject({ weighted: "random", flags: ["design_unknown"] });
    const certify = ["gate", "--dry-run", "--mode", "certified", "--judge-error", "--look", "once", "--json", ...at];
    const unknown = JSON.parse(cliOk(certify));
    expect(unknown.communities.some(({ passes }: { passes: { certified: boolean } }) => passes.certified)).toBe(false);
    expect(unknown.notes.join(" ")).toContain("unknown design");
    write(labels.map((label) => ({ ...label, drawn: "random" as const })));
    const known = JSON.parse(cliOk(certify));
    expect(known.judge_error.sample.flags).toEqual([]);
  });

  /** All level-3 verdicts and every twentieth other one, with the chance of each. */
  const unequal = (frame?: string) =>
    verdicts.flatMap((decision_id, i) => {
      const inclusion = auditedLevel.get(decision_id) === 3 ? 1 : 0.05;
      if (inclusion < 1 && i % 20 > 0) return [];
      return [{ decision_id, ...truth.get(decision_id)!, drawn: "random", inclusion, frame } as Label];
    });

  it("are weighted where a random draw had unequal chances, in the report and in the gate", () => {
    for (const frame of [undefined, run]) {
      write(unequal(frame));
      const { against } = JSON.parse(cliOk(["report", "--against", "human", "--json", ...at]));
      expect(against.sample).toMatchObject({ weighted: "by_stratum", frame: null, flags: [] });
      covers(against.defensibility_index, trueRates.di);
      expect(against.defensibility_index.estimate).toBeGreaterThan(trueRates.di - 0.05);
      const { judge_error: judged } = JSON.parse(cliOk(["gate", "--dry-run", "--json", ...at]));
      covers(judged.fleet.defensibility_index.prediction_powered, trueRates.di);
    }
  });

  it("say the same of the run in `humans report` as in the report, however they were drawn", () => {
    const named = (label: Label, rater: string) => ({ ...label, rater });
    const drawnAlike = verdicts.filter((_, i) => i % 11 === 0);
    const appeals = verdicts.filter((_, i) => i % 11 === 1);
    const truthOf = (decision_id: string) => ({ decision_id, ...truth.get(decision_id)! });
    for (const [labels, covered] of [
      [unequal(run).map((label) => named(label, "ann")), true],
      // A chance of its own for each label.
      [
        verdicts
          .map((id, i) => ({
            ...truthOf(id),
            drawn: "random",
            inclusion: 0.02 + 0.2 * ((i * 0.618) % 1),
            rater: "ann",
          }))
          .filter(({ inclusion }, i) => (i * 0.7548) % 1 < inclusion),
        true,
      ],
      // Appeals and labels of unknown design by other raters of the same decisions change nothing of the run.
      [
        [
          ...drawnAlike.map((id) => ({ ...truthOf(id), drawn: "random", frame: run, rater: "ann" })),
          ...drawnAlike.map((id) => ({ decision_id: id, level: 3, inverse: true, drawn: "appeal", rater: "bob" })),
          ...appeals.map((id) => ({ decision_id: id, level: 3, inverse: true, rater: "cy" })),
        ],
        true,
      ],
    ] as [Label[], boolean][]) {
      write(labels);
      const { against } = JSON.parse(cliOk(["report", "--against", "human", "--json", ...at]));
      const rated = JSON.parse(cliOk(["humans", "report", "--draws", "100", "--json", ...at]));
      expect(rated.sample).toEqual(against.sample);
      expect(rated.indices_of_run.defensible_by_raters).toEqual(against.defensibility_index);
      expect(rated.indices_of_run.inverse_by_raters).toEqual(against.ambiguity_index);
      expect(rated.agreement.weighted.level).toEqual(against.level_accuracy);
      expect(rated.agreement.weighted.inverse).toEqual(against.inverse_accuracy);
      if (covered) covers(rated.indices_of_run.defensible_by_raters, trueRates.di);
      if (covered) covers(rated.indices_of_run.inverse_by_raters, trueRates.ai);
      expect(rated.correlations.every(({ of_run }: { of_run: Estimate }) => of_run.estimate !== null)).toBe(true);
    }
  });

  it("are one sample of the run where two random sheets of different size were rated", () => {
    write([]);
    rateByTruth("first", "--random", "60", "--seed", "3");
    rateByTruth("second", "--random", "150", "--seed", "4");
    const { against } = JSON.parse(cliOk(["report", "--against", "human", "--json", ...at]));
    expect(against.sample).toMatchObject({ weighted: "random", flags: [] });
    expect(against.n).toBe(new Set(lines<Label>(labelsFile).map(({ decision_id }) => decision_id)).size);
    covers(against.defensibility_index, trueRates.di);
    const { judge_error: judged } = JSON.parse(cliOk(["gate", "--dry-run", "--json", ...at]));
    expect(judged.design).toBe("random");
    // A stratified sheet comes on top: all three are crossed.
    rateByTruth("third", "--cases", "60");
    const crossed = JSON.parse(cliOk(["report", "--against", "human", "--json", ...at])).against;
    expect(crossed.sample.designs).toMatchObject([{ used: true }, { used: true }]);
    expect(crossed.sample.weighted).toBe("by_verdict");
    covers(crossed.defensibility_index, trueRates.di);
  });

  it("certify nothing that their weighted rate does not", () => {
    const rows = Array.from({ length: 2000 }, (_, i) => ({ id: `d${i}`, bad: i % 2 === 1 }));
    const audits = rows.map(({ id }) => ({
      decision_id: id,
      community: "c",
      decision: "approve",
      level: 1,
      inverse: "No",
    }));
    const labels = rows
      .filter(({ bad }, i) => (bad ? i % 20 === 1 : i % 10 < 8))
      .map(({ id, bad }, i) => {
        const design = { drawn: "random", inclusion: bad ? 0.1 : 0.8, source: "human" };
        return { decision_id: id, level: bad && i % 2 === 0 ? 3 : 1, inverse: false, ...design };
      });
    const [auditsFile, given] = [join(folder, "certify.jsonl"), join(folder, "certify-labels.jsonl")];
    const save = (path: string, all: object[]) =>
      writeFileSync(path, all.map((one) => `${JSON.stringify(one)}\n`).join(""));
    save(auditsFile, audits);
    const certify = () => {
      const flags = ["--mode", "certified", "--judge-error", "--json"];
      return JSON.parse(cliOk(["gate", "--audits", auditsFile, "--labels", given, ...flags]));
    };
    save(given, labels);
    expect(certify().communities[0].passes.certified).toBe(false);
    // The same draw of decisions that are all defensible certifies.
    save(
      given,
      labels.map((label) => ({ ...label, level: 1 })),
    );
    expect(certify().communities[0].passes.certified).toBe(true);
  });

  it("weight sensitivity and specificity where they come from another frame", () => {
    write(unequal("elsewhere"));
    const { judge_error: judged } = JSON.parse(cliOk(["gate", "--dry-run", "--json", ...at]));
    const { rogan_gladen, specificity } = judged.fleet.indefensible_rate;
    const fine = verdicts.filter((id) => truth.get(id)!.level < 3);
    covers(specificity, fine.filter((id) => auditedLevel.get(id)! < 3).length / fine.length);
    covers(rogan_gladen, 1 - trueRates.di);
  });

  it("are refused with a reason where they have strata and no chances", () => {
    write(
      verdicts.slice(0, 600).map((decision_id, i) => {
        return { decision_id, ...truth.get(decision_id)!, drawn: "random", stratum: `s${i % 4}`, frame: "x" } as Label;
      }),
    );
    for (const command of [
      ["report", "--against", "human"],
      ["calibrate", "--target", "human", "--dry-run"],
      ["calibrate", "--dry-run"],
    ]) {
      const { status, stderr } = cli([...command, ...at]);
      expect(status).toBe(1);
      expect(stderr).toContain("unknown chances");
    }
    expect(cliOk(["gate", "--dry-run", ...at])).toContain("nknown chances");
    const { stderr } = cli(["calibrate", "--dry-run", ...at]);
    expect(stderr).toMatch(/600 drawn at random.*several strata/s);
    expect(stderr).toContain("Add `inclusion`");
  });

  it("of another run are named with the command that reports on it", () => {
    const [first] = verdicts;
    write([{ decision_id: first!, level: 1, drawn: "random", frame: "20200101T000000Z-ab12" }]);
    const report = cliOk(["report", "--against", "human", ...at]).replace(/\s+/g, " ");
    expect(report).toContain("`defensible report --against human --run 20200101T000000Z-ab12`");
    expect(report).toContain("The auditor against human ratings");
    expect(report).toContain("Why decider and moderator disagree");
    const second = join(folder, "second");
    cpSync(world, second, { recursive: true });
    const elsewhere = ["--workspace", second];
    cliOk(["audit", "--auditor", "simulated", "--limit", "5", "--new", ...elsewhere]);
    const labels = verdicts.slice(100, 160).map((decision_id) => ({ decision_id, level: 1, source: "human" }));
    writeFileSync(
      join(second, "labels.jsonl"),
      labels.map((label) => `${JSON.stringify({ ...label, drawn: "random", frame: run })}\n`).join(""),
    );
    const { stderr } = cli(["report", "--against", "human", ...elsewhere]);
    expect(stderr).toContain(`run ${run} has them`);
    expect(stderr).toContain(`defensible report --against human --run ${run}`);
  });

  it("of other decisions are counted where no target was asked for by name", () => {
    write([{ decision_id: "not in the run", level: 1, drawn: "random" }]);
    expect(cli(["calibrate", "--dry-run", ...at]).stderr).toContain("1 decision has one");
  });

  it("are where everything begins: route, gate and calibrate name the one command that draws them", () => {
    rmSync(labelsFile, { force: true });
    const first = "`defensible humans sample --random 60 --out sheet`";
    const route = cli(["route", "--decision", "{}", ...at]);
    expect(route.stderr).toContain(first);
    expect(cli(["calibrate", ...at]).stderr).toContain(first);
    const { selection } = JSON.parse(cliOk(["gate", "--dry-run", "--json", ...at]));
    expect(selection.notes.join(" ")).toContain(first);
  });

  it("count a rater once, who rated a decision in two designs", () => {
    const [id] = verdicts;
    const common = { decision_id: id!, inverse: false, frame: run };
    write([
      { ...common, level: 1, rater: "ann", drawn: "random" },
      { ...common, level: 1, rater: "ann", drawn: "sheet", stratum: "any", inclusion: 0.1 },
      { ...common, level: 3, rater: "bob", drawn: "random" },
    ]);
    const { against } = JSON.parse(cliOk(["report", "--against", "human", "--json", ...at]));
    expect(against.levels[2].reduce((sum: number, n: number) => sum + n)).toBe(1);
  });

  it("count a rater once, however the name is spelt", () => {
    const [id] = verdicts;
    write([
      { decision_id: id!, level: 3, rater: "Ana" },
      { decision_id: id!, level: 1, rater: " ana " },
      { decision_id: id!, level: 1, rater: "bob" },
      { decision_id: id!, level: 3, rater: "cy" },
    ]);
    const { against } = JSON.parse(cliOk(["report", "--against", "human", "--json", ...at]));
    // The median of 1, 1, 3, not of 1, 1, 3, 3.
    expect(against.levels[0].reduce((sum: number, n: number) => sum + n)).toBe(1);
  });

  it("count every rater once, by the median level, ties to the severe", () => {
    const [id] = verdicts;
    const rate = (...levels: number[]) => {
      write(levels.map((level, i) => ({ decision_id: id!, level: level as 1, rater: `r${i}` })));
      const { against } = JSON.parse(cliOk(["report", "--against", "human", "--json", ...at]));
      return against.levels.findIndex((row: number[]) => row.some((count) => count > 0)) + 1;
    };
    expect(rate(1, 2)).toBe(2);
    expect(rate(1, 1, 3)).toBe(1);
    // The most frequent level is 1, the median is 2.
    expect(rate(1, 1, 2, 3, 3)).toBe(2);
  });
});
