import data from "../../../data/foreign-words.json" with { type: "json" };
import type { Actions } from "../../core/records/actions.js";
import type { ColumnGuess } from "./guess-columns.js";
import { actionValues, type FileSample, tokensOf } from "./sample-columns.js";

const OF_ACTIONS = new Set("action decision verdict".split(" "));

/** Words that mark a second look at a decision, or the correct answer. */
const SECOND = new Set(data.second_look.split(" "));

/** Two columns that could both be the decision. */
export interface UnsureDecision {
  /** Taken for the decision because of its values alone. */
  column: string;
  /** Named for a decision. */
  claimant: string;
}

/** "mod_decision" is named for an action; "mod" is not. */
export function isNamedForActions(name: string): boolean {
  return tokensOf(name).some((token) => OF_ACTIONS.has(token));
}

/** "second_opinion", "qaDecision", "appeal result". */
function isSecondLook(name: string): boolean {
  return tokensOf(name).some((token) => SECOND.has(token));
}

/**
 * If a second opinion was taken for the decision, makes the moderator's column the decision and the second opinion the label.
 * @param firsts unused columns that could be the decision, likeliest first
 * @param isCertain whether the name alone identifies the decision column
 */
export function withFirstLook(
  guesses: ColumnGuess[],
  firsts: readonly Pick<ColumnGuess, "column" | "by">[],
  isCertain: (column: string) => boolean,
): ColumnGuess[] {
  const decision = guesses.find((guess) => guess.fields[0] === "decision" && isGuessed(guess));
  if (!decision || !isSecondLook(decision.column) || isCertain(decision.column)) return guesses;
  const label = guesses.find(({ fields }) => fields.includes("human_label"));
  if (label && isGuessed(label) && !isSecondLook(label.column)) {
    Object.assign(label, { fields: ["decision"], rival: null });
    Object.assign(decision, { fields: ["human_label"], by: "name", rival: null });
    return guesses;
  }
  const first = firsts.find(({ column }) => !isSecondLook(column));
  if (!first) return guesses;
  const chosen = guesses.find(({ column }) => column === first.column)!;
  Object.assign(chosen, { fields: ["decision"], by: first.by, rival: null });
  Object.assign(decision, label ? { fields: [], by: null } : { fields: ["human_label"], by: "name" }, { rival: null });
  return guesses;
}

/** Set if the decision was found by values alone while another column of actions is named for it. */
export function unsureDecision(
  guesses: readonly ColumnGuess[],
  { columns }: FileSample,
  actions: Actions,
): UnsureDecision | null {
  const decision = guesses.find(({ fields, by }) => fields[0] === "decision" && by === "values");
  if (!decision) return null;
  const claimant = guesses.find((guess) => guess.fields[0] === "human_label" && isGuessed(guess));
  if (!claimant) return null;
  const sample = columns.find(({ name }) => name === claimant.column)!;
  const isNamed = isNamedForActions(claimant.column) && !isSecondLook(claimant.column);
  if (!isNamed && !isSecondLook(decision.column)) return null;
  return actionValues(sample, actions).understood >= 0.5
    ? { column: decision.column, claimant: claimant.column }
    : null;
}

function isGuessed({ by }: ColumnGuess): boolean {
  return by === "name" || by === "values";
}
