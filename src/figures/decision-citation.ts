import { type CitedPassages, citedPassages } from "../grounding/cited-passages.js";
import { GROUNDED_OVERLAP, NAMED_GROUNDED_OVERLAP } from "../grounding/ground-citation.js";
import { citedRules, type RuleInForce, type RulesInForce, rulesInForce } from "./decision-rules.js";
import { percent } from "./numbers.js";
import type { PageAudit, PageDecision, ReportPage } from "./report-page.js";
import { named, numberAt, type Sentence, sentence } from "./sentence.js";
import { CITATION_SCOPE_WORDS } from "./words.js";

/** A decision's rules, and where its audit's citation stands in them. */
export interface DecisionCitation {
  /** Null where the page does not have the version of the rules that was in force. */
  inForce: RulesInForce | null;
  /** Rules that the citation stands in; the first of all. */
  cited: RuleInForce[];
  others: RuleInForce[];
  /** Null where the citation or the rules cannot be compared: redacted, none, or a precedent's text. */
  found: CitedPassages | null;
}

export function decisionCitation(page: ReportPage, decision: PageDecision): DecisionCitation {
  const { audit } = decision;
  const inForce = rulesInForce(page, decision, audit);
  if (!inForce) return { inForce, cited: [], others: [], found: null };
  const cited = citedRules(inForce, audit);
  const others = inForce.rules.filter((rule) => !cited.includes(rule));
  const text = audit.policy_citation?.text;
  const precedent = audit.citation?.scope === "precedent";
  if (!text || precedent) return { inForce, cited, others, found: null };
  const compared = cited.length > 0 ? cited : inForce.rules;
  const texts = compared.flatMap(({ parts }) => parts.map((part) => part.text));
  return { inForce, cited, others, found: citedPassages(text, texts, inForce.frame) };
}

/** Where a citation was found, in words. `at`: pointer to the citation. */
export function groundingSentence(citation: PageAudit["citation"], at: string): Sentence {
  if (!citation) return sentence`Nobody looked whether it stands in the rules.`;
  const { scope, rule_id, overlap, grounded } = citation;
  if (overlap === null) return sentence`It has no words that could be looked up, so it is grounded in nothing.`;
  const share = numberAt(`${at}/overlap`);
  if (rule_id === null || scope === "none") {
    return sentence`${CITATION_SCOPE_WORDS.none.meaning} The closest text has ${share} of its words; ${percent(GROUNDED_OVERLAP, 0)} would count as found there.`;
  }
  const place = sentence`${CITATION_SCOPE_WORDS[scope].name.toLowerCase()} ${named(rule_id)}`;
  if (grounded) return sentence`Grounded in ${place}: ${share} of the cited words stand there.`;
  return sentence`Not grounded: it names ${place}, but only ${share} of the cited words stand there; ${percent(NAMED_GROUNDED_OVERLAP, 0)} would count.`;
}
