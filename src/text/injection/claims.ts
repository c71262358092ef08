import type { InjectionKind } from "./kinds.js";

/** Words that head a rule; a number, a name and a bracket may follow, then a colon or a full stop. */
const RULE_HEAD =
  /^[\s>*#"'`[(_§\d-]{0,10}(?:(?:new|updated|revised|additional|community|platform|site|special|general|important|overriding) ){0,2}(?:rule|policy|guideline|exception|amendment|addendum|clause|article|principle|regulation|exemption|update)s?\b[^.!?\n]{0,90}?[:.]/;
const RULE_HEAD_SAYS = /\b(?:says?|said|states?|means?|requires?|asks?|bans?|forbids?|my|our|their)\b/;
const GRANTS =
  /\b(?:allowed|permitted|exempt(?:ed)?|acceptable|suspended|(?:never|not)(?: be)? (?:be )?removed|cannot be (?:removed|taken)|(?:may|must) (?:not|never) (?:be )?remove|(?:must|shall|has|have|are|is) (?:to )?be (?:approved|kept)|no longer appl|(?:do|does) not apply|count as)/;
const SWEEPING =
  /\b(?:all|any|every|always|never|automatically|whatever|everything|this (?:post|author|account|content|sentence|kind)|without exception)\b/;
const OBJECT =
  /\b(?:posts?|posted|content|submissions?|comments?|messages?|members?|authors?|accounts?|users?|moderators?|rules)\b/;
const APPROVED_FIRST = /\bapproved (?:by|before|first|in advance)\b/;

const PRECEDENT = /\b(?:precedents?|ruling|(?:prior|earlier|previous) decision|(?:case|decision) (?:no\.? ?)?#?\d)/;
const KEPT = /\b(?:approved?|approval|kept up|left (?:up|standing)|restored|allowed|reinstated)\b/;
const ALIKE = /\b(?:identical|same|exactly like|like this|this very|word for word|this post|all precedents)\b/;
const BINDING = /\bprecedents?\b[^.]{0,60}\b(?:binding|weigh[st]?|weight)\b|\b(?:binding)\b[^.]{0,40}\bprecedents?\b/;

/** Points of a sentence that pretends to be a rule or a precedent, and as which. `line` goes on to the end of its line. */
export function claimIn(sentence: string, line: string): { points: number; kind: InjectionKind } | null {
  const head = RULE_HEAD.exec(line);
  const isHeaded = head !== null && !RULE_HEAD_SAYS.test(head[0]);
  // A head that is a sentence of its own is read on.
  const grants = isGrant(isHeaded && head[0].length >= sentence.trimEnd().length ? line : sentence);
  if (grants) return { points: isHeaded ? 4 : 1, kind: "forged_rule" };
  if (PRECEDENT.test(sentence)) {
    if (KEPT.test(sentence) && ALIKE.test(sentence)) return { points: 4, kind: "forged_precedent" };
    if (BINDING.test(sentence)) return { points: 2, kind: "forged_precedent" };
  }
  return null;
}

function isGrant(text: string): boolean {
  return GRANTS.test(text) && SWEEPING.test(text) && OBJECT.test(text) && !APPROVED_FIRST.test(text);
}
