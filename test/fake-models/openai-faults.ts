import type { Fault } from "./fault.js";
import type { Dialect } from "./traits.js";

/** Error bodies of OpenAI and of those who speak its language, each in its own form. */
export function openaiError(
  status: number,
  message: string,
  {
    type = "invalid_request_error",
    param = null,
    code = null,
  }: { type?: string; param?: string | null; code?: string | number | null } = {},
  headers: Readonly<Record<string, string>> = {},
): Fault {
  return { fault: "status", status, body: { error: { message, type, param, code } }, headers };
}

export interface RetryHint {
  /** Seconds, or an HTTP date. */
  retryAfter?: string;
  retryAfterMs?: string;
}

/** Limits as OpenAI tells them: what is left, and Go durations until all of it is back. */
export function rateHeaders(remainingRequests = 499, remainingTokens = 199_000): Record<string, string> {
  return {
    "x-ratelimit-limit-requests": "500",
    "x-ratelimit-limit-tokens": "200000",
    "x-ratelimit-remaining-requests": String(remainingRequests),
    "x-ratelimit-remaining-tokens": String(remainingTokens),
    "x-ratelimit-reset-requests": "120ms",
    "x-ratelimit-reset-tokens": "1m6.5s",
  };
}

function hintHeaders({ retryAfter, retryAfterMs }: RetryHint): Record<string, string> {
  return {
    ...(retryAfter === undefined ? {} : { "retry-after": retryAfter }),
    ...(retryAfterMs === undefined ? {} : { "retry-after-ms": retryAfterMs }),
  };
}

export function rateLimited(dialect: Dialect = "openai", hint: RetryHint = {}): Fault {
  const headers = hintHeaders(hint);
  switch (dialect) {
    case "azure": {
      const message =
        "Requests to the ChatCompletions_Create Operation have exceeded token rate limit of your current pricing tier. Please retry after 20 seconds.";
      return { fault: "status", status: 429, body: { error: { code: "429", message } }, headers };
    }
    case "openrouter": {
      const error = { message: "Provider returned error", code: 429, metadata: { raw: "busy", provider_name: "Fake" } };
      return { fault: "status", status: 429, body: { error, user_id: "user_1" }, headers };
    }
    case "together":
      return openaiError(
        429,
        "You have reached the rate limit specific to this model.",
        { type: "model_rate_limit" },
        headers,
      );
    default:
      return openaiError(
        429,
        "Rate limit reached for gpt-4.1-mini in organization org-fake on tokens per min (TPM): Limit 200000, Used 199000, Requested 2500. Please try again in 450ms.",
        { type: "tokens", code: "rate_limit_exceeded" },
        { ...rateHeaders(0, 0), ...headers },
      );
  }
}

/** No money left: asking again is in vain. */
export function outOfCredit(dialect: Dialect = "openai"): Fault {
  switch (dialect) {
    case "openrouter":
      return {
        fault: "status",
        status: 402,
        body: { error: { message: "Insufficient credits. Add more at your settings.", code: 402 } },
      };
    case "deepseek":
      return openaiError(402, "Insufficient Balance", { type: "unknown_error", code: "invalid_request_error" });
    default:
      return openaiError(429, "You exceeded your current quota, please check your plan and billing details.", {
        type: "insufficient_quota",
        code: "insufficient_quota",
      });
  }
}

/** Some gateways print the key that they do not like. */
export function wrongKey(dialect: Dialect, key: string): Fault {
  switch (dialect) {
    case "azure":
      return {
        fault: "status",
        status: 401,
        body: {
          error: { code: "401", message: "Access denied due to invalid subscription key or wrong API endpoint." },
        },
      };
    case "vllm":
    case "sglang":
      return { fault: "status", status: 401, body: { error: "Unauthorized" } };
    case "llamacpp":
      return {
        fault: "status",
        status: 401,
        body: { error: { code: 401, message: "Invalid API Key", type: "authentication_error" } },
      };
    case "openrouter":
      return {
        fault: "status",
        status: 401,
        body: { error: { message: `No auth credentials found for ${key}`, code: 401 } },
      };
    default:
      return openaiError(401, `Incorrect API key provided: ${key}. You can find your API key at your account.`, {
        code: "invalid_api_key",
      });
  }
}

export function unknownModel(dialect: Dialect, model: string): Fault {
  switch (dialect) {
    case "azure":
      return {
        fault: "status",
        status: 404,
        body: {
          error: { code: "DeploymentNotFound", message: "The API deployment for this resource does not exist." },
        },
      };
    case "vllm":
      return openaiError(404, `The model \`${model}\` does not exist.`, { type: "NotFoundError", code: 404 });
    case "ollama":
      return openaiError(404, `model '${model}' not found`, { type: "not_found_error" });
    default:
      return openaiError(404, `The model \`${model}\` does not exist or you do not have access to it.`, {
        code: "model_not_found",
      });
  }
}

export const serverError = (): Fault =>
  openaiError(500, "The server had an error while processing your request. Sorry about that!", {
    type: "server_error",
  });

export function overloaded(dialect: Dialect = "openai", hint: RetryHint = {}): Fault {
  if (dialect === "llamacpp") {
    return {
      fault: "status",
      status: 503,
      body: { error: { code: 503, message: "Loading model", type: "unavailable_error" } },
    };
  }
  return openaiError(
    503,
    "The engine is currently overloaded, please try again later",
    { type: "server_error" },
    hintHeaders(hint),
  );
}

/** Two ways in which OpenAI says that a model gives no probabilities. */
export const logprobsUnsupported = (): Fault =>
  openaiError(400, "Unsupported parameter: 'logprobs' is not supported with this model.", {
    param: "logprobs",
    code: "unsupported_parameter",
  });

export const logprobsForbidden = (): Fault =>
  openaiError(403, "You are not allowed to request logprobs from this model", { code: null });
