import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { contentText, type Decision, decisionSchema } from "../src/core/records/decision.js";
import { loadRuleSets } from "../src/store/files/rule-files.js";
import { openWorkspace } from "../src/store/files/workspace.js";

const EXAMPLES = join(import.meta.dirname, "..", "examples");

function decisionsOf(example: string): Decision[] {
  return readFileSync(join(EXAMPLES, example, "decisions.jsonl"), "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => decisionSchema.parse(JSON.parse(line)) as Decision);
}

/** Shares by the reference annotations, and F1 of the decisions against the moderators, of one community. */
function figures(decisions: readonly Decision[]) {
  const n = decisions.length;
  const count = (test: (decision: Decision) => boolean) => decisions.filter(test).length;
  const removed = ({ decision }: Decision) => decision === "remove";
  const byModerator = ({ human_label }: Decision) => human_label === "remove";
  return {
    n,
    index: count(({ gold }) => gold!.level < 3) / n,
    ambiguity: count(({ gold }) => gold!.inverse) / n,
    f1: (2 * count((d) => removed(d) && byModerator(d))) / (count(removed) + count(byModerator)),
  };
}

describe("the sample platform", () => {
  const decisions = decisionsOf("commons");
  const names = [...new Set(decisions.map(({ community }) => community))];
  const of = new Map(names.map((name) => [name, figures(decisions.filter(({ community }) => community === name))]));
  const matching = (test: (found: ReturnType<typeof figures>) => boolean) =>
    names.filter((name) => test(of.get(name)!));

  it("has twelve communities with labels and reference annotations on every decision", () => {
    expect(names).toHaveLength(12);
    expect(decisions.length).toBeGreaterThanOrEqual(600);
    expect(decisions.filter(({ human_label, gold }) => !human_label || !gold)).toEqual([]);
    expect(new Set(decisions.map(({ id }) => id)).size).toBe(decisions.length);
  });

  it("has mature communities, one of them large enough to be certified", () => {
    expect(
      matching(({ n, index, ambiguity }) => n >= 60 && index > 0.95 && ambiguity < 0.1).length,
    ).toBeGreaterThanOrEqual(4);
    const large = matching(({ n, index, ambiguity }) => n >= 250 && index >= 0.98 && ambiguity <= 0.05);
    expect(large).toHaveLength(1);
    expect(decisions.filter(({ community, thread_id }) => community === large[0] && thread_id)).toEqual([]);
  });

  it("has communities with an open rule, with unwritten norms, and one with a shared mistake", () => {
    expect(matching(({ index, ambiguity }) => index > 0.9 && ambiguity >= 0.25).length).toBeGreaterThanOrEqual(3);
    expect(matching(({ index, f1 }) => index >= 0.95 && f1 < 0.7).length).toBeGreaterThanOrEqual(2);
    expect(matching(({ index, f1 }) => index <= 0.75 && f1 > 0.9)).toHaveLength(1);
  });

  it("names only rules that exist", () => {
    const sets = loadRuleSets(openWorkspace(join(EXAMPLES, "commons"))).map(({ set }) => set);
    const known = new Map(sets.map((set) => [set.community ?? "", new Set(set.rules.map(({ id }) => id))]));
    for (const { id, community, gold } of decisions) {
      for (const rule of gold!.rule_ids)
        expect(known.get("")!.has(rule) || known.get(community)!.has(rule), id).toBe(true);
    }
  });

  it("shares no text with the hard sample", () => {
    const hard = new Set(decisionsOf("commons-hard").map(({ content }) => contentText(content)));
    const texts = decisions.map(({ content }) => contentText(content));
    expect(texts.filter((text) => hard.has(text))).toEqual([]);
    expect(new Set(texts).size).toBe(texts.length);
  });
});
