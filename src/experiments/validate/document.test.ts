import { describe, expect, it } from "vitest";
import { simulatedAuditorSchema } from "../../core/results/simulated-auditor.js";
import { renderTerminal } from "../../present/document/render.js";
import { presetWorld } from "../../simulation/world/presets.js";
import { proportion } from "../../stats/intervals/proportion.js";
import { displayWidth } from "../../text/printable.js";
import { validateDocument } from "./document.js";
import { VALIDATED, type Validate } from "./result.js";
import { simulateWorlds } from "./simulate-worlds.js";

function page(parts: Pick<Validate, "run" | "worlds">): string {
  return renderTerminal(
    validateDocument({
      format: 1,
      experiment: "validate",
      runs: [],
      figures: [],
      warnings: [],
      ...parts,
    }),
  );
}

function run(): NonNullable<Validate["run"]> {
  const measured = proportion(30, 100);
  return {
    run_id: "r",
    auditor: "a",
    matched: 100,
    without_truth: 0,
    quantities: VALIDATED.map((quantity) => ({
      quantity,
      truth: quantity === "ambiguity_index" ? 0.1 : 0.3,
      measured,
      error: quantity === "ambiguity_index" ? 0.2 : 0,
      covered: quantity !== "ambiguity_index",
      covered_clustered: null,
    })),
    levels: [
      [70, 0, 0],
      [0, 10, 0],
      [0, 0, 20],
    ],
    same_level: proportion(100, 100),
    inverse: { sensitivity: proportion(5, 10), specificity: proportion(80, 90) },
    same_family: null,
    gate: { certified: { passing: 0, false_openings: proportion(0, 0), recall: proportion(0, 0) } },
    scores: [],
  };
}

describe("validateDocument", () => {
  it("begins with DI and AI, and says which interval misses the truth", () => {
    const flat = page({ run: run(), worlds: null }).replace(/\s+/g, " ");
    expect(flat).toMatch(
      / 0\.0 pp measured − true defensibility 30% measured, 30% true; 95% interval [^:]*: it holds the truth/,
    );
    expect(flat).toMatch(
      /\+20\.0 pp measured − true ambiguity 30% measured, 10% true; 95% interval [^:]*: it does not hold the truth/,
    );
  });

  it("gives a reason for what is missing", () => {
    const text = page({ run: run(), worlds: null });
    expect(text).toMatch(/certified\s+0\s+none passed\s+none should/);
    expect(text).not.toContain("no rows");
    expect(text.replace(/\s+/g, " ")).toMatch(/with communities as clusters does, which takes at least two/);
  });

  it("keeps the table of estimators within 100 columns, and says why AI_G and AI_C have a dash", () => {
    const worlds = simulateWorlds({
      settings: presetWorld("small"),
      auditor: simulatedAuditorSchema.parse({}),
      ...{ worlds: 2, communities: 5, decisions: 150, temperature: 0.2, labels: 40, seed: 3 },
    });
    const text = page({ run: null, worlds });
    for (const line of text.split("\n")) expect(displayWidth(line)).toBeLessThanOrEqual(100);
    expect(text).not.toMatch(/\p{L}…/u);
    expect(text.replace(/\s+/g, " ")).toMatch(/A dash: the rate in the long run is not worked out/);
  });
});
