import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../test/support/cli.js";
import { newWorkspace } from "../../../test/support/make-gate-workspace.js";
import { type Ask, type Auditor, CallError } from "../../auditors/auditor.js";
import { createAuditor } from "../../auditors/create-auditor.js";
import { type Audit, auditSchema } from "../../core/records/audit.js";
import type { Decision } from "../../core/records/decision.js";
import { defensible } from "../../entry/library.js";
import { openContext } from "../../store/context.js";
import type { Defensible } from "./defensible.js";
import type { DefensibleOptions } from "./options.js";
import { rulesFromMarkdown } from "./rules-from-markdown.js";

const RULES = rulesFromMarkdown("1. **No advertising.** Posts that sell something are removed.\n2. Be kind.\n");
const POST = "Buy my new book at a discount, only 5 euros!";

/** The baseline behind a server that takes a while and asks for money. */
async function slowAuditor(costUsd = 0.01, fail?: (call: number) => CallError | null) {
  const baseline = await createAuditor("baseline");
  const seen = { inFlight: 0, most: 0, calls: 0 };
  const auditor: Auditor = {
    name: "fake:slow",
    version: "1",
    signals: ["logprobs"],
    inProcess: false,
    readsPrompt: null,
    answersPerCall: 1,
    maxConcurrency: null,
    price: { input: 1, cached_input: null, output: 1, batch: null, as_of: "2026-01-01" },
    async ask(ask: Ask) {
      seen.calls++;
      seen.most = Math.max(seen.most, ++seen.inFlight);
      await new Promise((resolve) => setTimeout(resolve, 2));
      seen.inFlight--;
      const failure = fail?.(seen.calls);
      if (failure) throw failure;
      const { generations } = await baseline.ask(ask);
      const usage = { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1, cost_usd: costUsd };
      return { generations: generations.map((one) => ({ ...one, usage })) };
    },
  };
  return { auditor, seen };
}

const rows = (n: number) =>
  Array.from({ length: n }, (_, i) => ({
    id: `r${i}`,
    community: "market",
    content: `${POST} ${i}`,
    decision: "remove",
  }));

async function all(audits: AsyncIterable<Audit>): Promise<Audit[]> {
  const list: Audit[] = [];
  for await (const audit of audits) list.push(audit);
  return list;
}

async function using<T>(options: DefensibleOptions, work: (d: Defensible) => Promise<T>): Promise<T> {
  const d = await defensible(options);
  try {
    return await work(d);
  } finally {
    await d.close();
  }
}

