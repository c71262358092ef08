import type { AdapterOptions, Foreign, Found, Kind, Source } from "./adapter.js";
import { actionOf, fields, isObject, type KnownActions, objectOf, objectsOf, textOf, textsOf } from "./values.js";

/** Answers of models that were asked whether content breaks a policy. */
const ANSWERS: KnownActions = {
  "1": "restrict",
  "0": "allow",
  true: "restrict",
  false: "allow",
  violates: "restrict",
  violation: "restrict",
  unsafe: "restrict",
  safe: "allow",
};

export interface Verdict {
  /** Null: neither of the two actions. */
  decision: string | null;
  /** The original answer, for messages. */
  answer: string;
  rationale: string | null;
  rules: string[];
}

/** A model's answer as a verdict: a word or number, or an object with `violation` or `label`. */
export function verdictOf(output: unknown, options: AdapterOptions): Verdict {
  const text = typeof output === "string" ? output.trim() : output;
  const value = typeof text === "string" ? (parsed(text) ?? text) : text;
  const object = objectOf(value);
  const said = isObject(value) ? (object.violation ?? object.label ?? object.decision ?? object.action) : value;
  const word = typeof said === "boolean" ? String(said) : (textOf(said) ?? "");
  // Llama Guard lists its categories on the second line.
  const [first, second] = word.split("\n", 2) as [string, string?];
  const answer = first.trim().toLowerCase().replace(/[.!]$/, "");
  const listed = second && answer === "unsafe" ? second.split(",").map((one) => one.trim()) : [];
  const rules = [...textsOf(object.rule_ids), textOf(object.policy_category), ...listed].flatMap((one) => one ?? []);
  return {
    decision: answer === "" ? null : actionOf([answer], ANSWERS, options),
    answer: first.slice(0, 40),
    rationale: textOf(object.rationale ?? object.explanation ?? object.reason),
    rules: [...new Set(rules)],
  };
}

function parsed(text: string): unknown {
  const bare = text.replace(/^```(?:json)?\s*|\s*```$/g, "");
  if (!/^[[{]/.test(bare)) return undefined;
  try {
    return JSON.parse(bare);
  } catch {
    return undefined;
  }
}

/** Text of a message: plain, or its text parts. */
export function messageText(content: unknown): string | null {
  if (!Array.isArray(content)) return textOf(content);
  const parts = objectsOf(content).flatMap(({ text }) => textOf(text) ?? []);
  return parts.length > 0 ? parts.join("\n") : null;
}

export const hasMedia = (content: unknown): boolean =>
  objectsOf(content).some(({ type }) => typeof type === "string" && type !== "text");

/** A call of a model: the request and the response. */
export interface ModelCall {
  source: Source;
  id: string;
  request: Foreign;
  response: Foreign;
}

/** Calls of an OpenAI-compatible API: request and response together, or files of the Batch API, joined by `custom_id`. */
export const CALL_KINDS: Readonly<Record<string, Kind>> = {
  pair: {
    is: (value) => isObject(value.request) && isObject(value.response) && !("custom_id" in value),
    fields: fields("id request response at"),
  },
  batchRequest: {
    is: (value) => "custom_id" in value && isObject(value.body),
    fields: fields("custom_id method url body"),
  },
  batchResponse: {
    is: (value) => "custom_id" in value && "response" in value,
    fields: fields("id custom_id response error"),
  },
};

export function callsIn(found: Found, lacks: (source: Source, field: string, reason: string) => void): ModelCall[] {
  const pairs = found.of("pair").flatMap((source): ModelCall[] => {
    const [request, response] = [objectOf(source.value.request), objectOf(source.value.response)];
    const id = textOf(source.value.id) ?? textOf(response.id);
    if (id === null) lacks(source, "id", "neither the call nor its response has an id");
    return id === null ? [] : [{ source, id, request, response }];
  });
  const requests = new Map(
    found.of("batchRequest").map(({ value }) => [textOf(value.custom_id), objectOf(value.body)]),
  );
  const batched = found.of("batchResponse").flatMap((source): ModelCall[] => {
    const { custom_id, response, error } = source.value;
    const id = textOf(custom_id);
    const request = requests.get(id);
    const body = objectOf(response).body;
    if (error) lacks(source, "error", "the call failed");
    else if (id === null || request === undefined)
      lacks(
        source,
        "custom_id",
        "the request with this custom_id is not in the input; add the input file of the batch",
      );
    else if (isObject(body)) return [{ source, id, request, response: body }];
    else lacks(source, "response", "the response has no body");
    return [];
  });
  const answered = new Set(found.of("batchResponse").map(({ value }) => textOf(value.custom_id)));
  for (const source of found.of("batchRequest"))
    if (!answered.has(textOf(source.value.custom_id)))
      lacks(
        source,
        "custom_id",
        "the response with this custom_id is not in the input; add the output file of the batch",
      );
  return [...pairs, ...batched];
}
