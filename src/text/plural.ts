/** Made once: `toLocaleString` makes one for every number, which is most of the time that a long table takes. */
const GROUPED = new Intl.NumberFormat("en");

/** 12345 -> "12,345". */
export function whole(count: number): string {
  return GROUPED.format(count);
}

/** "1 verdict", "12,345 verdicts". */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${GROUPED.format(count)} ${count === 1 ? one : many}`;
}

/** A share as people write it: `0.05`, `5%` or `5 %`. NaN: it is none. */
export function parseShare(text: string): number {
  const found = /^([+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*(%?)$/i.exec(text.trim());
  if (!found) return Number.NaN;
  return found[2] ? Number(found[1]) / 100 : Number(found[1]);
}
