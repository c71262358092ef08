import { describe, expect, it } from "vitest";
import { createRng } from "../../stats/random/create-rng.js";
import { allocate, chooseCases, isSettled, nextBatch, pilotGroup, replicatesLeft } from "./allocate.js";
import { LevelSequence } from "./level-sequence.js";

function cell(counts: [number, number, number], planned = counts.reduce((a, b) => a + b, 0)) {
  const sequence = new LevelSequence(0.05);
  // Spread evenly: a long run of one level would settle what the whole does not.
  const total = counts.reduce((a, b) => a + b, 0);
  const given = [0, 0, 0];
  for (let n = 1; n <= total; n += 1) {
    const behind = counts.map((count, i) => (count * n) / total - given[i]!);
    const level = behind.indexOf(Math.max(...behind));
    given[level]! += 1;
    sequence.addLevel(level + 1);
  }
  return { sequence, planned };
}

describe("allocate", () => {
  it("gives nothing to what is settled or at its cap, and the next batch to the rest", () => {
    const cells = [cell([60, 0, 0]), cell([28, 0, 2]), cell([270, 0, 30])];
    const more = allocate(cells, { stop: "boundary", cap: 300, left: Number.POSITIVE_INFINITY });
    expect([...more]).toEqual([[1, 40]]);
  });

  it("goes on for the class where that is asked for", () => {
    const cells = [cell([60, 0, 0])];
    expect(allocate(cells, { stop: "class", cap: 300, left: 1000 }).get(0)).toBe(70);
  });

  it("spends a budget on the nearest to be settled, or on the widest, and no more than there is", () => {
    const [near, wide, hard] = [cell([46, 0, 0]), cell([24, 0, 6]), cell([180, 0, 20])];
    const spend = (left: number, order: "nearest" | "widest") => [
      ...allocate([hard, wide, near], { stop: "boundary", cap: 300, left, order }),
    ];
    expect(spend(1000, "nearest")).toEqual([[2, 56]]);
    expect(spend(1000, "widest")).toEqual([[1, 40]]);
    expect(spend(4, "nearest")).toEqual([[2, 50]]);
    expect(spend(0, "nearest")).toEqual([]);
  });

  it("settles more of a cohort with the same budget than going to the widest first", () => {
    const settle = (order: "nearest" | "widest") => {
      const rng = createRng(3);
      const cells = Array.from({ length: 40 }, (_, i) => ({
        share: i % 4 === 3 ? 0.5 : 0.02 * (i % 7),
        ...cell([0, 0, 0]),
      }));
      let left = 1600;
      const draw = (one: (typeof cells)[number], planned: number) => {
        for (let k = one.planned; k < planned; k += 1) one.sequence.addLevel(rng.next() < one.share ? 3 : 1);
        left -= planned - one.planned;
        one.planned = planned;
      };
      for (const one of cells) draw(one, 30);
      for (;;) {
        const more = allocate(cells, { stop: "boundary", cap: 300, left, order });
        if (more.size === 0) return cells.filter(({ sequence }) => isSettled(sequence, "boundary")).length;
        for (const [index, planned] of more) draw(cells[index]!, planned);
      }
    };
    expect(settle("nearest")).toBeGreaterThan(settle("widest"));
  });

  it("grows batches by a tenth up to the cap", () => {
    expect([nextBatch(0, 300), nextBatch(0, 12), nextBatch(30, 300), nextBatch(200, 300), nextBatch(290, 300)]).toEqual(
      [30, 12, 40, 220, 300],
    );
  });
});

describe("replicatesLeft", () => {
  it("is small where a case is nearly settled, large beside a threshold, and counts what there is", () => {
    const left = (counts: [number, number, number]) => replicatesLeft(cell(counts).sequence, "boundary");
    expect(left([46, 0, 0])).toBeLessThan(left([30, 0, 0]));
    expect(left([30, 0, 0])).toBeLessThan(left([27, 0, 3]));
    expect(left([27, 0, 3])).toBeGreaterThan(1000);
    expect(replicatesLeft(cell([40, 20, 0]).sequence, "class")).toBeGreaterThan(left([40, 20, 0]));
  });
});

describe("chooseCases", () => {
  const pilot = Array.from({ length: 40 }, (_, i) => ({
    decision_id: `d${String(i).padStart(2, "0")}`,
    counts: (i % 4 === 0 ? [5, 0, 5] : [10, 0, 0]) as [number, number, number],
  }));
  const choose = (cases: number, seed: number, list = pilot) =>
    chooseCases(list, { cases, rule: "level", rng: createRng(seed) });

  it("takes up to half of each group, and fewer where there are fewer", () => {
    const chosen = choose(16, 1);
    expect(chosen.filter(({ group }) => group === "flipper")).toHaveLength(8);
    expect(chosen.filter(({ group }) => group === "stable")).toHaveLength(8);
    const all = choose(30, 1);
    expect(all.filter(({ group }) => group === "flipper")).toHaveLength(10);
    expect(all.filter(({ group }) => group === "stable")).toHaveLength(15);
    expect(choose(10, 1, [])).toEqual([]);
  });

  it("depends on the seed and not on the order of the candidates", () => {
    expect(choose(16, 1, [...pilot].reverse())).toEqual(choose(16, 1));
    expect(choose(16, 2)).not.toEqual(choose(16, 1));
  });

  it("knows two kinds of Flippers, and none without a verdict", () => {
    expect(pilotGroup([5, 5, 0], "level")).toBe("flipper");
    expect(pilotGroup([5, 5, 0], "boundary")).toBe("stable");
    expect(pilotGroup([0, 9, 1], "boundary")).toBe("flipper");
    expect(pilotGroup([0, 0, 0], "level")).toBeNull();
  });
});
