import { describe, expect, it } from "vitest";
import type { AuditRequest } from "../app/audit/audit-request.js";
import { runAudit } from "../app/audit/run-audit.js";
import { audits, fakeAuditor, request } from "../app/audit/run-audit.suite.js";
import { manifestSchema } from "../core/records/manifest.js";
import { newestRun } from "../store/choose-run.js";
import { fileContext, fileStores } from "../store/files/stores.js";
import { type Arm, OPPOSITE_ARM, PLAIN_ARM, temperatureArm } from "./arms.js";
import { ARMS, dual, OLD_BOOK, type Seen, sample, spy } from "./arms.suite.js";

const texts = ({ case: { frame } }: Seen) => frame.rules.map(({ id, text }) => `${id} ${text}`);
const precedents = ({ case: { frame } }: Seen) => frame.precedents.map(({ id }) => id);

describe("arms of a run", () => {
  it("show the auditor what they stand for, and nothing else changes", async () => {
    const { auditor, of } = spy();
    await runAudit(fileContext(sample()), request(auditor, { experiment: "tiers", arms: ARMS }));
    const whole = ["R1 No links\nNone at all\nNot even short ones", "P1 Be kind\nAlways\nTo all"];
    expect(texts(of(""))).toEqual(whole);
    expect(texts(of("tier=title"))).toEqual(["R1 No links", "P1 Be kind"]);
    expect(texts(of("scope=platform"))).toEqual([whole[1]]);
    expect(texts(of("scope=community"))).toEqual([whole[0]]);
    expect(texts(of("rules=old"))).toEqual(["R9 Old rule"]);
    expect(texts(of("precedents=off"))).toEqual(whole);
    expect(precedents(of(""))).toEqual(["q0"]);
    expect(precedents(of("precedents=off"))).toEqual([]);
    expect(precedents(of("rules=old"))).toEqual(["q1"]);
    expect(of("t=0.7").temperature).toBe(0.7);
    expect(of("").temperature).toBe(0);
    expect(of("opposite").case.decision).toBe("approve");
    expect(of("").case.decision).toBe("remove");
    expect(of("template=extended").case.template).toBe("extended");
  });

  it("share the frame object wherever they show the same rules and precedents", async () => {
    const { auditor, of } = spy();
    await runAudit(fileContext(sample()), request(auditor, { experiment: "tiers", arms: ARMS }));
    const frame = of("").case.frame;
    for (const arm of ["tier=wiki", "t=0.7", "opposite", "template=extended"]) expect(of(arm).case.frame).toBe(frame);
    for (const arm of ["tier=title", "scope=platform", "scope=community", "precedents=off", "rules=old"]) {
      expect(of(arm).case.frame).not.toBe(frame);
    }
  });

  it("stand in the records with their own settings, action and rule version", async () => {
    const workspace = sample();
    const { auditor, of } = spy();
    const { runId } = await runAudit(fileContext(workspace), request(auditor, { experiment: "tiers", arms: ARMS }));
    const rows = new Map((await audits(workspace, runId!)).map((row) => [row.arm, row]));
    const facts = (arm: string) => {
      const { tier, temperature, template, decision, ruleset_version } = rows.get(arm)!;
      return [tier, temperature, template, decision, ruleset_version];
    };
    expect(facts("")).toEqual(["wiki", 0, "paper", "remove", "p1+c1"]);
    expect(facts("tier=title")).toEqual(["title", 0, "paper", "remove", "p1+c1"]);
    expect(facts("t=0.7")).toEqual(["wiki", 0.7, "paper", "remove", "p1+c1"]);
    expect(facts("scope=platform")).toEqual(["wiki", 0, "paper", "remove", "p1+-"]);
    expect(facts("scope=community")).toEqual(["wiki", 0, "paper", "remove", "-+c1"]);
    expect(facts("opposite")).toEqual(["wiki", 0, "paper", "approve", "p1+c1"]);
    expect(facts("rules=old")).toEqual(["wiki", 0, "paper", "remove", "-+c1"]);
    expect(facts("template=extended")).toEqual(["wiki", 0, "extended", "remove", "p1+c1"]);
    expect(of("t=0.7").seed).toBe("1:d0:t=0.7:0");
    // What is read changes under these, not the luck of reading it.
    expect([of("tier=title").seed, of("scope=platform").seed]).toEqual([of("").seed, of("").seed]);
    // The community has rules; that an arm does not show them is no remark on the community.
    for (const row of rows.values()) expect(row.flags).not.toContain("no_community_rules");
  });

  it("are written down in the manifest, books by their id, and make another run when they are others", async () => {
    const workspace = sample();
    const { auditor } = spy();
    const ledger = fileStores(workspace).runs;
    const run = async (changes: Partial<AuditRequest>) =>
      (await runAudit(fileContext(workspace), request(auditor, changes))).runId!;
    const id = await run({ experiment: "diff", arms: [PLAIN_ARM, OLD_BOOK] });
    const manifest = await ledger.manifest(id);
    expect(manifest.experiment).toEqual({ kind: "diff", arms: [{ name: "" }, { name: "rules=old", book: "b1" }] });
    expect(manifestSchema.safeParse(JSON.parse(JSON.stringify(manifest))).success).toBe(true);
    const other: Arm = { ...OLD_BOOK, book: { ...OLD_BOOK.book!, id: "b2" } };
    const ids = [
      id,
      await run({}),
      await run({ experiment: "diff", arms: [PLAIN_ARM, other] }),
      await run({ experiment: "diff", arms: [PLAIN_ARM] }),
      await run({ experiment: "dual", arms: [PLAIN_ARM] }),
      await run({ experiment: "dual", arms: [PLAIN_ARM], design: { cap: 30 } }),
    ];
    expect(new Set(ids).size).toBe(ids.length);
    expect(await run({ experiment: "diff", arms: [PLAIN_ARM, OLD_BOOK] })).toBe(id);
  });

  it("are passed over when the newest run is asked for", async () => {
    const workspace = sample();
    const { auditor } = spy();
    const plain = await runAudit(fileContext(workspace), request(auditor));
    await runAudit(fileContext(workspace), request(auditor, dual()));
    const ledger = fileStores(workspace).runs;
    expect((await ledger.list()).map(({ experiment }) => experiment?.kind)).toEqual(
      expect.arrayContaining(["dual", undefined]),
    );
    expect((await newestRun(ledger))?.run_id).toBe(plain.runId);
  });

  it("are continued after a stop, each key audited once", async () => {
    const workspace = sample(20);
    const { auditor, seen } = spy();
    const changes = { experiment: "tiers" as const, arms: ARMS, replicates: 2 };
    for (const most of [37, 111, 305]) {
      const stop = new AbortController();
      const progress: AuditRequest["progress"] = ({ verdicts }) => {
        if (verdicts >= most) stop.abort();
      };
      const result = await runAudit(
        fileContext(workspace),
        request(auditor, { ...changes, stop: stop.signal, progress }),
      );
      expect(result.status).toBe("stopped");
    }
    const last = await runAudit(fileContext(workspace), request(auditor, changes));
    expect(last).toMatchObject({ status: "sealed", continued: true, counts: { planned: 400, verdicts: 400 } });
    expect(seen).toHaveLength(400);
    expect(new Set(seen.map(({ key }) => key)).size).toBe(400);
  });

  it("go with the human's decision, which is audited as the run stands", async () => {
    const workspace = sample();
    const { auditor, of } = spy();
    const { runId } = await runAudit(fileContext(workspace), request(auditor, dual({ humans: true })));
    expect((await audits(workspace, runId!)).map(({ arm }) => arm)).toEqual(["", "human", "opposite"]);
    expect(of("human").case.frame).toBe(of("").case.frame);
    const without = request(auditor, { experiment: "dual", arms: [OPPOSITE_ARM], humans: true });
    await expect(runAudit(fileContext(workspace), without)).rejects.toThrow(/no arm here/);
  });

  it("are refused where they could not be told apart, or belong to no experiment", async () => {
    const workspace = sample();
    const { auditor } = spy();
    const run = (changes: Partial<AuditRequest>) => runAudit(fileContext(workspace), request(auditor, changes));
    await expect(run(dual({ arms: [PLAIN_ARM, PLAIN_ARM] }))).rejects.toThrow(/a name of its own/);
    await expect(run(dual({ arms: [{ name: "human" }] }))).rejects.toThrow(/other than "human"/);
    await expect(run({ arms: [OPPOSITE_ARM] })).rejects.toThrow(/must be named/);
    await expect(run(dual({ batch: true, again: () => false }))).rejects.toThrow(/come too late/);
  });

  it("cannot ask for draws that are all the same", async () => {
    const auditor = fakeAuditor({ signals: ["sampling"] });
    const arms = [temperatureArm(0.7), temperatureArm(0)];
    const changes = { experiment: "stability" as const, arms, signal: "sampling" as const, temperature: 1 };
    await expect(runAudit(fileContext(sample()), request(auditor, changes))).rejects.toThrow(/every draw is the same/);
  });
});
