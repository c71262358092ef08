import { type Flag, LEVEL3_REASONS, PRECEDENT_WEIGHTS, type Template } from "../core/records/audit.js";
import type { Token } from "../core/records/case.js";

/** One field of an answer. Order matters: the model writes each field with the earlier ones in view. */
export type OutputField =
  | { name: string; kind: "text"; about: string }
  | { name: string; kind: "text_or_null"; about: string }
  | { name: string; kind: "choice"; values: readonly string[]; about: string }
  | { name: string; kind: "choice_or_null"; values: readonly string[]; about: string }
  | { name: string; kind: "digit"; values: readonly number[]; about: string };

/**
 * What a model has to write: a JSON object with these fields in this order. Each provider's schema and the grammar of a local
 * model are derived from it, so that all request the same.
 */
export interface OutputFormat {
  /** A name that providers accept: letters, digits, `_`. */
  name: string;
  fields: readonly OutputField[];
}

const LOGIC_CHAIN: OutputField = {
  name: "logic_chain",
  kind: "text",
  about: "the reasoning from the rules to the decision, step by step, in at most 120 words",
};
const POLICY_CITATION: OutputField = {
  name: "policy_citation",
  kind: "text",
  about: "the rule or precedent that the decision rests on: its id, and the words that carry it",
};
const EXACT_CITATION: OutputField = {
  name: "policy_citation",
  kind: "text",
  about: "the rule or precedent that the decision rests on: its exact id, and the decisive words, quoted",
};
const PRECEDENT_WEIGHT: OutputField = {
  name: "precedent_weight",
  kind: "choice",
  values: PRECEDENT_WEIGHTS,
  about: "how firmly the cited rule and the precedents settle cases of this kind, whichever way",
};
const INVERSE_CHECK: OutputField = {
  name: "inverse_check",
  kind: "choice",
  values: ["Yes", "No"],
  about: "could the opposite decision be derived from the same rules and precedents too?",
};
const INVERSE_CITATION: OutputField = {
  name: "inverse_citation",
  kind: "text_or_null",
  about: "if the inverse check is Yes, the rule or precedent that the opposite decision would rest on, else null",
};
const DEFENSIBILITY_LEVEL: OutputField = {
  name: "defensibility_level",
  kind: "digit",
  values: [1, 2, 3],
  about: "1, 2 or 3, as defined above",
};
const LEVEL3_REASON: OutputField = {
  name: "level3_reason",
  kind: "choice_or_null",
  values: LEVEL3_REASONS,
  about: "if the level is 3, why, else null",
};

const PAPER = [LOGIC_CHAIN, POLICY_CITATION, PRECEDENT_WEIGHT, INVERSE_CHECK, DEFENSIBILITY_LEVEL];
const GUIDED = [LOGIC_CHAIN, EXACT_CITATION, PRECEDENT_WEIGHT, INVERSE_CHECK, DEFENSIBILITY_LEVEL];
const EXTENDED = [
  LOGIC_CHAIN,
  POLICY_CITATION,
  PRECEDENT_WEIGHT,
  INVERSE_CHECK,
  INVERSE_CITATION,
  DEFENSIBILITY_LEVEL,
  LEVEL3_REASON,
];

/** The reasoning trace of each template. @see paper §3.3, Appendix B */
export const TRACE_FORMATS: Readonly<Record<Template, OutputFormat>> = {
  paper: { name: "reasoning_trace", fields: PAPER },
  guided: { name: "reasoning_trace", fields: GUIDED },
  extended: { name: "reasoning_trace_extended", fields: EXTENDED },
};

/** What a language model reads. `system` is sent as the system turn and `shared` + `own` as the only user turn. */
export interface Prompt {
  /** The instructions: the same for a whole run. */
  system: string;
  /** Rules, and precedents if all of them fit: the same for all decisions of a frame, so that prefix caches can serve it. */
  shared: string;
  /** The text of this decision alone; the content comes last. */
  own: string;
  format: OutputFormat;
  /** `<name>-<number>#<hash of the instructions>`. */
  version: string;
  notes: PromptNotes;
}

/** What was done to fit a case into its prompt. Part of the audit record, so that a reader knows what the model saw. */
export interface PromptNotes {
  flags: Flag[];
  /** Ids of the precedents shown, in order; null: all of them. */
  precedents_used: string[] | null;
  precedents_left_out: number;
  /** Characters of the content that did not fit. */
  content_cut: number;
  /** Placeholder → its value. Never leaves the machine. null: no scrubbing was requested. */
  scrubbed: Record<string, string> | null;
}

