import { describe, expect, it } from "vitest";
import type { Experiment } from "../../core/results/experiment.js";
import type { ExperimentStore } from "../ports.js";

const gap: Experiment = { format: 1, experiment: "gap", runs: [], columns: [], figures: [], warnings: [] };

/** What every store of experiments must do. `create` gives a fresh, empty one. */
export function experimentStoreContract(name: string, create: () => ExperimentStore): void {
  describe(`${name} keeps the contract of a store of experiments`, () => {
    it("gives the newest result of a kind, with fields that no schema knows", async () => {
      const store = create();
      expect(await store.read("gap")).toBeNull();
      expect(await store.all()).toEqual({});
      await store.keep(gap);
      const newer = { ...gap, runs: ["r1"], more: 1 };
      expect(await store.keep(newer)).toContain("gap");
      expect(await store.read("gap")).toEqual(newer);
      expect(await store.all()).toEqual({ gap: newer });
    });
  });
}
