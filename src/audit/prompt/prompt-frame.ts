import { createHash } from "node:crypto";
import data from "../../../data/instructions.json" with { type: "json" };
import {
  jsonSchema,
  type OutputField,
  type OutputFormat,
  type TokenCounter,
  TRACE_FORMATS,
} from "../../auditors/output-format.js";
import { InputError } from "../../core/errors.js";
import { type Actions, actionSides, nearestActions, oppositeAction } from "../../core/records/actions.js";
import type { CaseFrame, CasePrecedent, CaseRule } from "../../core/records/case.js";
import type { Scrub, Scrubbing } from "../../text/scrub/scrub.js";
import { encodeText } from "./encode.js";
import { PrecedentShelf, type Rendering } from "./token-counter.js";

/** Tokens reserved for the content, whatever it is: the shared text must not depend on one case. */
const CONTENT_RESERVE = 2000;
/** With fewer tokens than this for the content an audit makes no sense. */
const LEAST_CONTENT = 256;
/** Tokens of the headings around the precedents. */
const HEADING_TOKENS = 24;

/** What all prompts of a frame share, and what is needed to choose precedents for one of them. */
export interface PromptFrame {
  shared: string;
  /** `shared` in lower case, to search for the fence's code. The instructions are ours and contain no code. */
  folded: string;
  /** Tokens left for one case: its content, and precedents if they are chosen for it. */
  room: number;
  /** Tokens of `room` for the content: where precedents are chosen, a long content leaves them half of it, or what they need if less. */
  contentRoom: number;
  /** Precedents to choose from; null: `shared` holds all of them. */
  shelf: PrecedentShelf | null;
  scrubbing: Scrubbing | null;
  /** Values scrubbed from `shared`, by placeholder. */
  scrubbed: Record<string, string>;
}

interface FrameNeeds {
  rendering: Rendering;
  counter: TokenCounter;
  scrub: Scrub | null;
  /** Tokens that the prompt of a case may have in addition to the instructions and fixed words. */
  budget: number;
  /** Tokens of the instructions and fixed words, for the error message. */
  instructions: number;
}

/**
 * Renders the rules of a frame, and its precedents if all of them fit next to a reserve for the content. Rules are never cut: if
 * they do not fit, the error is returned and kept, so that it is not found again for every case.
 */
export function preparePromptFrame(frame: CaseFrame, needs: FrameNeeds): PromptFrame | InputError {
  const { rendering, counter, budget } = needs;
  const scrubbing = needs.scrub?.begin() ?? null;
  const prepare = (text: string) => (scrubbing ? scrubbing.text(text) : text);
  const rules = ruleText(frame, prepare);
  const ruleTokens = counter.count(rules) + HEADING_TOKENS;
  if (ruleTokens + LEAST_CONTENT > budget) return tooLong(frame, ruleTokens, needs);

  const lines = frame.precedents.map((precedent) => precedentLine(precedent, prepare));
  const shelf = new PrecedentShelf(frame.precedents, lines, rendering, counter);
  const reserve = Math.min(CONTENT_RESERVE, Math.floor(budget / 4));
  const free = Math.max(0, budget - ruleTokens - reserve);
  const fit = shelf.totalWithin(free + 1) <= free;
  const precedents = fit ? section(PRECEDENTS, lines) : ["", `${PRECEDENTS}: see below.`];
  const shared = `${[rules, ...precedents].join("\n")}\n\n`;
  const room = budget - counter.count(shared);
  const kept = fit ? 0 : shelf.totalWithin(Math.floor(room / 2));
  return {
    shared,
    folded: shared.toLowerCase(),
    room,
    contentRoom: Math.max(room - kept, Math.min(room, LEAST_CONTENT)),
    shelf: fit ? null : shelf,
    scrubbing,
    scrubbed: scrubbing?.occurring(shared) ?? {},
  };
}

const PRECEDENTS = "Precedents, earlier decisions of the community";

/** Platform rules first: up to there the text is the same for all communities, so a provider can cache it for all of them. */
function ruleText(frame: CaseFrame, prepare: (text: string) => string): string {
  const rules = (scope: "platform" | "community") =>
    frame.rules.filter((rule) => rule.scope === scope).map((rule) => ruleLine(rule, prepare));
  return [
    decisionsLine(frame.actions),
    ...section("Platform rules, in force in every community", rules("platform")),
    ...section(`Rules of the community ${encodeText(frame.community)}`, rules("community")),
  ].join("\n");
}

function section(heading: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? ["", `${heading}:`, ...lines] : ["", `${heading}: none.`];
}

