import type { OutputFormat } from "../../auditors/output-format.js";
import { type Actions, actionSides, nearestActions, oppositeAction } from "../../core/records/actions.js";
import { encodeText } from "./encode.js";

/**
 * The instructions ask about two decisions. With more than two, "the opposite" is any other of them, and severity has to be derived too. Each wording
 * that changes is listed here, so that the instructions exist once; a test holds that each is found.
 */
const WORDINGS: readonly (readonly [string, string])[] = [
  [
    "the opposite decision could be derived from the same rules and precedents, too or instead; No = it could not.",
    "at least one other of the listed decisions could be derived from the same rules and precedents, too or instead; No = none could. The nearest alternatives are named with the decision.",
  ],
  ["what the opposite decision rests on,", "what that other decision rests on; of several, the nearest in severity,"],
  ["Level and opposite decision:", "Level and other decisions:"],
  ["leaves both decisions open.", "leaves more than one decision open."],
  [
    "if the opposite decision can be derived, which is usual. It goes with No if neither can, for example because a rule demands a third action.",
    "if another of the listed decisions can be derived, which is usual. It goes with No if none can.",
  ],
  ["Choose one of the two decisions.", "Choose one of the listed decisions."],
  [
    "could the opposite decision be derived from the same rules and precedents too?",
    "could another of the listed decisions be derived from the same rules and precedents too?",
  ],
  ["that the opposite decision would rest on,", "that the other decision would rest on,"],
  [
    "- A decision that restricts needs a rule that authorises it.",
    `- The decisions are listed from the mildest to the most severe. The severity has to be derived as well as that anything is done. Where a rule names what follows, only that follows from it. Where a rule prohibits and names no consequence, it authorises no particular one: a decision that restricts and rests on it alone is level 2 at best, and inverse_check is Yes.
- A decision that restricts needs a rule that authorises it.`,
  ],
];

/** A text about two decisions, for more of them. */
export function aboutSeveral(text: string): string {
  return WORDINGS.reduce((said, [two, several]) => said.replaceAll(two, several), text);
}

/** The same fields, asked about several decisions. */
export function formatForSeveral(format: OutputFormat): OutputFormat {
  return { ...format, fields: format.fields.map((field) => ({ ...field, about: aboutSeveral(field.about) })) };
}

/** Which decisions there are, before the rules. */
export function decisionsLine(actions: Actions): string {
  const { positive, negative, all } = actions;
  if (!all) return `Decisions: ${encodeText(positive)} restricts, ${encodeText(negative)} does not.`;
  const { restricting, other } = actionSides(actions);
  const listed = (names: readonly string[]) => names.map(encodeText).join(", ");
  return `Decisions, mildest first: ${listed(other)} ${other.length > 1 ? "do" : "does"} not restrict; ${listed(restricting)} ${restricting.length > 1 ? "restrict" : "restricts"}.`;
}

/** What else could have been decided: the opposite, or the next milder and the next more severe decision. */
export function alternativesLine(actions: Actions, decision: string): string {
  const { all } = actions;
  if (!all) return `The opposite decision: ${encodeText(oppositeAction(actions, decision))}.`;
  const place = (action: string) => all.findIndex(({ name }) => name === action);
  const named = nearestActions(actions, decision)
    .filter((action) => Math.abs(place(action) - place(decision)) === 1)
    .map((action) => `${encodeText(action)} (${place(action) < place(decision) ? "next milder" : "next more severe"})`);
  return `The nearest alternatives: ${named.join(", ")}.`;
}

/** "a or b"; "a, b or c". */
export function decisionChoice(names: readonly string[]): string {
  const shown = names.map(encodeText);
  return `${shown.slice(0, -1).join(", ")} or ${shown.at(-1)}`;
}
