import { describe, expect, it } from "vitest";
import type { Manifest } from "../core/records/manifest.js";
import {
  namedRun,
  noRuns,
  refuseArmsOnly,
  runIdOf,
  runThatAudited,
  smallerThanOthers,
  unknownRun,
} from "./choose-run.js";
import type { RunStore } from "./ports.js";

const run = (run_id: string, arms?: string[]) =>
  ({ run_id, ...(arms ? { experiment: { kind: "tiers", arms: arms.map((name) => ({ name })) } } : {}) }) as Manifest;

describe("a run that is asked about as it stands", () => {
  it("is refused where all its audits are under arms, with the command that shows it", () => {
    expect(() => refuseArmsOnly(run("r1", ["tier=title", "tier=wiki"]))).toThrow(/r1: was made for experiment tiers/);
    expect(() => refuseArmsOnly(run("r1", ["", "tier=wiki"]))).not.toThrow();
    expect(() => refuseArmsOnly(run("r1"))).not.toThrow();
  });

  it("is missed, and told whether there are others", () => {
    expect(() => noRuns([])).toThrow("runs: the workspace has none");
    expect(() => noRuns([run("r2", ["tier=title"])])).toThrow(
      /none but those of experiments \(the newest, r2, is of tiers\)/,
    );
  });
});

describe("the newest run", () => {
  const made = (run_id: string, planned: number, more: object = {}) =>
    ({ run_id, auditor: "m", status: "sealed", selection: {}, counts: { planned }, ...more }) as unknown as Manifest;
  const few = made("r9", 5, { selection: { cohort: "today-1" } });
  const fuller = (...runs: Manifest[]) => smallerThanOthers(runs, runs[0]!)?.fuller.run_id ?? null;

  it("is small where it covers a selection of less than half of the largest finished run of its auditor", () => {
    expect(fuller(few, made("r1", 11))).toBe("r1");
    expect(fuller(few, made("r1", 10))).toBeNull();
    expect(fuller(few)).toBeNull();
    // Everything there is: the workspace has become smaller.
    expect(fuller(made("r9", 5), made("r1", 100))).toBeNull();
    expect(fuller({ ...few, selection: { live: "2026-01-01" } }, made("r1", 100))).toBeNull();
  });

  it("is measured by its decisions, however often each is audited", () => {
    expect(fuller(few, made("r1", 50, { replicates: 10 }))).toBeNull();
    expect(fuller(few, made("r1", 30, { decisions: 8 }))).toBeNull();
    const replicated = { ...few, counts: { planned: 50 } as Manifest["counts"], replicates: 10 };
    expect(fuller(replicated, made("r1", 20))).toBe("r1");
  });

  it("is small next to the newest that is not, and to no other kind of run", () => {
    const yesterday = made("r8", 12, { selection: { cohort: "today-0" } });
    expect(fuller(few, yesterday, made("r3", 90), made("r2", 100), made("r1", 100))).toBe("r3");
    for (const other of [
      { auditor: "other" },
      { tier: "wiki" },
      { status: "open" },
      { experiment: { kind: "dual", arms: [] } },
      { selection: { sent_by: "x" } },
    ]) {
      expect(fuller(few, made("r1", 100, other))).toBeNull();
    }
  });
});

describe("a run that has audits of a decision", () => {
  const audits: Record<string, string[]> = { r3: ["a"], r2: ["b", "c"], r1: ["c"] };
  const store = {
    list: async () => Object.keys(audits).map((id) => ({ ...run(id), selection: {} })),
    damaged: async () => [],
    async *audits(id: string) {
      yield audits[id]!.map((decision_id) => ({ decision_id }));
    },
  } as unknown as RunStore;
  const found = (ids: string[], but: string[]) => runThatAudited(store, new Set(ids), but);

  it("is the newest of the others; null where none has any", async () => {
    expect(await found(["c"], ["r3"])).toBe("r2");
    expect(await found(["c"], ["r3", "r2"])).toBe("r1");
    expect(await found(["a", "d"], ["r3"])).toBeNull();
  });
});

describe("a run that is named", () => {
  const ids = ["20261115T101530Z-4f2a", "20261115T121530Z-77aa", "20261116T080000Z-99ab"];
  const list = ids.map((run_id, i) => ({ run_id, created_at: `2026-11-1${i}`, selection: {} }) as Manifest).reverse();
  const runs = (damaged: string[] = []) =>
    ({
      list: async () => list,
      damaged: async () => damaged,
      manifest: async (id: string) => list.find((run) => run.run_id === id) ?? Promise.reject(unknownRun(id)),
    }) as unknown as RunStore;
  const named = async (name: string, damaged?: string[]) => (await namedRun(runs(damaged), name)).run_id;

  it("is found by its id, the beginning or the last part of it, and by how new it is", async () => {
    expect(await named(ids[0]!)).toBe(ids[0]);
    expect(await named("20261116")).toBe(ids[2]);
    expect(await named("20261115T12")).toBe(ids[1]);
    expect(await named("4f2a")).toBe(ids[0]);
    expect([await named("newest"), await named("newest~1"), await named("newest~2")]).toEqual([ids[2], ids[1], ids[0]]);
  });

  it("is not guessed: several runs of that beginning, and none, are errors that name what there is", async () => {
    await expect(named("20261115")).rejects.toMatchObject({
      code: "ambiguous_run",
      remedy: `Write more of it: ${ids[1]}, ${ids[0]}.`,
    });
    await expect(named("20261116T080000Z-99ac")).rejects.toMatchObject({
      code: "unknown_run",
      remedy: expect.stringContaining(`Did you mean ${ids[2]}?`),
    });
    await expect(named("newst")).rejects.toMatchObject({ remedy: expect.stringContaining("Did you mean newest?") });
    await expect(named("newest~3")).rejects.toMatchObject({ remedy: `The oldest is ${ids[0]}, newest~2.` });
    await expect(named("newest", ["20261117T000000Z-0000"])).rejects.toMatchObject({ code: "damaged_run" });
    await expect(runIdOf(runs(["20261117T000000Z-0000"]), "20261117")).resolves.toBe("20261117T000000Z-0000");
  });
});
