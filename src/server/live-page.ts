import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { RuleBook } from "../audit/rules-in-force.js";
import type { Decision } from "../core/records/decision.js";
import type { RuleSet } from "../core/records/rule-set.js";
import type { PageAudit, PageDecision, PageRuleSet, PageText, ReportPage } from "../measures/report-page.js";
import { pageRuleSet } from "../present/page/build-page.js";
import { decisionParts, pageAudit } from "../present/page/page-decision.js";
import { shownWriting } from "../present/page/writing.js";
import {
  agreementOf,
  citedRuleKey,
  type DecisionFilters,
  filterDecisions,
  inverseOf,
  levelsOf,
} from "../present/words/decision-list.js";
import { trapExamples } from "../present/words/trap-examples.js";
import type { Database } from "../store/postgres/database.js";
import { keptPage, pageMark } from "../store/postgres/live.js";

const unzip = promisify(gunzip);

const MOST_PAGES = 4;

export interface LivePage {
  mark: string;
  made_at: string;
  page: ReportPage;
}

/** The report pages that the worker made last, each read once. */
export class LivePages {
  private readonly pages = new Map<string, LivePage>();

  constructor(private readonly database: Database) {}

  /** null: no page has been made yet. */
  async of(workspace: string): Promise<LivePage | null> {
    const newest = await pageMark(this.database, workspace);
    if (!newest) return null;
    const known = this.pages.get(workspace);
    if (known?.mark === newest.mark) return known;
    const kept = await keptPage(this.database, workspace, "data");
    if (!kept) return null;
    const page = JSON.parse((await unzip(kept.data)).toString()) as ReportPage;
    const made = { ...newest, mark: kept.mark, page };
    this.pages.delete(workspace);
    if (this.pages.size >= MOST_PAGES) this.pages.delete(this.pages.keys().next().value!);
    this.pages.set(workspace, made);
    return made;
  }
}

/** The page with only those decisions that the overview shows, without any that the reader has claimed. */
export function pageSummary(page: ReportPage, content: boolean, held: ReadonlySet<string>): ReportPage {
  const free = { ...page, decisions: page.decisions.filter(({ id }) => !held.has(id)) };
  const shown = content
    ? Object.values(trapExamples(free)).flatMap((example) => (example ? [example.decision] : []))
    : [];
  return { ...page, ...withPrecedents(page, [...new Set(shown)]) };
}

/** The given decisions and only the precedents that they refer to. */
export function withPrecedents(
  page: ReportPage,
  decisions: readonly PageDecision[],
): Pick<ReportPage, "decisions" | "precedents"> {
  const places = new Map<number, number>();
  const placeOf = (place: number) => {
    if (!places.has(place)) places.set(place, places.size);
    return places.get(place)!;
  };
  const moved = decisions.map((decision) => ({
    ...decision,
    precedents: {
      ...decision.precedents,
      places: decision.precedents.places.map(placeOf),
      cited: decision.precedents.cited.map((one) => ({
        ...one,
        place: one.place === null ? null : placeOf(one.place),
      })),
    },
  }));
  return { decisions: moved, precedents: [...places.keys()].map((place) => page.precedents[place]!) };
}

/** Characters kept of each text in a list. */
const EXCERPT = 240;

/** A decision as a row of a list: the beginnings of its texts, without the trace. */
export function listRow(decision: PageDecision): PageDecision {
  const cut = <T extends PageText | null>(text: T): T =>
    text?.text && text.text.length > EXCERPT ? { ...text, text: text.text.slice(0, EXCERPT).toWellFormed() } : text;
  const { audit } = decision;
  return {
    ...decision,
    title: cut(decision.title),
    body: cut(decision.body),
    context: [],
    rationale: null,
    appeal: null,
    precedents: { ...decision.precedents, places: [], cited: [] },
    audit: { ...audit, logic_chain: null, inverse_citation_text: null, spans: [] },
    human_audit: null,
    opposite_audit: null,
  };
}

const hidden = <T extends PageText | null>(text: T): T => (text ? { ...text, text: null } : text);

