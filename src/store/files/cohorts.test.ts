import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Decision } from "../../core/records/decision.js";
import { balancedCounts, createCohort, HashSample, isContested } from "../cohorts.js";
import { decision, failure, jsonLines, tempFile, tempWorkspace } from "./in-temp-folder.suite.js";
import { deleteCohort, listCohorts, readCohort } from "./kept-results.js";
import { fileContext } from "./stores.js";

const NOW = new Date("2026-01-02T03:04:05Z");

function withDecisions(rows: Decision[]) {
  const workspace = tempWorkspace();
  writeFileSync(workspace.paths.decisions, jsonLines(rows));
  return workspace;
}

const hundred = Array.from({ length: 100 }, (_, n) => decision(`d${n}`, { decision: n % 4 ? "approve" : "remove" }));

describe("createCohort", () => {
  it("draws a random cohort that depends on the seed and not on the order of the file", async () => {
    const selection = { kind: "random", size: 20, seed: 7 } as const;
    const one = await createCohort(fileContext(withDecisions(hundred)), "r", selection, NOW);
    const other = await createCohort(fileContext(withDecisions([...hundred].reverse())), "r", selection, NOW);
    const third = await createCohort(fileContext(withDecisions(hundred)), "r", { ...selection, seed: 8 }, NOW);
    expect(one).toEqual({
      name: "r",
      selection,
      population: 100,
      created_at: NOW.toISOString(),
      decision_ids: one.decision_ids,
    });
    expect(new Set(one.decision_ids).size).toBe(20);
    expect(other.decision_ids).toEqual(one.decision_ids);
    expect(third.decision_ids).not.toEqual(one.decision_ids);
  });

  it("draws a larger cohort of the same seed around a smaller one", async () => {
    const workspace = withDecisions(hundred);
    const small = await createCohort(fileContext(workspace), "small", { kind: "random", size: 10, seed: 1 }, NOW);
    const large = await createCohort(fileContext(workspace), "large", { kind: "random", size: 30, seed: 1 }, NOW);
    expect(large.decision_ids.slice(0, 10)).toEqual(small.decision_ids);
  });

  it("takes everything where more is asked for than there is", async () => {
    const cohort = await createCohort(
      fileContext(withDecisions(hundred)),
      "r",
      { kind: "random", size: 1000, seed: 1 },
      NOW,
    );
    expect(cohort.decision_ids).toHaveLength(100);
  });

  it("balances contested and other decisions, and the two actions in each half", async () => {
    const rows = Array.from({ length: 400 }, (_, n) =>
      decision(`d${n}`, {
        decision: n % 2 ? "approve" : "remove",
        ...(n < 20 && { human_label: n % 2 ? "remove" : "approve" }),
        ...(n >= 20 && n < 40 && { appeal: { outcome: "pending" } }),
      }),
    );
    const workspace = withDecisions(rows);
    const { decision_ids } = await createCohort(
      fileContext(workspace),
      "b",
      { kind: "balanced", size: 40, seed: 3 },
      NOW,
    );
    const chosen = rows.filter(({ id }) => decision_ids.includes(id));
    const count = (contested: boolean, action: string) =>
      chosen.filter((row) => isContested(row) === contested && row.decision === action).length;
    expect([count(true, "remove"), count(true, "approve"), count(false, "remove"), count(false, "approve")]).toEqual([
      10, 10, 10, 10,
    ]);
  });

  it("chooses by filters, all of which must hold", async () => {
    const filters = ["decision=remove", "id!=d0"];
    const cohort = await createCohort(fileContext(withDecisions(hundred)), "f", { kind: "filter", filters }, NOW);
    expect(cohort.decision_ids).toHaveLength(24);
    expect(cohort.population).toBe(100);
  });

  it.each([
    ["ids.txt", "\uFEFFd1\r\nd2\n\nd1\n"],
    ["ids.csv", "decision_id,note\nd1,x\nd2,y\n"],
    ["ids.csv", "id\nd1\nd2\n"],
    ["ids.jsonl", '{"id":"d1"}\n{"decision_id":"d2"}\n'],
  ])("reads ids from %s", async (name, text) => {
    const file = tempFile(name, text);
    const cohort = await createCohort(fileContext(withDecisions(hundred)), "ids", { kind: "file", file }, NOW);
    expect(cohort.decision_ids).toEqual(["d1", "d2"]);
  });

  it("tells ids that are not there, and rows without one", async () => {
    const workspace = withDecisions(hundred);
    const file = tempFile("ids.txt", "d1\nx1\nx2\n");
    const { message } = await failure(() => createCohort(fileContext(workspace), "i", { kind: "file", file }, NOW));
    expect(message).toContain("2 of 3 ids are no decisions of this workspace: x1, x2");
    const bad = tempFile("ids.jsonl", '{"name":"d1"}\n');
    expect(
      (await failure(() => createCohort(fileContext(workspace), "i", { kind: "file", file: bad }, NOW))).message,
    ).toContain("line 1");
    expect(existsSync(workspace.paths.cohorts)).toBe(false);
  });

  it("gives a taken name's cohort for the same selection and refuses another", async () => {
    const workspace = withDecisions(hundred);
    const first = await createCohort(fileContext(workspace), "r", { kind: "random", size: 5, seed: 1 }, NOW);
    const again = await createCohort(fileContext(workspace), "r", { seed: 1, size: 5, kind: "random" }, new Date());
    expect(again).toEqual(first);
    expect(
      (await failure(() => createCohort(fileContext(workspace), "r", { kind: "random", size: 6, seed: 1 }, NOW))).code,
    ).toBe("cohort_exists");
  });

  it("refuses a file that has other ids than when the cohort was made, and not one that is gone", async () => {
    const workspace = withDecisions(hundred);
    const file = tempFile("today.txt", "d1\nd2\n");
    const first = await createCohort(fileContext(workspace), "today", { kind: "file", file }, NOW);
    expect(await createCohort(fileContext(workspace), "today", { kind: "file", file }, NOW)).toEqual(first);
    writeFileSync(file, "d1\nd3\n");
    const { code, message } = await failure(() =>
      createCohort(fileContext(workspace), "today", { kind: "file", file }, NOW),
    );
    expect(code).toBe("cohort_exists");
    expect(message).toMatch(/the file had other ids/);
    rmSync(file);
    expect(await createCohort(fileContext(workspace), "today", { kind: "file", file }, NOW)).toEqual(first);
  });

  it("refuses names that are no file names, and a selection of nothing", async () => {
    const workspace = withDecisions(hundred);
    for (const name of ["../x", "A", "", "a/b", ".x"]) {
      expect(
        (await failure(() => createCohort(fileContext(workspace), name, { kind: "random", size: 5, seed: 1 }, NOW)))
          .code,
      ).toBe("bad_cohort_name");
    }
    expect(
      (await failure(() => createCohort(fileContext(workspace), "x", { kind: "filter", filters: ["id=none"] }, NOW)))
        .code,
    ).toBe("empty_cohort");
    expect(
      (await failure(() => createCohort(fileContext(workspace), "x", { kind: "random", size: 0, seed: 1 }, NOW))).code,
    ).toBe("bad_selection");
  });
});

