import { LEVELS, NO_RULES } from "../../core/names.js";
import { type Actions, actionChoice, isAction, isRestricting, MODERATION_ACTIONS } from "../../core/records/actions.js";
import type { Audit } from "../../core/records/audit.js";
import type { Level } from "../../core/records/level.js";
import type { OpenLabels } from "../../core/results/report.js";

/** Scope of the rules that a verdict cites, to locate ambiguity. A precedent counts as the community's. */
export const TALLY_SCOPES = ["platform", "community", "mixed", "none", "unknown"] as const;
export type TallyScope = (typeof TALLY_SCOPES)[number];

/** One kind of verdict: all distinctions that the rates of a report need. */
export interface Cell {
  /** Whether the decision restricts (the positive action). */
  positive: boolean;
  /** Whether the human label restricts; null: no human label. */
  humanPositive: boolean | null;
  level: Level;
  inverse: boolean;
  scope: TallyScope;
}

/**
 * Counts of verdicts by cell, in one cluster (a community). They are the sufficient statistic of every rate in a report: a million audits become a
 * few hundred short arrays, and the same functions process them in a browser.
 */
export interface Tally {
  cluster: string;
  cells: Float64Array;
  unscored: number;
  errors: number;
  /** Decisions to which no rule applied, which were not audited; absent: zero. */
  no_rules?: number;
  /** The only cells that may have verdicts; absent: unknown. */
  filled?: readonly number[];
}

const HUMAN = [true, false, null] as const;

/** All cells in the order of their index. */
export const CELLS: readonly Cell[] = [true, false].flatMap((positive) =>
  HUMAN.flatMap((humanPositive) =>
    LEVELS.flatMap((level) =>
      [true, false].flatMap((inverse) =>
        TALLY_SCOPES.map((scope) => ({ positive, humanPositive, level, inverse, scope })),
      ),
    ),
  ),
);

/** Index of a cell in `CELLS`. The ledger's SQL computes the same number. */
export function cellIndex(cell: Cell): number {
  const decision = cell.positive ? 0 : 1;
  const human = HUMAN.indexOf(cell.humanPositive);
  const inverse = cell.inverse ? 0 : 1;
  return (((decision * 3 + human) * 3 + (cell.level - 1)) * 2 + inverse) * 5 + TALLY_SCOPES.indexOf(cell.scope);
}

export function emptyTally(cluster: string): Tally {
  return { cluster, cells: new Float64Array(CELLS.length), unscored: 0, errors: 0 };
}

/** A set of cells as zeros and ones, for sums without branches. */
export type CellMask = Float64Array;

export function cellMask(includes: (cell: Cell) => boolean): CellMask {
  return Float64Array.from(CELLS, (cell) => (includes(cell) ? 1 : 0));
}

const INTERSECTIONS = new WeakMap<CellMask, WeakMap<CellMask, CellMask>>();

/** The intersection of two sets of cells. Cached: a report uses the same few in every community. */
export function inBoth(first: CellMask, second: CellMask): CellMask {
  const known = INTERSECTIONS.get(first) ?? new WeakMap<CellMask, CellMask>();
  INTERSECTIONS.set(first, known);
  const mask = known.get(second) ?? first.map((value, j) => value * second[j]!);
  known.set(second, mask);
  return mask;
}

const EVERY_CELL: readonly number[] = CELLS.map((_, j) => j);

/** The cells of a tally that may have verdicts. */
export function filledCells({ filled = EVERY_CELL }: Tally): readonly number[] {
  return filled;
}

/** The same tallies with their filled cells listed: some forty sums follow, and most cells are empty. */
export function withFilledCells(tallies: readonly Tally[]): Tally[] {
  return tallies.map((tally) =>
    tally.filled ? tally : { ...tally, filled: EVERY_CELL.filter((j) => tally.cells[j] !== 0) },
  );
}

/** Number of verdicts in a set of cells. */
export function countIn(tally: Tally, mask: CellMask): number {
  const { cells } = tally;
  const filled = filledCells(tally);
  let count = 0;
  for (let i = 0; i < filled.length; i++) count += mask[filled[i]!]! * cells[filled[i]!]!;
  return count;
}

/** How many verdicts are counted, and how many of these are successes. */
export function countRate(tally: Tally, counted: CellMask, success: CellMask): { k: number; n: number } {
  const filled = filledCells(tally);
  let k = 0;
  let n = 0;
  for (let i = 0; i < filled.length; i++) {
    const j = filled[i]!;
    const count = counted[j]! * tally.cells[j]!;
    n += count;
    k += count * success[j]!;
  }
  return { k, n };
}

export const ALL_CELLS = cellMask(() => true);
export const LABELLED = cellMask((cell) => cell.humanPositive !== null);

/** The same without the verdicts that have no human label. */
export function labelledOnly(tally: Tally): Tally {
  return { ...tally, cells: tally.cells.map((count, i) => count * LABELLED[i]!) };
}

