/** Readers for what came over the wire: a value of another type than expected counts as absent. */

export type Loose = Readonly<Record<string, unknown>>;

const NOTHING: Loose = Object.freeze({});

export function record(value: unknown): Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Loose) : NOTHING;
}

export function list(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function text(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** A count of something. Google writes 64-bit integers as strings. */
export function count(value: unknown): number | null {
  const number = typeof value === "string" && /^\d{1,15}$/.test(value) ? Number(value) : value;
  return typeof number === "number" && Number.isSafeInteger(number) && number >= 0 ? number : null;
}
