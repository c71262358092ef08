import { LEVEL3_REASONS } from "../core/records/audit.js";
import type { Token } from "../core/records/case.js";

const NO_ALTERNATIVES: Token["top"] = Object.freeze([]);

/** A piece of text that carries no probability of its own and is used in many traces: one token, since no signal looks inside it. */
export type Passage = Token;

export function passage(text: string): Passage {
  return { text, logprob: 0, top: NO_ALTERNATIVES };
}

/** The text between the fields of a trace, for auditors that write their own. */
export const OPEN = passage('{"logic_chain":"');
export const CITATION = passage('","policy_citation":"');
export const WEIGHT = passage('","precedent_weight":"');
export const INVERSE = passage('","inverse_check":"');
export const INVERSE_CITATION = passage('","inverse_citation":"');
export const NO_INVERSE_CITATION = passage('","inverse_citation":null');
export const LEVEL_AFTER_TEXT = passage('","defensibility_level":');
export const LEVEL_AFTER_NULL = passage(',"defensibility_level":');
/** In the order of LEVEL3_REASONS. */
export const REASONS = LEVEL3_REASONS.map((reason) => passage(`,"level3_reason":"${reason}"`));
export const CLOSE = passage("}");
