import { describe, expect, it } from "vitest";
import { all, decision } from "../files/in-temp-folder.suite.js";
import type { RecordStore } from "../ports.js";

/** What every store of records must do. `create` gives a fresh, empty one. */
export function recordStoreContract(name: string, create: () => RecordStore): void {
  describe(`${name} keeps the contract of a store of records`, () => {
    it("is empty at first", async () => {
      const store = create();
      expect([await all(store.decisions()), await all(store.precedents()), await store.rules()]).toEqual([[], [], []]);
    });

    it("gives back what was added, in its order", async () => {
      const store = create();
      const decisions = Array.from({ length: 600 }, (_, i) => decision(`d${i}`, { content: `größe 🙂 "${i}"\n` }));
      expect(await store.addDecisions(decisions)).toEqual({ accepted: 600, duplicate: 0, conflict: 0 });
      expect(await all(store.decisions())).toEqual(decisions);
      const precedent = { id: "p1", community: "garden", content: "hello", decision: "approve" };
      await store.addPrecedents([precedent]);
      expect(await all(store.precedents())).toEqual([precedent]);
    });

    it("knows a record again, and keeps the first of two that differ under one id", async () => {
      const store = create();
      await store.addDecisions([decision("a"), decision("b")]);
      const again = [decision("a"), decision("b", { content: "other" }), decision("c")];
      expect(await store.addDecisions(again)).toEqual({ accepted: 1, duplicate: 1, conflict: 1 });
      expect(await all(store.decisions())).toEqual([decision("a"), decision("b"), decision("c")]);
    });

    it("lets nothing that was read change what is kept", async () => {
      const store = create();
      await store.addDecisions([decision("a")]);
      (await all(store.decisions()))[0]!.content = "changed";
      expect(await all(store.decisions())).toEqual([decision("a")]);
    });
  });
}