/** Counts the tokens of a text. `exact` is false for an estimate from its length. */
export interface TokenCounter {
  readonly name: string;
  readonly exact: boolean;
  count(text: string): number;
}

/**
 * The format as a JSON Schema for OpenAI's strict mode and the servers that follow it: every field required, no others allowed,
 * properties in the order in which they are to be written.
 */
export function jsonSchema(format: OutputFormat): object {
  return {
    type: "object",
    properties: Object.fromEntries(format.fields.map((field) => [field.name, fieldSchema(field)])),
    required: format.fields.map((field) => field.name),
    additionalProperties: false,
  };
}

function fieldSchema(field: OutputField): object {
  const description = field.about;
  switch (field.kind) {
    case "text":
      return { type: "string", description };
    case "text_or_null":
      return { type: ["string", "null"], description };
    case "choice":
      return { type: "string", enum: [...field.values], description };
    case "choice_or_null":
      return { type: ["string", "null"], enum: [...field.values, null], description };
    case "digit":
      return { type: "integer", enum: [...field.values], description };
  }
}

/**
 * Longest text of one field, in characters. A model that runs on is forced to close the field and still gives its labels.
 * llama.cpp accepts fewer than 2,000 repetitions; 1,200 cost it 0.4 ms when the grammar is read and nothing measurable per token.
 */
export const MAX_TEXT_CHARACTERS = 1200;

/**
 * The format as a grammar for llama.cpp. There is no whitespace between the parts of the object and nothing after its brace, so
 * that each value is where it is expected and the model has to stop. No text is empty: a citation without a word has no entropy.
 * @see https://github.com/ggml-org/llama.cpp/blob/master/grammars/README.md
 */
export function gbnf(format: OutputFormat): string {
  const members = format.fields.map((field, index) => {
    const opening = `${index === 0 ? "{" : ","}${JSON.stringify(field.name)}:`;
    return `${literal(opening)} ${value(field)}`;
  });
  return `${[`root ::= ${members.join(" ")} "}"`, STRING, CHARACTER].join("\n")}\n`;
}

function value(field: OutputField): string {
  switch (field.kind) {
    case "text":
      return "string";
    case "text_or_null":
      return '(string | "null")';
    case "choice":
      return `(${choices(field.values)})`;
    case "choice_or_null":
      return `(${choices(field.values)} | "null")`;
    case "digit":
      return `(${field.values.map((digit) => literal(String(digit))).join(" | ")})`;
  }
}

function choices(values: readonly string[]): string {
  return values.map((one) => literal(JSON.stringify(one))).join(" | ");
}

/** A literal of the grammar. Its escapes match JSON's as far as needed here. */
function literal(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

const STRING = `string ::= "\\"" character{1,${MAX_TEXT_CHARACTERS}} "\\""`;

/** Lists the allowed characters: a negated class would admit lone surrogates, which a model that writes single bytes does produce. */
const CHARACTER = String.raw`character ::= [ !#-[] | "]" | [\x5E-\x7E\u00A0-\uD7FF\uE000-\U0010FFFF] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4})`;

const NO_ALTERNATIVES: Token["top"] = Object.freeze([]);

/** A text without a probability of its own, used in many traces. It is one token, since no signal looks inside it. */
export function passage(text: string): Token {
  return { text, logprob: 0, top: NO_ALTERNATIVES };
}

/** The text between the fields of a trace, for auditors that write their own. */
export const PASSAGES = {
  OPEN: passage('{"logic_chain":"'),
  CITATION: passage('","policy_citation":"'),
  WEIGHT: passage('","precedent_weight":"'),
  INVERSE: passage('","inverse_check":"'),
  INVERSE_CITATION: passage('","inverse_citation":"'),
  NO_INVERSE_CITATION: passage('","inverse_citation":null'),
  LEVEL_AFTER_TEXT: passage('","defensibility_level":'),
  LEVEL_AFTER_NULL: passage(',"defensibility_level":'),
  CLOSE: passage("}"),
  /** In the order of LEVEL3_REASONS. */
  REASONS: LEVEL3_REASONS.map((reason) => passage(`,"level3_reason":"${reason}"`)),
};
