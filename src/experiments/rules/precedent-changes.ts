import type { Precedent } from "../../core/records/precedent.js";
import type { DiffChanges } from "../../core/results/rules-diff.js";

const LISTED = 50;

/** Which precedents were added, removed or changed, and in which communities. */
export function precedentChanges(
  before: readonly Precedent[],
  after: readonly Precedent[],
): { changes: NonNullable<DiffChanges["precedents"]>; communities: string[] } {
  const old = new Map(before.map((one) => [one.id, one]));
  const now = new Map(after.map((one) => [one.id, one]));
  const changes = { added: 0, removed: 0, changed: 0 };
  const ids: NonNullable<DiffChanges["precedents"]>["ids"] = [];
  const communities = new Set<string>();
  const note = (change: keyof typeof changes, { id, community }: Precedent) => {
    changes[change]++;
    communities.add(community);
    if (ids.length < LISTED) ids.push({ id, community, change });
  };
  for (const one of now.values()) {
    const known = old.get(one.id);
    if (!known) note("added", one);
    else if (JSON.stringify(known) !== JSON.stringify(one)) {
      note("changed", one);
      communities.add(known.community);
    }
  }
  for (const one of old.values()) if (!now.has(one.id)) note("removed", one);
  return { changes: { ...changes, ids }, communities: [...communities].sort() };
}
