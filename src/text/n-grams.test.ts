import { describe, expect, it } from "vitest";
import { createRng } from "../stats/random/create-rng.js";
import { countGrams } from "./ranking.js";

function counted(text: string, size?: 2 | 3 | 4): Map<number, number> {
  const { count, buckets, times } = countGrams(text, size);
  return new Map(Array.from({ length: count }, (_, i) => [buckets[i]!, times[buckets[i]!]!]));
}

describe("countGrams", () => {
  it("counts every n-gram of 4 characters between two spaces, digits and spaces folded", () => {
    expect(counted("a").size).toBe(0);
    expect([...counted("ab")]).toEqual([[expect.any(Number), 1]]);
    // " ab ab " has " ab " twice, "ab a" and "b ab".
    expect([...counted("AB  ab").values()]).toEqual([2, 1, 1]);
    expect(counted("  AB\tab ")).toEqual(counted("AB  ab"));
    expect(counted("room 12")).toEqual(counted("Room\n 99"));
  });

  it("counts shorter ones", () => {
    // " ab " has " a", "ab", "b " and " ab", "ab ".
    expect(counted("ab", 2).size).toBe(3);
    expect(counted("ab", 3).size).toBe(2);
    expect([...counted("xyz ab", 3).keys()].at(-1)).toBe([...counted("ab", 3).keys()].at(-1));
    expect([...counted("xyz ab", 2).keys()].at(-1)).toBe([...counted("b", 2).keys()].at(-1));
  });

  it("looks at the last four characters alone, in any script", () => {
    const [last] = [...counted("ab данных").keys()].slice(-1);
    expect([...counted("что-то другое и снова данных").keys()].at(-1)).toBe(last);
    expect([...counted("ab данные").keys()].at(-1)).not.toBe(last);
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
