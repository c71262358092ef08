import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Report } from "../src/core/results/report.js";
import { cliOk, temporaryFolder } from "./support/cli.js";
import { makeAudit } from "./support/make-audit.js";
import { writeRoutesAndOutcomes } from "./support/routed.js";
import { rulesJson } from "./support/rules-json.js";

const SCRIPT = join(import.meta.dirname, "recount.py");
const folder = temporaryFolder();
const workspace = join(folder, "ws");

function recount(args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync("python3", [SCRIPT, ...args], { encoding: "utf8" });
  if (error) throw new Error("python3 is needed for the recount; on Debian: apt-get install python3", { cause: error });
  expect(status, `${stdout}\n${stderr}`).toBe(0);
  return stdout;
}

function recountRun(name: string, reportFlags: string[] = [], target = "gold"): number {
  const audits = join(folder, `${name}.jsonl`);
  const report = join(folder, `${name}.json`);
  const rules = join(folder, "rules.json");
  writeFileSync(rules, rulesJson(workspace));
  cliOk(["export", "--workspace", workspace, "--format", "jsonl", "--out", audits]);
  cliOk(["report", "--workspace", workspace, "--against", target, `--json=${report}`, ...reportFlags]);
  const output = recount(["--report", report, "--audits", audits, "--workspace", workspace, "--rules", rules]);
  return Number(/(\d+) leaves/.exec(output)?.[1] ?? 0);
}

