import { describe, expect, it } from "vitest";
import { CallError, type CallFault } from "../auditor.js";
import { RawHeaders, RawResponse, rememberBody } from "../http/raw-response.js";
import { type CallContext, hideSecrets, NO_HEADERS, RefusedParameter, refusalError, toCallError } from "./errors.js";

const CONTEXT: CallContext = {
  model: "gpt-x",
  address: "http://localhost:1/v1",
  timeoutMs: 120_000,
  secrets: ["topsecret"],
  keyVariable: "OPENAI_API_KEY",
};

const refuse = (status: number, error: unknown) => refusalError(status, JSON.stringify({ error }), NO_HEADERS, CONTEXT);

describe("a server's refusal", () => {
  it.each<[CallFault, number, object | string]>([
    [
      "rate_limited",
      429,
      { message: "Rate limit reached on tokens per min (TPM). Please try again in 6ms.", code: "rate_limit_exceeded" },
    ],
    [
      "rate_limited",
      429,
      { message: "Add a payment method at https://platform.openai.com/account/billing to raise your limit." },
    ],
    [
      "rate_limited",
      429,
      { message: "exceeded token rate limit. Go to https://aka.ms/oai/quotaincrease", code: "429" },
    ],
    ["quota", 429, { message: "You exceeded your current quota, please check your plan.", code: "insufficient_quota" }],
    ["quota", 429, { message: "Rate limit reached on requests per day (RPD): Limit 200." }],
    ["quota", 402, { message: "Insufficient credits" }],
    ["quota", 400, { message: "Billing hard limit has been reached", code: "billing_hard_limit_reached" }],
    ["auth", 401, { message: "Incorrect API key provided" }],
    ["auth", 401, "Unauthorized"],
    ["auth", 403, { message: "Country not supported", code: "unsupported_country_region_territory" }],
    ["unsupported", 403, { message: "You are not allowed to request logprobs from this model" }],
    [
      "unsupported",
      400,
      { message: "Unsupported parameter: 'logprobs' is not supported with this model.", param: "logprobs" },
    ],
    ["unsupported", 400, { message: "Invalid value for 'n': must be between 1 and 1.", param: "n" }],
    ["unsupported", 400, { message: "response_format is not supported by this model" }],
    ["unsupported", 422, { message: "Input validation error: logprobs must be an integer between 0 and 20" }],
    ["not_found", 404, { message: "The model `x` does not exist", code: "model_not_found" }],
    ["not_found", 404, { message: "model 'x' not found" }],
    ["not_found", 400, { message: "Model x not found" }],
    ["not_found", 405, { message: "Method Not Allowed" }],
    [
      "bad_request",
      400,
      { message: "This model's maximum context length is 8192 tokens.", code: "context_length_exceeded" },
    ],
    [
      "bad_request",
      400,
      { message: "the request exceeds the available context size", type: "exceed_context_size_error" },
    ],
    ["bad_request", 413, { message: "Payload too large" }],
    ["bad_request", 400, { message: "triggering Azure OpenAI's content management policy", code: "content_filter" }],
    ["bad_request", 400, { message: "messages must not be empty" }],
    ["timeout", 408, { message: "Request timeout" }],
    ["server", 409, { message: "Conflict" }],
    ["server", 500, { message: "The server had an error" }],
    ["server", 502, { message: "Bad gateway" }],
    ["overloaded", 503, { message: "overloaded" }],
    ["overloaded", 529, { message: "overloaded" }],
  ])("is %s at status %d: %j", (fault, status, error) => {
    const made = refuse(status, error);
    expect([made.fault, made.status]).toEqual([fault, status]);
    expect(made.message).toContain(`HTTP ${status}`);
  });

  it("names the other signal modes where probabilities are refused", () => {
    const error = refuse(400, { message: "'logprobs' is not supported", param: "logprobs" });
    expect(error).toBeInstanceOf(RefusedParameter);
    expect(error.remedy).toContain("`signal` sampling");
    expect(error.remedy).toContain("`signal` none");
  });

  it("says what to do about a prompt that is too long", () => {
    const error = refuse(400, { message: "maximum context length is 4096 tokens" });
    expect(error.message).toContain("the prompt is too long");
    expect(error.remedy).toContain("`context`");
  });

  it.each([
    ['{"object":"error","message":"vLLM of old","type":"BadRequestError","code":400}', "vLLM of old"],
    ['{"detail":"FastAPI"}', "FastAPI"],
    ['{"detail":[{"loc":["body","n"],"msg":"bad"}]}', '"msg":"bad"'],
    ['{"error":"plain"}', "plain"],
    ['{"error":{"message":"Provider returned error","metadata":{"raw":"upstream words"}}}', "upstream words"],
    ["<html><head><style>x{}</style></head><body><h1>502 Bad Gateway</h1></body></html>", "502 Bad Gateway"],
    ["plain text", "plain text"],
  ])("finds the words in %s", (body, words) => {
    const { message } = refusalError(500, body, NO_HEADERS, CONTEXT);
    expect(message).toContain(words);
    expect(message).not.toContain("<");
  });

  it("is cut to 500 printable characters", () => {
    const { message } = refuse(500, { message: `\u001b[31m${"long ".repeat(500)}` });
    expect(message.length).toBeLessThan(600);
    expect(message).not.toContain("\u001b");
  });

  it("never repeats a key", () => {
    const { message } = refuse(401, {
      message: "No credentials in topsecret or sk-proj-abcDEF123_456, Bearer abc.def",
    });
    expect(message).not.toMatch(/topsecret|sk-proj|abc\.def/);
    expect(message).toContain("[key]");
  });

  it("carries how long to wait", () => {
    const headers = new RawHeaders({ "retry-after": "3" });
    expect(refusalError(429, "{}", headers, CONTEXT).retryAfterMs).toBe(3000);
    expect(refuse(429, { message: "slow down" }).retryAfterMs).toBeNull();
  });
});

