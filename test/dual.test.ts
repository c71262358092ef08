import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { DefinedEstimate, Estimate } from "../src/core/estimate.js";
import { type Dual, dualSchema } from "../src/experiments/dual/result.js";
import { planAnswer, startFakeServer } from "./fake-models/index.js";
import { cli, cliOk, cliServed, temporaryFolder } from "./support/cli.js";

const folder = temporaryFolder();
const workspace = join(folder, "ws");
const inside = ["--workspace", workspace];

function dual(...args: string[]): Dual {
  return dualSchema.parse(JSON.parse(cliOk(["experiment", "dual", "--json", ...inside, ...args])));
}

const count = (estimate: Estimate) => (estimate as DefinedEstimate).k!;

describe("defensible experiment dual", () => {
  let result: Dual;

  beforeAll(() => {
    cliOk(["init", workspace, "--example", "commons-hard"]);
    result = dual("--figure-data", join(folder, "figures"));
  }, 60_000);

  it("audits every decision of the sample and its opposite, and keeps the identity of the two", () => {
    const { all, counts } = result;
    expect(counts).toEqual({ decisions: 382, paired: 382, without_verdict: 0, single: 0, same_action: 0 });
    expect(count(all.defensibility_index) + count(all.opposite_defensibility_index)).toBe(
      382 + count(all.ambiguous) - count(all.void),
    );
    expect(result.by_action.positive.n + result.by_action.negative.n).toBe(382);
    expect(result.by_human!.agreed.n + result.by_human!.overruled.n).toBe(382);
  });

  it("says of the decisions what an ordinary audit with the same seed says", () => {
    cliOk(["audit", "--flip", "0", ...inside]);
    const report = JSON.parse(cliOk(["report", "--json", ...inside]));
    expect(report.run.run_id).not.toBe(result.runs[0]);
    expect(count(result.all.defensibility_index)).toBe(report.defensibility_index.k);
    expect(count(result.all.ambiguity_index)).toBe(report.ambiguity_index.k);
  });

  it("lists the decisions on which check and audit contradict each other, the surest first", () => {
    const { missed, false_alarms, cases } = result.contradictions;
    expect(result.all.inverse_check.counts).toMatchObject({ missed, false_alarms });
    expect(cases).toHaveLength(missed + false_alarms);
    for (const { kind, own, opposite } of cases) {
      expect(own.inverse).toBe(kind === "false_alarm");
      expect(opposite.level < 3).toBe(kind === "missed");
      expect(own.action).not.toBe(opposite.action);
    }
    const sure = cases.filter(({ kind }) => kind === "missed").map(({ own }) => own.inverse_yes_prob!);
    expect(sure).toEqual([...sure].sort((a, b) => a - b));
  });

  it("is kept for reports, with the data of its figures", () => {
    expect(JSON.parse(readFileSync(join(workspace, "experiments", "dual.json"), "utf8"))).toEqual(result);
    expect(readdirSync(join(folder, "figures")).sort()).toEqual(["dual-classes.csv", "dual-inverse-check.csv"]);
    expect(readFileSync(join(folder, "figures", "dual-classes.csv"), "utf8")).toMatch(
      /^group,class,share,lower,upper,n\r?\nall,ambiguous,0\./,
    );
  });

  it("is not audited again, gives the same result for its run, and reads as a page", () => {
    const again = cli(["experiment", "dual", "--json", ...inside]);
    expect(again.stderr).toMatch(/is complete: 764 verdicts/);
    expect(JSON.parse(again.stdout)).toEqual(result);
    const page = cliOk(["experiment", "dual", "--run", result.runs[0]!, ...inside]);
    expect(page).toMatch(/of the decisions could have gone either\s+way/);
    expect(page).toMatch(/\nNote: the auditor is the embedded baseline/);
    expect(cliOk(["experiment", "dual", "--run", "newest", ...inside])).toBe(page);
    expect(again.stderr).toMatch(/Kept as .*dual\.json/);
    // Yes below 0.5 was drawn, and is explained.
    expect(result.contradictions.cases.some(({ own }) => own.inverse && own.inverse_yes_prob! < 0.5)).toBe(true);
    expect(page.replace(/\s+/g, " ")).toContain("by p(Yes), the highest first");
    expect(page).toMatch(/At\s+a\s+temperature\s+above\s+0\s+tokens\s+are\s+drawn/);
    expect(page).not.toMatch(/NaN|undefined(?!:)|null/);
    const markdown = cliOk(["experiment", "dual", "--md", ...inside]);
    expect(markdown).toMatch(/^# Dual audit/);
    expect(markdown).toContain("| ambiguous: both can be derived |");
  });

  it("reads an audits file of the same run", () => {
    const file = join(folder, "dual.jsonl");
    cliOk(["export", "--run", result.runs[0]!, "--format", "jsonl", "--out", file, ...inside]);
    const { all, by_human, contradictions } = dual("--audits", file);
    expect(all).toEqual(result.all);
    expect(by_human).toEqual(result.by_human);
    expect(contradictions).toEqual(result.contradictions);
  });

  it("corrects the ambiguity of a whole run by a random part of it", () => {
    const sampled = dual("--sample", "100", "--correct", "newest");
    expect(sampled.corrected).toMatchObject({ labels: 100, audited: { k: count(result.all.ambiguity_pure), n: 382 } });
    const powered = sampled.corrected!.prediction_powered as DefinedEstimate;
    // What auditing all opposites has shown.
    const truth = result.all.ambiguous.estimate!;
    expect(powered.lower).toBeLessThan(truth);
    expect(powered.upper).toBeGreaterThan(truth);
    expect(sampled.corrected!.audited).toHaveProperty("cluster.clusters", 12);
    const page = cliOk(["experiment", "dual", "--sample", "100", "--correct", "newest", ...inside]);
    const [first] = page.split("What the two audits say together");
    expect(first).toMatch(new RegExp(`Corrected for\\s+the whole run .*: ${(100 * powered.estimate).toFixed(0)}%`));
    expect(page).toMatch(/Corrected: Rogan–Gladen\s+\d/);
    // With all of them there is nothing left to correct.
    expect(dual("--correct", "newest").corrected!.prediction_powered.estimate).toBeCloseTo(truth, 12);
  });

  it("refuses to correct by what is no random part of the run, before it audits anything", () => {
    const runs = () => JSON.parse(cliOk(["runs", "--json", ...inside])).length;
    const before = runs();
    for (const [flags, told] of [
      [["--limit", "20"], /not drawn at random among those of run/],
      [["--sample", "20", "--communities", "film-club"], /got the selection communities \["film-club"\], sample/],
      [["--sample", "20", "--template", "extended"], /got template extended instead of guided/],
    ] as const) {
      const refused = cli(["experiment", "dual", ...flags, "--correct", "newest", ...inside]);
      expect(refused).toMatchObject({ status: 1, stderr: expect.stringMatching(told) });
    }
    expect(runs()).toBe(before);
  });

  it("is named in the list of runs, and no default of other commands", () => {
    expect(cliOk(["runs", ...inside])).toMatch(/experiment dual, 2 arms/);
    const shown = JSON.parse(cliOk(["show", "--json", ...inside]));
    expect(JSON.stringify(shown)).not.toContain(result.runs[0]);
    const gate = cli(["gate", "--json", "--dry-run", ...inside]);
    expect(gate.stdout).not.toContain(result.runs[0]);
  });

  it("says what it would do, and refuses what it cannot", () => {
    expect(cliOk(["experiment", "dual", "--dry-run", "--limit", "5", ...inside])).toMatch(/10 audits planned/);
    const plain = JSON.parse(cliOk(["runs", "--json", ...inside])).find(
      (run: { experiment?: unknown }) => !run.experiment,
    );
    const refused = cli(["experiment", "dual", "--run", plain.run_id, ...inside]);
    expect(refused).toMatchObject({ status: 1, stderr: expect.stringMatching(/382 have one audit alone/) });
    expect(cli(["experiment", "dual", "--run", "x", "--audits", "y.csv"]).status).toBe(1);
  });
});

describe("an experiment killed with SIGKILL and repeated", () => {
  it("ends as an undisturbed one, its arms and passes complete", () => {
    const killed = join(folder, "killed");
    cliOk(["init", killed, "--example", "commons-hard"]);
    const args = ["experiment", "dual", "--limit", "60", "--json", "--workspace", killed];
    expect(cli(args, { kill: { KILL_AT_BYTE: "150000" } }).signal).toBe("SIGKILL");
    const [run] = readdirSync(join(killed, "runs"));
    expect(existsSync(join(killed, "runs", run!, "audits.parquet"))).toBe(false);
    const continued = JSON.parse(cliOk(args)) as Dual;
    expect(continued.runs).toEqual([run]);
    const { source: _, runs: __, ...undisturbed } = dual("--limit", "60");
    expect(continued).toMatchObject(undisturbed);
  });
});

describe("a dual audit by a model behind a server", () => {
  it("asks about the decision and its opposite apart, in an order that is drawn", async () => {
    const answer = (level: number, inverse: string) =>
      planAnswer(
        `{"logic_chain":"Because.","policy_citation":"R1","precedent_weight":"High","inverse_check":"${inverse}","defensibility_level":${level}}`,
      );
    const [removal, approval] = [await answer(1, "No"), await answer(2, "Yes")];
    const ofRemoval = ({ user }: { user: string }) => user.includes('The decision to audit: "remove"');
    const server = await startFakeServer({
      dialect: "openai",
      key: "sk-test",
      answer: (question) => (ofRemoval(question) ? removal : approval),
    });
    try {
      const small = join(folder, "small");
      cliOk(["init", small, "--example", "commons-hard"]);
      const lines = Array.from({ length: 24 }, (_, i) =>
        JSON.stringify({ id: `d${i}`, community: "film-club", content: `Post number ${i}.`, decision: "remove" }),
      );
      writeFileSync(join(small, "decisions.jsonl"), `${lines.join("\n")}\n`);
      const { status, stdout, stderr } = await cliServed(
        [
          ...["experiment", "dual", "--workspace", small, "--auditor", "openai-compatible:gpt-4.1-mini", "--json"],
          ...["--base-url", server.baseUrl, "--dialect", "openai", "--concurrency", "1"],
        ],
        { env: { OPENAI_API_KEY: "sk-test" } },
      );
      expect(status, stderr).toBe(0);
      expect(stderr).toMatch(/48 calls/);
      const result = dualSchema.parse(JSON.parse(stdout));
      expect(result.counts.paired).toBe(24);
      expect(count(result.all.ambiguous)).toBe(24);
      // The check of every removal says No, and every approval is defensible.
      expect(result.contradictions.missed).toBe(24);
      expect(result.justification_prone).toBe(true);
      const asked = server.questions.filter(({ user }) => user.includes("Post number"));
      expect(asked.filter(ofRemoval)).toHaveLength(24);
      expect(asked).toHaveLength(48);
      const first = Array.from({ length: 24 }, (_, i) =>
        ofRemoval(asked.find(({ user }) => user.includes(`Post number ${i}.`))!),
      );
      expect(new Set(first).size).toBe(2);
    } finally {
      await server.close();
    }
  });
});
