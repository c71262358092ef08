import { isObject } from "../../core/text-checks.js";
import type { CallFault } from "../auditor.js";
import type { Parameter } from "./request-shape.js";

/** A server's refusal, interpreted. */
export interface Refusal {
  status: number;
  fault: CallFault;
  message: string;
  /** The parameter that the server names, verbatim. */
  param: string | null;
  about: "context" | "filter" | null;
}

interface ErrorBody {
  message: string;
  code: string;
  type: string;
  param: string | null;
}

/** Interprets a refusal. Codes come first; the words of the message count only if there is no usable code. */
export function describeRefusal(status: number, body: string): Refusal {
  const error = readErrorBody(body);
  // Messages about the rate contain links to help pages on quota or billing.
  const words = error.message.replace(/https?:\/\/\S+/g, "");
  const refusal = (fault: CallFault, about: Refusal["about"] = null): Refusal => ({
    status,
    fault,
    message: error.message,
    param: error.param,
    about,
  });
  const code = `${error.code} ${error.type}`;
  if (status === 402) return refusal("quota");
  if (status === 401 || status === 407) return refusal("auth");
  if (status === 429) return refusal(isUsedUp(code, words) ? "quota" : "rate_limited");
  if (status === 408) return refusal("timeout");
  if (status === 409) return refusal("server");
  if (status === 503 || status === 529) return refusal("overloaded");
  if (status >= 500) return refusal(/overloaded/i.test(code) ? "overloaded" : "server");
  if (status >= 300 && status < 400) return refusal("not_found");

  if (isTooLong(code, words)) return refusal("bad_request", "context");
  if (status === 413) return refusal("bad_request", "context");
  if (/content_filter|content_policy/.test(code) || /content management policy|flagged/i.test(words)) {
    return refusal("bad_request", "filter");
  }
  if (/insufficient_quota|billing|insufficient_credits/.test(code)) return refusal("quota");
  if (status === 403) return refusal(/logprobs/i.test(words) ? "unsupported" : "auth");
  if (status === 404 || status === 405 || status === 410 || /model_not_found/.test(code)) return refusal("not_found");
  if (/\bmodel\b.{0,80}(not found|does not exist|not exist)/i.test(words)) return refusal("not_found");
  if (/invalid_api_key/.test(code) || /api key (not valid|is invalid)|invalid api key/i.test(words))
    return refusal("auth");
  const unsupported = refusal("unsupported");
  return refusedParameter(unsupported) === null ? refusal("bad_request") : unsupported;
}

function isUsedUp(code: string, words: string): boolean {
  if (/insufficient_quota|billing|insufficient_credits|access_terminated/.test(code)) return true;
  if (
    /exceeded your current quota|insufficient[ _](balance|credit|fund|quota)|out of credit|credit balance/i.test(words)
  )
    return true;
  if (/per (minute|second|min\b)|\b[RT]PM\b/i.test(words)) return false;
  return /per day|\b[RT]PD\b|daily|billing[ _](hard[ _])?limit/i.test(words);
}

function isTooLong(code: string, words: string): boolean {
  if (/context_length_exceeded|exceed_context_size|string_above_max_length/.test(code)) return true;
  return /context (length|window|size)|max_model_len|prompt is too long|input (is )?too long|too many tokens/i.test(
    words,
  );
}

const NAMES: readonly (readonly [RegExp, Parameter])[] = [
  [/top_?logprobs|max[-_]logprobs|top log ?prob/i, "top_logprobs"],
  [/logprobs|log probabilities/i, "logprobs"],
  [/reasoning(_effort|\.effort)?\b/i, "reasoning_effort"],
  [/response_?format|json_?schema|text\.format|structured.?outputs?|guided_|grammar/i, "response_format"],
  [/\btemperature\b/i, "temperature"],
  [/\bseed\b/i, "seed"],
  [/max_(completion_|output_)?tokens/i, "max_tokens"],
  [/prompt_cache_key/i, "prompt_cache_key"],
  [/chat_template_kwargs|cache_prompt|\bthinking\b|require_parameters/i, "extra"],
  [/^n$|['"`]n['"`]|\bn (must|should|is|>)|\bn_cmpl\b|multiple (choices|completions|candidates)|one completion/i, "n"],
];

/** The part of our request that a refusal is about; null: none. */
export function refusedParameter(refusal: Refusal): Parameter | null {
  const find = (text: string): Parameter | null => NAMES.find(([pattern]) => pattern.test(text))?.[1] ?? null;
  return (refusal.param !== null ? find(refusal.param) : null) ?? find(refusal.message);
}

/** Servers put their words in different places: `{error: {message}}`, `{error: ""}`, `{message}`, `{detail}`, or plain text. */
function readErrorBody(body: string): ErrorBody {
  let parsed: unknown;
  try {
    parsed = JSON.parse(body);
  } catch {
    return { message: plainText(body), code: "", type: "", param: null };
  }
  const outer = isObject(parsed) ? parsed : {};
  const inner = isObject(outer.error) ? outer.error : outer;
  const message = [inner.message, outer.error, inner.detail, outer.detail].find(
    (value) => value !== undefined && value !== null,
  );
  const metadata = isObject(inner.metadata) ? inner.metadata : {};
  const raw = typeof metadata.raw === "string" ? ` ${metadata.raw}` : "";
  return {
    message: `${typeof message === "string" ? message : message === undefined ? "" : JSON.stringify(message)}${raw}`,
    code: String(inner.code ?? ""),
    type: String(inner.type ?? ""),
    param: typeof inner.param === "string" ? inner.param : null,
  };
}

/** Proxies answer with web pages: only their text is used. */
function plainText(body: string): string {
  return /^\s*<(!doctype|html)/i.test(body)
    ? body.replace(/<(script|style)[\s\S]*?<\/\1>/gi, " ").replace(/<[^>]*>/g, " ")
    : body;
}
