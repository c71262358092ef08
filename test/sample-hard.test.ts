import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  contentText,
  type Decision,
  decisionSchema,
  type Precedent,
  precedentSchema,
} from "../src/core/records/decision.js";
import { loadRuleSets } from "../src/store/files/rule-files.js";
import { openWorkspace } from "../src/store/files/workspace.js";

const ROOT = join(import.meta.dirname, "..", "examples", "commons-hard");

function lines(name: string): unknown[] {
  return readFileSync(join(ROOT, name), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function count<T>(items: readonly T[], key: (item: T) => string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(key(item), (counts.get(key(item)) ?? 0) + 1);
  return counts;
}

/** 5-grams of characters, or of words, of a text. */
function grams(text: string, unit: "character" | "word"): Set<string> {
  const folded = text.toLowerCase().replace(/\s+/g, " ");
  const parts = unit === "character" ? [...folded] : folded.split(" ");
  const result = new Set<string>();
  for (let i = 0; i + 5 <= parts.length; i++) result.add(parts.slice(i, i + 5).join(unit === "character" ? "" : " "));
  return result;
}

function jaccard(a: Set<string>, b: Set<string>): number {
  let common = 0;
  for (const gram of a) if (b.has(gram)) common++;
  const union = a.size + b.size - common;
  return union === 0 ? 0 : common / union;
}

describe("the hard sample", () => {
  const decisions = lines("decisions.jsonl").map((row) => decisionSchema.parse(row)) as Decision[];
  const precedents = lines("precedents.jsonl").map((row) => precedentSchema.parse(row)) as Precedent[];
  const sets = loadRuleSets(openWorkspace(ROOT)).map(({ set }) => set);
  const communities = sets.filter((set) => set.scope === "community");

  it("is large enough", () => {
    expect(decisions.length).toBeGreaterThanOrEqual(320);
    expect(precedents.length).toBeGreaterThanOrEqual(60);
    expect(communities.length).toBeGreaterThanOrEqual(10);
    const sizes = [...count(decisions, (decision) => decision.community).values()];
    expect(sizes.filter((size) => size >= 25).length).toBeGreaterThanOrEqual(8);
  });

  it("has a human label and a gold annotation on every decision", () => {
    expect(decisions.filter((decision) => !decision.human_label || !decision.gold)).toEqual([]);
  });

  it("has unique ids, known actions and known rules in gold", () => {
    expect(new Set(decisions.map((decision) => decision.id)).size).toBe(decisions.length);
    expect(new Set(precedents.map((precedent) => precedent.id)).size).toBe(precedents.length);
    const known = new Map(sets.map((set) => [set.community ?? "", new Set(set.rules.map((rule) => rule.id))]));
    for (const decision of decisions) {
      expect(["remove", "approve"]).toContain(decision.decision);
      expect(["remove", "approve"]).toContain(decision.human_label);
      for (const id of decision.gold!.rule_ids) {
        expect(known.get("")!.has(id) || known.get(decision.community)!.has(id), `${decision.id}: ${id}`).toBe(true);
      }
    }
  });

  it("has every gold level in at least 15% of the decisions", () => {
    const levels = count(decisions, (decision) => String(decision.gold!.level));
    for (const level of ["1", "2", "3"]) expect(levels.get(level)! / decisions.length).toBeGreaterThanOrEqual(0.15);
  });

  it("has at least 10 cases in each cell of decision × inverse", () => {
    const cells = count(decisions, (decision) => `${decision.decision} ${decision.gold!.inverse}`);
    expect(cells.size).toBe(4);
    for (const size of cells.values()) expect(size).toBeGreaterThanOrEqual(10);
  });

  it("has at least 30 decisions whose human label gold does not support", () => {
    const conflicts = decisions.filter(({ gold, human_label, decision }) => {
      const agrees = human_label === decision;
      return agrees ? gold!.level === 3 : !gold!.inverse;
    });
    expect(conflicts.length).toBeGreaterThanOrEqual(30);
  });

  it("has no two contents alike", () => {
    for (const unit of ["character", "word"] as const) {
      const texts = decisions.map((decision) => ({
        id: decision.id,
        grams: grams(contentText(decision.content), unit),
      }));
      const alike: string[] = [];
      for (let i = 0; i < texts.length; i++) {
        for (let j = 0; j < i; j++) {
          if (jaccard(texts[i]!.grams, texts[j]!.grams) >= 0.3) alike.push(`${texts[i]!.id} ~ ${texts[j]!.id}`);
        }
      }
      expect(alike).toEqual([]);
    }
  });

  it("has rule sets of different maturity", () => {
    expect(communities.some((set) => set.rules.length === 1 && !set.rules[0]!.detail)).toBe(true);
    expect(communities.some((set) => set.rules.some((rule) => rule.kind === "discretion"))).toBe(true);
    expect(communities.some((set) => set.rules.some((rule) => rule.description === ""))).toBe(true);
    expect(communities.some((set) => set.rules.length >= 8 && set.rules.every((rule) => rule.detail))).toBe(true);
  });

  it("contains appeals, unwritten norms, shared failures and rule conflicts", () => {
    for (const tag of [
      "appeal",
      "unwritten_norm",
      "shared_failure",
      "model_error",
      "rule_conflict",
      "detail_dependent",
      "grey",
      "clear",
    ]) {
      expect(
        decisions.some((decision) => decision.tags?.includes(tag)),
        tag,
      ).toBe(true);
    }
  });
});
