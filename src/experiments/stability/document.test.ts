import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { plantedCohort } from "../../measures/stability/planted.suite.js";
import { renderMarkdown, renderTerminal } from "../../present/document/render.js";
import { withDuckDB } from "../../store/files/duckdb.js";
import { tempFolder } from "../../store/files/in-temp-folder.suite.js";
import { displayWidth } from "../../text/printable.js";
import { buildStability, type StabilityInputs } from "./build-stability.js";
import { stabilityDocument } from "./document.js";
import { stabilitySchema } from "./result.js";

type Row = Record<string, unknown>;

async function build(rows: readonly Row[], more: Partial<StabilityInputs> = {}) {
  const path = join(tempFolder(), "audits.jsonl");
  writeFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const source = { path, format: "jsonl" as const, own: false };
  return withDuckDB((db) =>
    buildStability(db, {
      sources: [{ source, run: null, name: "audits.jsonl", auditor: null }],
      ...{ mode: "fixed", stop: "boundary", evidence: "labels", alpha: 0.05, cap: 300, budget: null },
      ...{ rule: "level", asked: null, seed: 1, draws: 100 },
      ...more,
    }),
  );
}

function row(decision_id: string, replicate: number, more: Row): Row {
  return { decision_id, community: "c", decision: "remove", inverse: false, level: 1, replicate, ...more };
}

/** A planted cohort as rows of a file, with its groups as a pilot. */
function plantedRows(temperatures: number[]): Row[] {
  const { replicates, groups } = plantedCohort({ cases: 12, replicates: 40, temperatures, seed: 5 });
  return replicates.decisions.flatMap((id, i) => [
    row(id, 0, { arm: "pilot" }),
    row(id, 1, { arm: "pilot", level: groups[i] === "flipper" ? 3 : 1 }),
    ...temperatures.flatMap((temperature, j) =>
      Array.from({ length: 40 }, (_, k) => {
        const at = replicates.start[i * temperatures.length + j]! + k;
        const level_probs = [replicates.p1[at]!, replicates.p2[at]!, replicates.p3[at]!];
        return row(id, k, {
          ...{ arm: `t=${temperature}`, temperature, level: replicates.level[at]!, level_probs, logprob_space: "raw" },
          ...{
            pds: replicates.pds[at]!,
            p_defensible: replicates.pDefensible[at]!,
            h_citation_bits: replicates.citationBits[at]!,
          },
          ...{ inverse_yes_prob: replicates.inverseYesProb[at]!, signal: "logprobs", auditor: "test" },
        });
      }),
    ),
  ]);
}

describe("stabilityDocument", () => {
  it("says what was found, then the tables, for a whole sweep", async () => {
    const result = await build(plantedRows([0.3, 1]));
    stabilitySchema.parse(JSON.parse(JSON.stringify(result)));
    const text = renderTerminal(stabilityDocument(result, { rows: 3 }));
    const flat = text.replace(/\s+/g, " ");
    expect(flat).toMatch(/Repeated at T = 0.3, \d+% \(\d+–\d+%, \d+ of 12\) of the verdicts flip/);
    expect(flat).toMatch(/of the variance of P\(defensible\) lies between cases/);
    expect(flat).toMatch(/6 Flippers and 6 Stable were chosen from 12 candidates with 2 pilot audits each/);
    expect(flat).toMatch(/9 cases more/);
    expect(text).not.toMatch(/NaN|\bnull\b|Infinity|\[object/);
    const ids = result.figures.map(({ id }) => id);
    for (const id of [
      "levels",
      "consistency",
      "consistency-curve",
      "level-3",
      "inverse",
      "classes",
      "temperature-sweep",
    ]) {
      expect(ids).toContain(`stability-${id}`);
    }
    for (const id of ["signal-correlations", "threshold-mix", "flipper-stable", "variance", "defensibility"]) {
      expect(ids).toContain(`stability-${id}`);
    }
  });

  it("counts all cases once in its first sentence, and calls no case unstable that is undetermined", async () => {
    const levels = (id: string, k: number, third: (i: number) => boolean) =>
      Array.from({ length: k }, (_, i) => row(id, i, { level: third(i) ? 3 : 1, temperature: 0.2 }));
    const rows = [
      ...levels("agreed", 40, () => false),
      ...levels("agreed-too", 40, () => true),
      ...levels("near", 40, (i) => i % 7 === 0),
      ...levels("toss", 40, (i) => i % 2 === 0),
      ...levels("settled", 53, () => false),
    ];
    const result = await build(rows, { mode: "sequential", cap: 60 });
    const page = stabilityDocument(result);
    const flat = renderTerminal(page).replace(/\s+/g, " ");
    expect(flat).toMatch(
      /Repeated at T = 0.2, 1 of 5 verdicts flip between defensible and indefensible .*; 1 stay defensible and 0 indefensible/,
    );
    expect(flat).toMatch(/3 are undetermined: 2 gave the same answer every time, but it takes 53 repetitions/);
    expect(flat).toMatch(/1 is too close to 10 or 90%/);
    expect(flat).toMatch(/29% fewer than the 60 allowed for each, 96% fewer than the paper's 1,000/);
    expect(page.blocks[0]).toMatchObject({ kind: "text", as: "lead" });
  });

  it("cuts no cell that tells states or sources of variance, and stays within 100 columns", async () => {
    const result = await build(plantedRows([0.3, 1]), { mode: "sequential", cap: 40 });
    const text = renderTerminal(stabilityDocument(result));
    expect(text).not.toMatch(/\p{L}…/u);
    for (const line of text.split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(100);
    expect(text).toMatch(/defensible or unstable/);
  });

  it.each([
    ["one audit", [row("a", 0, {})]],
    ["two audits without signals", [row("a", 0, {}), row("a", 1, { level: 3 })]],
    ["no verdict at all", [row("a", 0, { level: null }), row("a", 1, { level: null })]],
    ["temperature 0", [0, 1, 2].flatMap((k) => ["a", "b", "c"].map((id) => row(id, k, { temperature: 0, pds: 0.5 })))],
  ])("says what is undefined and why, with %s", async (_, rows) => {
    const result = await build(rows);
    stabilitySchema.parse(JSON.parse(JSON.stringify(result)));
    const page = stabilityDocument(result);
    for (const text of [renderTerminal(page), renderMarkdown(page)]) {
      expect(text).not.toMatch(/NaN|\bnull\b|Infinity|\[object/);
      expect(text).toMatch(/no pilot/);
    }
  });

  it("does not let a name or an id speak to the terminal", async () => {
    const result = await build([row("a\u001b[31m", 0, {}), row("a\u001b[31m", 1, {})]);
    expect(renderTerminal(stabilityDocument(result))).not.toContain("\u001b");
  });

  it("counts the first replicates as a pilot where that is asked for, and says so", async () => {
    const rows = ["a", "b"].flatMap((id) =>
      Array.from({ length: 40 }, (_, k) => row(id, k, { level: id === "a" && k % 2 ? 3 : 1 })),
    );
    const result = await build(rows, { pilot: 6 });
    expect(result.groups).toMatchObject({ by: "first_replicates", flippers: 1, stable: 1 });
    expect(result.counts.audits).toBe(68);
    expect(result.warnings.join()).toMatch(/first 6 replicates/);
  });
});