describe("hideSecrets", () => {
  it("hides keys whole, masked or cut", () => {
    for (const key of [
      "sk-abc123def",
      "sk-proj-AbC_-9xyz",
      "sk-or-v1-0123456789abcdef",
      "sk-ab**************xyz9",
      "gsk_abcdef12345",
    ]) {
      expect(hideSecrets(`key ${key} is wrong`, [])).toBe("key [key] is wrong");
    }
    expect(hideSecrets("a task-force and a disk-image", [])).toBe("a task-force and a disk-image");
  });
});

describe("toCallError", () => {
  const failed = (code: string, wrap = true) => {
    const cause = Object.assign(new Error(`connect ${code} 127.0.0.1:1`), { code });
    return wrap ? new Error("Connection error.", { cause }) : cause;
  };

  it("asks whether the server runs where it refuses the connection", () => {
    for (const error of [
      failed("ECONNREFUSED"),
      failed("ECONNREFUSED", false),
      new Error("x", { cause: new AggregateError([failed("ECONNREFUSED", false)]) }),
    ]) {
      const made = toCallError(error, CONTEXT) as CallError;
      expect(made.fault).toBe("connection");
      expect(made.message).toBe("http://localhost:1/v1: refused the connection; is the server running?");
    }
  });

  it.each<[CallFault, string, string]>([
    ["timeout", "UND_ERR_CONNECT_TIMEOUT", "no answer in time"],
    ["timeout", "UND_ERR_BODY_TIMEOUT", "no answer in time"],
    ["connection", "ENOTFOUND", "no such host"],
    ["connection", "ECONNRESET", "the connection failed (ECONNRESET)"],
    ["connection", "UND_ERR_SOCKET", "the connection failed"],
    ["connection", "DEPTH_ZERO_SELF_SIGNED_CERT", "certificate is not trusted"],
    ["connection", "ERR_SSL_WRONG_VERSION_NUMBER", "does not speak this protocol"],
    ["too_long", "BODY_TOO_LARGE", "BODY_TOO_LARGE"],
    ["bad_answer", "Z_DATA_ERROR", "badly compressed"],
  ])("makes %s of %s", (fault, code, words) => {
    const made = toCallError(failed(code), CONTEXT) as CallError;
    expect(made.fault).toBe(fault);
    expect(made.message).toContain(words);
  });

  it("knows that we ended the call ourselves, whatever was thrown", () => {
    const controller = new AbortController();
    controller.abort();
    expect(toCallError(failed("ECONNRESET"), { ...CONTEXT, signal: controller.signal })).toMatchObject({
      fault: "aborted",
    });
  });

  it("finds the whole body of a refusal by the headers that the SDK keeps", () => {
    const response = new RawResponse("http://x", 400, new RawHeaders({}), Buffer.from('{"detail":"only here"}'));
    rememberBody(response);
    const thrown = Object.assign(new Error("400 status code (no body)"), { status: 400, headers: response.headers });
    expect(toCallError(thrown, CONTEXT).message).toContain("only here");
  });

  it("lets our own errors pass", () => {
    const own = new CallError("bad_answer", "x");
    expect(toCallError(own, CONTEXT)).toBe(own);
  });
});
