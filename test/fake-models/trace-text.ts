/** The fields of a reasoning trace; a test says what it is about, the rest is there already. */
export interface TraceText {
  logic_chain: string;
  policy_citation: string;
  precedent_weight: string;
  inverse_check: string;
  defensibility_level: number;
}

const USUAL: TraceText = {
  logic_chain: "The post links to a shop. Rule R3 forbids links to shops, and no precedent allows this one.",
  policy_citation: 'community rule R3: "Do not link to shops."',
  precedent_weight: "High",
  inverse_check: "No",
  defensibility_level: 2,
};

/** An answer as models under a strict schema write it: compact JSON in the schema's order. `pretty`: as the others do. */
export function traceText(changes: Partial<TraceText> = {}, { pretty = false } = {}): string {
  return JSON.stringify({ ...USUAL, ...changes }, null, pretty ? 2 : 0);
}

/** The fields of an answer to the second question. */
export interface ScopeText {
  condition_met: string;
  exception_applies: string;
  supports: string;
}

/** An answer to the second question, as models under a strict schema write it. */
export function scopeText(changes: Partial<ScopeText> = {}): string {
  return JSON.stringify({ condition_met: "Yes", exception_applies: "No", supports: "Yes", ...changes });
}

/** Whether a request asks the second question: its schema has the field. */
export function asksForScope(body: unknown): boolean {
  return JSON.stringify(body).includes("exception_applies");
}
