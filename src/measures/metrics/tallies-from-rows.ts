import { type Actions, MODERATION_ACTIONS } from "../../core/records/actions.js";
import { type Audit, NO_RULES } from "../../core/records/audit.js";
import { cellIndex, emptyTally, type Tally, type TallyScope } from "./tally.js";

/** What measures read of an audit; a row of another tool needs no more than the first five fields. */
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
 * Audits as the tallies that every rate of `metrics` takes, one for each community, in the order of their names. Counts what a report counts: rows
 * without an arm, of the first replicate.
 * Undefined when: never; no rows are no tallies. RangeError when a row has no name of its decision or community, or another action.
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

/** Whether an analysis is about a row: it has no arm and is the first replicate. RangeError for what is no audit. */
export function isMain(row: MeasuredRow, place: string): boolean {
  if (!row?.decision_id || !row.community) {
    throw new RangeError(`${place}: not an audit; expected decision_id and community`);
  }
  return (row.arm ?? "") === "" && (row.replicate ?? 0) === 0;
}

/** A row with a level and an inverse that ended in a verdict. */
export function isVerdict({ outcome, level, inverse }: MeasuredRow): boolean {
  const isLevel = level === 1 || level === 2 || level === 3;
  return (outcome ?? "verdict") === "verdict" && isLevel && typeof inverse === "boolean";
}

/** Whether an action restricts. */
export function restricts(action: string, actions: Actions, place: string): boolean {
  if (action === actions.positive) return true;
  if (action === actions.negative) return false;
  throw new RangeError(`${place}: unknown action; got ${action}, expected ${actions.positive} or ${actions.negative}`);
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