/** With fewer human labels, agreement between them is not assessed. */
const FEWEST_LABELS = 20;
/** Human labels count as alike from this share with the same action. */
const ALIKE_SHARE = 0.9;

const OPEN = [true, false].map((restricts) =>
  cellMask(({ humanPositive, level, inverse }) => humanPositive === restricts && inverse && level < 3),
);

/**
 * Human labels by action among verdicts that are open both ways, to show whether the rule is unclear or the auditor is uncertain.
 *
 * Formula: #{level 1 or 2, inverse = Yes, human label restricts} and #{level 1 or 2, inverse = Yes, human label does not}.
 * Range: counts from 0 up.
 * Undefined when: never; without labels both are 0.
 * Differs from the paper: not in the paper.
 * @see docs/gate.md, limits and states
 * @example
 * countOpenLabels([]) // => { positive: 0, negative: 0 }
 */
export function countOpenLabels(tallies: readonly Tally[]): OpenLabels {
  const [positive, negative] = OPEN.map((mask) => tallies.reduce((sum, tally) => sum + countIn(tally, mask), 0));
  return { positive: positive!, negative: negative! };
}

/** How many of at least 20 labels name the same action, if 90% or more do; null otherwise. */
export function labelsAlike({ positive, negative }: OpenLabels): { alike: number; labels: number } | null {
  const [alike, labels] = [Math.max(positive, negative), positive + negative];
  return labels >= FEWEST_LABELS && alike >= ALIKE_SHARE * labels ? { alike, labels } : null;
}

/** The fields of an audit that measures read; rows of other tools need only the first five. */
export type MeasuredRow = Pick<Audit, "decision_id" | "community" | "decision" | "level" | "inverse"> &
  Partial<Pick<Audit, Further>>;

type Further =
  | "arm"
  | "replicate"
  | "outcome"
  | "human_label"
  | "flags"
  | "citation"
  | "inverse_citation"
  | "level_probs"
  | "level_map"
  | "lambda_nats"
  | "h_weight_bits"
  | "h_citation_bits"
  | "inverse_log_odds"
  | "inverse_yes_prob"
  | "pds"
  | "p_defensible"
  | "temperature";

const SCOPES: Readonly<Record<string, TallyScope>> = {
  platform: "platform",
  community: "community",
  precedent: "community",
  mixed: "mixed",
  none: "none",
};

/**
 * Audits as the tallies that all rates of `metrics` take, one per community, ordered by name. Like a report, counts rows without an arm and of the
 * first replicate.
 * Undefined when: never; without rows there are no tallies. RangeError when a row has no decision id or community, or an unknown action.
 * @example
 * talliesFromRows([{ decision_id: "d", community: "c", decision: "remove", level: 1, inverse: false }]).length // => 1
 */
export function talliesFromRows(rows: Iterable<MeasuredRow>, actions: Actions = MODERATION_ACTIONS): Tally[] {
  const tallies = new Map<string, Tally>();
  let index = 0;
  for (const row of rows) {
    const place = `row ${index++}`;
    if (!isMain(row, place)) continue;
    let tally = tallies.get(row.community);
    if (!tally) {
      tally = emptyTally(row.community);
      tallies.set(row.community, tally);
    }
    count(row, tally, actions, place);
  }
  return [...tallies.values()].sort((a, b) => (a.cluster < b.cluster ? -1 : 1));
}

/** Whether analyses include a row: it has no arm and is the first replicate. RangeError for a row that is not an audit. */
export function isMain(row: MeasuredRow, place: string): boolean {
  if (!row?.decision_id || !row.community) {
    throw new RangeError(`${place}: not an audit; expected decision_id and community`);
  }
  return (row.arm ?? "") === "" && (row.replicate ?? 0) === 0;
}

/** Whether a row ended in a verdict, with a level and an inverse. */
export function isVerdict({ outcome, level, inverse }: MeasuredRow): boolean {
  const isLevel = level === 1 || level === 2 || level === 3;
  return (outcome ?? "verdict") === "verdict" && isLevel && typeof inverse === "boolean";
}

export function restricts(action: string, actions: Actions, place: string): boolean {
  if (isAction(actions, action)) return isRestricting(actions, action);
  throw new RangeError(`${place}: unknown action; got ${action}, expected ${actionChoice(actions)}`);
}

function count(row: MeasuredRow, tally: Tally, actions: Actions, place: string): void {
  const positive = restricts(row.decision, actions, place);
  const human = row.human_label ?? null;
  const humanPositive = human === null ? null : restricts(human, actions, place);
  if (isVerdict(row)) {
    const scope = SCOPES[(row.inverse_citation ?? row.citation)?.scope ?? ""] ?? "unknown";
    const cell = cellIndex({ positive, humanPositive, level: row.level!, inverse: row.inverse!, scope });
    tally.cells[cell]! += 1;
  } else if (row.outcome === "error") tally.errors += 1;
  else if (row.flags?.includes(NO_RULES)) tally.no_rules = (tally.no_rules ?? 0) + 1;
  else tally.unscored += 1;
}
