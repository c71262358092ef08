/** Text as searches compare it: without case, accents and the other forms in which the same letters are written. "Ñandú" is found by "nandu". */
export function folded(text: string): string {
  return text
    .toLowerCase()
    .normalize("NFKD")
    .replace(/[\u0300-\u036f]/g, "");
}
