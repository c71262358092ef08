import { describe, expect, it } from "vitest";
import { makeAudit } from "../../../test/support/make-audit.js";
import { makeCommunityPage } from "../../measures/community.suite.js";
import type { PageDecision, PagePrecedent, ReportPage } from "../../measures/report-page.js";
import { fitPage } from "./fit-page.js";
import { pageData } from "./html-file.js";
import { decisionParts, pageAudit } from "./page-decision.js";
import { shownWriting } from "./writing.js";

/** Text that compresses badly, the same in every run. */
function noise(seed: number, length: number): string {
  let state = seed * 2_654_435_761 + 1;
  let text = "";
  while (text.length < length) {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    text += state.toString(36);
  }
  return text.slice(0, length);
}

function listed(i: number, length: number): PageDecision {
  const id = `d${String(i).padStart(4, "0")}`;
  const content = { title: `Post ${i}`, body: noise(i, length), context: [noise(-i, length)] };
  const trace = { logic_chain: noise(i + 0.5, length), policy_citation: "R1" };
  return {
    ...decisionParts({ id, community: `c${i % 4}`, content, decision: "remove" }, shownWriting),
    id,
    community: `c${i % 4}`,
    decision: "remove",
    labels: [],
    reasons: ["settled"],
    precedents: { shown: 0, left_out: 0, gone: 0, places: [], cited: [] },
    audit: pageAudit({ ...makeAudit(), trace }, shownWriting),
    human_audit: null,
    opposite_audit: null,
  };
}

function pageOf(decisions: PageDecision[]): ReportPage {
  const page = makeCommunityPage([{ community: "c0", levels: [decisions.length, 0, 0], inverse_yes: [0, 0, 0] }]);
  return { ...page, decisions, decisions_of: decisions.length };
}

const SHELL = 100_000;
const longest = (page: ReportPage, pick: (decision: PageDecision) => string | null | undefined) =>
  Math.max(0, ...page.decisions.map((decision) => pick(decision)?.length ?? 0));
const context = (page: ReportPage) => longest(page, (one) => one.context[0]?.text);
const body = (page: ReportPage) => longest(page, (one) => one.body?.text);
const chain = (page: ReportPage) => longest(page, (one) => one.audit.logic_chain?.text);

describe("a page that is to fit", () => {
  const page = pageOf(Array.from({ length: 220 }, (_, i) => listed(i, 10_000)));
  const whole = pageData(page).length;
  /** Of 9,000 characters of each decision 1,000 are context, 4,000 content and 4,000 reasoning. */
  const sizes = [0.95, 0.75, 0.35].map((share) => Math.floor(SHELL + share * whole));
  const fitted = sizes.map((most) => fitPage(page, SHELL, most));

  it("stays as it is where there is room", () => {
    expect(fitPage(page, SHELL, SHELL + whole)).toBe(page);
    const empty = makeCommunityPage();
    expect(fitPage(empty, SHELL, 1)).toBe(empty);
  });

  it("gives up contexts first, then contents, then reasoning", () => {
    const shown = fitted.map((one) => [context(one), body(one), chain(one)]);
    expect(shown).toEqual([
      [400, 4_000, 4_000],
      [0, 2_000, 4_000],
      [0, 280, 2_000],
    ]);
    expect(fitted.map((one) => one.decisions.length)).toEqual([220, 220, 220]);
  });

  it("has no more bytes than were asked for, and says what gave way", () => {
    for (const [i, most] of sizes.entries()) {
      expect(SHELL + pageData(fitted[i]!).length).toBeLessThanOrEqual(most);
    }
    expect(fitted[0]!.notes.at(-1)).toMatch(
      /^To keep this file under [\d.]+ MB: contexts are shown up to 400 characters\.$/,
    );
    expect(fitted[2]!.notes.at(-1)).toContain(
      "; contents are shown up to 280 characters; reasoning is shown up to 2,000",
    );
  });

  it("keeps the length of every whole text", () => {
    const [first] = fitted[2]!.decisions;
    expect([first!.body!.length, first!.audit.logic_chain!.length, first!.context_of]).toEqual([10_000, 10_000, 1]);
  });
});

describe("a page whose precedents are to fit", () => {
  const precedents = Array.from({ length: 1_100 }, (_, i): PagePrecedent => {
    const none = { rule_id: null, decided_at: null, rationale: null };
    return { id: `p${i}`, community: "c", decision: "remove", ...none, text: { text: noise(i, 2_000), length: 3_000 } };
  });
  // Each is shown 20 from its own on; the one that it cites is shown to the last one too.
  const decisions = Array.from({ length: 1_080 }, (_, i): PageDecision => {
    const places = Array.from({ length: 20 }, (_, j) => i + j);
    const cited = [
      { id: `p${i + 19}`, place: i + 19, by: ["audit" as const] },
      { id: "gone", place: null, by: ["inverse" as const] },
    ];
    return { ...listed(i, 300), community: "c", precedents: { shown: 20, left_out: 0, gone: 0, places, cited } };
  });
  const page = { ...pageOf(decisions), precedents };
  const whole = pageData(page).length;
  const least = fitPage(page, SHELL, SHELL + 1);
  const idsOf = (one: ReportPage, place: number) =>
    one.decisions[place]!.precedents.places.map((at) => one.precedents[at]!.id);

  it("keeps those that are cited and those most like the content, and shortens them as contents", () => {
    const most = SHELL + Math.floor(0.5 * whole);
    const fitted = fitPage(page, SHELL, most);
    expect(SHELL + pageData(fitted).length).toBeLessThanOrEqual(most);
    expect(idsOf(fitted, 100)).toEqual(["p100", "p101", "p102", "p103", "p104", "p119"]);
    expect(fitted.precedents[0]!.text).toEqual({ text: noise(0, 500), length: 3_000 });
    expect(fitted.notes.at(-1)).toMatch(
      /; of the precedents only those that are cited and the 5 most like the content are there; contents and precedents are shown up to 500 characters\.$/,
    );
    expect(fitted.decisions[100]!.precedents.shown).toBe(20);
  });

  it("has at last no other than what a listed decision cites", () => {
    expect(least.decisions.length).toBeLessThan(1_080);
    expect(least.precedents.map((one) => one.id)).toEqual(
      least.decisions.map((one) => `p${Number(one.id.slice(1)) + 19}`),
    );
    for (const [place, { precedents: of }] of least.decisions.entries()) {
      expect([of.places, of.cited.map((one) => one.place)]).toEqual([[place], [place, null]]);
    }
    expect(least.notes.at(-1)).toContain("; of the precedents only those that are cited are there; contents and");
  });
});

describe("a page with more decisions than fit, however short", () => {
  const tokens = Array.from({ length: 40 }, (_, i): [string, number] => [noise(i, 8), i / 7]);
  const decisions = Array.from({ length: 3_000 }, (_, i) => {
    const one = listed(i, 300);
    return { ...one, community: i < 2_700 ? "large" : `c${i}`, audit: { ...one.audit, spans: tokens } };
  });
  const fitted = fitPage(pageOf(decisions), 2_900_000);

  it("keeps some of every community and drops the later ones of large communities", () => {
    expect(fitted.decisions.length).toBeLessThan(3_000);
    const left = fitted.decisions.filter((one) => one.community === "large");
    expect(fitted.decisions.length - left.length).toBe(300);
    expect(left.map((one) => one.id)).toEqual(decisions.slice(0, left.length).map((one) => one.id));
  });

  it("says that they are fewer", () => {
    expect(fitted.notes.at(-1)).toContain("fewer decisions are listed than were asked for");
  });
});
