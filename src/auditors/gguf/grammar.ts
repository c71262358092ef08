import type { OutputField, OutputFormat } from "../output-format.js";

/**
 * Longest text of one field, in characters. A model that runs on is made to close the field and still gives its labels. llama.cpp takes
 * fewer than 2,000 repetitions; 1,200 cost it 0.4 ms when the grammar is read and nothing that can be measured at a token.
 */
export const MAX_TEXT_CHARACTERS = 1200;

/**
 * The format as a grammar for llama.cpp. There is no whitespace between the parts of the object and nothing after its brace, so that each
 * value is where it is looked for and the model has to stop. No text is empty: a citation without a word has no entropy.
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

/** A literal of the grammar: its escapes are those of JSON as far as they are needed here. */
function literal(text: string): string {
  return `"${text.replace(/["\\]/g, "\\$&")}"`;
}

const STRING = `string ::= "\\"" character{1,${MAX_TEXT_CHARACTERS}} "\\""`;
/** Named by what it may be: a class of what it may not be lets half a surrogate pass, which a model that writes single bytes does write. */
const CHARACTER = String.raw`character ::= [ !#-[] | "]" | [\x5E-\x7E\u00A0-\uD7FF\uE000-\U0010FFFF] | "\\" (["\\/bfnrt] | "u" [0-9a-fA-F]{4})`;
