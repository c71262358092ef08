import { describe, expect, it } from "vitest";
import { cellIndex, emptyTally } from "../../measures/metrics/tally.js";
import { trapSentence } from "./document.js";
import { gapColumn } from "./gap-column.js";

type Group = [defensible: number, not: number];

/** Misses, and all that decider and people both allow. */
function sentence(misses: Group, agreed: Group): string {
  const tally = emptyTally("c");
  const add = (humanPositive: boolean, [defensible, not]: Group) => {
    const cell = { positive: false, humanPositive, inverse: false, scope: "unknown" } as const;
    tally.cells[cellIndex({ ...cell, level: 1 })]! += defensible;
    tally.cells[cellIndex({ ...cell, level: 3 })]! += not;
  };
  add(true, misses);
  add(false, agreed);
  const source = { name: "all", run_id: null, auditor: null, cohort: null };
  return trapSentence(gapColumn(source, { tallies: [tally], matched: [], truth: [], causes: [] }, null));
}

describe("trapSentence", () => {
  it("says nothing of a signature on a few misses, whatever their share", () => {
    expect(sentence([2, 0], [9, 1])).toMatch(/Of 2 decisions .* 100\.0% \(34\.2–100\.0%\).* So few misses say nothing/);
  });

  it("sees none where misses are defensible as often as everything else", () => {
    const text = sentence([92, 8], [920, 80]);
    expect(text).toMatch(/of all decisions, 92\.0% \(DI\)/);
    expect(text).toMatch(/no difference beyond chance/);
    expect(text).not.toMatch(/signature/);
  });

  it("sees it where misses differ from the rest and the rules still support most of them", () => {
    expect(sentence([80, 20], [950, 50])).toMatch(
      /less often defensible \(−15\.0 pp .*\).*Still, .* most .* signature/,
    );
    expect(sentence([30, 70], [950, 50])).toMatch(/less than half .* no sign of the agreement trap/);
    expect(sentence([50, 50], [950, 50])).toMatch(/is unknown/);
  });

  it("has nothing to say without misses", () => {
    expect(sentence([0, 0], [10, 0])).toMatch(/cannot be seen/);
  });
});
