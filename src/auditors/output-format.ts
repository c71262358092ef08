import type { Template } from "../core/records/trace.js";
import { LEVEL3_REASONS, PRECEDENT_WEIGHTS } from "../core/records/trace.js";

/** One field of an answer. Order is meaning: each field is written in sight of those before it. */
export type OutputField =
  | { name: string; kind: "text"; about: string }
  | { name: string; kind: "text_or_null"; about: string }
  | { name: string; kind: "choice"; values: readonly string[]; about: string }
  | { name: string; kind: "choice_or_null"; values: readonly string[]; about: string }
  | { name: string; kind: "digit"; values: readonly number[]; about: string };

/**
 * What a model has to write: a JSON object with these fields in this order. Each provider's schema and the grammar of a local model
 * are made from it, so that all of them ask for the same.
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
  extended: { name: "reasoning_trace_extended", fields: EXTENDED },
};
