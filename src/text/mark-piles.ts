/** Marks on one letter beyond this are no spelling any more; they would be drawn over the lines around it. */
const MOST_MARKS = 6;

/** Signs that take no place (joiners among them) do not end a pile: it would begin anew after each. */
const PILE = new RegExp(`(\\p{M}(?:\\p{Cf}*\\p{M}){${MOST_MARKS - 1}})(?:\\p{Cf}*\\p{M})+`, "gu");

/** A text whose letters have no more marks than spelling needs, with … where some are missing. */
export function withoutPiles(text: string): string {
  return text.replace(PILE, "$1…");
}
