import data from "../../../data/instructions.json" with { type: "json" };
import { type OutputField, type OutputFormat, TRACE_FORMATS } from "../../auditors/output-format.js";
import { type Actions, actionSides, nearestActions, oppositeAction } from "../../core/records/actions.js";
import { encodeText } from "./encode.js";

/** The lines of a text; `{name}` is one that several texts have, or one of `more`. What is "" there is left out. */
function fill(lines: readonly string[], more: Readonly<Record<string, string>> = {}): string {
  const { reading: _, ...shared } = data.shared;
  const known: Readonly<Record<string, string>> = { ...shared, ...more };
  const filled = lines.map((line) => (/^\{\w+\}$/.test(line) ? known[line.slice(1, -1)]! : line));
  return filled.filter((line, k) => line !== "" || lines[k] === "").join("\n");
}

/** How the texts of strangers are to be read. The same words for every question. */
export const READING = fill(data.shared.reading);

/** Instructions of the auditor with templates `paper` and `extended`. @see paper §3.1, §3.3, Appendix B */
export function paperInstructions(template: "paper" | "extended"): string {
  const more = { reading: READING, answer: answerForm(TRACE_FORMATS[template]) };
  return fill(data.paper, template === "paper" ? { ...more, inverse_citation: "", level3_reason: "" } : more);
}

/** Instructions of the decider: the paper's M_c, which proposes decisions. */
export function decisionInstructions(format: OutputFormat): string {
  return fill(data.decide, { reading: READING, answer: answerForm(format) });
}

/** The object as it has to look. */
export function answerForm({ fields }: OutputFormat): string {
  const members = fields.map((field) => `${JSON.stringify(field.name)}:${sample(field)}`);
  return `Answer with one JSON object and nothing else: on one line, no space between its parts, these fields in this order:
{${members.join(",")}}`;
}

function sample(field: OutputField): string {
  switch (field.kind) {
    case "text":
      return '"text"';
    case "text_or_null":
      return '"text" or null';
    case "choice":
    case "digit":
      return choices(field.values);
    case "choice_or_null":
      return `${choices(field.values)} or null`;
  }
}

function choices(values: readonly (string | number)[]): string {
  return values.map((value) => JSON.stringify(value)).join(" or ");
}

/**
 * Instructions of the auditor with template `guided`: the question and the fields of template `paper`, and an answer to each question of interpretation that
 * `paper` leaves open. Examples are about a ferry, so that none of them is a case that an auditor is measured on.
 * @see docs/prompt.md
 */
export function guidedInstructions(): string {
  return fill(data.guided, { answer: answerForm(TRACE_FORMATS.guided) });
}

/**
 * A text about two decisions, for more of them. The instructions ask about two; with more, "the opposite" is any other of them, and severity has to be
 * derived too. Each wording that changes is listed in the data, so that the instructions exist once; a test holds that each is found.
 */
export function aboutSeveral(text: string): string {
  return data.several.reduce((said, [two, several]) => said.replaceAll(two!, several!), text);
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
