import { describe, expect, it } from "vitest";
import { CallError, type CallFault, type Pace } from "../../auditors/auditor.js";
import { Scheduler } from "./scheduler.js";

const SILENT: Pace = {
  limitRequests: null,
  remainingRequests: null,
  resetRequestsMs: null,
  limitTokens: null,
  remainingTokens: null,
  resetTokensMs: null,
};

/** A scheduler whose calls end when the test says so. */
function driven(max: number) {
  const open: { answer: (pace?: Pace) => void; fail: (error: CallError) => void }[] = [];
  let now = 0;
  const abandon = new AbortController();
  const scheduler = new Scheduler({ max, clock: () => now, now: () => new Date(0), signal: abandon.signal });
  const results: Promise<unknown>[] = [];
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return {
    scheduler,
    abandon,
    open,
    results,
    settle,
    advance: (ms: number) => {
      now += ms;
    },
    start(count: number) {
      for (let i = 0; i < count; i++) {
        const call = scheduler.run(
          () =>
            new Promise<{ pace: Pace }>((resolve, reject) => {
              open.push({ answer: (pace = SILENT) => resolve({ pace }), fail: reject });
            }),
        );
        results.push(call.catch((cause: unknown) => cause));
      }
      return settle();
    },
    async answerAll(pace?: Pace) {
      for (const call of open.splice(0)) call.answer(pace);
      await settle();
    },
  };
}

const fault = (name: CallFault, retryAfterMs: number | null = null) =>
  new CallError(name, name, undefined, retryAfterMs);

describe("the scheduler", () => {
  it("starts slowly, doubles each round trip while all goes well, and stops at the maximum", async () => {
    const d = driven(20);
    await d.start(200);
    const widths: number[] = [];
    for (let i = 0; i < 5; i++) {
      widths.push(d.open.length);
      d.advance(100);
      await d.answerAll();
    }
    expect(widths).toEqual([4, 8, 16, 20, 20]);
  });

  it("is halved once by a burst of refusals, and grows by one a round trip afterwards", async () => {
    const d = driven(64);
    await d.start(1000);
    for (let i = 0; i < 3; i++) {
      d.advance(100);
      await d.answerAll();
    }
    expect(d.open.length).toBe(32);
    d.advance(100);
    for (const call of d.open.splice(0)) call.fail(fault("rate_limited"));
    await d.settle();
    expect(d.open.length).toBe(16);
    d.advance(100);
    await d.answerAll();
    expect(d.scheduler.width).toBe(16);
    d.advance(100);
    await d.answerAll();
    expect(d.scheduler.width).toBe(17);
  });

  it("does not slow down for failures that say nothing about load", async () => {
    const d = driven(8);
    await d.start(100);
    for (const name of ["timeout", "connection", "server", "bad_answer", "bad_request"] as const) {
      for (const call of d.open.splice(0)) call.fail(fault(name));
      await d.settle();
      expect(d.open.length).toBe(4);
    }
  });

  it("makes every call wait as long as the server asked", async () => {
    const d = driven(8);
    await d.start(20);
    d.open.splice(0, 1)[0]!.fail(fault("overloaded", 50));
    await d.settle();
    await d.answerAll();
    expect(d.open.length).toBe(0);
    d.advance(60);
    await new Promise((resolve) => setTimeout(resolve, 80));
    expect(d.open.length).toBeGreaterThan(0);
  });

  it("spaces calls out when the server has fewer left than are in flight", async () => {
    const d = driven(8);
    await d.start(20);
    await d.answerAll({ ...SILENT, limitRequests: 100, remainingRequests: 0, resetRequestsMs: 60_000 });
    expect(d.open.length).toBe(0);
    expect(d.scheduler.session().history.at(-1)).toMatchObject({ event: "hold", why: "the server's limits: 600 ms" });
    d.abandon.abort();
    await Promise.all(d.results);
  });

  it("lets go of everyone who waits when the run is abandoned", async () => {
    const d = driven(2);
    await d.start(10);
    d.abandon.abort();
    await d.answerAll();
    const ends = await Promise.all(d.results);
    expect(ends.filter((end) => end instanceof Error)).toHaveLength(8);
  });

  it("begins a call although its hold ends while the call looks at it", async () => {
    let looks = 0;
    const scheduler = new Scheduler({ max: 1, clock: () => (looks++ === 0 ? 0 : 10), now: () => new Date(0) });
    looks = 0;
    scheduler.hold(5, "a short one");
    // Held at the first look, over at the second, and nobody is in flight who would wake anybody.
    looks = 0;
    expect(await scheduler.run(() => ({ pace: SILENT }))).toEqual({ pace: SILENT });
  }, 5000);

  it("keeps a bounded diary", async () => {
    const d = driven(4);
    await d.start(2000);
    for (let i = 0; i < 400; i++) {
      d.advance(10);
      for (const call of d.open.splice(0)) call.fail(fault("rate_limited"));
      await d.settle();
    }
    const session = d.scheduler.session();
    expect(session.history.length).toBeLessThanOrEqual(200);
    expect(session.faults.rate_limited).toBeGreaterThan(400);
    expect(session.most_in_flight).toBe(4);
    d.abandon.abort();
  });
});
