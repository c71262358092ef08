import terms from "../../../data/key-terms.json" with { type: "json" };

/** A symbol as in docs/notation.md, its name, and what it is in plain words. */
export interface KeyTerm {
  symbol: string;
  name: string;
  plain: string;
}

/** Symbols that the views use most, in the order in which a reader meets them. */
export const KEY_TERMS: readonly KeyTerm[] = terms;
