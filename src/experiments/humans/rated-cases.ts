import type { AuditTable } from "../../analysis/audit-table.js";
import { type AuditedCase, auditedCases } from "../../analysis/judgements.js";
import type { Label } from "../../core/records/label.js";
import type { Ratings } from "../../stats/ranks/ratings.js";

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

/** Cases that have both a verdict and ratings, and their ratings as two tables. */
export interface RatedCases {
  audits: AuditedCase[];
  raters: string[];
  /** How defensible: 1 robustly, 0.5 plausibly, 0 not. */
  defensibility: Ratings;
  /** 1: the opposite can be derived too. */
  inverse: Ratings;
  ratings: number;
  withoutVerdict: number;
  anonymous: number;
}

/** How defensible a level is, from 0 to 1: ratings are averaged, and levels are in the order of severity. */
export function levelScore(level: number): number {
  return (3 - level) / 2;
}

/** Joins ratings with the verdicts of a run. A label without a rater is nobody's: each counts as a rater of its own would distort, so it is left out. */
export async function joinRatings(table: AuditTable, labels: readonly Label[]): Promise<RatedCases> {
  const named = labels.filter(({ rater }) => rater?.trim());
  const names = new RaterNames();
  const nameOf = ({ rater }: Label) => names.spelling(rater!);
  const ids = [...new Set(named.map(({ decision_id }) => decision_id))].sort();
  const audits = ids.length === 0 ? [] : await auditedCases(table, ids);
  const places = new Map(audits.map(({ decision_id }, i) => [decision_id, i]));
  const used = named.filter(({ decision_id }) => places.has(decision_id));
  const raters = [...new Set(used.map(nameOf))].sort();
  const columns = new Map(raters.map((rater, i) => [rater, i]));
  const empty = (): Ratings => ({
    cases: audits.length,
    raters: raters.length,
    values: new Float64Array(audits.length * raters.length).fill(Number.NaN),
  });
  const result = { defensibility: empty(), inverse: empty() };
  let ratings = 0;
  for (const label of used) {
    const { decision_id, level, inverse } = label;
    const cell = places.get(decision_id)! * raters.length + columns.get(nameOf(label))!;
    // One person may have rated a case twice, under two spellings or on two sheets: the last rating counts, as everywhere.
    if (Number.isNaN(result.defensibility.values[cell])) ratings++;
    result.defensibility.values[cell] = levelScore(level);
    result.inverse.values[cell] = typeof inverse === "boolean" ? Number(inverse) : Number.NaN;
  }
  return {
    audits,
    raters,
    ...result,
    ratings,
    withoutVerdict: ids.length - audits.length,
    anonymous: labels.length - named.length,
  };
}
