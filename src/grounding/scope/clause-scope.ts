import { type ClauseRole, clauseRole, demandedWords } from "../clause-role.js";
import { splitClauses } from "../split-clauses.js";
import type { CaseRule } from "../../domain/case.js";

/** What a statement of a rule does to content that meets its words. */
export type Force = "forbids" | "demands" | "allows" | "elsewhere" | "open" | "silent";

/** A statement of a rule, or the part of one before or after its "except". */
export interface ClauseScope {
  text: string;
  force: Force;
  /** It follows an "except", "unless" or the like inside a statement. */
  exception: boolean;
}

/** Where an exception begins inside a statement. */
const EXCEPTION =
  /\b(?:unless|except(?:ing)?(?: (?:for|that|when|where|if|in|on))?|other than|apart from|provided(?: that)?|(?:as|so) long as|but not|save for|(?:does|do) not apply (?:to|when|if)|salvo|excepto|a menos que)\b/i;

/** Rules of these kinds explain what they are about without forbidding it. */
const HARMLESS_KINDS: ReadonlySet<string> = new Set(["requirement", "procedure", "permission"]);

/** The statements of a rule with what each does, cut once more where an exception begins inside one. */
export function clauseScopes(rule: CaseRule): ClauseScope[] {
  const texts = splitClauses(rule.text);
  if (texts.length === 0) texts.push({ text: rule.title.trim() || rule.id, lead: null });
  const head = splitClauses(rule.text.split("\n", 2).join("\n")).length;
  const demanded = demandedWords(texts.slice(0, head).map(({ text }) => text));
  const kind = rule.kind ?? suggestedKind(texts.slice(0, head).map((text) => clauseRole(text, { kind: null, demanded })));
  const scopes: ClauseScope[] = [];
  let previous: ClauseRole | null = null;
  for (const clause of texts) {
    const role: ClauseRole = clauseRole(clause, { kind, demanded }, previous);
    previous = role;
    const force = forceOf(role, kind);
    const cut = EXCEPTION.exec(clause.text);
    const tail = cut ? clause.text.slice(cut.index + cut[0].length).trim() : "";
    if (cut && cut.index > 0 && tail !== "" && force in CONTRARY) {
      scopes.push({ text: clause.text.slice(0, cut.index).trim(), force, exception: false });
      scopes.push({ text: tail, force: CONTRARY[force as keyof typeof CONTRARY], exception: true });
    } else scopes.push({ text: clause.text, force, exception: force === "allows" });
  }
  return scopes;
}

const CONTRARY = { forbids: "allows", demands: "allows", allows: "forbids" } as const;

function forceOf(role: ClauseRole, kind: string | null): Force {
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
