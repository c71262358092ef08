import type { DraftOptions } from "./draft.js";
import { headsNoRule, headsRules, holdsEverywhere, listsPlaces, placeInHeading } from "./headings.js";
import type { Section } from "./outline.js";

/** Gives each heading that names a community its name: by its words, by those of its neighbours, or by its level. */
export function nameCommunities(sections: readonly Section[], { communityLevel }: DraftOptions): void {
  if (communityLevel !== undefined) {
    for (const section of sections) {
      const { level, title } = section;
      const isName = level === communityLevel && !holdsEverywhere(title) && !headsNoRule(title);
      section.community = isName ? (section.community ?? placeInHeading(title) ?? title) : null;
    }
    return;
  }
  for (const siblings of families(sections)) {
    const [{ parent }] = siblings as [Section, ...Section[]];
    if (parent !== null && parent.community === null && listsPlaces(parent.title)) nameAll(siblings);
    else nameAlike(siblings);
  }
}

/** Headings that are below the same one, at the same level. */
function families(sections: readonly Section[]): Section[][] {
  const all = new Map<Section | null, Map<number, Section[]>>();
  for (const section of sections) {
    if (section.level === 0) continue;
    const levels = all.get(section.parent) ?? new Map<number, Section[]>();
    all.set(section.parent, levels);
    const family = levels.get(section.level);
    if (family) family.push(section);
    else levels.set(section.level, [section]);
  }
  return [...all.values()].flatMap((levels) => [...levels.values()]);
}

/** Below "Rules for individual forums", every heading with something in it is a forum, unless it looks like a rule. */
function nameAll(siblings: readonly Section[]): void {
  const filled = siblings.filter((section) => hasRulesBelow(section) && section.marker === null);
  if (filled.length === 0) return;
  for (const section of filled) {
    if (headsNoRule(section.title) || holdsEverywhere(section.title)) continue;
    section.community ??= placeInHeading(section.title) ?? section.title;
  }
}

/** Several headings such as "Boats forum" next to each other name communities; a single one may be the page's title. */
function nameAlike(siblings: readonly Section[]): void {
  const named = siblings.filter(({ community, title }) => community === null && placeInHeading(title) !== null);
  const known = siblings.filter(({ community }) => community !== null).length;
  const isOther = ({ title }: Section) => !headsNoRule(title) && !headsRules(title) && placeInHeading(title) === null;
  const others = siblings.filter(isOther);
  if (named.length + known < 2 || named.length + known < others.length - known) return;
  for (const section of named) {
    if (hasRulesBelow(section) && !holdsEverywhere(section.title)) section.community = placeInHeading(section.title);
  }
}

function hasRulesBelow({ children, entries }: Section): boolean {
  return children.length > 0 || entries.length > 0;
}
