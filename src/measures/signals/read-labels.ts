import type { Generation, Token } from "../../core/records/case.js";
import { utf8Width } from "../../text/printable.js";
import { type Alignment, locateTokens } from "./align-tokens.js";
import { logprobTemperature } from "./candidates.js";
import type { LabelField } from "./categories.js";
import { type LabelDistribution, labelDistribution, type MissingMode } from "./label-distribution.js";
import type { FieldSpan } from "./read-trace.js";

/** The label distribution at the first token that holds a byte of a field's value; null where nothing is there to read. */
export function readLabel(
  generation: Generation,
  tokens: readonly Token[],
  alignment: Alignment,
  field: LabelField,
  span: FieldSpan | undefined,
  missing: MissingMode,
): LabelDistribution | null {
  const at = span ? locateLabel(alignment, span) : -1;
  if (!span || at < 0) return null;
  const token = tokens[at]!;
  return labelDistribution(token, field, {
    missing,
    prefix: leadingText(token.text, span.start - alignment.starts[at]!),
    temperature: logprobTemperature(generation),
    complete: generation.support === "vocab",
  });
}

/** Index of the token where a label's value begins; -1 where no token says so. */
export function locateLabel(alignment: Alignment, span: FieldSpan): number {
  const range = locateTokens(alignment, span);
  let at = range.first;
  while (at < range.end && alignment.ends[at]! <= alignment.starts[at]!) at++;
  // A token of unknown place, or one that begins inside the word, does not say where the choice was made.
  const unsure = at >= range.end || !range.certain || alignment.loose?.[at] === 1 || alignment.starts[at]! > span.start;
  return unsure ? -1 : at;
}

/** The first `bytes` bytes of a text; "" where they end inside a character, or the text is not what its bytes are. */
function leadingText(text: string, bytes: number): string {
  let chars = 0;
  let passed = 0;
  while (passed < bytes && chars < text.length) passed += utf8Width(text, chars++);
  return passed === bytes ? text.slice(0, chars) : "";
}
