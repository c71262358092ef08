import type { RuleFinding } from "./finding.js";

/** Rules named in one finding. */
const NAMED = 8;

/**
 * Duplicates within one set as one finding a group: boilerplate that ten rules repeat is one remark, not forty-five pairs. A pair stays as it is;
 * other findings too, and duplicates of the platform's rules.
 */
export function groupDuplicates(findings: readonly RuleFinding[]): RuleFinding[] {
  const groups = new Map<string, Set<string>>();
  const groupOf = (scope: string, community: string | null, id: string): Set<string> => {
    const key = JSON.stringify([scope, community, id]);
    const known = groups.get(key) ?? new Set([key]);
    groups.set(key, known);
    return known;
  };
  for (const one of findings) {
    if (!isWithinSet(one)) continue;
    const [a, b] = [one, one.other!].map(({ scope, community, rule_id }) => groupOf(scope, community, rule_id));
    if (a === b) continue;
    for (const key of b!) {
      a!.add(key);
      groups.set(key, a!);
    }
  }
  const told = new Set<Set<string>>();
  return findings.flatMap((one) => {
    const group = isWithinSet(one) ? groupOf(one.scope, one.community, one.rule_id) : null;
    if (!group || group.size < 3) return [one];
    if (told.has(group)) return [];
    told.add(group);
    const ids = [...group].map((key) => (JSON.parse(key) as string[])[2]!).filter((id) => id !== one.rule_id);
    const more = ids.length > NAMED ? ` and ${ids.length - NAMED} more` : "";
    const message = `says what ${ids.length} other rules say (${ids.slice(0, NAMED).join(", ")}${more}): a decision can cite any of them`;
    return [{ ...one, message, remedy: "Keep one of them, or move what they have in common into a rule of its own." }];
  });
}

function isWithinSet({ check, scope, community, other }: RuleFinding): boolean {
  return check === "duplicate" && other?.scope === scope && other.community === community;
}