describe("cohorts at rest", () => {
  it("are listed, read and deleted by name", async () => {
    const workspace = withDecisions(hundred);
    await createCohort(fileContext(workspace), "b", { kind: "random", size: 5, seed: 1 }, NOW);
    await createCohort(fileContext(workspace), "a", { kind: "random", size: 5, seed: 2 }, NOW);
    expect(listCohorts(workspace).map(({ name }) => name)).toEqual(["a", "b"]);
    expect(JSON.parse(readFileSync(join(workspace.paths.cohorts, "a.json"), "utf8"))).toEqual(
      readCohort(workspace, "a"),
    );
    deleteCohort(workspace, "a");
    expect(listCohorts(workspace).map(({ name }) => name)).toEqual(["b"]);
    const unknown = await failure(() => readCohort(workspace, "a"));
    expect([unknown.code, unknown.remedy]).toEqual(["unknown_cohort", "There are: b."]);
    expect((await failure(() => deleteCohort(workspace, "a"))).code).toBe("unknown_cohort");
  });
});

describe("balancedCounts", () => {
  const count = fc.nat(30);
  const half = fc.record({ positive: count, negative: count });

  it("takes as many as asked for, or all, and never more of a stratum than there is", () => {
    fc.assert(
      fc.property(fc.record({ contested: half, rest: half }), fc.integer({ min: 1, max: 100 }), (available, size) => {
        const taken = balancedCounts(available, size);
        const cells = (strata: typeof available) => [...Object.values(strata.contested), ...Object.values(strata.rest)];
        const there = cells(available);
        const sum = (numbers: number[]) => numbers.reduce((a, b) => a + b, 0);
        expect(sum(cells(taken))).toBe(Math.min(size, sum(there)));
        cells(taken).forEach((n, i) => {
          expect(n).toBeLessThanOrEqual(there[i]!);
        });
      }),
    );
  });

  it.each([
    [{ contested: { positive: 9, negative: 9 }, rest: { positive: 9, negative: 9 } }, 8, [2, 2, 2, 2]],
    [{ contested: { positive: 9, negative: 9 }, rest: { positive: 9, negative: 9 } }, 7, [2, 2, 2, 1]],
    [{ contested: { positive: 1, negative: 9 }, rest: { positive: 9, negative: 9 } }, 8, [1, 3, 2, 2]],
    [{ contested: { positive: 0, negative: 0 }, rest: { positive: 9, negative: 9 } }, 8, [0, 0, 4, 4]],
    [{ contested: { positive: 9, negative: 9 }, rest: { positive: 1, negative: 0 } }, 8, [4, 3, 1, 0]],
  ])("fills shortfalls from the other action, then from the other half", (available, size, expected) => {
    const { contested, rest } = balancedCounts(available, size);
    expect([contested.positive, contested.negative, rest.positive, rest.negative]).toEqual(expected);
  });
});

describe("HashSample", () => {
  it("draws every id about equally often over many seeds", () => {
    const drawn = new Map<string, number>();
    for (let seed = 0; seed < 2000; seed++) {
      const sample = new HashSample(seed, 5);
      for (let n = 0; n < 20; n++) sample.add(`id${n}`);
      for (const id of sample.ids()) drawn.set(id, (drawn.get(id) ?? 0) + 1);
    }
    // Binomial(2000, 1/4): mean 500, sd 19.4; five sd either way.
    for (const count of drawn.values()) expect(Math.abs(count - 500)).toBeLessThan(97);
    expect(drawn.size).toBe(20);
  });

  it("holds no more than it needs and still finds the smallest hashes", () => {
    const small = new HashSample(1, 10);
    const large = new HashSample(1, 50_000);
    for (let n = 0; n < 50_000; n++) {
      small.add(`id${n}`);
      large.add(`id${n}`);
    }
    expect(small.ids()).toEqual(large.ids().slice(0, 10));
  });
});
