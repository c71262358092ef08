import { describe, expect, it } from "vitest";
import type { RuleSet } from "../core/records/rule-set.js";
import { onlyScope, RuleBook } from "./rules-in-force.js";

const set = (scope: RuleSet["scope"], version: string, effective_from?: string): RuleSet => ({
  scope,
  community: scope === "community" ? "alpha" : undefined,
  version,
  effective_from,
  rules: [{ id: "R1", title: `${scope} ${version}` }],
});

describe("rules in force", () => {
  const book = new RuleBook([
    set("platform", "p1", "2026-01-01"),
    set("platform", "p2", "2026-06-01"),
    set("community", "c1", "2026-01-01"),
    set("community", "c2", "2026-06-01"),
    set("community", "c3", "2026-09-01"),
  ]);

  it("are the newest in effect when the decision was made", () => {
    expect(book.inForce({ community: "alpha", decided_at: "2026-07-01T00:00:00Z" }).version).toBe("p2+c2");
    expect(book.inForce({ community: "alpha", decided_at: "2026-06-01" }).version).toBe("p2+c2");
    expect(book.inForce({ community: "alpha", decided_at: "2026-05-31" }).version).toBe("p1+c1");
  });

  it("are the newest of all for an undated decision, and for one older than every rule, which is flagged", () => {
    expect(book.inForce({ community: "alpha" })).toMatchObject({ version: "p2+c3", retroactive: false });
    expect(book.inForce({ community: "alpha", decided_at: "2020-01-01" })).toMatchObject({
      version: "p2+c3",
      retroactive: true,
    });
  });

  it.each(["02/10/2026 09:00", "2.10.2026", "Feb 10, 2026", "last week", "2026-02-30", "2026"])(
    "are the newest of all for a decision whose date is not ISO 8601, without a flag: %s",
    (decided_at) => {
      expect(book.inForce({ community: "alpha", decided_at })).toMatchObject({ version: "p2+c3", retroactive: false });
      const rules = book.inForce({ community: "alpha", decided_at });
      expect(onlyScope(rules, "community", decided_at).retroactive).toBe(false);
    },
  );

  it("are found by times with a space and a short zone", () => {
    const at = (decided_at: string) => book.inForce({ community: "alpha", decided_at }).version;
    expect(at("2026-06-01 01:00:00+02")).toBe("p1+c1");
    expect(at("2026-06-01T01:00+0200")).toBe("p1+c1");
    expect(at("2026-06-01 03:00:00.5+02:00")).toBe("p2+c2");
  });

  it("do not depend on the machine's time zone", () => {
    const zone = process.env.TZ;
    for (const TZ of ["America/New_York", "Asia/Tokyo"]) {
      process.env.TZ = TZ;
      expect(book.inForce({ community: "alpha", decided_at: "2026-06-01 00:00:00" }).version).toBe("p2+c2");
      expect(book.inForce({ community: "alpha", decided_at: "2026-05-31T23:59:59" }).version).toBe("p1+c1");
    }
    process.env.TZ = zone;
  });

  it("are those the decision names, of one scope or of both", () => {
    expect(book.inForce({ community: "alpha", ruleset_version: "c1" }).version).toBe("p2+c1");
    expect(book.inForce({ community: "alpha", ruleset_version: "p1+c2" }).version).toBe("p1+c2");
  });

  it("are the platform's alone where a community has none", () => {
    expect(book.inForce({ community: "beta" })).toMatchObject({ version: "p2+-", community: null });
    expect(new RuleBook([]).inForce({ community: "beta" }).version).toBe("-+-");
  });
});
