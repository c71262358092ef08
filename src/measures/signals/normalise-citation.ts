/**
 * The text by which two citations count as the same: compatibility forms (NFKC), lower case, and every run of anything but letters and
 * digits as one space. Other words for the same rule stay apart; who knows the rules can group by them instead.
 * @example normaliseCitation(" “R3”: No  LINKS.") // => "r3 no links"
 */
export function normaliseCitation(citation: string): string {
  return citation
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .trim();
}
