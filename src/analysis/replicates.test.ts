import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { withDuckDB } from "../store/files/duckdb.js";
import { tempFolder } from "../store/files/in-temp-folder.suite.js";
import { loadReplicates, type ReplicateOptions } from "./replicates.js";

type Row = Record<string, unknown>;

function row(decision_id: string, arm: string, replicate: number, more: Row = {}): Row {
  return { decision_id, community: "c", decision: "remove", arm, replicate, level: 1, inverse: false, ...more };
}

async function load(files: readonly (readonly Row[])[], options?: ReplicateOptions) {
  const folder = tempFolder();
  const sources = files.map((rows, i) => {
    const path = join(folder, `${i}.jsonl`);
    writeFileSync(path, rows.map((one) => `${JSON.stringify(one)}\n`).join(""));
    return { source: { path, format: "jsonl" as const, own: false }, run: `run-${i}` };
  });
  return withDuckDB((db) => loadReplicates(db, sources, options));
}

describe("loadReplicates", () => {
  it("sorts rows by case, condition and replicate, whatever their order in the file", async () => {
    const rows = [
      row("b", "t=1", 1, { level: 3, pds: 0.5, temperature: 1 }),
      row("a", "t=0.1", 0, { level: 2, temperature: 0.1 }),
      row("b", "t=1", 0, { level: 1, temperature: 1 }),
      row("a", "t=1", 0, { level: 3, temperature: 1, outcome: "error" }),
      row("b", "t=0.1", 0, {
        level: 2,
        temperature: 0.1,
        p_defensible: 0.25,
        level_probs: [0.2, 0.05, 0.75],
        logprob_space: "raw",
      }),
    ];
    const { replicates, pilot } = await load([rows]);
    expect(replicates.decisions).toEqual(["a", "b"]);
    expect(replicates.conditions.map(({ temperature }) => temperature)).toEqual([0.1, 1]);
    expect([...replicates.start]).toEqual([0, 1, 2, 3, 5]);
    // The error has no verdict.
    expect([...replicates.level]).toEqual([2, 0, 2, 1, 3]);
    expect([...replicates.pds]).toEqual([Number.NaN, Number.NaN, Number.NaN, Number.NaN, 0.5]);
    expect([...replicates.unitSpace]).toEqual([0, 0, 1, 0, 0]);
    expect(replicates.p3[2]).toBe(0.75);
    expect(pilot).toBeNull();
  });

  it("reads the temperature off the arm where there is no column, and keeps other arms out", async () => {
    const rows = [row("a", "t=0.7", 0), row("a", "opposite", 0), row("a", "human", 0), row("a", "tier=title", 0)];
    const { replicates, notes } = await load([rows]);
    expect(replicates.conditions).toMatchObject([{ arm: "t=0.7", temperature: 0.7 }]);
    expect(replicates.level).toHaveLength(1);
    expect(notes).toEqual([
      expect.stringMatching(/^3 of 4 audits of .*: human \(1\), opposite \(1\), tier=title \(1\)$/),
    ]);
  });

  it("names the arms that it does not read, with their counts: a mistyped temperature must not vanish", async () => {
    const rows = ["t=0.5", "t=0.5", "T=1.0", "temp=0.9", "temp=0.9", "temp=0.9"].map((arm, i) => row("a", arm, i));
    const { replicates, notes } = await load([rows]);
    expect(replicates.level).toHaveLength(2);
    expect(notes).toEqual([expect.stringMatching(/^4 of 6 audits .*: temp=0\.9 \(3\), T=1\.0 \(1\)$/)]);
  });

  it("believes the name of an arm where the column says otherwise, and says so", async () => {
    const rows = ["t=0.5", "t=1", "t=1"].map((arm, i) => row("a", arm, i, { temperature: 0.2 }));
    const { replicates, notes } = await load([rows]);
    expect(replicates.conditions.map(({ temperature }) => temperature)).toEqual([0.5, 1]);
    expect(notes).toEqual([expect.stringMatching(/believed: t=0\.5 \(1 with 0\.2\), t=1 \(2 with 0\.2\)$/)]);
    expect((await load([[row("a", "t=0.10", 0, { temperature: 0.1 })]])).notes).toEqual([]);
  });

  it.each([
    ["temperature", "hot", /1 row with an unreadable temperature; got "hot", expected a number from 0 on/],
    ["temperature", -1, /got "-1"/],
    ["temperature", "NaN", /got "NaN"/],
    ["replicate", -1, /unreadable replicate; got "-1", expected a whole number from 0 on/],
    ["replicate", 1.5, /got "1.5"/],
  ])("refuses a file with %s %s", async (name, value, message) => {
    await expect(load([[row("a", "", 0), row("a", "", 1, { [name]: value })]])).rejects.toThrow(message);
  });

  it("takes an empty temperature or replicate as one that is not known", async () => {
    const rows = [row("a", "", 0, { temperature: "" }), row("b", "", 0, { temperature: null })];
    expect((await load([rows])).replicates.conditions).toMatchObject([{ temperature: null }]);
  });

  it("takes the replicates of an ordinary run, but not its one audit beside temperatures", async () => {
    const plain = await load([[row("a", "", 0), row("a", "", 1)]]);
    expect(plain.replicates.conditions).toMatchObject([{ arm: "", temperature: null }]);
    const beside = await load([[row("a", "", 0), row("a", "t=1", 0), row("a", "t=1", 1)]]);
    expect(beside.replicates.conditions).toMatchObject([{ arm: "t=1" }]);
  });

  it("counts the pilot apart, and its candidates that were not chosen are no cases", async () => {
    const rows = [
      row("a", "pilot", 0),
      row("a", "pilot", 1, { level: 3 }),
      row("b", "pilot", 0),
      row("b", "pilot", 1, { outcome: "unscored", level: null }),
      row("a", "t=1", 0),
    ];
    const { replicates, pilot, pilotReplicates, pilotBy } = await load([rows]);
    expect(pilotBy).toBe("pilot");
    expect(replicates.decisions).toEqual(["a"]);
    expect(pilot).toEqual([
      { decision_id: "a", counts: [1, 0, 1] },
      { decision_id: "b", counts: [1, 0, 0] },
    ]);
    expect(pilotReplicates).toBe(2);
  });

  it("makes a pilot of the first replicates of the lowest temperature, which are then left out", async () => {
    const rows = ["t=0.1", "t=1"].flatMap((arm) => [0, 1, 2, 3].map((i) => row("a", arm, i, { level: i < 2 ? 3 : 1 })));
    const { replicates, pilot, pilotBy } = await load([rows], { pilot: 2 });
    expect(pilotBy).toBe("first_replicates");
    expect(pilot).toEqual([{ decision_id: "a", counts: [0, 0, 2] }]);
    expect([...replicates.level]).toEqual([1, 1, 3, 3, 1, 1]);
    expect([...replicates.replicate]).toEqual([2, 3, 0, 1, 2, 3]);
  });

  it("leaves nothing out for a pilot where there is one, whatever was asked for, and says so", async () => {
    const rows = [row("a", "pilot", 0), row("a", "t=1", 0), row("a", "t=1", 1)];
    const { replicates, pilotBy, notes } = await load([rows], { pilot: 1 });
    expect(replicates.level).toHaveLength(2);
    expect(pilotBy).toBe("pilot");
    expect(notes).toEqual([expect.stringMatching(/--pilot 1 was not used/)]);
  });

  it("puts several sources side by side, templates with paper first", async () => {
    const own = (auditor: string, arm: string, template: string) =>
      row("a", arm, 0, { auditor, template, temperature: 1 });
    const { replicates } = await load([
      [own("x", "t=1", "paper"), own("x", "t=1 template=extended", "extended")],
      [own("y", "t=1", "paper")],
    ]);
    expect(replicates.conditions).toMatchObject([
      { run: "run-0", auditor: "x", template: "paper" },
      { run: "run-0", auditor: "x", template: "extended" },
      { run: "run-1", auditor: "y", template: "paper" },
    ]);
  });

  it("does not know the law of draws from frequencies, or of an unknown space, except at temperature 1", async () => {
    const probabilities = { level_probs: [0.5, 0.3, 0.2] };
    const { replicates } = await load([
      [
        row("a", "t=0.5", 0, { ...probabilities, logprob_space: "unknown" }),
        row("a", "t=0.5", 1, { ...probabilities, logprob_space: "tempered" }),
        row("a", "t=0.5", 2, { ...probabilities, signal: "sampling", logprob_space: "raw" }),
        row("a", "t=1", 0, { ...probabilities, logprob_space: "unknown" }),
        row("a", "t=1", 1),
      ],
    ]);
    expect([...replicates.unitSpace]).toEqual([0, 1, 0, 1, 0]);
  });

  it("says that nothing was repeated where nothing was", async () => {
    await expect(load([[row("a", "opposite", 0)]])).rejects.toThrow(/no repeated audits/);
  });
});
