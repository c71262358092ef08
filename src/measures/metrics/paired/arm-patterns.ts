import type { Ablation, AblationClass } from "../../../experiments/rules/scopes/result.js";
import { shareEstimate } from "../indices.js";
import { AUDITED, type AuditedCell } from "../judge/counts.js";
import type { ChangeOptions, PairedCounts } from "./paired-change.js";

/** Kinds of audits without a verdict: an unreadable answer, no answer, no audit. */
export const UNSCORED_KIND = -1;
export const ERROR_KIND = -2;
export const ABSENT_KIND = -3;

const KINDS = AUDITED.length + 3;

/**
 * Decisions of one cluster that have the same result in every arm of an experiment: one kind per arm, `auditedIndex` for a verdict, negative
 * without one. A paired analysis only needs the counts of these.
 */
export interface ArmPattern {
  /** Index of the cluster (a community, a thread). */
  cluster: number;
  kinds: readonly number[];
  n: number;
}

/** The same as columns: with threads as clusters there are about as many rows as decisions, and each is read a hundred times. */
export interface ArmPatterns {
  /** Every combination of kinds that occurs, and its number of decisions. */
  distinct: readonly (readonly number[])[];
  totals: Float64Array;
  /** For each row: its index in `distinct`, its cluster (from 0), its number of decisions. */
  at: Int32Array;
  cluster: Int32Array;
  n: Float64Array;
  clusters: number;
}

export type Patterns = ArmPatterns | readonly ArmPattern[];

export function armPatterns(patterns: Patterns): ArmPatterns {
  if ("distinct" in patterns) return patterns;
  const places = new Map<number, number>();
  const clusters = new Map<number, number>();
  const distinct: (readonly number[])[] = [];
  const totals: number[] = [];
  const at = new Int32Array(patterns.length);
  const cluster = new Int32Array(patterns.length);
  const n = new Float64Array(patterns.length);
  patterns.forEach((one, row) => {
    let code = 0;
    for (const kind of one.kinds) code = code * KINDS + kind - ABSENT_KIND;
    let place = places.get(code);
    if (place === undefined) {
      place = distinct.push(one.kinds) - 1;
      places.set(code, place);
      totals.push(0);
    }
    let number = clusters.get(one.cluster);
    if (number === undefined) {
      number = clusters.size;
      clusters.set(one.cluster, number);
    }
    totals[place]! += one.n;
    at[row] = place;
    cluster[row] = number;
    n[row] = one.n;
  });
  return { distinct, totals: Float64Array.from(totals), at, cluster, n, clusters: clusters.size };
}

/** The same decisions without clusters, each independent of the others. */
export function onePool(table: ArmPatterns): ArmPatterns {
  return { ...table, cluster: new Int32Array(table.at.length), clusters: Math.min(1, table.at.length) };
}

export type Counted = (verdict: AuditedCell) => boolean;

/** The measures that an experiment on rules compares between arms. */
export const FOLLOWED = {
  defensibility_index: ({ level }) => level !== 3,
  ambiguity_index: ({ inverse }) => inverse,
  ambiguity_pure: ({ level, inverse }) => inverse && level !== 3,
  level_1: ({ level }) => level === 1,
  level_3: ({ level }) => level === 3,
} as const satisfies Record<string, Counted>;

/** Whether a pattern has a verdict in every arm. Only such decisions form pairs. */
export function isComplete(kinds: readonly number[]): boolean {
  return kinds.every((kind) => kind >= 0);
}

/** Number of decisions with a verdict in every arm, optionally restricted by a condition. */
export function countPairs(
  patterns: Patterns,
  holds: (verdicts: readonly AuditedCell[]) => boolean = () => true,
): number {
  const { distinct, totals } = armPatterns(patterns);
  return distinct.reduce(
    (sum, kinds, i) => sum + (isComplete(kinds) && holds(kinds.map((kind) => AUDITED[kind]!)) ? totals[i]! : 0),
    0,
  );
}

/** Decisions that meet a condition: k of the n with a verdict in every arm (and meeting `among`, if given), in each cluster that has any. */
export function clusterShares(
  patterns: Patterns,
  holds: (verdicts: readonly AuditedCell[]) => boolean,
  among: (verdicts: readonly AuditedCell[]) => boolean = () => true,
): { k: number; n: number }[] {
  const table = armPatterns(patterns);
  const counted = table.distinct.map((kinds) => {
    if (!isComplete(kinds)) return -1;
    const verdicts = kinds.map((kind) => AUDITED[kind]!);
    return among(verdicts) ? Number(holds(verdicts)) : -1;
  });
  const k = new Float64Array(table.clusters);
  const n = new Float64Array(table.clusters);
  for (let row = 0; row < table.at.length; row++) {
    const share = counted[table.at[row]!]!;
    if (share < 0) continue;
    k[table.cluster[row]!]! += share * table.n[row]!;
    n[table.cluster[row]!]! += table.n[row]!;
  }
  const shares: { k: number; n: number }[] = [];
  for (let c = 0; c < table.clusters; c++) if (n[c]! > 0) shares.push({ k: k[c]!, n: n[c]! });
  return shares;
}

