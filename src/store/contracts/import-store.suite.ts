import { describe, expect, it } from "vitest";
import type { RuleSet } from "../../core/records/rule-set.js";
import type { Context } from "../context.js";
import { all, decision, failure } from "../files/in-temp-folder.suite.js";

const RULES: RuleSet = { scope: "platform", version: "1", rules: [{ id: "1", title: "No spam" }] };
const RENAMED = { positive: "block", negative: "keep" };

/** What every store must do for an import. `create` gives a fresh, empty one. */
export function importStoreContract(name: string, create: () => Context): void {
  describe(`${name} keeps the contract of an import`, () => {
    it("takes records, and knows those that are there", async () => {
      const { imports, records } = create();
      await records.addDecisions([decision("a")]);
      const sink = await imports.open("decisions", false);
      const outcomes = [decision("a"), decision("a", { content: "other" }), decision("b"), decision("b")].map((one) =>
        sink.add({ ...one }),
      );
      await sink.flush();
      await sink.close();
      expect(outcomes).toEqual(["duplicate", "conflict", "accepted", "duplicate"]);
      expect((await all(records.decisions())).map(({ id }) => id)).toEqual(["a", "b"]);
    });

    it("keeps nothing of a dry run, and tells duplicates in it", async () => {
      const { imports, records } = create();
      const sink = await imports.open("decisions", true);
      expect([sink.add({ ...decision("a") }), sink.add({ ...decision("a") })]).toEqual(["accepted", "duplicate"]);
      await sink.close();
      expect(await all(records.decisions())).toEqual([]);
    });

    it("takes rule sets", async () => {
      const { imports, records } = create();
      const before = await records.rulesMark();
      const file = await imports.addRules(RULES, JSON.stringify(RULES));
      expect(await records.rules()).toEqual([{ file, set: RULES }]);
      expect(await records.rulesMark()).not.toBe(before);
    });

    it("keeps rejected rows once", async () => {
      const { imports } = create();
      const reject = { file: "x.csv", line: 2, field: "id", reason: "is missing", row: { id: "" } };
      const write = async (stamp: string, rows: number) => {
        const sink = imports.openRejects("x.csv", stamp);
        for (let i = 0; i < rows; i++) sink.add(reject);
        return sink.finish();
      };
      expect(await write("20260101T000000Z", 0)).toBe(null);
      const first = await write("20260101T000000Z", 1);
      expect(first).toContain("x.csv");
      expect(await write("20260102T000000Z", 1)).toBe(first);
      expect(await write("20260103T000000Z", 2)).not.toBe(first);
      const dropped = imports.openRejects("y.csv", "20260101T000000Z");
      dropped.add(reject);
      await dropped.discard();
      expect(await dropped.finish()).toBe(null);
    });

    it("names the actions otherwise while nothing was decided", async () => {
      const { imports, records } = create();
      const dry = await imports.renamed(RENAMED, true);
      expect(dry.config.actions).toEqual(RENAMED);
      const renamed = await imports.renamed(RENAMED, false);
      await renamed.records.addDecisions([decision("a", { decision: "block" })]);
      expect((await all(renamed.records.decisions())).map((one) => one.decision)).toEqual(["block"]);
      const again = await failure(() => imports.renamed({ positive: "x", negative: "y" }, false));
      expect(again.code).toBe("actions_fixed");
      expect(await records.hash()).toBe(await renamed.records.hash());
    });

    it("imports one at a time", async () => {
      const { imports } = create();
      expect(await imports.withImportLock(async () => 1)).toBe(1);
      await expect(imports.withImportLock(() => Promise.reject(new Error("failed")))).rejects.toThrow("failed");
      expect(await imports.withImportLock(async () => 2)).toBe(2);
    });
  });
}
