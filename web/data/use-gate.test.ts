import { expect, it } from "vitest";
import { keepFew } from "./use-gate.ts";

it("makes a thing once while it is kept, and never keeps more than it may", () => {
  const kept = new Map<string, string>();
  const made: string[] = [];
  const get = (key: string) =>
    keepFew(kept, key, 2, () => {
      made.push(key);
      return `${key}!`;
    });
  expect(["a", "a", "b", "c", "b", "a"].map(get)).toEqual(["a!", "a!", "b!", "c!", "b!", "a!"]);
  expect(made).toEqual(["a", "b", "c", "a"]);
  expect([...kept.keys()]).toEqual(["c", "a"]);
});
