import { describe, expect, it } from "vitest";
import { chooseLabels, type LabelGroup, labelNotes } from "./label-sample.js";

const group = (of: Partial<LabelGroup>): LabelGroup => ({
  drawn: null,
  frame: null,
  labels: 50,
  chances: 50,
  own_verdict: 0,
  cells: 1,
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

  it("knows a file's own verdicts by the strata of the labels", () => {
    expect(chooseLabels([{ ...sheet, own_verdict: 50 }], null)).toMatchObject({ weighted: "by_verdict", flags: [] });
    expect(chooseLabels([{ ...sheet, own_verdict: 49 }], null)).toMatchObject({ flags: ["other_frame"] });
  });

  it("estimates nothing from appeals and convenience alone", () => {
    const sample = chooseLabels([group({ drawn: "appeal" }), group({ drawn: "convenience" })], "r1");
    expect(sample).toMatchObject({ weighted: null, flags: ["no_design"] });
    expect(labelNotes(sample)[0]).toContain("no_design");
  });
});
