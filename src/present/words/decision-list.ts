import type { CaseFrame } from "../../core/records/case.js";
import { type CitedPassages, citedPassages } from "../../measures/grounding/cited-passages.js";
import { GROUNDED_OVERLAP, NAMED_GROUNDED_OVERLAP } from "../../measures/grounding/ground-citation.js";
import type {
  CitedBy,
  PageAudit,
  PageDecision,
  PagePrecedent,
  PageText,
  ReportPage,
} from "../../measures/report-page.js";
import { folded } from "../../text/words.js";
import {
  type CitedPrecedent,
  casePrecedent,
  citedRules,
  decisionPrecedents,
  type PrecedentsOfDecision,
  type RuleInForce,
  type RulesInForce,
  rulesInForce,
} from "./decision-rules.js";
import { judgementOf } from "./decision-signal.js";
import { percent, whole } from "./numbers.js";
import { named, numberAt, type Sentence, sentence } from "./sentence.js";
import { CITATION_SCOPE_WORDS } from "./words.js";

/** Where cited words are in a rule or a precedent: ranges for each part. */
export type PartMarks = Pick<CitedPassages, "passages" | "words">;

/** A decision's rules and precedents, and where its audit's citation is in them. */
export interface DecisionCitation {
  /** Null if the page lacks the version of the rules that applied. */
  inForce: RulesInForce | null;
  /** Rules that contain the citation, the best match first. */
  cited: RuleInForce[];
  others: RuleInForce[];
  precedents: PrecedentsOfDecision;
  /** Null if the citation cannot be compared: redacted, empty, or of a missing precedent. */
  found: CitedPassages | null;
  /** For everything compared. A precedent named only by another citation is compared with that citation. */
  marks: ReadonlyMap<RuleInForce | PagePrecedent, PartMarks>;
}

export function decisionCitation(page: ReportPage, decision: PageDecision): DecisionCitation {
  const { audit, human_audit, opposite_audit } = decision;
  const inForce = rulesInForce(page, decision, audit);
  const cited = inForce ? citedRules(inForce, audit) : [];
  const others = inForce ? inForce.rules.filter((rule) => !cited.includes(rule)) : [];
  const precedents = decisionPrecedents(page, decision);
  const comparison = new Comparison(frameOf(inForce, decision, precedents));
  const citedBy = (by: CitedBy) => precedents.cited.filter((one) => one.by[0] === by);
  const own = citedBy("audit");
  // A citation that names nothing is compared with every rule.
  const namesSome = cited.length > 0 || own.length > 0 || audit.citation?.scope === "precedent";
  const found = comparison.of(audit.policy_citation, namesSome ? cited : others, own);
  comparison.of(audit.inverse_citation_text, [], citedBy("inverse"));
  comparison.of(human_audit?.policy_citation, [], citedBy("human_audit"));
  comparison.of(opposite_audit?.policy_citation, [], citedBy("opposite_audit"));
  return { inForce, cited, others, precedents, found, marks: comparison.marks };
}

/** The frame in which grounding looks up citations. */
function frameOf(
  inForce: RulesInForce | null,
  { community }: PageDecision,
  { cited, others }: PrecedentsOfDecision,
): CaseFrame {
  const precedents = [...cited.flatMap(({ precedent }) => precedent ?? []), ...others].map(casePrecedent);
  const none = { rulesetVersion: "", tier: "title", rules: [], actions: { positive: "", negative: "" } } as const;
  return { community, ...(inForce?.frame ?? none), precedents };
}

class Comparison {
  readonly marks = new Map<RuleInForce | PagePrecedent, PartMarks>();

  constructor(private readonly frame: CaseFrame) {}

