import type { Generation } from "../../core/records/generation.js";
import { alignTokens } from "../../measures/signals/align-tokens.js";
import { parseInverse } from "../../measures/signals/field-values.js";
import { readLabel } from "../../measures/signals/read-labels.js";
import { type Member, scanObject, unescapeString } from "../../measures/signals/scan-object.js";
import { utf8Length } from "../../text/utf8.js";

export type YesNo = "Yes" | "No";

/** An answer to the second question, as far as it could be read. */
export interface ScopeAnswer {
  condition_met: YesNo | null;
  exception_applies: YesNo | null;
  supports: YesNo | null;
  /** Probability of `Yes` where `supports` was written; null: no probabilities, or no such label. */
  p_supported: number | null;
}

/** Reads an answer however it is wrapped. Of several objects the last one that says `supports` counts. */
export function readScopeAnswer(generation: Generation): ScopeAnswer {
  const { text } = generation;
  let answer: ScopeAnswer = { condition_met: null, exception_applies: null, supports: null, p_supported: null };
  for (let at = text.indexOf("{"); at >= 0; ) {
    const object = scanObject(text, at);
    const fields = new Map(object?.members.filter(({ complete }) => complete).map((member) => [member.key, member]));
    const value = (name: string) => labelOf(text, fields.get(name));
    const supports = value("supports");
    if (supports !== null) {
      answer = {
        condition_met: value("condition_met"),
        exception_applies: value("exception_applies"),
        supports,
        p_supported: yesProbability(generation, fields.get("supports")!),
      };
    }
    at = text.indexOf("{", object === null ? at + 1 : object.end);
  }
  return answer;
}

function labelOf(text: string, member: Member | undefined): YesNo | null {
  if (!member || member.kind === "nested") return null;
  const raw = text.slice(member.start, member.end);
  return parseInverse((member.kind === "string" ? unescapeString(raw) : raw).trim());
}

/** p(Yes) among the candidates of the token where the label begins, as the inverse check of an audit is read. */
function yesProbability(generation: Generation, { start, end }: Member): number | null {
  const { text, tokens } = generation;
  if (!tokens || tokens.length === 0) return null;
  const lead = text.slice(start, end).search(/\S/);
  const from = utf8Length(text, 0, start + lead);
  const span = {
    start: from,
    end: from + utf8Length(text, start + lead, end),
    charStart: start + lead,
    charEnd: end,
  };
  const alignment = alignTokens(tokens, text, undefined, generation.joined);
  return readLabel(generation, tokens, alignment, "inverse", span, "floor")?.probs[0] ?? null;
}
