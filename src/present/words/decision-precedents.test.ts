import { describe, expect, it } from "vitest";
import { makeAudit, makeDecision, makePage, written } from "../../measures/decision.suite.js";
import type { DecisionPrecedents, PagePrecedent, ReportPage } from "../../measures/report-page.js";
import { decisionCitation } from "./decision-list.js";
import { citedByWords, decisionPrecedents, notHereWords, precedentsSentence } from "./decision-rules.js";
import { sentenceText } from "./sentence.js";

const precedent = (id: string, text: string, parts: Partial<PagePrecedent> = {}): PagePrecedent => ({
  id,
  community: "pottery",
  decision: "remove",
  rule_id: null,
  decided_at: null,
  text: written(text),
  rationale: null,
  ...parts,
});
const shelf = [
  precedent("pottery-p1", "Glaze for sale at my shop", { rationale: written("A shop is a shop.") }),
  precedent("pottery-p2", "Which kiln is best for porcelain?"),
  precedent("pottery-p3", "Kilns by post"),
];
const page = makePage({ precedents: shelf });
const having = (parts: Partial<DecisionPrecedents>): DecisionPrecedents => ({
  shown: 3,
  left_out: 0,
  gone: 0,
  places: [2, 0, 1],
  cited: [],
  ...parts,
});
const first = { id: "pottery-p1", place: 0, by: ["audit"] } satisfies DecisionPrecedents["cited"][number];
const scope = { scope: "precedent", rule_id: "pottery-p1", overlap: 1, grounded: true } as const;

describe("decisionPrecedents", () => {
  it("has the cited ones, there or not, and the others in their order", () => {
    const gone = { id: "p9", place: null, by: ["inverse"] } satisfies DecisionPrecedents["cited"][number];
    const { cited, others } = decisionPrecedents(page, { precedents: having({ cited: [first, gone] }) });
    expect(cited.map((one) => [one.id, one.precedent?.id])).toEqual([
      ["pottery-p1", "pottery-p1"],
      ["p9", undefined],
    ]);
    expect(others.map(({ id }) => id)).toEqual(["pottery-p3", "pottery-p2"]);
    expect(citedByWords(["audit", "inverse"])).toBe("cited, and cited for the opposite");
  });
});

describe("decisionCitation of a precedent", () => {
  const audit = makeAudit({
    citation: scope,
    policy_citation: written("precedent pottery-p1: glaze for sale, and a shop is forbidden"),
  });
  const citing = (parts: Partial<DecisionPrecedents> = {}) => makeDecision({ audit, precedents: having(parts) });
  const marked = (of: PagePrecedent, ranges: readonly (readonly [number, number])[] | undefined) =>
    ranges?.map(([start, end]) => of.text.text!.slice(start, end));

  it("marks its words in content and reason, and what stands in neither", () => {
    const { cited, marks, found, precedents } = decisionCitation(page, citing({ cited: [first] }));
    const [one] = precedents.cited;
    expect(cited).toEqual([]);
    const { passages, words } = marks.get(one!.precedent!)!;
    expect(marked(one!.precedent!, passages[0])).toEqual(["Glaze for sale"]);
    expect(passages[1]).toEqual([[0, 9]]);
    expect(marked(one!.precedent!, words[0])).toEqual(["shop"]);
    const text = audit.policy_citation!.text!;
    expect(found!.citation.nowhere.map(([start, end]) => text.slice(start, end))).toEqual(["and", "forbidden"]);
    expect(found!.citation.name.map(([start, end]) => text.slice(start, end))).toEqual(["precedent", "pottery", "p1"]);
    expect(marks.size).toBe(1);
  });

  it("does not say that words stand nowhere where the text was cut or is not there", () => {
    const cut = [{ ...shelf[0]!, text: { text: "Glaze for", length: 25 } }, ...shelf.slice(1)];
    const { found } = decisionCitation(makePage({ precedents: cut }), citing({ cited: [first] }));
    expect(found!.citation.nowhere).toEqual([]);
    const gone = decisionCitation(page, citing({ cited: [{ ...first, place: null }] }));
    expect([gone.found, gone.marks.size]).toEqual([null, 0]);
    const hidden = [{ ...shelf[0]!, text: { text: null, length: 25, hash: "x" } }];
    expect(decisionCitation(makePage({ precedents: hidden }), citing({ places: [], cited: [first] })).found).toBeNull();
  });

  it("holds a precedent that only the inverse check rests on against its words", () => {
    const other = makeAudit({ inverse_citation_text: written("precedent pottery-p2, best for porcelain") });
    const second = { id: "pottery-p2", place: 1, by: ["inverse"] } satisfies DecisionPrecedents["cited"][number];
    const { marks, cited } = decisionCitation(
      page,
      makeDecision({ audit: other, precedents: having({ cited: [second] }) }),
    );
    expect(marked(shelf[1]!, marks.get(shelf[1]!)!.passages[0])).toEqual(["best for porcelain"]);
    expect(marks.has(cited[0]!)).toBe(true);
  });

  it("is shown where the page does not have the rules", () => {
    const old = makeDecision({
      audit: { ...audit, ruleset_version: "9+9" },
      precedents: having({ cited: [first] }),
    });
    const { inForce, marks } = decisionCitation(page, old);
    expect([inForce, marks.has(shelf[0]!)]).toEqual([null, true]);
  });
});

describe("precedentsSentence", () => {
  const say = (parts: Partial<DecisionPrecedents>, of: Partial<ReportPage> = {}) => {
    const decision = makeDecision({ precedents: having(parts) });
    const whole = makePage({ decisions: [decision], ...of });
    return sentenceText(whole, precedentsSentence(whole, decision, "/decisions/0"));
  };

  it("says which were shown, and how that is known", () => {
    expect(say({})).toBe("The auditor was shown all 3 precedents of the community.");
    expect(say({ shown: 1 })).toBe("The auditor was shown the only precedent of the community.");
    expect(say({ left_out: 1_200 })).toMatch(/shown 3 of .*, those most like the content; for 1,200 more/);
    expect(say({ shown: 0 })).toBe("The auditor was shown no precedent.");
    expect(say({ shown: 0, left_out: 4 })).toMatch(/no room for any of the 4 that/);
    expect(say({ shown: null })).toMatch(/does not record/);
    expect(say({ shown: null }, { changed_since_run: ["precedents"] })).toMatch(/have changed since the run/);
    expect(say({ left_out: 2, gone: 1 }, { changed_since_run: ["rules", "precedents"] })).toMatch(
      /as they are now\. 1 of them is no longer there\.$/,
    );
    expect(say({ shown: null }, { rule_sets: [] })).toMatch(/audits alone/);
  });

  it("counts those that were shown and are not in the file", () => {
    expect(notHereWords(having({}))).toBeNull();
    expect(notHereWords(having({ shown: 9, gone: 1, cited: [first] }))).toBe(
      "5 others that it was shown are left out here.",
    );
    expect(notHereWords(having({ shown: 4 }))).toBe("1 other that it was shown is left out here.");
    expect(notHereWords(having({ shown: null }))).toBeNull();
  });
});
