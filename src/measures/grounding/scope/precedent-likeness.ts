import type { ContentWords } from "./content-words.js";
import type { FrameReading } from "./read-frame.js";

export interface NearestPrecedent {
  id: string;
  decision: string;
  /** Cosine over rarity-weighted stems, 0 … 1. */
  likeness: number;
}

/** The precedents by likeness to a content, nearest first. */
export function nearestPrecedents(
  content: ContentWords,
  { precedents, precedentRarity }: FrameReading,
): NearestPrecedent[] {
  const weights = new Map(
    [...content.words].map(([stemmed, general]) => [stemmed, general * precedentRarity(stemmed)]),
  );
  const length = Math.hypot(...weights.values());
  return precedents
    .map(({ id, decision, weights: own, length: ownLength }) => {
      let product = 0;
      for (const [stemmed, weight] of weights) product += weight * (own.get(stemmed) ?? 0);
      return { id, decision, likeness: product === 0 ? 0 : product / (length * ownLength) };
    })
    .sort((a, b) => b.likeness - a.likeness);
}
