import { describe, expect, it } from "vitest";
import type { ReviewOutcome } from "../../core/records/label.js";
import { all } from "../files/in-temp-folder.suite.js";
import type { RouteStore } from "../ports.js";

/** What every store of routings must do. `create` gives a fresh, empty one. */
export function routeStoreContract(name: string, create: () => RouteStore): void {
  describe(`${name} keeps the contract of a store of routings`, () => {
    it("gives back every line of every log, oldest first", async () => {
      const store = create();
      expect(await all(store.lines())).toEqual([]);
      const logs = [store.openLog(), store.openLog()];
      await logs[0]!.append('{"decision_id":"a"}\n{"decision_id":"größe 🙂"}\n');
      await logs[1]!.append('{"decision_id":"c"}\n');
      await logs[0]!.append("");
      expect((await all(store.lines())).map((line) => JSON.parse(line).decision_id)).toEqual(["a", "größe 🙂", "c"]);
      for (const log of logs) await log.close();
      expect((await all(store.lines())).length).toBe(3);
    });

    it("keeps outcomes, and knows them again", async () => {
      const store = create();
      const outcome: ReviewOutcome = {
        decision_id: "a",
        outcome: "uphold",
        reviewer: "ann",
        at: "2026-01-01T00:00:00Z",
      };
      expect(await all(store.outcomes())).toEqual([]);
      expect(await store.addOutcomes([outcome])).toEqual({ accepted: 1, duplicate: 0, conflict: 0 });
      expect(await store.addOutcomes([outcome])).toEqual({ accepted: 0, duplicate: 1, conflict: 0 });
      expect(await all(store.outcomes())).toEqual([outcome]);
      expect([...(await store.openAppeals())]).toEqual([]);
    });
  });
}
