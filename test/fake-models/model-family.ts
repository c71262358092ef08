/** What a family of OpenAI's models takes. */
export interface ModelFamily {
  logprobs: "yes" | "never" | "forbidden";
  /** Values of `reasoning_effort`; empty: the parameter is not known. */
  efforts: readonly string[];
  /** null: it does not reason. */
  defaultEffort: string | null;
}

export function modelFamily(model: string): ModelFamily {
  if (/^o\d/.test(model)) return { logprobs: "forbidden", efforts: ["low", "medium", "high"], defaultEffort: "medium" };
  if (/^gpt-5(-|$)/.test(model))
    return { logprobs: "never", efforts: ["minimal", "low", "medium", "high"], defaultEffort: "medium" };
  if (/^gpt-5\.[1-4](-|$)/.test(model))
    return { logprobs: "yes", efforts: ["none", "low", "medium", "high"], defaultEffort: "none" };
  if (/^gpt-(5\.[5-9]|[6-9])/.test(model))
    return { logprobs: "yes", efforts: ["none", "low", "medium", "high", "xhigh", "max"], defaultEffort: "medium" };
  return { logprobs: "yes", efforts: [], defaultEffort: null };
}
