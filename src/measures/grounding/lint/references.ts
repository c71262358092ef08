import { finding, type PlacedRule, partsOf, type RuleFinding } from "./finding.js";

/** References to rules that do not exist: `Rule 9`, or an id of the form that this set's ids have. */
export function danglingReferences(placed: PlacedRule, known: ReadonlySet<string>): RuleFinding[] {
  const found: RuleFinding[] = [];
  const form = idForm(placed.rule.id);
  for (const { part, text } of partsOf(placed.rule)) {
    /** Whether the words around an id say that it is a rule's. */
    const seen = new Map<string, boolean>();
    for (const match of text.matchAll(/\brules?\s+(?:no\.?\s*|#)?(?<id>\d{1,3})\b/giu))
      seen.set(match.groups!.id!, true);
    if (form) {
      for (const match of text.matchAll(form))
        seen.set(match[0], seen.get(match[0]) || isNamedAsRule(text, match.index, match[0]));
    }
    for (const [id, sure] of seen) {
      if (PHRASES.has(id) && !isNumbered(known)) continue;
      if (known.has(id.toLowerCase()) || known.has(`r${id}`.toLowerCase())) continue;
      found.push(
        finding(placed, {
          check: "dangling_reference",
          severity: sure ? "error" : "note",
          part,
          quote: id,
          message: sure
            ? `refers to rule ${id}, which does not exist`
            : `names ${id}, which reads like one of its rules and is none`,
          remedy: sure ? "Mend the reference." : "If a rule is meant, mend the reference.",
        }),
      );
    }
  }
  return found;
}

/** "Rule 34" is the name of a sort of content, and "Rule 63" of another: of sets that have no such rules. */
const PHRASES = new Set(["34", "63"]);

/** So many rules that 34 could be the number of one that is gone. */
function isNumbered(known: ReadonlySet<string>): boolean {
  return known.has("33");
}

/** R5 may be a resistor and R8 a car: a rule is what "rule", "see", "under", "per" or "section" stands before, or "of the rules" behind. */
function isNamedAsRule(text: string, index: number, id: string): boolean {
  const before =
    /\b(?:rules?|see|under|per|sections?)\s+(?:also\s+)?(?:[A-Z]{1,3}-?\d{1,3}\s*(?:,|&|and|or|,\s*and|,\s*or)\s+)*$/iu;
  const behind = /^\s+of (?:the|our|these) (?:\w+ )?rules\b/iu;
  return before.test(text.slice(Math.max(0, index - 100), index)) || behind.test(text.slice(index + id.length));
}

/** A letter and a number, as `R3`: other ids look like ordinary words, and are not searched for. */
function idForm(id: string): RegExp | null {
  const match = /^(?<letters>[A-Z]{1,3})-?\d{1,3}$/.exec(id);
  return match ? new RegExp(`\\b${match.groups!.letters}-?\\d{1,3}\\b`, "gu") : null;
}
