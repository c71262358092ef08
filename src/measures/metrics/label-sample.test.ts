import { describe, expect, it } from "vitest";
import { chooseLabels, type LabelGroup, labelNotes } from "./label-sample.js";

const group = (of: Partial<LabelGroup>): LabelGroup => ({
  drawn: null,
  frame: null,
  labels: 50,
  chances: 50,
  own_verdict: 0,
  cells: 1,
  inclusions: 1,
  ...of,
});
const sheet = group({ drawn: "sheet", frame: "r1", cells: 6 });
const random = group({ drawn: "random", frame: "r1" });
const unknown = group({ labels: 900 });

describe("chooseLabels", () => {
  it("crosses the designs of this run, and leaves out all others, however many", () => {
    const sample = chooseLabels([sheet, random, unknown, group({ drawn: "appeal" })], "r1");
    expect(sample).toMatchObject({ weighted: "by_verdict", frame: null, flags: [] });
    expect(sample.designs.map(({ used }) => used)).toEqual([true, true, false, false]);
    expect(labelNotes(sample).join(" ")).toContain("900 of unknown design");
    expect(chooseLabels([random, unknown], "r1")).toMatchObject({ weighted: "random", flags: [] });
  });

  it("takes one other population where there is none of this run, the largest with known chances", () => {
    const review = group({ drawn: "review", frame: "automated", labels: 70, chances: 70, cells: 2 });
    expect(chooseLabels([sheet, review, unknown], "r2")).toMatchObject({
      weighted: "by_stratum",
      frame: "automated",
      flags: ["other_frame"],
    });
    expect(labelNotes(chooseLabels([review], "r2")).join(" ")).toContain("the automated decisions");
    // A queue that does not say its chance, or a review, is no sample.
    expect(chooseLabels([group({ drawn: "queue", frame: "q", chances: 0 }), unknown], "r2").flags).toEqual([
      "design_unknown",
    ]);
  });

  it("weights a random draw with unequal chances, and does not cross it", () => {
    const unequal = group({ drawn: "random", labels: 80, chances: 80, cells: 2, inclusions: 2 });
    expect(chooseLabels([unequal], null)).toMatchObject({ weighted: "by_stratum", frame: null, flags: [] });
    expect(chooseLabels([{ ...unequal, frame: "r1" }], "r1")).toMatchObject({ weighted: "by_stratum", flags: [] });
    const crossed = chooseLabels([unequal, random, sheet], "r1");
    expect(crossed.weighted).toBe("by_verdict");
    expect(crossed.designs.map(({ used }) => used)).toEqual([false, true, true]);
    // Strata that were drawn with the same chance.
    expect(chooseLabels([{ ...unequal, inclusions: 1 }], null).weighted).toBe("random");
  });

  it("takes no draw from several strata without their chances", () => {
    const strata = group({ drawn: "random", frame: "elsewhere", chances: 0, cells: 8 });
    for (const one of [strata, { ...strata, frame: "r1" }, { ...strata, frame: null }]) {
      const sample = chooseLabels([one], "r1");
      expect(sample).toMatchObject({ weighted: null, flags: ["no_design", "inclusion_missing"] });
      expect(labelNotes(sample).join(" ")).toContain("add `inclusion`");
    }
    expect(chooseLabels([{ ...strata, cells: 2, chances: 49 }], "r1").weighted).toBeNull();
    expect(chooseLabels([{ ...strata, cells: 1 }], "r1")).toMatchObject({ weighted: "random" });
  });

  it("knows a file's own verdicts by the strata of the labels", () => {
    expect(chooseLabels([{ ...sheet, own_verdict: 50 }], null)).toMatchObject({ weighted: "by_verdict", flags: [] });
    expect(chooseLabels([{ ...sheet, own_verdict: 49 }], null)).toMatchObject({ flags: ["other_frame"] });
  });

  it("estimates nothing from appeals and convenience alone", () => {
    const sample = chooseLabels([group({ drawn: "appeal" }), group({ drawn: "convenience" })], "r1");
    expect(sample).toMatchObject({ weighted: null, flags: ["no_design"] });
    expect(labelNotes(sample)[0]).toContain("no sample");
  });
});