  /** Where the words of a citation are in rules and precedents. */
  of(
    citation: PageText | null | undefined,
    rules: readonly RuleInForce[],
    cited: readonly CitedPrecedent[],
  ): CitedPassages | null {
    const compared = [
      ...rules.map((of) => ({ of, texts: of.parts.map(({ text }) => text) })),
      ...cited.flatMap(({ precedent: of }) => (of?.text.text ? { of, texts: precedentTexts(of) } : [])),
    ];
    if (!citation?.text || compared.length === 0) return null;
    const texts = compared.flatMap((one) => one.texts);
    const found = citedPassages(citation.text, texts, this.frame);
    let at = 0;
    for (const one of compared) {
      const end = at + one.texts.length;
      this.marks.set(one.of, { passages: found.passages.slice(at, end), words: found.words.slice(at, end) });
      at = end;
    }
    // Parts that are missing here may contain the words.
    if (!cited.every(({ precedent }) => precedent && isWhole(precedent))) found.citation.nowhere = [];
    return found;
  }
}

/** The parts of a precedent that can be cited: its content and the stated reason. */
function precedentTexts({ text, rationale }: PagePrecedent): string[] {
  return [text.text ?? "", rationale?.text ?? ""];
}

function isWhole({ text, rationale }: PagePrecedent): boolean {
  return [text, rationale].every((one) => !one || one.text?.length === one.length);
}

/** Where a citation was found, in words. `at`: pointer to the citation. */
export function groundingSentence(citation: PageAudit["citation"], at: string): Sentence {
  if (!citation) return sentence`It was not checked against the rules.`;
  const { scope, rule_id, overlap, grounded } = citation;
  if (overlap === null) return sentence`It has no words that could be looked up, so it is grounded in nothing.`;
  const share = numberAt(`${at}/overlap`);
  if (rule_id === null || scope === "none") {
    return sentence`${CITATION_SCOPE_WORDS.none.meaning} The closest text has ${share} of its words; ${percent(GROUNDED_OVERLAP, 0)} would count as found there.`;
  }
  const place = sentence`${CITATION_SCOPE_WORDS[scope].name.toLowerCase()} ${named(rule_id)}`;
  if (grounded) return sentence`Grounded in ${place}: ${share} of the cited words are there.`;
  return sentence`Not grounded: it names ${place}, but only ${share} of the cited words are there; ${percent(NAMED_GROUNDED_OVERLAP, 0)} would count.`;
}

/** Texts of a decision to search, as far as the page has them. */
const TEXTS = {
  ids: ({ id }: PageDecision) => [id],
  titles: ({ title }: PageDecision) => [title?.text],
  contents: ({ body, context }: PageDecision) => [body, ...context].map((part) => part?.text),
  citations: ({ title, body, audit: { policy_citation: written, citation } }: PageDecision) =>
    // With redacted contents only some citations are left, and a search of these would look like a search of all.
    written?.text && title?.text !== null && body?.text !== null
      ? [written.text, `${citation?.scope ?? ""} ${citation?.rule_id ?? ""}`]
      : [],
};
type Searched = keyof typeof TEXTS;
const KINDS = Object.keys(TEXTS) as Searched[];

/** Folded texts, made at the first search: thousands are searched at every keystroke. */
const FOLDED = new WeakMap<PageDecision, string>();

/** What a search of these decisions covers; only ids if they are redacted. */
export function searchedKinds(decisions: readonly PageDecision[]): Searched[] {
  return KINDS.filter((kind) => decisions.some((decision) => TEXTS[kind](decision).some(Boolean)));
}

/** Whether a decision contains every word of a search, ignoring case and accents; an empty search matches all. */
export function searchFor(search: string): (decision: PageDecision) => boolean {
  const words = folded(search).split(/\s+/).filter(Boolean);
  return (decision) => words.every((word) => textOf(decision).includes(word));
}

function textOf(decision: PageDecision): string {
  const known = FOLDED.get(decision);
  if (known !== undefined) return known;
  const texts = KINDS.flatMap((kind) => TEXTS[kind](decision)).filter(Boolean);
  const text = folded(texts.join("\n"));
  FOLDED.set(decision, text);
  return text;
}

type Agreement = "agrees" | "disagrees" | "none";

