import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Audit } from "../src/core/records/audit.js";
import type { Truth } from "../src/core/records/label.js";
import { simulatedAuditorSchema } from "../src/core/results/simulated-auditor.js";
import { cli, cliOk, temporaryFolder } from "./support/cli.js";

function lines<T>(path: string): T[] {
  return readFileSync(path, "utf8")
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as T);
}

describe("the simulated auditor", () => {
  let root: string;
  let world: string;

  beforeAll(() => {
    root = temporaryFolder();
    world = join(root, "world");
    cliOk(["simulate", world, "--communities", "3", "--decisions", "150", "--decider", "simulated-1"]);
  });

  function audit(...flags: string[]): Audit[] {
    cliOk(["audit", "--flip", "0", "--workspace", world, ...flags]);
    const out = join(root, "audits.jsonl");
    cliOk(["export", "--workspace", world, "--out", out]);
    return lines<Audit>(out);
  }

  it("makes the same run of tokens and of columns", () => {
    const columns = audit("--auditor", "simulated:columns", "--temperature", "0.7");
    const tokens = audit("--auditor", "simulated", "--temperature", "0.7");
    expect(tokens).toHaveLength(150);
    tokens.forEach((token, i) => {
      const column = columns[i]!;
      for (const name of ["decision_id", "outcome", "level", "inverse", "citation", "flags"] as const) {
        expect(column[name]).toEqual(token[name]);
      }
      for (const name of ["pds", "p_defensible", "h_citation_bits", "inverse_yes_prob"] as const) {
        if (token[name] === null) expect(column[name]).toBeNull();
        else expect(column[name]).toBeCloseTo(token[name]!, 6);
      }
    });
    expect(tokens[0]!.citation_spans?.length).toBeGreaterThan(3);
  });

  it("reads the truth where it has no errors, and says that it shares the decider's family", () => {
    const sure = "noise=0,inverse.emission=reading,lean.most.0=0,lean.most.1=0,lean.most.2=0,faults.truncation=0";
    const audits = audit("--auditor", `simulated:columns,${sure},faults.refusal=0`, "--temperature", "0");
    const truths = new Map(lines<Truth>(join(world, "truth", "truth.jsonl")).map((one) => [one.decision_id, one]));
    for (const { decision_id, level, inverse, flags } of audits) {
      expect([level, inverse]).toEqual([truths.get(decision_id)!.level, truths.get(decision_id)!.inverse]);
      expect(flags).toContain("same_family");
    }
  });

  it("makes a biased report where it favours its own family", () => {
    const indefensible = (audits: Audit[]) => audits.filter(({ level }) => level === 3).length;
    const fair = indefensible(audit("--auditor", "simulated:columns,noise=0"));
    const biased = indefensible(audit("--auditor", "simulated:columns,noise=0,bias=1"));
    expect(fair).toBeGreaterThan(5);
    expect(biased).toBeLessThan(fair / 2);
  });

  it("is refused where nothing is simulated, and with settings that do not exist", () => {
    const other = join(root, "other");
    cliOk(["init", other, "--example", "commons-hard"]);
    expect(cli(["audit", "--workspace", other, "--auditor", "simulated"])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/no simulated world[\s\S]*defensible simulate/),
    });
    expect(cli(["audit", "--workspace", world, "--auditor", "simulated:kindness=1"])).toMatchObject({
      status: 1,
      stderr: expect.stringMatching(/unknown setting; got "kindness"/),
    });
  });

  it("is told about by doctor, and its settings have a schema", () => {
    expect(cliOk(["doctor", "--workspace", world, "--auditor", "simulated"])).toMatch(/works in this process/);
    const settings = JSON.parse(readFileSync(join(world, "simulation.json"), "utf8")).auditor;
    expect(simulatedAuditorSchema.parse(settings)).toEqual(settings);
    expect(JSON.parse(cliOk(["schema", "simulated_auditor"]))).toHaveProperty("title", "simulated_auditor");
  });
});
