import { type Actions, MODERATION_ACTIONS } from "../../core/records/actions.js";
import { isMain, isVerdict, type MeasuredRow, restricts } from "../metrics/tallies-from-rows.js";
import { deriveScores } from "./derive-scores.js";
import type { ScoreColumns } from "./score-columns.js";

/** What somebody else said of a decision. */
export interface RowTarget {
  decision_id: string;
  level: number;
}

export interface ScoreColumnsOptions {
  /** Fill `targetLevel`; of several for one decision the last counts. */
  targets?: Iterable<RowTarget>;
  /** Default: `remove` and `approve`. */
  actions?: Actions;
}

/**
 * The verdicts among audits as the columns that calibrators and evaluations take, in the order given. What a row lacks is derived where its other
 * signals determine it, as for a file of audits.
 * Undefined when: never; no verdicts are no rows. RangeError when a row is no audit, or a target's level is not 1, 2 or 3.
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
