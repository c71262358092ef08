import { describe, expect, it } from "vitest";
import { type Cell, cellIndex, countOpenLabels, emptyTally, labelsAlike } from "./tally.js";

describe("labels of verdicts that are open both ways", () => {
  it("are counted by action, over communities; what is not open or has no label does not count", () => {
    const open: Cell = { positive: true, humanPositive: true, level: 2, inverse: true, scope: "community" };
    const tally = (cluster: string, ...of: [number, Partial<Cell>][]) => {
      const made = emptyTally(cluster);
      for (const [n, cell] of of) made.cells[cellIndex({ ...open, ...cell })]! += n;
      return made;
    };
    const alpha = tally("alpha", [3, {}], [4, { humanPositive: false, level: 1 }], [90, { humanPositive: null }]);
    const beta = tally(
      "beta",
      [2, { positive: false, scope: "platform" }],
      [80, { level: 3 }],
      [70, { inverse: false }],
    );
    expect(countOpenLabels([alpha, beta])).toEqual({ positive: 5, negative: 4 });
  });

  it("are alike from 20 on, where 90% name one action", () => {
    expect(labelsAlike({ positive: 2, negative: 18 })).toEqual({ alike: 18, labels: 20 });
    expect(labelsAlike({ positive: 27, negative: 3 })).toEqual({ alike: 27, labels: 30 });
    expect(labelsAlike({ positive: 26, negative: 4 })).toBeNull();
    expect(labelsAlike({ positive: 0, negative: 19 })).toBeNull();
  });
});
