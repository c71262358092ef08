import { finding, type PlacedRule, partsOf, type RuleFinding } from "./finding.js";

/** References to rules that do not exist: `Rule 9`, or an id of the form that this set's ids have. */
export function danglingReferences(placed: PlacedRule, known: ReadonlySet<string>): RuleFinding[] {
  const found: RuleFinding[] = [];
  const form = idForm(placed.rule.id);
  for (const { part, text } of partsOf(placed.rule)) {
    const seen = new Set<string>();
    for (const match of text.matchAll(/\brules?\s+(?:no\.?\s*|#)?(?<id>\d{1,3})\b/giu)) seen.add(match.groups!.id!);
    if (form) for (const match of text.matchAll(form)) seen.add(match[0]);
    for (const id of seen) {
      if (known.has(id.toLowerCase()) || known.has(`r${id}`.toLowerCase())) continue;
      found.push(
        finding(placed, {
          check: "dangling_reference",
          severity: "error",
          part,
          quote: id,
          message: `refers to rule ${id}, which does not exist`,
          remedy: "Mend the reference.",
        }),
      );
    }
  }
  return found;
}

/** A letter and a number, as `R3`: other ids look like ordinary words, and are not searched for. */
function idForm(id: string): RegExp | null {
  const match = /^(?<letters>[A-Z]{1,3})-?\d{1,3}$/.exec(id);
  return match ? new RegExp(`\\b${match.groups!.letters}-?\\d{1,3}\\b`, "gu") : null;
}
