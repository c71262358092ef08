import { describe, expect, it } from "vitest";
import { LOOK_REASONS } from "../report-page.js";
import { type LookedAt, lookReasons } from "./agreement.js";

const calm: LookedAt = {
  outcome: "verdict",
  decision: "remove",
  human_label: "remove",
  level: 1,
  level_map: 1,
  inverse: false,
  p_defensible: 0.97,
  grounded: true,
  flags: ["uncalibrated"],
};

describe("reasons to look at a decision", () => {
  it("are none but that it is settled where a verdict is sure, grounded and agreed on", () => {
    expect(lookReasons(calm)).toEqual(["settled"]);
  });

  it("tell what cannot be derived by what the human did", () => {
    const wrong = { ...calm, level: 3, level_map: 3, p_defensible: 0.02 };
    expect(lookReasons(wrong)).toEqual(["agreed_but_indefensible"]);
    expect(lookReasons({ ...wrong, human_label: "approve" })).toEqual(["disagreement_indefensible"]);
    expect(lookReasons({ ...wrong, human_label: null })).toEqual(["indefensible"]);
  });

  it("count the opposite as open only where the decision itself is defensible", () => {
    expect(lookReasons({ ...calm, inverse: true })).toEqual(["open_both_ways"]);
    expect(lookReasons({ ...calm, level: 3, level_map: 3, p_defensible: 0, inverse: true })).toEqual([
      "agreed_but_indefensible",
    ]);
  });

  it("are all that hold, in their order", () => {
    const everything = {
      ...calm,
      human_label: "approve",
      inverse: true,
      p_defensible: 0.5,
      grounded: false,
      flags: ["injection_suspected"],
    };
    expect(lookReasons(everything)).toEqual([
      "injection_suspected",
      "ungrounded_citation",
      "disagreement_defensible",
      "open_both_ways",
      "unsure",
    ]);
  });

  it("call a verdict unsure at either end of the band, and where another level is likelier", () => {
    for (const p_defensible of [0.25, 0.75]) expect(lookReasons({ ...calm, p_defensible })).toEqual(["unsure"]);
    for (const p_defensible of [0.2499, 0.7501]) expect(lookReasons({ ...calm, p_defensible })).toEqual(["settled"]);
    expect(lookReasons({ ...calm, level_map: 2 })).toEqual(["unsure"]);
    expect(lookReasons({ ...calm, level_map: null, p_defensible: null })).toEqual(["settled"]);
  });

  it("say of an audit without a verdict only that it has none, and whether the content meddled", () => {
    for (const outcome of ["unscored", "error"]) {
      const none = { ...calm, outcome, level: null, inverse: null, grounded: false, human_label: "approve" };
      expect(lookReasons(none)).toEqual(["not_scored"]);
      expect(lookReasons({ ...none, flags: ["injection_suspected"] })).toEqual(["injection_suspected", "not_scored"]);
    }
  });

  it("come in the order of the list", () => {
    const places = lookReasons({ ...calm, human_label: "approve", inverse: true, p_defensible: 0.5 }).map((reason) =>
      LOOK_REASONS.indexOf(reason),
    );
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });
});
