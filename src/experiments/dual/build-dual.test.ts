import { describe, expect, it } from "vitest";
import { type Estimate, undefinedEstimate } from "../../core/estimate.js";
import { proportion } from "../../stats/intervals/proportion.js";
import { dualFigures } from "./build-dual.js";
import type { Dual, DualGroup } from "./result.js";

const none = undefinedEstimate("none");

function titles(share: Estimate, sensitivity: Estimate, specificity: Estimate): string[] {
  const group = {
    ...{ ambiguous: share, determinate: share, model_error: share, void: share },
    inverse_check: { sensitivity, specificity },
  } as DualGroup;
  const byAction = { positive: group, negative: group } as Dual["by_action"];
  return dualFigures(group, byAction, { positive: "remove", negative: "approve" }).map(({ title }) => title);
}

describe("titles of a dual audit", () => {
  it("say what was found", () => {
    expect(titles(proportion(1, 4), proportion(1, 2), proportion(3, 4))).toEqual([
      "The rules allow both outcomes in 25.0% of the decisions and neither in 25.0%",
      "The one-token inverse check finds 50.0% of the defensible opposites and turns down 75.0% of the others",
    ]);
  });

  it("say why nothing was, instead of a share that is undefined", () => {
    expect(titles(none, none, none)).toEqual([
      "No decision was audited together with its opposite",
      "No opposite was audited that the one-token inverse check could be held against",
    ]);
    expect(titles(none, none, proportion(3, 4))[1]).toBe(
      "The one-token inverse check turns down 75.0% of the opposites, none of which is defensible",
    );
  });
});
