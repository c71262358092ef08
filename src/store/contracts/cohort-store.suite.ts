import { describe, expect, it } from "vitest";
import { InputError } from "../../core/errors.js";
import { createCohort } from "../cohorts.js";
import type { Context } from "../context.js";
import { decision } from "../files/in-temp-folder.suite.js";

const NOW = new Date("2026-01-02T03:04:05Z");

/** What every store of cohorts must do. `create` gives a fresh, empty context. */
export function cohortStoreContract(name: string, create: () => Context): void {
  describe(`${name} keeps the contract of a store of cohorts`, () => {
    it("finds what was kept, lists by name, and forgets what was deleted", async () => {
      const { cohorts } = create();
      expect(await cohorts.list()).toEqual([]);
      expect(await cohorts.find("b")).toBeNull();
      const selection = { kind: "random" as const, size: 1, seed: 1 };
      const cohort = { name: "b", selection, population: 2, decision_ids: ["x"], created_at: NOW.toISOString() };
      await cohorts.keep(cohort);
      await cohorts.keep({ ...cohort, name: "a" });
      expect(await cohorts.find("b")).toEqual(cohort);
      expect(await cohorts.read("b")).toEqual(cohort);
      expect((await cohorts.list()).map((one) => one.name)).toEqual(["a", "b"]);
      await cohorts.delete("a");
      expect((await cohorts.list()).map((one) => one.name)).toEqual(["b"]);
      await expect(cohorts.delete("a")).rejects.toThrow(/no cohort is called "a"/);
      await expect(cohorts.read("a")).rejects.toThrow(/no cohort is called "a"/);
      for (const bad of ["../b", "B", ""]) await expect(cohorts.find(bad)).rejects.toThrow(InputError);
    });

    it("gives the same members for the same choice, and refuses another choice under the name", async () => {
      const context = create();
      await context.records.addDecisions(Array.from({ length: 40 }, (_, i) => decision(`d${i}`)));
      const selection = { kind: "random" as const, size: 5, seed: 7 };
      const made = await createCohort(context, "r", selection, NOW);
      expect(made.population).toBe(40);
      expect([...made.decision_ids].sort()).toEqual(["d17", "d18", "d20", "d21", "d7"]);
      expect(await createCohort(context, "r", selection, new Date())).toEqual(made);
      await expect(createCohort(context, "r", { ...selection, seed: 8 }, NOW)).rejects.toThrow(/there is one already/);
    });
  });
}
