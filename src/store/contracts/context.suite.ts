import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { RatingKey } from "../../experiments/humans/result.js";
import type { Context } from "../context.js";
import { decision, failure } from "../files/in-temp-folder.suite.js";

const KEY = { format: 1, sheet_id: "s1", run_id: "r1", drawn: "sheet", cases: [] } as unknown as RatingKey;

/** What every store gives the analysis, and its keys. `create` gives a fresh, empty one. */
export function contextContract(name: string, create: () => Context): void {
  describe(`${name} keeps the contract of a context`, () => {
    it("gives decisions and labels to the analysis as they are now", async () => {
      const { records, labels } = create();
      expect(await labels.snapshot()).toBe(null);
      expect(await records.truth()).toBe(null);
      const empty = await records.hash();
      await records.addDecisions([decision("a"), decision("b")]);
      await labels.add([{ decision_id: "a", level: 1, rater: "ann", source: "human" }]);
      const lines = (path: string) => readFileSync(path, "utf8").trim().split("\n");
      const files = await records.snapshot();
      expect(lines(files.jsonl).map((line) => JSON.parse(line).id)).toEqual(["a", "b"]);
      expect(lines((await labels.snapshot())!.path).map((line) => JSON.parse(line).rater)).toEqual(["ann"]);
      const two = await records.hash();
      await records.addDecisions([decision("c")]);
      expect(new Set([empty, two, await records.hash()]).size).toBe(3);
      expect(lines((await records.snapshot()).jsonl)).toHaveLength(3);
      expect(records.isOwnFile("/elsewhere/decisions.jsonl")).toBe(false);
    });

    it("hashes what audits read under a key of its own", async () => {
      const context = create();
      expect(await context.findHasher()).toBe(null);
      const hash = (await context.openHasher()).content("hello");
      expect((await context.openHasher()).content("hello")).toBe(hash);
      expect((await context.findHasher())!.content("hello")).toBe(hash);
      expect((await create().openHasher()).content("hello")).not.toBe(hash);
      const key = await context.redactionKey();
      expect(await context.redactionKey()).toEqual(key);
      expect(await create().redactionKey()).not.toEqual(key);
    });

    it("marks changes of rules", async () => {
      const { records } = create();
      const before = await records.rulesMark();
      expect(await records.rulesMark()).toBe(before);
      await records.addPrecedents([{ id: "p1", community: "garden", content: "hello", decision: "approve" }]);
      expect(await records.rulesMark()).not.toBe(before);
    });

    it("keeps keys of rating sheets", async () => {
      const { sheets } = create();
      expect(await sheets.list()).toEqual([]);
      expect((await failure(() => sheets.key("s1"))).code).toBe("no_key");
      await sheets.keep({ ...KEY, sheet_id: "s2" });
      await sheets.keep(KEY);
      expect(await sheets.list()).toEqual(["s1", "s2"]);
    });
  });
}
