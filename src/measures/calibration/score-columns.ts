import { type Actions, MODERATION_ACTIONS } from "../../core/records/actions.js";
import { isMain, isVerdict, type MeasuredRow, restricts } from "../metrics/tally.js";

/** Largest deviation of the sum of level probabilities from 1 that printed rounding explains. */
const SUM_TOLERANCE = 5e-3;

/**
 * Cleans columns read from a file: impossible values (an entropy below 0, probabilities that do not sum to 1) become absent, and absent values are
 * derived where other columns determine them.
 */
export function deriveScores(columns: ScoreColumns): void {
  const { n, p1, p2, p3, levelMap, lambdaNats, weightBits, citationBits, pDefensible, temperature, pds } = columns;
  const { inverseLogOdds: odds, inverseYesProb: yes } = columns;
  for (let i = 0; i < n; i++) {
    const [a, b, c] = [p1[i]!, p2[i]!, p3[i]!];
    const sound = a >= 0 && b >= 0 && c >= 0 && Math.abs(a + b + c - 1) <= SUM_TOLERANCE;
    if (!sound) p1[i] = p2[i] = p3[i] = Number.NaN;
    if (sound) {
      if (!(pDefensible[i]! >= 0)) pDefensible[i] = Math.min(1, a + b);
      const best = c >= a && c >= b ? 3 : b >= a ? 2 : 1;
      if (levelMap[i] === 0) levelMap[i] = best;
      if (!(lambdaNats[i]! <= 0)) lambdaNats[i] = Math.log(Math.max(a, b, c));
    } else if (pDefensible[i]! >= 0) p3[i] = 1 - pDefensible[i]!;
    if (!(lambdaNats[i]! <= 0 && lambdaNats[i]! > Number.NEGATIVE_INFINITY)) lambdaNats[i] = Number.NaN;
    if (!(weightBits[i]! >= 0 && weightBits[i]! < Number.POSITIVE_INFINITY)) weightBits[i] = Number.NaN;
    if (!(citationBits[i]! >= 0 && citationBits[i]! < Number.POSITIVE_INFINITY)) citationBits[i] = Number.NaN;
    if (!(temperature[i]! >= 0)) temperature[i] = Number.NaN;
    if (!(pds[i]! > 0)) pds[i] = Number.NaN;
    if (!(yes[i]! >= 0)) yes[i] = 1 / (1 + Math.exp(-odds[i]!));
    else if (Number.isNaN(odds[i]!)) odds[i] = Math.log(yes[i]!) - Math.log1p(-yes[i]!);
  }
}

/** The given rows of the columns, in that order. Communities keep their indices. */
export function selectRows(columns: ScoreColumns, rows: Int32Array): ScoreColumns {
  const numbers = (from: Float64Array): Float64Array => {
    const to = new Float64Array(rows.length);
    for (let i = 0; i < rows.length; i += 1) to[i] = from[rows[i]!]!;
    return to;
  };
  const bytes = (from: Uint8Array): Uint8Array => {
    const to = new Uint8Array(rows.length);
    for (let i = 0; i < rows.length; i += 1) to[i] = from[rows[i]!]!;
    return to;
  };
  return {
    n: rows.length,
    level: bytes(columns.level),
    levelMap: bytes(columns.levelMap),
    inverse: bytes(columns.inverse),
    positive: bytes(columns.positive),
    p1: numbers(columns.p1),
    p2: numbers(columns.p2),
    p3: numbers(columns.p3),
    lambdaNats: numbers(columns.lambdaNats),
    weightBits: numbers(columns.weightBits),
    citationBits: numbers(columns.citationBits),
    inverseLogOdds: numbers(columns.inverseLogOdds),
    inverseYesProb: numbers(columns.inverseYesProb),
    pds: numbers(columns.pds),
    pDefensible: numbers(columns.pDefensible),
    temperature: numbers(columns.temperature),
    community: Int32Array.from(rows, (row) => columns.community[row]!),
    communities: columns.communities,
    ...(columns.targetLevel ? { targetLevel: bytes(columns.targetLevel) } : {}),
    ...(columns.targetWeight ? { targetWeight: numbers(columns.targetWeight) } : {}),
  };
}

/** An audit's signals as inputs of a calibration; null where the audit lacks them. */
export function scoreRow(
  audit: { [name in Exclude<keyof ScoreRow, "positive">]?: ScoreRow[name] | undefined },
  positive: boolean,
): ScoreRow {
  return {
    level_probs: audit.level_probs ?? null,
    level_map: audit.level_map ?? null,
    lambda_nats: audit.lambda_nats ?? null,
    h_weight_bits: audit.h_weight_bits ?? null,
    h_citation_bits: audit.h_citation_bits ?? null,
    inverse_log_odds: audit.inverse_log_odds ?? null,
    inverse_yes_prob: audit.inverse_yes_prob ?? null,
    positive,
  };
}

/** A label for a decision from another source. */
export interface RowTarget {
  decision_id: string;
  level: number;
}

export interface ScoreColumnsOptions {
  /** Fill `targetLevel`; if a decision has several, the last one counts. */
  targets?: Iterable<RowTarget>;
  /** Default: `remove` and `approve`. */
  actions?: Actions;
}

