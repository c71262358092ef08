import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Audit } from "../src/core/records/audit.js";
import type { Decision } from "../src/core/records/decision.js";
import type { Report } from "../src/core/results/report.js";
import { defensible } from "../src/index.js";
import type { GateReport } from "../src/measures/gate/gate-report.js";
import { fileContext } from "../src/store/files/stores.js";
import { openWorkspace } from "../src/store/files/workspace.js";
import { withSuspensions } from "../src/store/records/suspensions.js";
import { cliOk, temporaryFolder } from "./support/cli.js";

const workspace = join(temporaryFolder(), "sample");
const file = join(temporaryFolder(), "audits.jsonl");
const json = (...args: string[]) => JSON.parse(cliOk([...args, "--json"]));
const audits: Audit[] = [];
let decisions: Decision[];

const jsonLines = (path: string) =>
  readFileSync(path, "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));

beforeAll(async () => {
  cliOk(["init", workspace, "--example", "commons-hard"]);
  decisions = jsonLines(join(workspace, "decisions.jsonl"));
  const d = await defensible({ workspace });
  for await (const audit of d.auditAll(decisions)) {
    audits.push(audit);
    if (audits.length === 100) break;
  }
  await d.close();
});

describe("the library on a workspace", () => {
  it("writes a run that another call continues, and one more gives back", async () => {
    const [run] = readdirSync(join(workspace, "runs"));
    const begun = audits.splice(0);
    expect(begun).toHaveLength(100);
    expect(json("runs", "list", "--workspace", workspace)[0]).toMatchObject({ run_id: run, status: "open" });
    const d = await defensible({ workspace });
    for await (const audit of d.auditAll(decisions)) audits.push(audit);
    expect(new Set(audits.map((audit) => audit.decision_id)).size).toBe(decisions.length);
    expect(audits.every((audit) => audit.run_id === run)).toBe(true);
    const kept = audits.filter((audit) => begun.some((one) => one.created_at === audit.created_at));
    expect(kept.length).toBeGreaterThanOrEqual(100);
    let again = 0;
    for await (const audit of d.auditAll(decisions)) if (audit.run_id === run) again++;
    expect(again).toBe(decisions.length);
    expect(readdirSync(join(workspace, "runs"))).toEqual([run]);
    await d.close();
    writeFileSync(file, audits.map((audit) => `${JSON.stringify(audit)}\n`).join(""));
  });

  it("audits one decision as the run does", async () => {
    const d = await defensible({ workspace });
    const { run_id: _, created_at: __, latency_ms: ___, ...one } = await d.audit(decisions[3]!);
    expect(audits.find((audit) => audit.decision_id === one.decision_id)).toMatchObject(one);
    await d.close();
  });

  it("reports the numbers of the command line", async () => {
    const d = await defensible({ workspace });
    // A list of audits has no decisions with reasons.
    const { run, stated_reasons: none, ...numbers } = JSON.parse(JSON.stringify(await d.report(audits))) as Report;
    expect(none!.counts).toBeNull();
    const ofRun = json("report", "--workspace", workspace) as Report;
    expect(ofRun).toMatchObject(numbers);
    expect(run).toEqual({ run_id: ofRun.run.run_id, auditor: "baseline" });
    const { run: _, rules, stated_reasons: ___, ...ofFile } = json("report", "--audits", file) as Report;
    const { rules: named, ...others } = numbers;
    expect(others).toEqual(ofFile);
    expect(named.filter((rule) => rule.cited > 0).map((rule) => rule.defensibility_index)).toEqual(
      rules.map((rule) => rule.defensibility_index),
    );
    await d.close();
  });

  it("computes the gate of the command line", async () => {
    const d = await defensible({ workspace });
    for (const mode of ["shrunk", "certified"] as const) {
      const own = JSON.parse(JSON.stringify(await d.gate(audits, { mode, holdout: 0.5 }))) as GateReport;
      const theirs = json("gate", "--audits", file, "--mode", mode, "--holdout", "0.5", "--seed", "1") as GateReport;
      const identity = { gate_id: "", created_at: "", run: null, evidence: null, content_hash: expect.any(String) };
      const numbers = ({ communities, ...rest }: GateReport) => ({
        ...rest,
        ...identity,
        // Advice names a rule's title, which a file does not have.
        communities: communities.map(({ advice: _, ...community }) => community),
      });
      expect(numbers(own)).toEqual(numbers(theirs));
    }
    const ofRun = json("gate", "--workspace", workspace, "--dry-run") as GateReport;
    const own = await d.gate(audits);
    expect(own.communities.map(({ community, passes }) => [community, passes])).toEqual(
      ofRun.communities.map(({ community, passes }) => [community, passes]),
    );
    expect(existsSync(join(workspace, "gate", "current.json"))).toBe(false);
    await d.close();
  });

  it("calibrates as the command line does", async () => {
    const labels = decisions.map(({ id, gold }) => ({ decision_id: id, level: gold!.level, source: "gold" as const }));
    const path = join(temporaryFolder(), "labels.jsonl");
    writeFileSync(path, labels.map((label) => `${JSON.stringify(label)}\n`).join(""));
    const d = await defensible({ workspace });
    const own = await d.calibrate(audits, labels, { target: "gold", draws: 50 });
    const flags = ["--target", "gold", "--draws", "50", "--workspace", workspace, "--dry-run"];
    const theirs = json("calibrate", "--run", audits[0]!.run_id, "--labels", path, ...flags);
    for (const key of ["method", "n", "weights", "ece", "brier", "log_loss", "auroc", "model"] as const) {
      expect(JSON.parse(JSON.stringify(own[key])), key).toEqual(theirs[key]);
    }
    await expect(d.calibrate(audits, [])).rejects.toMatchObject({ code: "no_target" });
    await expect(d.calibrate(audits, labels.slice(0, 5))).rejects.toMatchObject({ code: "cannot_calibrate" });
    await d.close();
  });

  it("routes by the active gate, and sees the kill switch at once", async () => {
    const d = await defensible({ workspace });
    const audit = await d.audit(decisions[0]!);
    expect((await d.route(audit)).reasons).toContain("no_gate");
    cliOk(["gate", "--workspace", workspace, "--apply"]);
    const passed = await d.route(audit);
    expect(passed.reasons).not.toContain("no_gate");
    expect(passed.gate_id).toEqual(expect.any(String));
    cliOk(["gate", "--close", "test", "--workspace", workspace]);
    expect((await d.route(audit)).reasons[0]).toBe("closed");
    cliOk(["gate", "--open", "--workspace", workspace]);
    expect((await d.route(audit)).reasons).toEqual(passed.reasons);
    expect((await d.route(audit, { ...decisions[0]!, content: "other" })).reasons).toContain("content_changed");
    await d.close();
    const log = jsonLines(join(workspace, "gate", "routes.jsonl"));
    expect(log).toHaveLength(5);
    expect(log.every((line) => line.decision_id === decisions[0]!.id && line.at)).toBe(true);
    const shadow = await defensible({ workspace, shadow: true });
    expect(await shadow.route(audit, decisions[0])).toMatchObject({ shadow: true, route: "review" });
    await shadow.close();
  });

  it("sees a suspension at once, and its end", async () => {
    const d = await defensible({ workspace });
    const { gate } = fileContext(openWorkspace(workspace));
    const audit = await d.audit(decisions[0]!);
    const before = await d.route(audit);
    expect(before.reasons).not.toContain("suspended");
    const active = (await gate.active())!;
    const suspended = new Map([[audit.community, { since: "2026-01-01T00:00:00.000Z", reason: "a test" }]]);
    await gate.activate({ ...active, gate: withSuspensions(active.gate, suspended) });
    expect((await d.route(audit)).reasons).toContain("suspended");
    await gate.activate(active);
    expect((await d.route(audit)).reasons).toEqual(before.reasons);
    await d.close();
  });
});
