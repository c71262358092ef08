import { describe, expect, it } from "vitest";
import type { PageRuleSet } from "../../measures/report-page.js";
import { ruleKey, ruleRemarks, wordingRemarks } from "./rule-texts.js";

function rules(community: string | null, version: string, words: Record<string, string>): PageRuleSet {
  return {
    scope: community === null ? "platform" : "community",
    community,
    version,
    effective_from: version,
    rules: Object.entries(words).map(([id, description]) => ({
      id,
      title: `Rule ${id}`,
      description,
    })),
  };
}

const VAGUE = "Moderators may remove anything else at their discretion, as they see fit.";
const CLEAR = "No post may contain a link to a shop.";

describe("remarks on the wording of rules", () => {
  const remarks = ruleRemarks({
    rule_sets: [
      rules(null, "2025-01-01", { R50: CLEAR }),
      rules("alpha", "2025-01-01", { R1: CLEAR, R2: VAGUE }),
      rules("alpha", "2025-06-01", { R1: VAGUE }),
      rules("beta", "2025-01-01", { R1: "See rules R50 and R77." }),
    ],
  });
  const of = (community: string | null, rule_id: string) =>
    remarks.get(ruleKey({ scope: community === null ? "platform" : "community", community, rule_id }));

  it("are those of the newest wording, each under its own rule", () => {
    expect(of(null, "R50")?.map(({ check }) => check)).not.toContain("catch_all");
    expect(of("alpha", "R1")?.map(({ check }) => check)).toContain("catch_all");
    expect(of("alpha", "R2")).toBeUndefined();
  });

  it("know the platform's rules beside a community's own", () => {
    expect(
      of("beta", "R1")
        ?.filter(({ check }) => check === "dangling_reference")
        .map(({ quote }) => quote),
    ).toEqual([expect.stringContaining("R77")]);
  });

  it("are not counted where the lint does not read the language", () => {
    const french = rules("gamma", "2025-01-01", {
      R1: "Les messages qui ne sont pas dans le sujet du forum sont supprimés par les modérateurs avec une explication.",
    });
    const [found] = ruleRemarks({ rule_sets: [french] }).values();
    expect(wordingRemarks(found!)).toBeNull();
    expect(wordingRemarks(of("alpha", "R1")!)).toBeGreaterThan(0);
    expect(wordingRemarks([])).toBe(0);
  });
});