/**
 * The verdicts among audits, as the columns that calibrators and evaluations take, in the given order. Missing values are derived where the other
 * signals determine them, as for a file of audits.
 * Undefined when: never; without verdicts there are no rows. RangeError when a row is not a valid audit, or a target's level is not 1, 2 or 3.
 * @example
 * scoreColumnsFromRows([{ decision_id: "d", community: "c", decision: "remove", level: 1, inverse: false }]).n // => 1
 */
export function scoreColumnsFromRows(rows: Iterable<MeasuredRow>, options: ScoreColumnsOptions = {}): ScoreColumns {
  const { actions = MODERATION_ACTIONS } = options;
  const chosen: MeasuredRow[] = [];
  let index = 0;
  for (const row of rows) if (isMain(row, `row ${index++}`) && isVerdict(row)) chosen.push(row);
  const communities = [...new Set(chosen.map((row) => row.community))].sort();
  const places = new Map(communities.map((community, i) => [community, i]));
  const numbers = (value: (row: MeasuredRow) => number | null | undefined) =>
    Float64Array.from(chosen, (row) => value(row) ?? Number.NaN);
  const share = (value: (row: MeasuredRow) => number | null | undefined) =>
    numbers(value).map((number) => (number >= 0 && number <= 1 ? number : Number.NaN));
  const columns: ScoreColumns = {
    n: chosen.length,
    level: Uint8Array.from(chosen, (row) => row.level!),
    levelMap: Uint8Array.from(chosen, (row) => row.level_map ?? 0),
    inverse: Uint8Array.from(chosen, (row) => (row.inverse ? 1 : 0)),
    positive: Uint8Array.from(chosen, (row, i) => (restricts(row.decision, actions, `verdict ${i}`) ? 1 : 0)),
    p1: numbers((row) => row.level_probs?.[0]),
    p2: numbers((row) => row.level_probs?.[1]),
    p3: numbers((row) => row.level_probs?.[2]),
    lambdaNats: numbers((row) => row.lambda_nats),
    weightBits: numbers((row) => row.h_weight_bits),
    citationBits: numbers((row) => row.h_citation_bits),
    inverseLogOdds: numbers((row) => row.inverse_log_odds),
    inverseYesProb: share((row) => row.inverse_yes_prob),
    pds: share((row) => row.pds),
    pDefensible: share((row) => row.p_defensible),
    temperature: numbers((row) => row.temperature),
    community: Int32Array.from(chosen, (row) => places.get(row.community)!),
    communities,
  };
  if (options.targets) columns.targetLevel = targetsOf(chosen, options.targets);
  deriveScores(columns);
  return columns;
}

function targetsOf(rows: readonly MeasuredRow[], targets: Iterable<RowTarget>): Uint8Array {
  const levels = new Map<string, number>();
  for (const { decision_id, level } of targets) {
    if (level !== 1 && level !== 2 && level !== 3) {
      throw new RangeError(`target of ${decision_id}: not a level; got ${level}, expected 1, 2 or 3`);
    }
    levels.set(decision_id, level);
  }
  return Uint8Array.from(rows, (row) => levels.get(row.decision_id) ?? 0);
}

/**
 * The verdicts of a run as columns, for everything that is fitted or measured on single rows. Inside these arrays, and only there, NaN means
 * "absent", because a typed array has no null. These NaN values never reach a record or a file.
 */
export interface ScoreColumns {
  n: number;
  /** Emitted level, 1 to 3. */
  level: Uint8Array;
  /** Most probable level, 0 where there are no probabilities. */
  levelMap: Uint8Array;
  /** 1: the opposite decision is also defensible. */
  inverse: Uint8Array;
  /** 1: the decision restricts. */
  positive: Uint8Array;
  /** Probabilities of the levels. */
  p1: Float64Array;
  p2: Float64Array;
  p3: Float64Array;
  /** λ, nats. */
  lambdaNats: Float64Array;
  /** H[w], bits. */
  weightBits: Float64Array;
  /** H[κ], bits per token. */
  citationBits: Float64Array;
  /** ρ, nats; may be ±∞. */
  inverseLogOdds: Float64Array;
  /** σ(ρ). */
  inverseYesProb: Float64Array;
  pds: Float64Array;
  pDefensible: Float64Array;
  temperature: Float64Array;
  /** Index into `communities`. */
  community: Int32Array;
  communities: readonly string[];
  /** 1, 2, 3: the level from another source (see `target`); 0: no target. Absent if no target was loaded. */
  targetLevel?: Uint8Array;
  /** Weight of each row with a target, with mean 1 over these; 0 for the others. Absent if all weights are equal. */
  targetWeight?: Float64Array;
  /** 1: the row is in the held-out part. Absent if no part is held out. */
  heldOut?: Uint8Array;
  /** Number of the row's thread; −1: none. Absent unless it was asked for. */
  thread?: Int32Array;
}

/** The inputs of a calibration from one audit; the field names are those of the audit format. */
export interface ScoreRow {
  level_probs: readonly [number, number, number] | null;
  level_map: number | null;
  lambda_nats: number | null;
  h_weight_bits: number | null;
  h_citation_bits: number | null;
  inverse_log_odds: number | null;
  inverse_yes_prob: number | null;
  /** Whether the decision restricts. */
  positive: boolean;
}
