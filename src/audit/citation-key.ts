import type { CaseFrame } from "../core/records/case.js";
import { groundCitation } from "../measures/grounding/ground-citation.js";
import { normaliseCitation } from "../measures/signals/normalise-citation.js";

/** What makes two citations the same: the rule or precedent they rest on, else their words. */
export function citationKey(citation: string, frame: CaseFrame): string {
  const { grounded, scope, rule_id } = groundCitation(citation, frame);
  if (grounded && rule_id !== null) return `${scope} ${rule_id}`;
  return normaliseCitation(citation);
}