describe("every leaf of report.json agrees with an independent recount in Python", () => {
  beforeAll(() => {
    cliOk(["init", workspace, "--example", "commons-hard"]);
    const decisions = join(workspace, "decisions.jsonl");
    const ranges = readFileSync(decisions, "utf8")
      .replaceAll('"cited_rule":"R3"', '"cited_rule":"R2–R4"')
      .replaceAll('"cited_rule":"R5"', '"cited_rule":"R5 to R7"');
    writeFileSync(decisions, ranges);
    cliOk(["cohort", "create", "fifty", "--random", "50", "--workspace", workspace]);
    cliOk(["cohort", "create", "contested", "--balanced", "60", "--workspace", workspace]);
  });

  it("knows well-known constants itself", () => {
    recount(["--self-test"]);
  });

  it("on the sample, with the humans' decisions, gold and cohorts", () => {
    cliOk(["audit", "--humans", "--stated-reasons", "--workspace", workspace]);
    expect(recountRun("sample")).toBeGreaterThan(3000);
  });

  it("with the realised risk of a route log and outcomes of its reviews", () => {
    cliOk(["outcomes", "import", writeRoutesAndOutcomes(workspace), "--workspace", workspace]);
    expect(recountRun("realised")).toBeGreaterThan(3200);
    rmSync(join(workspace, "gate", "routes.jsonl"));
    rmSync(join(workspace, "outcomes.jsonl"));
  });

  it("on one cohort only, where some communities have one decision or none", () => {
    recountRun("cohort", ["--cohort", "fifty"]);
  });

  it("against people, whose labels are of a sheet and of a random draw", () => {
    const at = ["--workspace", workspace];
    for (const [name, ...flags] of [
      ["sheet", "--cases", "60"],
      ["random", "--random", "40"],
    ] as const) {
      const drawn = JSON.parse(cliOk(["humans", "sample", ...flags, "--out", join(folder, name), "--json", ...at]));
      const key = JSON.parse(readFileSync(drawn.key, "utf8")) as { cases: { case: string; stratum: string }[] };
      const rows = key.cases.flatMap(({ case: row, stratum }, i) =>
        Array.from({ length: 1 + (i % 2) }, (_, rater) => {
          const level = i % 4 === 0 ? 1 + ((i + rater) % 3) : Number(stratum[6]);
          return `${drawn.sheet_id},${row},r${rater},${level},${i % 7 === 0 ? "" : i % 5 === 0 ? "Yes" : stratum.slice(17)}`;
        }),
      );
      const file = join(folder, `${name}-ratings.csv`);
      writeFileSync(file, `sheet_id,case,rater,level,inverse\n${rows.join("\n")}\n`);
      cliOk(["humans", "import", file, ...at]);
    }
    recountRun("people", [], "human");
  });

  it("at the title tier with the extended template and high temperature", () => {
    cliOk(["audit", "--tier", "title", "--template", "extended", "--temperature", "1", "--workspace", workspace]);
    recountRun("title");
  });

  it.each([25, 4])("on a foreign file with unscored rows, errors and %i communities", (communities) => {
    const rows = Array.from({ length: 600 }, (_, i) => {
      const level = ([1, 1, 2, 3] as const)[i % 4]!;
      const bare = i % 51 === 0;
      const outcome = i % 17 === 0 ? "unscored" : i % 29 === 0 ? "error" : "verdict";
      return makeAudit({
        decision_id: `d${i}`,
        community: `c${i % communities}`,
        decision: i % 3 ? "remove" : "approve",
        human_label: i % 7 === 0 ? null : i % 5 ? "remove" : "approve",
        outcome,
        ...(bare ? { flags: ["no_rules" as const] } : {}),
        level: outcome === "verdict" ? level : null,
        inverse: outcome === "verdict" ? (i * 7) % 10 < 2 * level : null,
        p_defensible: i % 11 === 0 ? null : 0.5 + ((i * 13) % 50) / 100,
        citation:
          i % 13 === 0
            ? null
            : { scope: i % 2 ? "platform" : "community", rule_id: `R${i % 4}`, overlap: 1, grounded: i % 3 > 0 },
      });
    });
    const audits = join(folder, "foreign.jsonl");
    const report = join(folder, "foreign.json");
    writeFileSync(audits, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    cliOk(["report", "--audits", audits, `--json=${report}`]);
    recount(["--report", report, "--audits", audits]);
  });

  it("on decisions that are all alike: in two communities, in one, and with the humans'", () => {
    const rows = Array.from({ length: 60 }, (_, i) => {
      const community = ["calm", "calmer", "odd", "one", "bare"][i % 5]!;
      const other = community === "odd";
      return makeAudit({
        decision_id: `d${i}`,
        community,
        decision: i % 2 ? "remove" : "approve",
        human_label: community === "bare" ? null : (i % 2 === 0) === other ? "remove" : "approve",
        level: other ? 3 : 1,
        inverse: false,
      });
    });
    const alike = (name: string, communities: string[], human: boolean) => {
      const audits = join(folder, `${name}.jsonl`);
      const report = join(folder, `${name}.json`);
      const chosen = rows.filter((row) => communities.includes(row.community));
      const labelled = chosen.filter((row) => row.human_label !== null);
      const others = human ? labelled.map((row) => ({ ...row, arm: "human", decision: row.human_label! })) : [];
      writeFileSync(audits, [...chosen, ...others].map((row) => `${JSON.stringify(row)}\n`).join(""));
      cliOk(["report", "--audits", audits, `--json=${report}`]);
      recount(["--report", report, "--audits", audits]);
      return JSON.parse(readFileSync(report, "utf8")) as Report;
    };
    const two = alike("two", ["calm", "calmer"], true);
    expect(two.gap.di_minus_f1).toMatchObject({ estimate: 0, method: "square-and-add" });
    expect(two.humans!.difference).toMatchObject({ estimate: 0, method: "Tango" });
    alike("one", ["one"], false);
    alike("odd", ["odd"], true);
    alike("bare", ["calm", "bare"], false);
    alike("all", ["calm", "calmer", "odd", "one", "bare"], true);
  });

  it.each([4, 1])(
    "on five actions and their nearest alternatives, some without a verdict, in %i communities",
    (communities) => {
      const actions = ["allow", "label", "limit", "remove", "ban"];
      const rows = Array.from({ length: 120 }, (_, i) => {
        const place = i % 5;
        const nearest = [place - 1, place + 1].filter((at) => actions[at]);
        return [place, ...nearest].map((at, arm) => {
          const outcome = (i + arm) % 13 === 0 ? "unscored" : "verdict";
          const level = ([1, 2, 3] as const)[(i * (arm + 2) + at) % 3]!;
          return makeAudit({
            decision_id: `d${i}`,
            community: `c${i % communities}`,
            arm: arm === 0 ? "" : `action=${actions[at]}`,
            decision: actions[at]!,
            human_label: i % 7 === 0 ? null : actions[(place + (i % 3)) % 5]!,
            outcome,
            level: outcome === "verdict" ? level : null,
            inverse: outcome === "verdict" ? i % 4 === 0 : null,
          });
        });
      });
      const audits = join(folder, "five.jsonl");
      const report = join(folder, "five.json");
      const named = ["--actions", "allow,label/limit,remove,ban"];
      writeFileSync(
        audits,
        rows
          .flat()
          .map((row) => `${JSON.stringify(row)}\n`)
          .join(""),
      );
      cliOk(["report", "--audits", audits, ...named, `--json=${report}`]);
      recount(["--report", report, "--audits", audits, ...named]);
      const { several_actions: several } = JSON.parse(readFileSync(report, "utf8")) as Report;
      expect(several!.alternatives!.pairs).toHaveLength(8);
      expect(several!.alternatives!.pairs.some(({ without_verdict }) => without_verdict > 0)).toBe(true);
      for (const wrong of [several!.severity_distance, several!.alternatives!.any_derivable]) {
        const text = readFileSync(report, "utf8").replace(JSON.stringify(wrong.estimate), "0.123");
        writeFileSync(join(folder, "wrong-five.json"), text);
        const args = [SCRIPT, "--report", join(folder, "wrong-five.json"), "--audits", audits, ...named];
        expect(spawnSync("python3", args).status).toBe(1);
      }
    },
  );

  it("on the minimal columns", () => {
    const rows = Array.from({ length: 90 }, (_, i) => ({
      decision_id: `d${i}`,
      community: `c${i % 3}`,
      decision: i % 2 ? "remove" : "approve",
      level: (i % 3) + 1,
      inverse: i % 4 === 0,
    }));
    const audits = join(folder, "minimal.jsonl");
    const report = join(folder, "minimal.json");
    writeFileSync(audits, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    cliOk(["report", "--audits", audits, `--json=${report}`]);
    recount(["--report", report, "--audits", audits]);
  });

  it("on one decision, whose means have a value", () => {
    const audits = join(folder, "single.jsonl");
    const report = join(folder, "single.json");
    const row = makeAudit({
      decision_id: "d",
      community: "c",
      level: 1,
      inverse: false,
      p_defensible: 0.8,
      inverse_yes_prob: 0.3,
    });
    writeFileSync(audits, `${JSON.stringify(row)}\n`);
    cliOk(["report", "--audits", audits, `--json=${report}`]);
    recount(["--report", report, "--audits", audits]);
    const { defensibility_index_soft: soft } = JSON.parse(readFileSync(report, "utf8")) as Report;
    expect(soft).toMatchObject({ estimate: 0.8, n: 1, method: "Markov" });
  });

  it("would find a wrong number", () => {
    const report = join(folder, "sample.json");
    const audits = join(folder, "sample.jsonl");
    const wrong = join(folder, "wrong.json");
    const text = JSON.stringify(JSON.parse(cliOk(["report", "--audits", audits, "--json"])));
    writeFileSync(wrong, text.replace(/"estimate":0\.\d+/, '"estimate":0.123'));
    expect(spawnSync("python3", [SCRIPT, "--report", wrong, "--audits", audits]).status).toBe(1);
    expect(report).toBeTruthy();
  });
});
