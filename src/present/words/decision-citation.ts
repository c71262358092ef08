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
import { CITATION_SCOPE_WORDS } from "./audit-words.js";
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
import { percent } from "./numbers.js";
import { named, numberAt, type Sentence, sentence } from "./sentence.js";

/** Where cited words are in the parts of a rule or a precedent: ranges for each part. */
export type PartMarks = Pick<CitedPassages, "passages" | "words">;

/** A decision's rules and precedents, and where its audit's citation is in them. */
export interface DecisionCitation {
  /** Null where the page does not have the version of the rules that was in force. */
  inForce: RulesInForce | null;
  /** Rules that contain the citation; the first of all. */
  cited: RuleInForce[];
  others: RuleInForce[];
  precedents: PrecedentsOfDecision;
  /** Null where the citation cannot be compared with anything: redacted, none, or of a precedent that is not there. */
  found: CitedPassages | null;
  /** Of what was compared. A precedent that only another citation names is compared with that one. */
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
  // A citation that names nothing is held against every rule.
  const namesSome = cited.length > 0 || own.length > 0 || audit.citation?.scope === "precedent";
  const found = comparison.of(audit.policy_citation, namesSome ? cited : others, own);
  comparison.of(audit.inverse_citation_text, [], citedBy("inverse"));
  comparison.of(human_audit?.policy_citation, [], citedBy("human_audit"));
  comparison.of(opposite_audit?.policy_citation, [], citedBy("opposite_audit"));
  return { inForce, cited, others, precedents, found, marks: comparison.marks };
}

/** What grounding looks citations up in. */
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
    // What is not here may have the words.
    if (!cited.every(({ precedent }) => precedent && isWhole(precedent))) found.citation.nowhere = [];
    return found;
  }
}

/** The parts of a precedent that can be cited: its content, and the reason given. */
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