function tooLong(frame: CaseFrame, ruleTokens: number, { counter, budget, instructions }: FrameNeeds): InputError {
  const counted = counter.exact ? "tokens" : "tokens (estimated)";
  return new InputError(
    "rules_too_long",
    `rules: too long for the model's prompt; got ${ruleTokens} ${counted} of rules for community "${frame.community}" at tier ${frame.tier}, ` +
      `expected at most ${Math.max(0, budget - LEAST_CONTENT)} next to ${instructions} of instructions and ${LEAST_CONTENT} for the content`,
    "Audit at a lower `tier` (sidebar or title), say with `context` how many tokens the model takes if it is more, or use a model with a longer context.",
  );
}

/** Prepares a text to be shown: scrubs it, or leaves it unchanged. */
type Prepare = (text: string) => string;

/** One rule as one line. Its text at the tier in force begins with its title, which is not repeated. */
function ruleLine(rule: CaseRule, prepare: Prepare): string {
  const { scope, id, kind, title, text } = rule;
  const rest = text === title ? "" : text.startsWith(`${title}\n`) ? text.slice(title.length + 1) : text;
  return object([
    [`${scope} rule`, id],
    ["kind", kind],
    ["title", prepare(title)],
    ["text", prepare(rest)],
  ]);
}

function precedentLine(precedent: CasePrecedent, prepare: Prepare): string {
  return object([
    ["precedent", precedent.id],
    ["content", prepare(precedent.text)],
    ["decision", precedent.decision],
    ["under rule", precedent.ruleId],
    ["reason", precedent.rationale === null ? null : prepare(precedent.rationale)],
  ]);
}

/** A JSON object on one line, without empty members. */
function object(members: readonly [string, string | null][]): string {
  const shown = members.filter(([, value]) => value !== null && value !== "");
  return `{${shown.map(([key, value]) => `"${key}":${encodeText(value!)}`).join(",")}}`;
}

/** `<name>-<number>#<8 hex digits>`: a change of instructions, schema or rendering changes the version. */
export function versionOf(
  name: string,
  number: number,
  instructions: string,
  format: OutputFormat,
  rendering: Rendering,
): string {
  const hash = hashParts([instructions, JSON.stringify(jsonSchema(format)), String(rendering)]);
  return `${name}-${number}#${hash.slice(0, 8)}`;
}

/**
 * The code on both fence lines around the content: the first 16 hex digits of SHA-256 over everything that belongs to this decision. The same case
 * has the same code, so that the same question has the same text and can be answered from a cache. Authors cannot write it into their own content:
 * the content would have to contain its own hash. If it occurs anyway, the next number is hashed in.
 */
export function fenceNonce(parts: readonly string[], isTaken: (nonce: string) => boolean): string {
  for (let count = 0; ; count++) {
    const nonce = hashParts([String(count), ...parts]).slice(0, 16);
    if (!isTaken(nonce)) return nonce;
  }
}

/** SHA-256 in hex. Each part is preceded by its length, so that no two lists of parts hash the same text. */
export function hashParts(parts: readonly string[]): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(`${part.length}:${part}`);
  return hash.digest("hex");
}

/** Fills in a text's lines: `{name}` is a block shared by several texts, or one of `more`. A block that is "" is left out. */
function fill(lines: readonly string[], more: Readonly<Record<string, string>> = {}): string {
  const { reading: _, ...shared } = data.shared;
  const known: Readonly<Record<string, string>> = { ...shared, ...more };
  const filled = lines.map((line) => (/^\{\w+\}$/.test(line) ? known[line.slice(1, -1)]! : line));
  return filled.filter((line, k) => line !== "" || lines[k] === "").join("\n");
}

/** How untrusted text is to be read; the same words for every question. */
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

/** The required form of the answer. */
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
 * Instructions of the auditor with template `guided`: the question and fields of template `paper`, and an answer to each question of interpretation
 * that `paper` leaves open. The examples are about a ferry, so that none of them is a case used to measure an auditor.
 * @see docs/prompt.md
 */
export function guidedInstructions(): string {
  return fill(data.guided, { answer: answerForm(TRACE_FORMATS.guided) });
}

/**
 * Rewords a text about two decisions for more than two: "the opposite" becomes any other of them, and severity has to be derived
 * too. The data list each wording that changes, so that the instructions exist once; a test checks that each is found.
 */
export function aboutSeveral(text: string): string {
  return data.several.reduce((said, [two, several]) => said.replaceAll(two!, several!), text);
}

/** The same fields, asked about several decisions. */
export function formatForSeveral(format: OutputFormat): OutputFormat {
  return { ...format, fields: format.fields.map((field) => ({ ...field, about: aboutSeveral(field.about) })) };
}

/** The possible decisions, shown before the rules. */
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
