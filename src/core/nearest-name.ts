/** Longest text and most names that are compared letter by letter. */
const MOST_LETTERS = 80;
const MOST_NAMES = 5000;

/**
 * The name that was probably meant: the same but for case, accents and punctuation, else one that is a few letters away; null: none is near.
 *
 * @example
 * nearestName("marketplace", ["General", "Marketplace"]) // => "Marketplace"
 */
export function nearestName(name: string, names: Iterable<string>): string | null {
  const wanted = foldName(name);
  let nearest: string | null = null;
  // A third of the letters may differ: what is further away is another word.
  let best = Math.min(3, Math.floor(wanted.length / 3)) + 1;
  let looked = 0;
  for (const other of names) {
    if (other === name) continue;
    const letters = foldName(other);
    if (letters === wanted) return other;
    if (wanted.length > MOST_LETTERS || Math.abs(letters.length - wanted.length) >= best) continue;
    if (looked++ >= MOST_NAMES) continue;
    const distance = editDistance(wanted, letters);
    if (distance >= best) continue;
    best = distance;
    nearest = other;
  }
  return nearest;
}

/** "Vélos d'occasion" -> "velosdoccasion"; "r/Pics" -> "pics". A name of signs alone stays as it is. */
export function foldName(name: string): string {
  const letters = name
    .normalize("NFKD")
    .toLowerCase()
    .replace(/^\/?[rc]\//, "")
    .replace(/[^\p{L}\p{N}]/gu, "");
  return letters || name;
}

/** Letters to add, drop, replace or swap with their neighbour. */
function editDistance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      next[j] = Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        next[j] = Math.min(next[j]!, before[j - 2]! + 1);
    }
    before = row;
    row = next;
  }
  return row[b.length]!;
}
