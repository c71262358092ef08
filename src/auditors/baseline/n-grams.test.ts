import { describe, expect, it } from "vitest";
import { createRng } from "../../stats/random/create-rng.js";
import { countGrams } from "./n-grams.js";

function counted(text: string): Map<number, number> {
  const { count, keys, times } = countGrams(text);
  return new Map(Array.from({ length: count }, (_, i) => [keys[i]!, times[i]!]));
}

describe("countGrams", () => {
  it("counts every n-gram of 3 to 5 characters between two spaces, digits and spaces folded", () => {
    // " ab " has " ab", "ab " and " ab "; 3-grams of " ab ab " repeat.
    expect(counted("ab").size).toBe(3);
    expect([...counted("AB  ab").values()].reduce((sum, times) => sum + times, 0)).toBe(5 + 4 + 3);
    expect(counted("room 12")).toEqual(counted("Room\n 99"));
  });

  it("counts a text alike whatever was counted before", () => {
    const rng = createRng("texts");
    const text = Array.from({ length: 400 }, () => String.fromCharCode(97 + rng.int(26))).join("");
    const first = counted(text);
    for (let i = 0; i < 300; i++)
      countGrams(Array.from({ length: 900 }, () => String.fromCharCode(97 + rng.int(26))).join(""));
    expect(counted(text)).toEqual(first);
  });
});