/** Counts of two arms in each cluster, over decisions with a verdict in every arm. */
export function clusterPairs(patterns: Patterns, a: number, b: number, counted: Counted): PairedCounts[] {
  const table = armPatterns(patterns);
  const counts = AUDITED.map((verdict) => (counted(verdict) ? 1 : 0));
  const places = table.distinct.map((kinds) => (isComplete(kinds) ? 2 * counts[kinds[a]!]! + counts[kinds[b]!]! : -1));
  // Four numbers per cluster: in neither, in b only, in a only, in both.
  const cells = new Float64Array(4 * table.clusters);
  for (let row = 0; row < table.at.length; row++) {
    const place = places[table.at[row]!]!;
    if (place >= 0) cells[4 * table.cluster[row]! + place]! += table.n[row]!;
  }
  const pairs: PairedCounts[] = [];
  for (let c = 0; c < cells.length; c += 4) {
    const [neither, onlyB, onlyA, both] = [cells[c]!, cells[c + 1]!, cells[c + 2]!, cells[c + 3]!];
    const n = neither + onlyA + onlyB + both;
    if (n > 0) pairs.push({ n, both, onlyA, onlyB });
  }
  return pairs;
}

/** Indices of the arms: all rules, the platform's alone, the community's alone. */
export interface ScopeArms {
  both: number;
  platform: number;
  community: number;
}

/** The rules that a property which holds under all rules depends on. */
export function ablationClass(platformAlone: boolean, communityAlone: boolean): AblationClass {
  if (platformAlone) return communityAlone ? "either" : "platform";
  return communityAlone ? "community" : "together";
}

/**
 * AI_G and AI_C as measured: the same decisions audited under all rules, under the platform's alone and under the community's alone. Four exclusive
 * and exhaustive classes divide what holds under all rules.
 *
 * Formula: B, G, C = holds under all rules, under R_G alone, under R_C alone. AI = P(B); AI_G = P(B, G, not C); AI_C = P(B, C, not G); either =
 * P(B, G, C); together = P(B, neither): the two contradict each other or only jointly leave the case open. Also P(G, not B) and P(C, not B): what
 * the other scope's rules resolve.
 * Range: [0, 1]; the four sum to P(B).
 * Undefined when: no decision has a verdict in all three arms.
 * Differs from the paper: the paper names AI_G and AI_C without a method to separate them.
 * @see paper §3.1
 * @example
 * ablationClass(true, false) // => "platform"
 */
export function scopeAblation(
  patterns: Patterns,
  { both, platform, community }: ScopeArms,
  counted: Counted,
  options: ChangeOptions = {},
): Ablation {
  const table = armPatterns(patterns);
  const flat = options.unit === "decision" ? onePool(table) : table;
  const share = (holds: (inBoth: boolean, inPlatform: boolean, inCommunity: boolean) => boolean) =>
    shareEstimate(
      clusterShares(flat, (verdicts: readonly AuditedCell[]) =>
        holds(counted(verdicts[both]!), counted(verdicts[platform]!), counted(verdicts[community]!)),
      ),
      "no decision has a verdict in every arm",
    );
  const inClass = (name: AblationClass) => share((b, g, c) => b && ablationClass(g, c) === name);
  return {
    both: share((b) => b),
    classes: {
      platform: inClass("platform"),
      community: inClass("community"),
      either: inClass("either"),
      together: inClass("together"),
    },
    ended_by_community: share((b, g) => g && !b),
    ended_by_platform: share((b, _, c) => c && !b),
    patterns: eightCounts(table, { both, platform, community }, counted),
  };
}

function eightCounts(patterns: Patterns, arms: ScopeArms, counted: Counted): Ablation["patterns"] {
  const bits = [true, false];
  return bits.flatMap((both) =>
    bits.flatMap((platform) =>
      bits.map((community) => ({
        both,
        platform,
        community,
        n: countPairs(
          patterns,
          (verdicts) =>
            counted(verdicts[arms.both]!) === both &&
            counted(verdicts[arms.platform]!) === platform &&
            counted(verdicts[arms.community]!) === community,
        ),
      })),
    ),
  );
}
