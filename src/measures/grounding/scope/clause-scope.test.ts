import { describe, expect, it } from "vitest";
import type { CaseRule } from "../../../core/records/case.js";
import { clauseScopes } from "./read-frame.js";

const ruleOf = (title: string, text: string, kind: string | null = "prohibition"): CaseRule => ({
  ...{ scope: "community", id: "R1", title, kind },
  text: `${title}\n${text}`,
});
const forces = (title: string, text: string, kind?: string | null) =>
  clauseScopes(ruleOf(title, text, kind)).map(({ text: clause, force }) => [force, clause]);

describe("clauseScopes", () => {
  it("tells what is forbidden from what stays", () => {
    expect(forces("No ads", "Ads for shops are removed. Naming a maker is not an ad. A memorial stays.")).toEqual([
      ["forbids", "No ads"],
      ["forbids", "Ads for shops are removed"],
      ["allows", "Naming a maker is not an ad"],
      ["allows", "A memorial stays"],
    ]);
  });

  it("cuts a prohibition where its exception begins, and a permission where its limit does", () => {
    expect(forces("No links", "Links to shops are removed except on Fridays.").slice(1)).toEqual([
      ["forbids", "Links to shops are removed"],
      ["allows", "Fridays"],
    ]);
    expect(forces("Free days", "Offers are welcome unless a dealer makes them.", "permission").slice(1)).toEqual([
      ["allows", "Offers are welcome"],
      ["forbids", "a dealer makes them"],
    ]);
  });

  it("keeps a permission and its condition together under its heading", () => {
    const [, exception] = forces("No teasing", "Exception: friends may tease as long as neither objects.");
    expect(exception).toEqual(["allows", "Exception: friends may tease as long as neither objects"]);
  });

  it("does not take the community's subject for something forbidden", () => {
    expect(forces("Pottery only", "Posts must have to do with pottery.", "requirement")[0]).toEqual([
      "demands",
      "Pottery only",
    ]);
  });

  it("reads a rule of no declared kind, and one of a bare title", () => {
    expect(clauseScopes({ ...ruleOf("No ads", ""), kind: null })).toEqual([{ text: "No ads", force: "forbids" }]);
    expect(clauseScopes({ ...ruleOf("", ""), text: "" })).toHaveLength(1);
  });

  it("sees what prevails over a community as allowed", () => {
    expect(
      forces("Ask why", "A polite question is protected: communities may not remove it.", "permission")[1]![0],
    ).toBe("allows");
  });
});
