import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CallError } from "../auditor.js";
import { type ErrorContext, errorOfStatus, httpStatus, readErrorBody, safeWords, toCallError } from "./errors.js";
import { KEY } from "./gemini.suite.js";

const CONTEXT: ErrorContext = { name: "gemini:m", kind: "gemini", model: "m", secrets: ["s3cret-value"] };

/** As the SDK throws it: the body's JSON is the message. */
function apiError(status: number, error: object): Error & { status: number } {
  return Object.assign(new Error(JSON.stringify({ error: { code: status, ...error } })), { name: "ApiError", status });
}

function violation(quotaId: string, more: object = {}): object {
  return { "@type": "type.googleapis.com/google.rpc.QuotaFailure", violations: [{ quotaId, ...more }] };
}

function retryInfo(retryDelay: unknown): object {
  return { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay };
}

const OVER = "You exceeded your current quota, please check your plan and billing details.";

describe("toCallError", () => {
  it("obeys the wait that a limit a minute asks for", () => {
    const details = [violation("GenerateRequestsPerMinutePerProjectPerModel-FreeTier"), retryInfo("34s")];
    const error = toCallError(apiError(429, { message: OVER, details }), CONTEXT);
    expect(error).toMatchObject({
      fault: "rate_limited",
      retryAfterMs: 34_000,
      status: 429,
      slower: true,
      final: false,
    });
    expect(toCallError(apiError(429, { message: OVER, details: [retryInfo("1.5s")] }), CONTEXT).retryAfterMs).toBe(
      1_500,
    );
    expect(toCallError(apiError(429, { message: `${OVER} Please retry in 12.25s.` }), CONTEXT).retryAfterMs).toBe(
      12_250,
    );
  });

  it("takes a limit a day, or a limit of nothing, for the end of the run, whatever wait it comes with", () => {
    const daily = [violation("GenerateRequestsPerDayPerProjectPerModel-FreeTier"), retryInfo("3s")];
    const none = [violation("GenerateContentInputTokensPerModelPerMinute-FreeTier", { quotaValue: "0" })];
    for (const details of [daily, none]) {
      expect(toCallError(apiError(429, { message: OVER, details }), CONTEXT)).toMatchObject({
        fault: "quota",
        final: true,
      });
    }
    expect(toCallError(apiError(429, { message: `${OVER} limit: 0` }), CONTEXT).fault).toBe("quota");
    expect(toCallError(apiError(429, { message: `${OVER} limit: 20, model: m` }), CONTEXT).fault).toBe("rate_limited");
  });

  it("takes a 429 without details for an ordinary later", () => {
    for (const message of ["Resource exhausted. Please try again later.", OVER, ""]) {
      expect(toCallError(apiError(429, { message }), CONTEXT)).toMatchObject({
        fault: "rate_limited",
        retryAfterMs: null,
      });
    }
  });

  it("finds the details through JSON in JSON, arrays and words before it", () => {
    const inner = JSON.stringify([{ error: { code: 429, message: OVER, details: [retryInfo("7s")] } }], null, 2);
    const nested = Object.assign(new Error(JSON.stringify({ error: { message: inner, code: 429 } })), { status: 429 });
    const worded = Object.assign(new Error(`got status: 429 Too Many Requests. ${nested.message}`), { status: 429 });
    for (const error of [nested, worded]) {
      expect(toCallError(error, CONTEXT)).toMatchObject({ fault: "rate_limited", retryAfterMs: 7_000 });
      expect(toCallError(error, CONTEXT).message).toContain(`got HTTP 429: ${OVER}`);
    }
  });

  it("ignores a wait that is none", () => {
    for (const delay of ["soon", "-3s", 5, null, { seconds: 3 }, "1e9s"]) {
      expect(
        toCallError(apiError(429, { message: OVER, details: [retryInfo(delay)] }), CONTEXT).retryAfterMs,
      ).toBeNull();
    }
  });

  it("tells a model without probabilities plainly, with what to use instead", () => {
    const developer = apiError(400, { message: "Logprobs is not enabled for models/gemini-2.5-flash" });
    const error = toCallError(developer, CONTEXT);
    expect(error).toMatchObject({ fault: "unsupported", final: true });
    for (const way of [
      "vertex:gemini-2.5-flash",
      "openai-compatible:",
      "gguf:",
      "`signal` sampling",
      "`signal` none",
    ]) {
      expect(error.remedy).toContain(way);
    }
    const vertex = apiError(400, { message: "Logprobs is not supported for this model" });
    expect(toCallError(vertex, { ...CONTEXT, kind: "vertex" }).remedy).toContain(
      "On Vertex AI only models up to Gemini 2.5",
    );
  });

  it("sorts refusals by what there is to do about them", () => {
    const cases: [number, object, string][] = [
      [400, { message: "Multiple candidates is not enabled for this model" }, "unsupported"],
      [400, { message: "Budget 0 is invalid. This model only works in thinking mode." }, "unsupported"],
      [400, { message: "JSON mode is not enabled for models/gemma-3" }, "unsupported"],
      [400, { message: "API key not valid. Please pass a valid API key." }, "auth"],
      [400, { message: "API key expired.", details: [{ reason: "API_KEY_INVALID" }] }, "auth"],
      [400, { message: "User location is not supported for the API use." }, "auth"],
      [401, { message: "Request had invalid authentication credentials." }, "auth"],
      [403, { message: "Permission denied on resource project p." }, "auth"],
      [404, { message: "models/gemini-2.0-flash is not found for API version v1beta" }, "not_found"],
      [400, { message: "The input token count (1200000) exceeds the maximum number of tokens allowed" }, "bad_request"],
      [400, { message: "Request contains an invalid argument." }, "bad_request"],
      [413, { message: "Request payload size exceeds the limit" }, "bad_request"],
      [408, { message: "timeout" }, "timeout"],
      [500, { message: "An internal error has occurred." }, "server"],
      [502, { message: "Bad Gateway" }, "server"],
      [503, { message: "The model is overloaded." }, "overloaded"],
      [504, { message: "Deadline expired before operation could complete." }, "timeout"],
    ];
    for (const [status, error, fault] of cases) {
      expect(toCallError(apiError(status, error), CONTEXT)).toMatchObject({ fault, status });
    }
    expect(toCallError(apiError(404, { message: "x" }), CONTEXT).remedy).toContain("Google retires models");
    expect(toCallError(apiError(401, { message: "x" }), CONTEXT).remedy).toContain("GEMINI_API_KEY");
  });

  it("sorts failures on the way to the server", () => {
    const failed = (code: string) =>
      Object.assign(new TypeError("fetch failed"), { cause: Object.assign(new Error(`connect ${code}`), { code }) });
    for (const code of ["ECONNREFUSED", "ENOTFOUND", "ECONNRESET", "UND_ERR_SOCKET", "CERT_HAS_EXPIRED"]) {
      expect(toCallError(failed(code), CONTEXT)).toMatchObject({ fault: "connection", again: true });
      expect(toCallError(failed(code), CONTEXT).message).toContain(code);
    }
    for (const code of ["ETIMEDOUT", "UND_ERR_CONNECT_TIMEOUT"]) {
      expect(toCallError(failed(code), CONTEXT).fault).toBe("timeout");
    }
    expect(toCallError(new TypeError("terminated"), CONTEXT).fault).toBe("connection");
    expect(toCallError(new SyntaxError("Unexpected token <"), CONTEXT).fault).toBe("bad_answer");
    expect(toCallError(new TypeError("Cannot set properties of null"), CONTEXT).fault).toBe("bad_answer");
    expect(toCallError(new Error("Could not load the default credentials."), CONTEXT).fault).toBe("auth");
    const expired = Object.assign(new Error("invalid_grant"), { status: 400, code: "400" });
    expect(toCallError(expired, CONTEXT).fault).toBe("auth");
    expect(toCallError(new DOMException("aborted", "AbortError"), CONTEXT, "aborted").fault).toBe("aborted");
    expect(toCallError(new DOMException("aborted", "AbortError"), CONTEXT, "timeout").fault).toBe("timeout");
    for (const thrown of [null, undefined, "oops", 3]) expect(toCallError(thrown, CONTEXT).fault).toBe("server");
  });

  it("passes its own kind through", () => {
    const error = new CallError("quota", "x");
    expect(toCallError(error, CONTEXT)).toBe(error);
  });

  it("shows no key, on one printable line of at most 500 characters", () => {
    const words = `bad\u0000 key ${KEY}\n\u202e https://x/?a=1&key=abcdef123 Bearer ya29.abc s3cret-value \u{1f600} ${"x".repeat(900)}`;
    const error = toCallError(apiError(400, { message: words }), CONTEXT);
    for (const secret of [KEY, "abcdef123", "ya29.abc", "s3cret-value"]) expect(error.message).not.toContain(secret);
    expect(error.message).not.toMatch(/[\p{Cc}\p{Cf}]/u);
    expect(error.message.length).toBeLessThanOrEqual(600);
    expect(error.message.endsWith("…")).toBe(true);
  });

  it("never fails itself, and never shows a secret", () => {
    const secret = "zQ9zQ9zQ9";
    fc.assert(
      fc.property(fc.anything(), fc.string(), fc.integer({ min: 300, max: 599 }), (details, words, status) => {
        const error = apiError(status, { message: `${words}${secret}${words}`, details });
        const told = toCallError(error, { ...CONTEXT, secrets: [secret] });
        expect(told).toBeInstanceOf(CallError);
        expect(told.message + told.remedy).not.toContain(secret);
      }),
    );
  });
});

describe("readErrorBody", () => {
  it("ends in words that only look like JSON", () => {
    expect(readErrorBody("a { b [ c").words).toBe("a { b [ c");
    expect(readErrorBody("<html>Bad Gateway</html>").words).toBe("<html>Bad Gateway</html>");
    expect(readErrorBody('{"error":"quota"}').words).toBe("quota");
    let deep = "the end";
    for (let level = 0; level < 10; level++) deep = JSON.stringify({ error: { message: deep } });
    expect(readErrorBody(deep).words).toContain("the end");
  });
});

describe("safeWords", () => {
  it("does not cut a character in two", () => {
    expect(safeWords("\u{1f600}".repeat(400), []).isWellFormed()).toBe(true);
  });
});

describe("errorOfStatus", () => {
  it("reads the codes that items of a batch carry", () => {
    const faults = [3, 4, 5, 7, 8, 13, 14, 16].map(
      (code) => errorOfStatus(httpStatus(code), { words: "x", details: [] }, CONTEXT).fault,
    );
    expect(faults).toEqual([
      "bad_request",
      "timeout",
      "not_found",
      "auth",
      "rate_limited",
      "server",
      "overloaded",
      "auth",
    ]);
    expect(httpStatus(429)).toBe(429);
  });
});
