import { createElement, type ReactNode } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it, vi } from "vitest";
import type { Report } from "../../src/core/results/report.js";
import { evaluateGate } from "../../src/measures/gate/evaluate-gate.js";
import { cohort } from "../../src/measures/gate/fleet.suite.js";
import type { GateCohort } from "../../src/measures/gate/gate-input.js";
import { type RandomReview, realisedCells, realisedRate } from "../../src/measures/gate/realised-risk.js";
import { compareAgainst } from "../../src/measures/metrics/against.js";
import { BOTH, type Decisions, MISSED, makeReport, makeReportPage, makeRule } from "../../src/measures/report.suite.js";
import type { ReportPage } from "../../src/measures/report-page.js";
import { realisedSection } from "../../src/present/report/trust-document.js";
import { PageContext } from "../data/page-context.ts";
import { DocumentSections } from "../parts/document.tsx";
import { Nothing } from "../parts/nothing.tsx";
import { Counted } from "../parts/numbers/num.tsx";
import { AutomationLead, AutomationNumbers } from "./automation/automation-numbers.tsx";
import { CommunityLead } from "./automation/community/community-page.tsx";
import { InForce } from "./automation/gate/in-force.tsx";
import { GateLine } from "./overview/first-actions.tsx";
import { Confirmed, TrapHere } from "./overview/headline.tsx";
import { SummaryLead } from "./overview/lead.tsx";
import { RuleLedgerLead } from "./rules/rule-ledger.tsx";

// Made by the build of the page from docs/notation.md.
vi.mock("virtual:notation", () => ({ default: [] }));

