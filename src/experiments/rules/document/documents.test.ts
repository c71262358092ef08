import { describe, expect, it } from "vitest";
import { auditsOf, withArms } from "../../../analysis/arm-pairs.suite.js";
import type { Rule, RuleSet } from "../../../core/records/rule-set.js";
import type { ArmCounts } from "../../../core/results/compare.js";
import type { Document } from "../../../present/document/document.js";
import { renderMarkdown, renderTerminal } from "../../../present/document/render.js";
import { displayWidth } from "../../../text/printable.js";
import { buildScopes, SCOPE_ARMS } from "../build-scopes.js";
import { buildTiers } from "../build-tiers.js";
import { KnownRules } from "../compare-arms.js";
import { diffDocument } from "../diff/document.js";
import { buildDiff } from "../diff-checks.js";
import { diffEffect } from "../diff-effect.js";
import { planDiff } from "../plan-diff.js";
import { scopesDocument } from "../scopes/document.js";
import { tiersDocument } from "../tiers/document.js";
import { intervalNote } from "./change-blocks.js";

/** Text that would colour a terminal, retitle it, break a table, run a script, load a picture and call two people. */
const HOSTILE =
  'No \u001b[31mred\u001b]0;x\u0007 | <img src=x onerror="alert(1)"> ![p](http://e.vil/p) `c` @octocat @team/all\nnew line';
const COMMUNITY = "c\u001b[2J|<b>@owner";
const source = { name: "run \u001b[1m<i>", run_id: null, auditor: "baseline", temperature: null };
const sets = (title: string): RuleSet[] => [
  {
    scope: "community",
    community: COMMUNITY,
    version: "1",
    rules: [{ id: "R\u001b[1m|1", title, description: title }],
  },
];
const cited = {
  community: COMMUNITY,
  ruleset_version: "-+1",
  citation: { scope: "community", rule_id: "R\u001b[1m|1", overlap: 1, grounded: true },
} as const;
const KINDS = [
  [2, 1, 1],
  [2, 2, 1],
  [1, 5, 4],
  [1, 1, -1],
];
const auditsUnder = (arms: readonly string[]) =>
  KINDS.flatMap((kinds, i) => auditsOf(arms, kinds, { decision_id: `d\u001b[0m${i}@me`, ...cited }));

async function documents(): Promise<Record<string, Document>> {
  const rules = { sets: sets(HOSTILE) };
  const tiers = await withArms(auditsUnder(["tier=title", "tier=sidebar", "tier=wiki"]), (table) =>
    buildTiers(table, { source, tiers: ["title", "sidebar", "wiki"], rules, minDecisions: 1 }),
  );
  const scopes = await withArms(auditsUnder(SCOPE_ARMS), (table) =>
    buildScopes(table, { source, rules, minDecisions: 1 }),
  );
  const side = (title: string) => ({ name: HOSTILE, sets: sets(title), precedents: null, single: false });
  const { changes } = planDiff({
    old: side("Old words"),
    new: side(HOSTILE),
    rules: [],
    tier: "wiki",
    oneSided: false,
  });
  const effect = await withArms(auditsUnder(["rules=old", "rules=new", "x"]), (table) =>
    diffEffect(table, {
      source,
      arms: ["rules=old", "rules=new"],
      changes,
      known: new KnownRules(sets(HOSTILE)),
      minDecisions: 1,
      listed: 9,
    }),
  );
  const diff = buildDiff({
    ...{ what: "rules", old: HOSTILE, new: HOSTILE, tier: "wiki", changes, effect },
    limits: { newIndefensible: 0, aiIncrease: 0, mode: "safe" },
  });
  const ruleSet = (community: string, ...rules: Rule[]): RuleSet => ({
    ...{ scope: "community", community, version: "1", rules },
  });
  const R1 = { id: "R1", title: "One" };
  const plan = planDiff({
    old: { ...side(""), sets: [ruleSet("a", R1), ruleSet("lost", R1)] },
    new: { ...side(""), sets: [ruleSet("a", R1, { id: "R9", title: "Nobody" })] },
    ...{ rules: [], tier: "wiki", oneSided: false },
  });
  const same = ["a", "b", "c", "d", "e"].flatMap((community, i) =>
    auditsOf(["rules=old", "rules=new"], [1, 1], {
      ...{ decision_id: `s${i}`, community },
      citation: { scope: "community", rule_id: "R1", overlap: 1, grounded: true },
    }),
  );
  const still = await withArms(same, (table) =>
    diffEffect(table, {
      ...{ source, arms: ["rules=old", "rules=new"], changes: plan.changes, minDecisions: 1, listed: 9 },
      known: new KnownRules([]),
    }),
  );
  const stillDiff = buildDiff({
    ...{ what: "rules", old: "a", new: "b", tier: "wiki", changes: plan.changes, effect: still },
    limits: { mode: "point" },
  });
  return {
    still: diffDocument(stillDiff),
    tiers: tiersDocument(tiers),
    scopes: scopesDocument(scopes),
    diff: diffDocument(diff),
  };
}

