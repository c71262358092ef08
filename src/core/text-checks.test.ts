import { expect, it } from "vitest";
import { groupBy, meantPercent, parseShare } from "./text-checks.js";

it("reads a share as people write it, and nothing else", () => {
  expect(["0.05", "5%", " 5 % ", "2.5%", ".5", "100%", "-2%", "1e-3"].map(parseShare)).toEqual([
    0.05, 0.05, 0.05, 0.025, 0.5, 1, -0.02, 0.001,
  ]);
  for (const text of ["", "%", "5%%", "five", "5 percent", "0x1", "1,5%", "Infinity", "NaN"]) {
    expect(parseShare(text), text).toBeNaN();
  }
});

it("asks about a least share below one percent", () => {
  expect(["0.9%", "0.95 %", "0.5%", "0.9", "9%", "1%", "0%"].map(meantPercent)).toEqual([
    "90%",
    "95%",
    "50%",
    null,
    null,
    null,
    null,
  ]);
});

it("groups items by a key, keys and the items of each in the order in which they come", () => {
  expect([...groupBy(["b1", "a1", "b2"], (item) => item[0])]).toEqual([
    ["b", ["b1", "b2"]],
    ["a", ["a1"]],
  ]);
});
