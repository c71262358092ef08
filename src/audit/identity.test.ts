import { describe, expect, it } from "vitest";
import { hashList, hashText, newRunId } from "./arms.js";

describe("hashList", () => {
  it("is the hash of the list's JSON", () => {
    for (const items of [[], [1], [{ a: "é" }, null, ["x"]]])
      expect(hashList(items)).toBe(hashText(JSON.stringify(items)));
  });
});

describe("the id of a run", () => {
  it("sorts after those made before it, also in the same second", () => {
    const ids = [0, 1, 9, 10, 99, 500, 998, 999].map((ms) => newRunId(new Date(Date.UTC(2026, 0, 2, 3, 4, 5, ms))));
    expect([...ids].sort()).toEqual(ids);
    for (const id of ids) expect(id).toMatch(/^20260102T030405Z-[0-9a-f]{4}$/);
  });
});