function auditWithoutContent<T extends PageAudit | null>(audit: T): T {
  if (!audit) return audit;
  return {
    ...audit,
    logic_chain: hidden(audit.logic_chain),
    policy_citation: hidden(audit.policy_citation),
    inverse_citation_text: hidden(audit.inverse_citation_text),
    spans: [],
    error: audit.error && { ...audit.error, message: "" },
  };
}

/** For people who may not read content. Traces quote content, so they are removed too. */
export function withoutContent(decision: PageDecision): PageDecision {
  return {
    ...decision,
    title: hidden(decision.title),
    body: hidden(decision.body),
    context: decision.context.map(hidden),
    url: hidden(decision.url),
    rationale: hidden(decision.rationale),
    appeal: decision.appeal && { ...decision.appeal, text: hidden(decision.appeal.text) },
    gold: decision.gold && { ...decision.gold, note: hidden(decision.gold.note) },
    audit: auditWithoutContent(decision.audit),
    human_audit: auditWithoutContent(decision.human_audit),
    opposite_audit: auditWithoutContent(decision.opposite_audit),
  };
}

export type Facets = Record<
  "community" | "decision" | "level" | "inverse" | "agreement" | "reason" | "rule",
  [string, number][]
>;

const FACETS: Record<keyof Facets, (decision: PageDecision) => readonly string[]> = {
  community: ({ community }) => [community],
  decision: ({ decision }) => [decision],
  level: levelsOf,
  inverse: (one) => [inverseOf(one)],
  agreement: (one) => [agreementOf(one)],
  reason: ({ reasons }) => reasons,
  rule: (one) => [citedRuleKey(one) ?? ""].filter(Boolean),
};

/** Values of the listed decisions, with the number of decisions for each. */
export function facetsOf(decisions: readonly PageDecision[]): Facets {
  const count = (valuesOf: (decision: PageDecision) => readonly string[]) => {
    const counts = new Map<string, number>();
    for (const decision of decisions) {
      for (const value of valuesOf(decision)) counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return [...counts].sort(([a, n], [b, m]) => m - n || (a < b ? -1 : 1));
  };
  return Object.fromEntries(Object.entries(FACETS).map(([name, valuesOf]) => [name, count(valuesOf)])) as Facets;
}

/** The listed decisions that pass the filters, most urgent or newest first. */
export function chosenDecisions(
  decisions: readonly PageDecision[],
  filters: DecisionFilters,
  order: "urgent" | "newest",
): readonly PageDecision[] {
  const passing = filterDecisions(decisions, filters);
  if (order === "urgent") return passing;
  return [...passing].sort((a, b) => ((b.decided_at ?? "") < (a.decided_at ?? "") ? -1 : 1));
}

/** What a reviewer needs to decide one case. */
export interface Case {
  /** Until the audit may be seen, it is empty except for the version of the rules. */
  decision: PageDecision;
  /** The rules in effect: the platform's, then the community's. */
  rule_sets: PageRuleSet[];
}

/**
 * A decision as the views show it. Without the audit, neither its verdict nor what it cites is included.
 * @param audit as it was written; null: it is missing, or must not be seen yet
 */
export function caseOf(
  decision: Decision,
  audit: Record<string, unknown> | null,
  sets: readonly RuleSet[],
  known: { ruleset_version?: unknown } | null,
): Case {
  const named = typeof known?.ruleset_version === "string" ? known.ruleset_version : (decision.ruleset_version ?? null);
  const rules = new RuleBook(sets).inForce({ ...decision, ruleset_version: named });
  const veiled = { decision: decision.decision, ruleset_version: rules.version, tier: "wiki", outcome: "unscored" };
  const { gold: _, ...parts } = decisionParts(decision, shownWriting);
  return {
    decision: {
      ...parts,
      // The known answer of a test item, and labels, are hidden from the reviewer who is asked.
      gold: null,
      human_label: null,
      id: decision.id,
      community: decision.community,
      decision: decision.decision,
      labels: [],
      reasons: [],
      precedents: { shown: null, left_out: 0, gone: 0, places: [], cited: [] },
      audit: pageAudit(audit ?? veiled, shownWriting),
      human_audit: null,
      opposite_audit: null,
    },
    rule_sets: [rules.platform, rules.community].flatMap((set) => (set ? [pageRuleSet(set)] : [])),
  };
}
