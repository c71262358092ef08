import { describe, expect, it } from "vitest";
import type { Label } from "../../core/records/label.js";
import { all } from "../files/in-temp-folder.suite.js";
import type { LabelStore } from "../ports.js";

const label = (decision_id: string, rater: string, level: Label["level"] = 1): Label => ({
  decision_id,
  level,
  rater,
  source: "human",
});

/** What every store of labels must do. `create` gives a fresh, empty one. */
export function labelStoreContract(name: string, create: () => LabelStore): void {
  describe(`${name} keeps the contract of a store of labels`, () => {
    it("keeps one label of each rater of a decision, the first", async () => {
      const store = create();
      expect(await all(store.labels())).toEqual([]);
      expect(await store.add([])).toEqual({ accepted: 0, duplicate: 0, conflict: 0 });
      const given = [label("d1", "ann"), label("d1", "bob", 3), label("d2", "ann", 2)];
      expect(await store.add(given)).toEqual({ accepted: 3, duplicate: 0, conflict: 0 });
      expect(await store.add([label("d1", "ann"), label("d1", "bob")])).toEqual({
        accepted: 0,
        duplicate: 1,
        conflict: 1,
      });
      expect(await all(store.labels())).toEqual(given);
    });

    it("removes labels of exactly the content given, and no others", async () => {
      const store = create();
      expect(await store.remove([label("d1", "ann")])).toBe(0);
      await store.add([label("d1", "ann"), label("d1", "bob", 3), label("d2", "ann", 2)]);
      expect(await store.remove([])).toBe(0);
      expect(await store.remove([label("d1", "ann", 2), label("d1", "bob", 3), label("d3", "eve")])).toBe(1);
      expect(await all(store.labels())).toEqual([label("d1", "ann"), label("d2", "ann", 2)]);
      expect((await store.add([label("d1", "bob", 1)])).accepted).toBe(1);
    });
  });
}
