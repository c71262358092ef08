import type { Vocabulary } from "./vocabulary.js";

/** The words of a text that say something, and the concepts that they or its phrases stand for, by number. */
export interface Terms {
  words: ReadonlySet<number>;
  concepts: ReadonlySet<number>;
}

const WORD = /[\p{L}\d]+(?:['’-][\p{L}\d]+)*/gu;

/** The words of a lower-case text, in their order. */
export function wordsOf(lower: string): string[] {
  return lower.match(WORD) ?? [];
}

/** The terms of a lower-case text of rules; its words enter the vocabulary. */
export function termsOf(lower: string, vocabulary: Vocabulary): Terms {
  const words = new Set<number>();
  const concepts = new Set<number>();
  const sequence: number[] = [];
  for (const word of wordsOf(lower)) {
    const id = vocabulary.add(word);
    if (id >= 0) {
      words.add(id);
      for (const concept of vocabulary.conceptsOf(id)) concepts.add(concept);
    }
    sequence.push(vocabulary.find(word));
  }
  sequence.forEach((id, at) => {
    for (const { ids, concept } of vocabulary.phrasesFrom(id) ?? []) {
      if (concept >= 0 && ids.every((part, offset) => sequence[at + offset] === part)) concepts.add(concept);
    }
  });
  return { words, concepts };
}
