import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cohortKey, communityInKey, joinKey, splitKey } from "./reasons.js";

describe("the name of a cohort", () => {
  it("is the community's own name when communities are gated, whatever stands in it", () => {
    fc.assert(
      fc.property(fc.string(), (community) => {
        expect(cohortKey(["community"], { community })).toBe(community);
      }),
    );
  });

  it("tells any two different combinations apart, also where names contain the sign that joins them", () => {
    const name = fc.string({ unit: fc.constantFrom("a", " ", "×"), maxLength: 6 });
    fc.assert(
      fc.property(fc.tuple(name, name), fc.tuple(name, name), (a, b) => {
        const key = ([community, language]: [string, string]) =>
          cohortKey(["community", "language"], { community, language });
        expect(key(a) === key(b)).toBe(a[0] === b[0] && a[1] === b[1]);
      }),
      { numRuns: 2000 },
    );
  });

  it("gives its community back", () => {
    const name = fc.string({ unit: fc.constantFrom("a", " ", "×"), minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(name, name, (community, language) => {
        const key = cohortKey(["community", "language"], { community, language });
        expect(communityInKey(["community", "language"], key)).toBe(community);
        expect(communityInKey(["community"], community)).toBe(community);
      }),
      { numRuns: 2000 },
    );
    expect(communityInKey(["rule"], "plants R1")).toBeNull();
  });

  it("gives its parts back", () => {
    const name = fc.string({ unit: fc.constantFrom("a", " ", "×"), maxLength: 6 });
    fc.assert(
      fc.property(name, name, name, (community, decision, language) => {
        const by = ["community", "decision", "language"] as const;
        const parts = [community, decision, language];
        expect(splitKey(by, joinKey(parts))).toEqual(parts);
        expect(cohortKey(by, { community, decision, language })).toBe(joinKey(parts));
      }),
      { numRuns: 2000 },
    );
    expect(splitKey(["community"], "a × b")).toEqual(["a × b"]);
    expect(splitKey(["community", "rule"], "plants")).toBeNull();
  });

  it("gives a community's rule its community, and the platform's rule none", () => {
    const own = { community: "plants", citation: { scope: "community", rule_id: "R1" } };
    expect(cohortKey(["rule"], own)).toBe("plants R1");
    expect(cohortKey(["community", "rule"], own)).toBe("plants × R1");
    expect(cohortKey(["rule"], { community: "plants", citation: { scope: "platform", rule_id: "R1" } })).toBe(
      "platform R1",
    );
    expect(cohortKey(["rule"], { community: "plants", citation: null })).toBe("no rule");
  });
});
