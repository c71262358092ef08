import { describe, expect, it } from "vitest";
import { CAUSE_WORDS, CAUSES, TARGET_WORDS } from "../../src/present/words/vocabulary.js";
import { DARK, LIGHT, type Palette, type Role } from "./palette.ts";
import { seriesStyles } from "./series-style.ts";

const STATES = ["earned_autonomy", "policy_gaps", "normative_complexity", "insufficient"];

describe("styles of series", () => {
  it("draw the states as the paper does: circles, squares, triangles", () => {
    expect(seriesStyles("state", STATES).map(({ shape }) => shape)).toEqual([
      "circle",
      "square",
      "triangle",
      "diamond",
    ]);
  });

  it("keep the colour of a meaning, whatever stands beside it", () => {
    const alone = seriesStyles("index", ["DI"])[0]!.role;
    expect(seriesStyles("index", ["AI", "DI", "something else"])[1]!.role).toBe(alone);
    expect(seriesStyles("level", [3])[0]!.role).toBe("level-3");
    expect(seriesStyles("level", ["3", "1"])[0]!.role).toBe("level-3");
  });

  it("give causes of disagreement the colours of what they are: an indefensible decision, an ambiguity, neither", () => {
    const roles = (values: string[]) => seriesStyles("cause", values).map(({ role }) => role);
    const expected = ["level-3", "ambiguity", "few"];
    expect(roles(["model_error", "policy_ambiguity", "implicit_norm"])).toEqual(expected);
    expect(roles(CAUSES.map((cause) => CAUSE_WORDS[cause].name))).toEqual(expected);
  });

  it("give each whose word it is one colour under all of its names, and never that of a level", () => {
    const roles = (values: string[]) => [...new Set(seriesStyles("by", values).map(({ role }) => role))];
    const own = roles(["auditor's own level", "the auditor's own level", TARGET_WORDS.self.name]);
    const gold = roles(["gold", TARGET_WORDS.gold.name, "truth"]);
    const people = roles(["human", TARGET_WORDS.human.name]);
    expect([own, gold, people].map((list) => list.length)).toEqual([1, 1, 1]);
    const all = [...own, ...gold, ...people];
    expect(new Set(all).size).toBe(3);
    const looks = (list: readonly string[], palette: Palette) => list.map((role) => palette[role as Role]);
    for (const palette of [LIGHT, DARK]) {
      const levels = looks(["level-1", "level-2", "level-3"], palette);
      expect(looks(all, palette).filter((colour) => levels.includes(colour))).toEqual([]);
    }
  });

  it("give names nobody knows the colour of level 3 last", () => {
    const roles = seriesStyles("name", ["a", "b", "c", "d", "e", "f"]).map(({ role }) => LIGHT[role]);
    expect(roles.indexOf(LIGHT["level-3"])).toBe(5);
  });

  it.each([
    ["names nobody knows", "name", ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k"]],
    ["known and unknown ones", "index", ["DI", "AI", "AI_pure", "L1", "L3", "F1", "accuracy", "else"]],
    ["states", "state", STATES],
    ["temperatures", "temperature", [0.1, 0.3, 0.7, 1]],
  ])("never look the same twice in one figure: %s", (_, field, values) => {
    const styles = seriesStyles(field, values);
    const looks = styles.map(({ role, shape }) => `${role} ${shape}`);
    const lines = styles.map(({ role, dash }) => `${role} ${dash}`);
    expect(new Set(looks).size).toBe(values.length);
    expect(new Set(lines).size).toBe(values.length);
  });

  it("give temperatures the steps of one ramp, in order", () => {
    const roles = seriesStyles("temperature", [0.1, 0.3, 0.7, 1]).map(({ role }) => role);
    expect(roles).toEqual(["ramp-1", "ramp-2", "ramp-3", "ramp-4"]);
  });
});
