import { describe, expect, it } from "vitest";
import type { RuleSet } from "../../../core/records/rule-set.js";
import { createRng } from "../../../stats/random/create-rng.js";
import { sharedShare, topicStems } from "./finding.js";
import { lintRules } from "./lint-rules.js";
import { pairFindings } from "./pairs.js";

/** Rules of three sentences from a vocabulary of some hundred words, so that many resemble each other. */
function manyRules(count: number, seed: number, letters = "bcdfglmnprstvz"): RuleSet {
  const rng = createRng(seed);
  const word = () => `${letters[Math.floor(rng.next() * letters.length)]}${"aeiou"[Math.floor(rng.next() * 5)]}ndle`;
  const sentence = () => `Do not post ${word()} and ${word()} with ${word()}.`;
  const rules = Array.from({ length: count }, (_, i) => ({
    id: `R${i}`,
    title: `No ${word()} or ${word()}`,
    description: sentence(),
    detail: `${sentence()} ${sentence()}`,
  }));
  return { scope: "platform", version: "1", rules } as RuleSet;
}

describe("lint of many rules", () => {
  it("finds every pair that comparing all of them finds", () => {
    const set = manyRules(100, 1, "bdl");
    const words = set.rules.map(({ title, description }) => topicStems(`${title} ${description}`));
    const alike: string[] = [];
    for (let i = 0; i < words.length; i++) {
      for (let j = 0; j < i; j++) {
        const same = set.rules[i]!.title.toLowerCase() === set.rules[j]!.title.toLowerCase();
        if (same || (words[i]!.size > 2 && words[j]!.size > 2 && sharedShare(words[i]!, words[j]!) >= 0.6)) {
          alike.push(`R${i} R${j}`);
        }
      }
    }
    // Before duplicates of one set become one remark.
    const all = pairFindings(set.rules.map((rule) => ({ set, rule })));
    const found = all.filter(({ check }) => check === "duplicate" || check === "contradiction");
    const pairs = new Set(found.map(({ rule_id, other }) => `${rule_id} ${other?.rule_id}`));
    expect(alike.length).toBeGreaterThan(3);
    expect(alike.filter((pair) => !pairs.has(pair))).toEqual([]);
  });

  it("takes time and findings in proportion to their number", { timeout: 120_000 }, () => {
    const started = process.cpuUsage();
    const findings = lintRules([manyRules(2_000, 2)]);
    const { user } = process.cpuUsage(started);
    expect(user / 1e6).toBeLessThan(12);
    expect(findings.length).toBeLessThan(80_000);
    const copies: RuleSet = {
      ...manyRules(1, 3),
      rules: Array.from({ length: 5000 }, (_, i) => ({ id: `R${i}`, title: "No spam" })),
    };
    expect(lintRules([copies]).filter(({ check }) => check === "duplicate").length).toBeLessThan(5000 * 16 + 1);
  });
});