/** What a reader sees of an element on a page about these decisions. */
function read(element: ReactNode, of: readonly Decisions[] = [{ ...BOTH, n: 1 }], parts: Partial<Report> = {}): string {
  const page = makeReportPage(makeReport(of, parts));
  const html = renderToStaticMarkup(createElement(PageContext, { value: page }, element));
  return html
    .replace(/<[^>]*>/g, "")
    .replaceAll("&#x27;", "'")
    .replaceAll("\u00a0", " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .trim();
}

const gate = (...of: GateCohort[]) => evaluateGate(of, { mode: "paper", frontier: false });
const SETTINGS = { di: 0.9, ai: 0.15, min_decisions: 25, mode: "paper", variable: "ai" } as const;

describe("the lead of Automation", () => {
  const lead = (...of: GateCohort[]) => read(createElement(AutomationLead, { evaluation: gate(...of) }));
  const limits = "raw gate (defensibility at least 90%, ambiguity at most 15%)";

  it("speaks of one community in the singular, and of few decisions not as none", () => {
    expect(lead(cohort(10_000, 4))).toBe(
      `1 of 1 community with at least 25 audited decisions passes the ${limits}: 100% of all decisions. No rule supports 4 of these 10,000 (0.04%), against 4 of 10,000 (0.04%) without a gate.`,
    );
    expect(lead(cohort(100, 50))).toBe(
      `The only community with at least 25 audited decisions does not pass the ${limits}. No rule supports 50 of its 100 decisions (50%).`,
    );
  });

  it("says how many pass, and what is missing where no community is large enough", () => {
    expect(lead(cohort(100, 0, 0, 0, "a"), cohort(100, 50, 0, 0, "b"))).toBe(
      `1 of 2 communities with at least 25 audited decisions passes the ${limits}: 50% of all decisions. No rule supports 0 of these 100 (0%), against 50 of 200 (25%) without a gate.`,
    );
    expect(lead(cohort(10, 0))).toBe(
      "The only community has 10 of the 25 audited decisions that the gate asks for, so nothing may be automated yet. Audit more decisions.",
    );
  });
});

describe("the active gate", () => {
  it("asks for no gate to be put in force where there is no workspace", () => {
    const element = createElement(InForce, { settings: SETTINGS });
    expect(read(element)).toContain("defensible gate");
    expect(read(element, undefined, { run: { run_id: null, source: "a.csv" } })).toBe(
      "A file of audits has no active gate. This view is a dry run.",
    );
  });
});

describe("the lead of a community", () => {
  const lead = (...of: Decisions[]) => read(createElement(CommunityLead, { place: 0, gate: undefined }), of);

  it("says what is open in plain words, and one decision in the singular", () => {
    expect(lead({ n: 6 }, { n: 17, level: 2, inverse: true }, { n: 5, level: 3, inverse: true })).toBe(
      "Of 28 decisions 23 follow from the rules, but for 17 of them the opposite would follow just as well. In 5 of the others the rules support only the opposite.",
    );
    expect(lead({ n: 1 })).toBe("Of 1 decision 1 follows from the rules.");
  });

  it("calls nothing seldom that the limits of the gate allow", () => {
    const [one] = evaluateGate([cohort(91, 15, 39, 15)], {
      ...{ mode: "paper", frontier: false, limits: { di: 0.5, ai: 0.9, min_decisions: 25, variable: "ai" } },
    }).communities;
    expect(one!.state).toBe("earned_autonomy");
    const element = createElement(CommunityLead, { place: 0, gate: one });
    expect(read(element, [{ n: 37 }, { n: 39, level: 2, inverse: true }, { n: 15, level: 3 }])).toMatch(
      /^Earned autonomy\. Both limits of the gate are met\. Of 91 decisions 76 follow from the rules, but for 39 of them/,
    );
  });
});

describe("the lead of the rules", () => {
  it("halves nothing where one verdict is open", () => {
    const rules = [makeRule([{ n: 1, level: 2, inverse: true }, { n: 9 }])];
    expect(read(createElement(RuleLedgerLead), undefined, { rules })).toBe(
      "1 decision could go either way under the rule that it cites.",
    );
    const most = [makeRule([{ n: 66, level: 2, inverse: true }]), makeRule([{ n: 13, level: 2, inverse: true }])];
    expect(read(createElement(RuleLedgerLead), undefined, { rules: most })).toBe(
      "1 rule of 2 holds 66 of the 79 decisions that could go either way.",
    );
  });
});

it("says how many reviews minutes or days saved, and a rate only from a week on", () => {
  const page = makeReportPage(makeReport([{ ...BOTH, n: 83 }]));
  const { community } = page.report.communities[0]!;
  const evaluation = gate(cohort(83, 0, 0, 0, community));
  const saved = (days: number) => {
    const last = new Date(Date.UTC(2026, 9, days)).toISOString().slice(0, 10);
    // Weeks that are touched are more than those that passed.
    const weeks = { unit: "week", periods: ["2026-09-28", "2026-10-05", "2026-10-12", "2026-10-19", "2026-10-26"] };
    const dated = { ...weeks, first: "2026-10-01", last, rows: [{ community, n: 83 }] };
    const timeline = dated as unknown as ReportPage["timeline"];
    const known = { ...page, timeline };
    const numbers = createElement(AutomationNumbers, { gate: evaluation });
    return renderToStaticMarkup(createElement(PageContext, { value: known }, numbers)).replace(/<[^>]*>/g, "");
  };
  expect(saved(1)).toContain("Reviews saved83within 1 day, too short for a rate per week");
  expect(saved(1)).not.toContain("581");
  expect(saved(7)).toContain("Reviews saved per week8383 decisions in 7 days");
  expect(saved(28)).toContain("Reviews saved per week2183 decisions in 4 weeks");
});

it("counts what the active gate automates by score, not what the communities that pass have", () => {
  const page = makeReportPage(makeReport([{ ...BOTH, n: 236 }]));
  const { community } = page.report.communities[0]!;
  const evaluation = evaluateGate([cohort(236, 50, 0, 0, community)], {
    ...{ mode: "shrunk", frontier: false, limits: { di: 0.5, ai: 0.9, min_decisions: 25, variable: "ai" } },
  });
  const { di, ai, min_decisions } = evaluation.thresholds;
  const active = {
    ...{ mode: "shrunk", variable: "ai", thresholds: { di, ai, min_decisions }, fleet: { passing: 1 } },
    ...{ communities: [{ community, suspended: null, passes: { shrunk: true } }] },
    selective: { counts: { automated: 120, automated_indefensible: 7, verdicts: 236 } },
  };
  const shown = (of: object, element: ReactNode) => {
    const weeks = { unit: "week", periods: ["2026-09-28"], rows: [{ community, n: 235 }] };
    const timeline = { ...weeks, first: "2026-09-01", last: "2026-11-16" } as unknown as ReportPage["timeline"];
    const known = { ...page, timeline, report: { ...page.report, gate: of } } as ReportPage;
    return renderToStaticMarkup(createElement(PageContext, { value: known }, element)).replace(/<[^>]*>/g, "");
  };
  const numbers = createElement(AutomationNumbers, { gate: evaluation });
  const byScore = shown(active, numbers);
  expect(byScore).toContain("Decisions automated120 of 236");
  expect(byScore).toContain("Reviews saved per week11120 decisions in 11 weeks");
  expect(byScore).toContain("Automated without rule support7 of 120");
  const { selective, ...older } = active;
  for (const other of [older, { ...active, thresholds: { ...active.thresholds, di: 0.6 } }]) {
    expect(shown(other, numbers)).toContain("Reviews saved per week21235 decisions in 11 weeks");
  }
  const line = shown(active, createElement(GateLine));
  expect(line).toContain("1 of 1 community passes the active gate, which takes the auditor&#x27;s verdicts for true.");
  expect(line).toContain("120 of 236 decisions reach its minimum score");
});

describe("the overview", () => {
  it("shows no share as all that is not", () => {
    const lead = (...of: Decisions[]) => read(createElement(SummaryLead), of);
    expect(lead({ n: 9_996 }, { n: 4, level: 3 })).toBe("Yes for 9,996 of 10,000 decisions (99.96%).");
    expect(lead({ n: 3, level: 3 })).toBe("Yes for 0 of 3 decisions (0%).");
    expect(lead({ n: 1 })).toBe("Yes for 1 of 1 decision (100%).");
  });

  it("says how many decisions agreement misjudges only where it does", () => {
    const here = (of: readonly Decisions[], parts?: Partial<Report>) => read(createElement(TrapHere), of, parts);
    const wrong = [
      { ...BOTH, n: 9 },
      { ...MISSED, n: 1 },
      { ...BOTH, n: 2, level: 3 as const },
    ];
    expect(here([{ ...BOTH, n: 9 }])).toBe("");
    expect(here(wrong)).toBe("Agreement with moderators misjudges 3 of the 12.");
    const run = { run_id: "r", actions: { positive: "deny", negative: "grant" } };
    expect(here(wrong, { run })).toBe("Agreement with human labels misjudges 3 of the 12.");
    const unlabelled = { n: 5, humanPositive: null };
    expect(here([...wrong, unlabelled])).toBe("Agreement with moderators misjudges 3 of the 12 that have a label.");
  });

  it("says what reference annotations confirm of it", () => {
    const pair = { level: 1, targetLevel: 1, inverse: false, targetInverse: false, indefensibleScore: null };
    const against = compareAgainst("gold", [
      { ...pair, disagrees: true },
      { ...pair, level: 3, disagrees: false },
    ]);
    const confirmed = read(
      createElement(Confirmed),
      [
        { ...MISSED, n: 1 },
        { ...BOTH, n: 1, level: 3 },
      ],
      { against },
    );
    expect(confirmed).toBe(
      "Reference annotations confirm 1 of 1 disagreements that the auditor calls defensible, and 0 of 1 agreements that it calls indefensible.",
    );
    expect(read(createElement(Confirmed))).toBe("");
  });
});

it("counts one of a thing in the singular", () => {
  const counted = createElement(Counted, { at: "/report/counts/attempted", one: "audit" });
  expect(read(counted)).toBe("1 audit");
  expect(read(counted, [{ ...BOTH, n: 1_200 }])).toBe("1,200 audits");
});

it("gives no command that needs a workspace to whoever has none", () => {
  const element = (command: string) => createElement(Nothing, { why: "There is none.", command });
  const file = { run: { run_id: null, source: "a.csv" } };
  expect(read(element("defensible gate"))).toContain("Run defensible gate");
  expect(read(element("defensible gate"), undefined, file)).toBe("There is none.");
  expect(read(element("defensible report --html FILE"), undefined, file)).toContain("Run defensible report");
});

describe("the realised risk", () => {
  const options = { now: Date.UTC(2026, 10, 16), delta: 0.05, threadCap: 5 };
  const review = { community: "a", cohort: "a", action: "remove", language: "en", thread: null, share: 0.02 };
  const partsOf = (reviews: RandomReview[]): Partial<Report> => ({
    realised_risk: {
      ...{ as_of: "2026-11-16T00:00:00Z", delta: 0.05, thread_cap: 5, limit: 0.05, frame: 10_000, shares: [0.02] },
      ...{ drawn: reviews.length, cells: realisedCells(reviews, options), saw_audit: null },
      risk: realisedRate(reviews, "risk", options),
      overturned: realisedRate(reviews, "overturned", options),
      appeals: { decisions: 0, overturned: 0, indefensible: 0 },
      left_out: { share_unknown: 0, share_zero: 0, shadow: 0, repeated: 0 },
      outcomes: { in_all: reviews.length, unknown: 0, not_drawn: 0 },
    },
  });
  const section = (parts: Partial<Report>) => {
    const blocks = realisedSection(parts.realised_risk, 15);
    return read(createElement(DocumentSections, { blocks, data: parts, at: "/report" }), undefined, parts);
  };

  it("is said with its bound, by community, action, language and week", () => {
    const answer = { level: 1, overturned: false } as const;
    const reviews = Array.from({ length: 200 }, () => ({ ...review, routed: Date.UTC(2026, 9, 1), answer }));
    const text = section(partsOf(reviews));
    expect(text).toContain("Of 10,000 decisions that would have been automated, 200 decisions were drawn at random");
    expect(text).toContain("Reviewers found 0 of 200 indefensible (0.0%), and with 95% confidence at most 1.5%");
    expect(text).toContain("within the limit of 5.0%");
    expect(text).toMatch(/week2026-09-282000\.0%0 of 20020011\.5%1\.9%/);
    expect(text).not.toContain("still open");
    const growing = reviews.map((one) => ({ ...one, thread: "t", routed: Date.UTC(2026, 10, 13) }));
    expect(section(partsOf(growing))).toContain(
      "No bound for any number of looks (–): the first thread of the row is still open",
    );
  });

  it("is not known while reviews are open, and not there without any", () => {
    const open = { ...review, routed: options.now, answer: null };
    expect(section(partsOf([open]))).toContain("The realised risk is not known yet: reviews open.");
    expect(section({})).toBe("");
  });
});