describe("documents of the experiments on rules", async () => {
  const all = await documents();

  it.each(Object.keys(all))("%s: other people's text stays text", (name) => {
    const terminal = renderTerminal(all[name]!);
    expect(terminal).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    const markdown = renderMarkdown(all[name]!);
    expect(markdown).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
    expect(markdown).not.toMatch(/<(img|b|i)\b/);
    expect(markdown).not.toMatch(/(?<!\\)!\[|(?<!\\)\]\(http/);
    expect(markdown).not.toMatch(/@(octocat|team|owner|me)/);
    const tables = markdown.split("\n").filter((line) => line.startsWith("|"));
    const bars = (line: string) => line.replace(/\\\\/g, "").replace(/\\\|/g, "").split("|").length;
    tables.forEach((line, i) => {
      if (i > 0 && /^\|[-:|]+$/.test(line)) expect(bars(line)).toBe(bars(tables[i - 1]!));
    });
  });

  it.each(Object.keys(all))("%s: nothing undefined is printed as a number", (name) => {
    for (const text of [renderTerminal(all[name]!), renderMarkdown(all[name]!)]) {
      expect(text).not.toMatch(/NaN|undefined|null|Infinity|\[object/);
    }
  });

  it("tiers: first says what was found, from the numbers", () => {
    const text = renderTerminal(all.tiers!, { width: 200 });
    expect(text).toMatch(/−33\.3 pp {2}Ambiguity Index, titles alone to all of the text/);
    expect(text).toMatch(/66\.7% with titles alone, 33\.3% with titles and descriptions, 33\.3% with all of the text/);
    expect(text).toMatch(/0 → 1 {2}indefensible decisions/);
    expect(text).not.toMatch(/stable/);
    expect(text).toMatch(/4 decisions of 1 community; 3 have a verdict in every arm, the others are left out/);
  });

  it.each(Object.keys(all))("%s: fits a terminal of 100 columns, and says what was found before any note", (name) => {
    const lines = renderTerminal(all[name]!).split("\n");
    expect(lines.filter((line) => displayWidth(line) > 100)).toEqual([]);
    const { blocks } = all[name]!;
    const at = (found: (block: (typeof blocks)[number]) => boolean) => blocks.findIndex(found);
    expect(at((block) => block.kind === "text" && block.as === "note")).toBeGreaterThan(
      at((block) => block.kind === "headline"),
    );
  });

  it("says nothing of other communities where fewer than five were compared", () => {
    const note = (n: number) => intervalNote({ clusters: { unit: "community", n } } as ArmCounts);
    expect(note(4)).toContain("for the 4 communities compared alone: with fewer than 5");
    expect(note(4)).not.toContain("t interval");
    expect(note(5)).toContain("the wider of Tango's, of independent pairs, and a t interval over 5 communities");
  });

  it("diff: says in words why an interval or a p is missing, and that nothing changed", () => {
    const page = renderTerminal(all.still!);
    expect(page).toMatch(/ 0\.0 pp {2}Ambiguity Index\n.*; no decision changed\./);
    const text = page.replace(/\s+/g, " ");
    expect(text).toMatch(/no decision became or stopped being indefensible, so there is nothing to test/);
    expect(text).not.toMatch(/statistically significant/);
    expect(text).toMatch(/No p for defensibility, ambiguity, pure ambiguity, level 1, level 3: no decision changed/);
    expect(text).toMatch(/For defensibility, .* every community changed by the same share/);
  });

  it("diff: names rule sets that the new side lacks, and changed rules that nobody cites", () => {
    const text = renderTerminal(all.still!, { width: 200 });
    expect(text).toMatch(/1 rule set is missing from NEW and counts as removed: lost\./);
    expect(text).toMatch(/R9 Nobody +a +added +0/);
    expect(text).toMatch(/No decision cites R9 of a after the change/);
  });

  it("diff: tells what fails, which decisions, and what was changed", () => {
    const text = renderMarkdown(all.diff!);
    expect(text).toMatch(/\| FAILS \| 1 decision becomes indefensible; at most 0 may \|/);
    expect(text).toMatch(/level 1 \| level 3 \|/);
    expect(text).toMatch(/\\\[-Old words-\\\] \{\+No/);
  });

  it("diff: the new ambiguity adds up to what the table gains, and what was open before is said apart", async () => {
    const arms = ["rules=old", "rules=new"];
    const pairs = [
      [1, 2],
      [1, 4],
      [1, 4],
      [2, 4],
      [2, 1],
    ];
    const effect = await withArms(
      pairs.flatMap((kinds, i) => auditsOf(arms, kinds, { decision_id: `d${i}`, ...cited })),
      (table) =>
        diffEffect(table, {
          ...{ source, arms: ["rules=old", "rules=new"], changes: null, minDecisions: 1, listed: 9 },
          known: new KnownRules([]),
        }),
    );
    const parts = { what: "rules", old: "a", new: "b", tier: "wiki", changes: null } as const;
    const text = (of: typeof effect) =>
      renderTerminal(diffDocument(buildDiff({ ...parts, effect: of, limits: { mode: "point" } })), {
        width: 400,
      }).replace(/\s+/g, " ");
    expect(text(effect)).toMatch(
      /New: 3 \(1 can go either way, 2 settled the other way\); 1 stops being ambiguous\. 1 more was open before and now only the opposite holds\./,
    );
    expect(text(effect)).toMatch(
      /3 decisions are settled the other way: now only the opposite holds\. 1 of them was open before\./,
    );
    const { opened_parts: _, ...older } = effect;
    expect(text(older)).toMatch(/New: 3; 1 stops being ambiguous\. Open both ways/);
  });

  it("scopes: the classes stand in one table with the index they add up to", () => {
    const text = renderTerminal(all.scopes!, { width: 200 });
    expect(text).toMatch(/the platform's rules alone +33\.3%/);
    expect(text).toMatch(/all four: under all rules +66\.7%/);
  });

  it("a change of nothing says so", () => {
    const diff = buildDiff({
      ...{ what: "rules", old: "a", new: "b", tier: "title", effect: null },
      changes: { rules: [], precedents: null, communities: [] },
      limits: { newIndefensible: 0, mode: "point" },
    });
    const text = renderTerminal(diffDocument(diff), { width: 200 });
    expect(text).toMatch(/Nothing that the auditor reads at tier title differs/);
    expect(text).toMatch(/Every limit holds/);
  });

  it("a change that no past decision falls under says so", () => {
    const diff = buildDiff({
      ...{ what: "rules", old: "a", new: "b", tier: "wiki", effect: null },
      changes: { rules: [], precedents: null, communities: ["brand-new"] },
      limits: { newIndefensible: 0, mode: "safe" },
    });
    const text = renderTerminal(diffDocument(diff), { width: 200 });
    expect(text).toMatch(/No past decision falls under what was changed \(brand-new\), so none can come out otherwise/);
    expect(text).toMatch(/Every limit holds/);
  });
});
