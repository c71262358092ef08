import { describe, expect, it } from "vitest";
import { type Compare, compareSchema } from "../../core/results/compare.js";
import { auditedIndex } from "../../measures/metrics/judge/counts.js";
import { compareRuns } from "../../measures/metrics/paired/compare-runs.js";
import { emptyPairs, pairIndex } from "../../measures/metrics/paired/paired-change.js";
import { createRng } from "../../stats/random/create-rng.js";
import { compareDocument } from "./compare-document.js";
import { renderMarkdown, renderTerminal } from "./render.js";

function example(communities: number, changes: Partial<Compare> = {}): Compare {
  const pairs = Array.from({ length: communities }, (_, i) => {
    const one = emptyPairs(i === 0 ? "[evil](http://e.example)\u001b[31m" : `c${i}`);
    one.cells[pairIndex(auditedIndex(1, false), auditedIndex(1, false))] = 20;
    one.cells[pairIndex(auditedIndex(3, true), auditedIndex(2, true))] = 3 + (i % 4);
    return one;
  });
  const compared = pairs.reduce((sum, one) => sum + one.cells.reduce((x, y) => x + y), 0);
  return {
    format: 1,
    a: { name: "a.csv", run_id: null, auditor: "one" },
    b: { name: "b.csv", run_id: null, auditor: "two" },
    differs: [{ setting: "prompt_version", a: "1", b: "2" }],
    counts: {
      attempted_a: compared + 3,
      attempted_b: compared + 7,
      only_a: 2,
      only_b: 6,
      shared: compared + 1,
      without_verdict: 1,
      different_action: 4,
      different_community: 5,
      compared,
    },
    ...compareRuns(pairs, { rng: createRng(1), draws: 200 }),
    bootstrap: { seed: 1, draws: 200 },
    ...changes,
  };
}

const text = (compare: Compare, rows?: number) => renderTerminal(compareDocument(compare, { rows }));

describe("a comparison in words", () => {
  it("is a valid compare record that survives JSON", () => {
    const compare = example(3);
    expect(compareSchema.parse(JSON.parse(JSON.stringify(compare)))).toEqual(compare);
  });

  it("tells what was left out and what does not match", () => {
    const words = text(example(3)).replace(/\s+/g, " ");
    expect(words).toContain("2 are in A only and 6 in B only");
    expect(words).toContain("Without a verdict in one of the two: 1 shared decision.");
    expect(words).toContain("With different actions: 4 shared decisions; for these");
    expect(words).toContain("In another community in B: 5 shared decisions");
    expect(words).toContain("prompt version 1 2");
  });

  it("shows the interval over communities and the bootstrap, with a word on how far to trust it", () => {
    const many = text(example(25)).replace(/\s+/g, " ");
    expect(many).toContain("(BCa, 200 draws, seed 1); with many communities it agrees with the interval");
    expect(text(example(3)).replace(/\s+/g, " ")).toContain("usually too narrow with 3 communities");
    expect(text(example(3)).replace(/\s+/g, " ")).toContain("fewer than 5 communities say nothing about others");
    expect(text(example(1)).replace(/\s+/g, " ")).toContain("undefined for one community");
  });

  it("says when a difference is there for decisions but not for communities", () => {
    const compare = example(5);
    const { difference } = compare.defensibility_index;
    if (difference.estimate === null) throw new Error("undefined");
    const wide = { ...difference, cluster: { ...difference.cluster!, lower: -0.1 } };
    const changed = { ...compare, defensibility_index: { ...compare.defensibility_index, difference: wide } };
    expect(text(compare).replace(/\s+/g, " ")).toContain("The difference is statistically significant.");
    expect(text(changed).replace(/\s+/g, " ")).toContain(
      "significant only if decisions of a community are independent",
    );
  });

  it("shows no interval of width 0 where all communities changed alike, and says why", () => {
    const pairs = Array.from({ length: 10 }, (_, i) => {
      const one = emptyPairs(`c${i}`);
      one.cells[pairIndex(auditedIndex(1, false), auditedIndex(1, false))] = 20;
      return one;
    });
    const same = example(10, compareRuns(pairs, { rng: createRng(1), draws: 200 }));
    const words = text(same).replace(/\s+/g, " ");
    expect(words).not.toContain("0.0 to 0.0");
    expect(words).toContain(
      "Defensibility, Ambiguity, Pure ambiguity: no interval over communities: the value is the same in every community",
    );
    expect(compareSchema.parse(JSON.parse(JSON.stringify(same)))).toEqual(same);
    expect(text(example(3))).not.toContain("Defensibility: no interval over communities");
  });

  it("shows as many communities as asked for and says how many more there are", () => {
    expect(text(example(25), 5).replace(/\s+/g, " ")).toMatch(/20 communities more in the JSON/);
  });

  it("says so when nothing differs in the settings, and when files say nothing of them", () => {
    expect(text(example(3, { differs: [] }))).toMatch(/The runs report the same settings/);
    const silent = { name: "a.csv", run_id: null };
    expect(text(example(3, { differs: [], a: silent, b: silent }))).toMatch(/do not say how they were made/);
  });

  it("lets no name become markup or move the cursor", () => {
    expect(text(example(3))).not.toContain("\u001b");
    expect(renderMarkdown(compareDocument(example(3)))).not.toMatch(/(?<!\\)\[evil/);
  });
});
