/** Names that are one rater's: `Ana`, ` ana` and `ANA` are. */
function raterKey(name: string): string {
  return name.normalize("NFKC").replace(/\s+/gu, " ").trim().toLowerCase();
}

/** The spelling under which a rater came first: two spellings would be two people, who agree with themselves. */
export class RaterNames {
  private readonly first = new Map<string, string>();

  constructor(known: Iterable<string> = []) {
    for (const name of known) this.spelling(name);
  }

  spelling(name: string): string {
    const key = raterKey(name);
    const known = this.first.get(key);
    if (known !== undefined) return known;
    const plain = name.replace(/\s+/gu, " ").trim();
    this.first.set(key, plain);
    return plain;
  }
}
