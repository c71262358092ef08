import { describe, expect, it } from "vitest";
import type { CellAnalysis } from "./analyse-cells.js";
import { tooFewReplicates } from "./case-row.js";

describe("tooFewReplicates", () => {
  it("takes more cases than a call takes arguments", () => {
    const cells = (k: number) => Array<CellAnalysis>(200_000).fill({ all: { k } } as CellAnalysis);
    expect(tooFewReplicates(cells(4))).toMatch(/the most is 4\./);
    expect(tooFewReplicates(cells(200))).toBeNull();
    expect(tooFewReplicates([])).toMatch(/the most is 0\./);
  });
});