/** Filters of the list of decisions; "" is everything. */
export interface DecisionFilters {
  community: string;
  decision: string;
  /** 1, 2, 3, `defensible` for 1 or 2, or `none` for an audit without a verdict. */
  level: string;
  inverse: string;
  agreement: string;
  reason: string;
  flag: string;
  /** Whether human ratings of defensibility, or reference annotations, agree with the auditor: see `judgementOf`. */
  judged: string;
  /** `<scope>/<community>/<id>`; the platform's rules have an empty community. */
  rule: string;
  search: string;
}

export const NO_FILTERS: Readonly<DecisionFilters> = {
  community: "",
  decision: "",
  level: "",
  inverse: "",
  agreement: "",
  reason: "",
  flag: "",
  judged: "",
  rule: "",
  search: "",
};

/** How a decision compares with the moderator's. */
export function agreementOf({ decision, human_label }: PageDecision): Agreement {
  if (human_label === null) return "none";
  return human_label === decision ? "agrees" : "disagrees";
}

/** A verdict's level as the filter names it; `none` without a verdict. */
export function levelOf({ audit }: PageDecision): string {
  return audit.outcome === "verdict" && audit.level ? String(audit.level) : "none";
}

/** The level filters that match a decision. */
export function levelsOf(decision: PageDecision): string[] {
  const level = levelOf(decision);
  return level === "1" || level === "2" ? [level, "defensible"] : [level];
}

/** Whether the opposite is derivable, as the filter names it; `none` without a verdict. */
export function inverseOf({ audit }: PageDecision): "yes" | "no" | "none" {
  if (audit.outcome !== "verdict" || typeof audit.inverse !== "boolean") return "none";
  return audit.inverse ? "yes" : "no";
}

/** The rule that a decision's audit cites, as the filter names it; null if none was found. */
export function citedRuleKey({ community, audit: { citation } }: PageDecision): string | null {
  if (!citation?.rule_id) return null;
  return ruleFilter(citation.scope, citation.scope === "platform" ? null : community, citation.rule_id);
}

/** A rule as named by the filter in an address. */
export function ruleFilter(scope: string, community: string | null, ruleId: string): string {
  return `${scope}/${community ?? ""}/${ruleId}`;
}

export function filterDecisions(decisions: readonly PageDecision[], filters: DecisionFilters): readonly PageDecision[] {
  const isFound = searchFor(filters.search);
  const passes = (filter: string, value: string | null) => filter === "" || filter === value;
  return decisions.filter((decision) => {
    const { audit } = decision;
    return (
      passes(filters.community, decision.community) &&
      passes(filters.decision, decision.decision) &&
      (filters.level === "" || levelsOf(decision).includes(filters.level)) &&
      passes(filters.inverse, inverseOf(decision)) &&
      passes(filters.agreement, agreementOf(decision)) &&
      (filters.reason === "" || decision.reasons.some((reason) => reason === filters.reason)) &&
      passes(filters.judged, judgementOf(decision)) &&
      (filters.flag === "" || audit.flags.some((flag) => flag === filters.flag)) &&
      passes(filters.rule, citedRuleKey(decision)) &&
      isFound(decision)
    );
  });
}

/** Whether a page has fewer decisions than were audited. */
export function lacksDecisions({ decisions, decisions_of }: Pick<ReportPage, "decisions" | "decisions_of">): boolean {
  return decisions_of === null || decisions.length < decisions_of;
}

/** Which decisions a page has, and why not all. */
export function listedSentence(page: Pick<ReportPage, "decisions" | "decisions_of">): string {
  const { decisions, decisions_of } = page;
  if (decisions_of === null) return "Single decisions were left out of this report on request (--no-decisions).";
  const listed = decisions.length;
  if (decisions_of === 0) return "This report has no audited decisions.";
  if (!lacksDecisions(page)) {
    return decisions_of === 1
      ? "The one decision of this report is listed."
      : `All ${whole(decisions_of)} decisions are listed, most urgent first.`;
  }
  return `${whole(listed)} of ${whole(decisions_of)} decisions are listed: the most urgent of each community in turn. Shares of this list are not shares of all decisions.`;
}
