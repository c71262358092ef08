import type { CaseRule } from "../../../core/records/case.js";
import { type ClauseText, splitClauses } from "../../../text/split-clauses.js";
import { type ClauseRole, clauseRole, demandedWords } from "../located-tokens.js";

/** What a statement of a rule does to content that meets its words. */
export type Force = "forbids" | "demands" | "allows" | "elsewhere" | "open" | "silent";

/** A statement of a rule, or the part of one before or after its "except". */
export interface ClauseScope {
  text: string;
  force: Force;
}

/** Where an exception begins inside a statement. */
const EXCEPTION =
  /\b(?:unless|except(?:ing)?(?: (?:for|that|when|where|if|in|on))?|other than|apart from|provided(?: that)?|(?:as|so) long as|but not|save for|(?:does|do) not apply (?:to|when|if)|salvo|excepto|a menos que)\b/i;
/** Says that something stays, in words that no prohibition has. */
const LETS_STAND =
  /\b(?:stays?|(?:is|are|may be) (?:kept|left alone|protected)|does no harm|do no harm|may not (?:be removed|remove)|no ground for removal)\b/i;
const REMOVES = /\b(?:removed|removal|taken down|not allowed|forbidden|not protected)\b/i;
const IS_REMOVED = /\b(?:is|are|will be|gets?) (?:always )?(?:removed|deleted|taken down)\b(?!.*\bnot\b)/i;
/** Names the subject that everything has to be about. */
export const SUBJECT =
  /^(?:only\b.*|.*\bonly|keep (?:it|posts|this|things) (?:about|to|on)\b.*|stay on topic.*|on topic.*)$/i;
/** Rules of these kinds explain what they are about without forbidding it. */
const HARMLESS_KINDS: ReadonlySet<string> = new Set(["requirement", "procedure", "permission"]);

/** The statements of a rule with what each does, cut once more where an exception begins inside one. The first is its title. */
export function clauseScopes(rule: CaseRule): ClauseScope[] {
  const texts = splitClauses(rule.text);
  if (texts.length === 0) texts.push({ text: rule.title.trim() || rule.id, lead: null });
  const head = texts.slice(0, splitClauses(rule.text.split("\n", 2).join("\n")).length);
  const demanded = demandedWords(head.map(({ text }) => text));
  const kind = rule.kind ?? suggestedKind(head.map((text) => clauseRole(text, { kind: null, demanded })));
  // Only a rule that demands something has anything to fall short of.
  const sense = { kind, demanded: kind === "requirement" ? demanded : NOTHING };
  const scopes: ClauseScope[] = [];
  let previous: ClauseRole | null = null;
  texts.forEach((clause, i) => {
    const role: ClauseRole = clauseRole(clause, sense, previous);
    previous = role;
    scopes.push(...cutAtException(clause, forceOf(clause, role, kind, i === 0)));
  });
  return scopes;
}

const NOTHING: ReadonlySet<string> = new Set();
const CONTRARY: Partial<Record<Force, Force>> = { forbids: "allows", demands: "allows", allows: "forbids" };

function cutAtException({ text, lead }: ClauseText, force: Force): ClauseScope[] {
  const cut = EXCEPTION.exec(text);
  const contrary = CONTRARY[force];
  const tail = cut ? text.slice(cut.index + cut[0].length).trim() : "";
  // "Exception: …, as long as neither objects" is one permission, with its condition.
  if (!cut || cut.index === 0 || tail === "" || !contrary || lead !== null) return [{ text, force }];
  return [
    { text: text.slice(0, cut.index).trim(), force },
    { text: tail, force: contrary },
  ];
}

function forceOf({ text }: ClauseText, role: ClauseRole, kind: string | null, isTitle: boolean): Force {
  if (isTitle && SUBJECT.test(text.trim())) return "demands";
  if (LETS_STAND.test(text) && !REMOVES.test(text.replace(/\bmay not (?:be removed|remove)\b/i, ""))) return "allows";
  if (IS_REMOVED.test(text) && kind !== "requirement" && role !== "procedure") return "forbids";
  if (kind === "permission" && role === "definition") return "allows";
  switch (role) {
    case "prohibition":
    case "insufficient":
      return "forbids";
    case "requirement":
      return "demands";
    case "exemption":
      return "allows";
    case "procedure":
      return "elsewhere";
    case "discretion":
    case "vague":
      return "open";
    case "definition":
      return HARMLESS_KINDS.has(kind ?? "") ? "silent" : "forbids";
  }
}

function suggestedKind(roles: readonly ClauseRole[]): string | null {
  if (roles.includes("procedure")) return "procedure";
  if (roles.includes("discretion")) return "discretion";
  const telling = roles.find((role) => role === "prohibition" || role === "requirement");
  return telling ?? (roles.length > 0 && roles.every((role) => role === "vague") ? "vague_directive" : null);
}
