import { COMMON_WEIGHT, COMMON_WORDS } from "../common-words.js";
import { stem } from "../stem.js";
import { STOP_WORDS } from "../stop-words.js";
import { tokenise } from "../words.js";

/** A stem, and how much it says in general: everyday words say little. */
export type Stems = ReadonlyMap<string, number>;

/** The telling words of a text by their stems: words that any text has are left out, everyday words count less. */
export function stemsOf(text: string): Map<string, number> {
  const stems = new Map<string, number>();
  for (const token of tokenise(text)) {
    if (token.length < 2 || STOP_WORDS.has(token)) continue;
    const weight = COMMON_WORDS.has(token) ? COMMON_WEIGHT : 1;
    const stemmed = stem(token);
    if (weight > (stems.get(stemmed) ?? 0)) stems.set(stemmed, weight);
  }
  return stems;
}

/** Two stems this long, one of which begins the other, are forms of one word: `promot` and `promotion`. */
const RELATED_LETTERS = 5;

/** Looks stems up by themselves and by longer or shorter forms of the same word. */
export class StemIndex {
  private readonly byBeginning = new Map<string, string[]>();

  constructor(private readonly stems: ReadonlySet<string> | ReadonlyMap<string, unknown>) {
    for (const stemmed of stems.keys()) {
      if (stemmed.length < RELATED_LETTERS) continue;
      const beginning = stemmed.slice(0, RELATED_LETTERS);
      const same = this.byBeginning.get(beginning);
      if (same) same.push(stemmed);
      else this.byBeginning.set(beginning, [stemmed]);
    }
  }

  /** The stem itself, or a form of the same word; null: neither is there. */
  find(stemmed: string): string | null {
    if (this.stems.has(stemmed)) return stemmed;
    if (stemmed.length < RELATED_LETTERS) return null;
    const near = this.byBeginning.get(stemmed.slice(0, RELATED_LETTERS));
    return near?.find((other) => other.startsWith(stemmed) || stemmed.startsWith(other)) ?? null;
  }
}