describe("the library without a workspace", () => {
  it("audits one decision and gives the audit record", () =>
    using({ auditor: "baseline", rules: RULES }, async (d) => {
      const audit = await d.audit({ community: "market", content: POST, decision: "remove" });
      expect(auditSchema.parse(audit)).toMatchObject({ outcome: "verdict", run_id: "", arm: "", replicate: 0 });
      expect(audit.citation).toMatchObject({ scope: "platform", rule_id: expect.any(String) });
      expect(audit.trace?.logic_chain).toEqual(expect.any(String));
      const again = await d.audit({ community: "market", content: POST, decision: "remove" });
      expect([again.decision_id, again.level, again.p_defensible]).toEqual([
        audit.decision_id,
        audit.level,
        audit.p_defensible,
      ]);
    }));

  it("sends everything to review, because there is no gate", () =>
    using({ auditor: "baseline", rules: RULES }, async (d) => {
      const audit = await d.audit({ community: "market", content: POST, decision: "remove" });
      expect(await d.route(audit)).toMatchObject({ route: "review", reasons: ["no_gate"] });
      const copy = JSON.parse(JSON.stringify(audit)) as Audit;
      await expect(d.route(copy)).rejects.toMatchObject({ code: "no_decision" });
      const decision: Decision = { id: audit.decision_id, community: "market", content: POST, decision: "remove" };
      expect((await d.route(copy, decision)).reasons).toEqual(["no_gate"]);
    }));

  it("audits many, at most so many at a time, and leaves nothing behind where a consumer stops", async () => {
    const { auditor, seen } = await slowAuditor();
    await using({ auditor, rules: RULES }, async (d) => {
      const audits = await all(d.auditAll(rows(40), { concurrency: 3 }));
      expect(audits.map((audit) => audit.decision_id).sort()).toEqual(
        rows(40)
          .map(({ id }) => id)
          .sort(),
      );
      expect(seen.most).toBeLessThanOrEqual(3);
      expect((await d.route(audits[7]!)).reasons).toEqual(["no_gate"]);
      const before = seen.calls;
      for await (const _ of d.auditAll(rows(1000), { concurrency: 3 })) break;
      expect(seen.calls - before).toBeLessThan(10);
      expect(seen.inFlight).toBe(0);
    });
  });

  it("keeps to a cost, and says why it stopped after giving what was paid for", async () => {
    const { auditor, seen } = await slowAuditor(0.01);
    await using({ auditor, rules: RULES }, async (d) => {
      const got: Audit[] = [];
      const stopped = (async () => {
        for await (const audit of d.auditAll(rows(100), { maxCost: 0.2, concurrency: 4 })) got.push(audit);
      })();
      await expect(stopped).rejects.toMatchObject({ code: "max_cost" });
      expect(got.length).toBe(seen.calls);
      expect(got.length).toBeGreaterThan(10);
      expect(got.length).toBeLessThanOrEqual(20);
    });
  });

  it("throws what no repetition could cure, and records what concerns one decision", async () => {
    const wrongKey = await slowAuditor(0, () => new CallError("auth", "wrong key"));
    await using({ auditor: wrongKey.auditor, rules: RULES }, async (d) => {
      await expect(d.audit(rows(1)[0]!)).rejects.toMatchObject({ message: "wrong key" });
      await expect(all(d.auditAll(rows(3)))).rejects.toMatchObject({ message: "wrong key" });
    });
    const refused = await slowAuditor(0, () => new CallError("bad_request", "no"));
    await using({ auditor: refused.auditor, rules: RULES }, async (d) => {
      expect(await d.audit(rows(1)[0]!)).toMatchObject({ outcome: "error", level: null });
    });
  });

  it.each(["own auditor, workspace", "own auditor, memory", "baseline, workspace", "baseline, memory"])(
    "says that it was closed instead of ending a list early: %s",
    async (kind) => {
      const auditor = kind.startsWith("own") ? (await slowAuditor()).auditor : "baseline";
      const workspace = newWorkspace(temporaryFolder());
      writeFileSync(join(workspace, "rules", "platform.json"), JSON.stringify(RULES.set));
      const d = await defensible(kind.endsWith("memory") ? { auditor, rules: RULES } : { auditor, workspace });
      const got: Audit[] = [];
      const read = (async () => {
        for await (const audit of d.auditAll(rows(300), { concurrency: 4 })) {
          if (got.push(audit) === 3) await d.close();
        }
      })();
      await expect(read).rejects.toMatchObject({ name: "InputError", code: "closed" });
      expect(got).toHaveLength(3);
      await expect(d.audit(rows(1)[0]!)).rejects.toMatchObject({ code: "closed" });
    },
  );

  it("audits stated reasons in a workspace's run, and routes by none of these audits", async () => {
    const workspace = newWorkspace(temporaryFolder());
    writeFileSync(join(workspace, "rules", "platform.json"), JSON.stringify(RULES.set));
    await using({ auditor: "baseline", workspace }, async (d) => {
      const stated = rows(3).map((row, i) => ({ ...row, cited_rule: ["1", "2", "9"][i]! }));
      const audits = await all(d.auditAll(stated, { statedReasons: true }));
      expect(audits.map(({ arm }) => arm)).toEqual(["", "", ""]);
      const { runs } = openContext(workspace);
      const kept: string[] = [];
      for await (const batch of runs.audits(audits[0]!.run_id)) {
        kept.push(...batch.filter(({ arm }) => arm === "stated").map(({ decision_id }) => decision_id));
      }
      expect(kept.sort()).toEqual(["r0", "r1"]);
    });
  });

  it("says that it was closed to a decision that is under way", async () => {
    const { auditor } = await slowAuditor(0, () => new CallError("server", "try again"));
    const d = await defensible({ auditor, rules: RULES });
    const audit = d.audit(rows(1)[0]!);
    setTimeout(() => d.close(), 20);
    await expect(audit).rejects.toMatchObject({ code: "closed" });
  });

  it("names decisions without an id by their content, and tells repeated ones apart", () =>
    using({ auditor: "baseline", rules: RULES }, async (d) => {
      const row = { community: "market", content: POST, decision: "remove" };
      const [one, two] = await all(d.auditAll([row, row]));
      expect(two!.decision_id).toBe(`${one!.decision_id}-2`);
      await expect(all(d.auditAll([...rows(1), ...rows(1)]))).rejects.toThrowError('rows[1].id: "r0" is there twice');
    }));

  it.each<[string, unknown, RegExp]>([
    ["nothing", undefined, /expected options/],
    ["no rules", { auditor: "baseline" }, /rules missing/],
    ["an unknown option", { auditor: "baseline", rules: RULES, rule: 1 }, /unknown option rule/],
    ["both", { workspace: ".", rules: RULES }, /got workspace and rules/],
    [
      "a bad rule set",
      { auditor: "baseline", rules: { ...RULES.set, rules: [{ id: "1" }] } },
      /rules\[0\]\.rules\.0\.title: is missing/,
    ],
    ["two alike", { auditor: "baseline", rules: [RULES, RULES] }, /two sets are platform/],
    ["bad actions", { auditor: "baseline", rules: RULES, actions: { positive: "a", negative: "a" } }, /must differ/],
    ["a bad precedent", { auditor: "baseline", rules: RULES, precedents: [{ id: "p" }] }, /precedents\[0\]\.community/],
    [
      "a bad tier",
      { auditor: "baseline", rules: RULES, tier: "all" },
      /tier: got "all", expected title, sidebar, wiki/,
    ],
    ["a bad seed", { auditor: "baseline", rules: RULES, seed: null }, /seed: got null/],
    ["an unknown auditor", { auditor: "gpt", rules: RULES }, /auditor: unknown/],
  ])("refuses %s", async (_, options, message) => {
    await expect(defensible(options as DefensibleOptions)).rejects.toThrowError(message);
  });

  it("refuses arguments that cannot be", () =>
    using({ auditor: "baseline", rules: RULES }, async (d) => {
      const bad = (value: unknown) => value as never;
      await expect(d.audit(bad(null))).rejects.toThrowError(/decision: is not a JSON object/);
      await expect(d.audit(bad({ community: "m", content: "x", decision: "ban" }))).rejects.toThrowError(
        'decision.decision: got "ban", expected remove or approve',
      );
      await expect(all(d.auditAll(bad(undefined)))).rejects.toThrowError(/expected a list/);
      await expect(all(d.auditAll([], { concurrency: 0 }))).rejects.toThrowError(/concurrency: got 0/);
      await expect(all(d.auditAll([], { maxCost: bad("5") }))).rejects.toThrowError(/maxCost: got "5"/);
      await expect(d.report(bad("audits"))).rejects.toThrowError(/report: got "audits"/);
      await expect(d.report(bad([null]))).rejects.toThrowError(/row 0: not an object/);
      await expect(d.report([])).rejects.toMatchObject({ code: "empty_audits" });
      await expect(d.gate([bad({})], bad({ dii: 0.9 }))).rejects.toThrowError(/gate: unknown option dii/);
      await expect(d.route(bad(null))).rejects.toThrowError(/expected an audit/);
      await d.close();
      await expect(d.audit(rows(1)[0]!)).rejects.toThrowError(/it was closed/);
    }));
});
