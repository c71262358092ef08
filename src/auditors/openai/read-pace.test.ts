import { describe, expect, it } from "vitest";
import { RawHeaders } from "../http/raw-response.js";
import { durationMs, readPace, readRetryAfter } from "./errors.js";

describe("durationMs", () => {
  it.each([
    ["6m0s", 360_000],
    ["12ms", 12],
    ["1s", 1000],
    ["1.5s", 1500],
    ["1h2m3s", 3_723_000],
    ["1m6.5s", 66_500],
    ["20", 20_000],
    ["0.25", 250],
    ["0s", 0],
  ])("reads %s as %d ms", (text, milliseconds) => {
    expect(durationMs(text)).toBeCloseTo(milliseconds, 9);
  });

  it.each(["", "-1", "-1s", "s", "1x", "soon", "1s-", "Infinity", "NaN"])("finds no duration in %j", (text) => {
    expect(durationMs(text)).toBeNull();
  });
});

describe("readPace", () => {
  const headers = (fields: Record<string, string>) => new RawHeaders(fields);

  it("reads what OpenAI says about its limits", () => {
    const pace = readPace(
      headers({
        "x-ratelimit-limit-requests": "500",
        "x-ratelimit-remaining-requests": "499",
        "x-ratelimit-reset-requests": "120ms",
        "x-ratelimit-limit-tokens": "200000",
        "x-ratelimit-remaining-tokens": "0",
        "x-ratelimit-reset-tokens": "1m6.5s",
      }),
    );
    expect(pace).toEqual({
      limitRequests: 500,
      remainingRequests: 499,
      resetRequestsMs: 120,
      limitTokens: 200_000,
      remainingTokens: 0,
      resetTokensMs: 66_500,
    });
  });

  it("takes nonsense for silence", () => {
    expect(readPace(headers({}))).toBeNull();
    expect(
      readPace(headers({ "x-ratelimit-remaining-requests": "-1", "x-ratelimit-limit-tokens": "many" })),
    ).toBeNull();
    expect(readPace(headers({ "x-ratelimit-limit-requests": "0", "x-ratelimit-remaining-requests": "0" }))).toBeNull();
  });
});

describe("readRetryAfter", () => {
  const now = Date.parse("2026-11-15T10:00:00Z");
  const waitFor = (fields: Record<string, string>, message = "") =>
    readRetryAfter(new RawHeaders(fields), message, now);

  it("prefers milliseconds, then seconds or a date, then the words of the message", () => {
    expect(waitFor({ "retry-after-ms": "350", "retry-after": "7" }, "try again in 9s")).toBe(350);
    expect(waitFor({ "retry-after": "7" }, "try again in 9s")).toBe(7000);
    expect(waitFor({ "retry-after": "Sun, 15 Nov 2026 10:00:30 GMT" })).toBe(30_000);
    expect(waitFor({}, "Please try again in 1m12s. Visit …")).toBe(72_000);
    expect(waitFor({}, "Please try again in 450ms.")).toBe(450);
    expect(waitFor({}, "Please retry after 20 seconds.")).toBe(20_000);
  });

  it("says nothing where nothing was said, and never less than no time", () => {
    expect(waitFor({})).toBeNull();
    expect(waitFor({ "retry-after": "soon", "retry-after-ms": "x" }, "try again later")).toBeNull();
    expect(waitFor({ "retry-after": "-5", "retry-after-ms": "-5" })).toBeNull();
    expect(waitFor({ "retry-after": "Sun, 15 Nov 2026 09:00:00 GMT" })).toBe(0);
  });
});
