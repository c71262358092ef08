import type { PageDecision, PagePrecedent } from "../../measures/report-page.js";

/**
 * Decisions with no more than `most` precedents each beside those that are cited, and the precedents that they still refer to: each once, in
 * their order.
 */
export function keepReferred(
  decisions: readonly PageDecision[],
  precedents: readonly PagePrecedent[],
  most: number,
): { listed: PageDecision[]; precedents: PagePrecedent[] } {
  const kept = decisions.map(({ precedents: { places, cited } }) => {
    const isCited = new Set(cited.map(({ place }) => place));
    let others = 0;
    return places.filter((place) => isCited.has(place) || others++ < most);
  });
  const referred = new Set(
    decisions.flatMap((one, i) => [...kept[i]!, ...one.precedents.cited.map(({ place }) => place)]),
  );
  const places = new Map<number, number>();
  for (const place of precedents.keys()) if (referred.has(place)) places.set(place, places.size);
  return {
    precedents: precedents.filter((_, place) => places.has(place)),
    listed: decisions.map((decision, i) => ({
      ...decision,
      precedents: {
        ...decision.precedents,
        places: kept[i]!.map((place) => places.get(place)!),
        cited: decision.precedents.cited.map((one) => ({
          ...one,
          place: one.place === null ? null : places.get(one.place)!,
        })),
      },
    })),
  };
}
