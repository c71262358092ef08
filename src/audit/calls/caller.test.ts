import { describe, expect, it } from "vitest";
import { bareGeneration } from "../../app/audit/generation.suite.js";
import { type Ask, type Auditor, CallError, type CallFault } from "../../auditors/auditor.js";
import type { Generation } from "../../core/records/case.js";
import { Budget, RunHalted } from "./budget.js";
import { Caller, type ResponseCache } from "./caller.js";
import { Patience } from "./patience.js";
import { Scheduler } from "./scheduler.js";

const GENERATION = bareGeneration();

const ASK: Ask = {
  case: null,
  prompt: null,
  temperature: 0,
  logprobs: true,
  wanted: [{ key: "d\u0000\u00000000000", seed: "s" }],
};

/** An auditor that fails as told before it answers. */
function failing(
  faults: (CallFault | CallError | undefined)[],
  cache: ResponseCache | null = null,
  abandon = new AbortController(),
  patience?: Patience,
) {
  let calls = 0;
  const auditor: Auditor = {
    name: "fake",
    version: "1",
    signals: ["logprobs"],
    inProcess: false,
    readsPrompt: null,
    answersPerCall: 8,
    maxConcurrency: null,
    requestText: (ask) => `request at ${ask.temperature}`,
    async ask(ask) {
      const fault = faults[calls++];
      if (fault) throw fault instanceof CallError ? fault : new CallError(fault, fault, undefined, 1);
      return { generations: ask.wanted.map(() => GENERATION) };
    },
  };
  const scheduler = new Scheduler({ max: 4, signal: abandon.signal });
  const budget = new Budget(null, 0, 0);
  const { signal } = abandon;
  const rest = { salt: "", signal, random: () => 0, ...(patience ? { patience } : {}) };
  const caller = new Caller({ auditor, scheduler, cache, budget, ...rest });
  return { caller, calls: () => calls };
}

describe("a call to a model", () => {
  it("is made again while it may succeed, and says how often", async () => {
    const { caller } = failing(["rate_limited", "server", "timeout", "bad_answer"]);
    expect((await caller.ask(ASK))[0]).toMatchObject({ attempts: 5, cached: false });
  });

  it("is given up after six failures", async () => {
    const six = failing(Array(50).fill("server"));
    await expect(six.caller.ask(ASK)).rejects.toMatchObject({ fault: "server", attempts: 6 });
  });

  it("is given up after twenty requests to slow down where other calls succeed, and not before", async () => {
    const { caller } = failing([...Array(21).fill("rate_limited"), undefined, ...Array(50).fill("rate_limited")]);
    expect((await caller.ask(ASK))[0]).toMatchObject({ attempts: 22 });
    const patience = new Patience({ name: "fake", limitMs: 60_000 });
    const busy = failing(Array(50).fill("rate_limited"), null, new AbortController(), patience);
    const other = setInterval(() => patience.succeeded(), 1);
    await expect(busy.caller.ask(ASK)).rejects.toMatchObject({ fault: "rate_limited", attempts: 20 });
    clearInterval(other);
  });

  it("ends the run when every call is refused for longer than that is borne, and counts down", async () => {
    const told: (number | undefined)[] = [];
    let now = 0;
    const clock = () => (now += 20_000);
    const patience = new Patience({ name: "fake", tell: (waiting) => told.push(waiting?.leftMs), clock });
    const { caller, calls } = failing(Array(500).fill("overloaded"), null, new AbortController(), patience);
    const error: RunHalted = await caller.ask(ASK).then(
      () => null,
      (thrown) => thrown,
    );
    expect(error).toBeInstanceOf(RunHalted);
    expect(error.reason).toMatchObject({
      message: "fake: every call was refused for 10 minutes; the last refusal: overloaded",
      remedy: expect.stringContaining("repeat it later to continue"),
    });
    expect(calls()).toBeGreaterThan(20);
    expect(told[0]).toBeGreaterThan(500_000);
  });

  it("makes an unscored answer of one that is too long to be read", async () => {
    const { caller, calls } = failing(["too_long"]);
    expect((await caller.ask(ASK))[0]).toMatchObject({ attempts: 1, generation: { finish: "too_long", text: "" } });
    expect(calls()).toBe(1);
  });

  it("is not made again when the request itself is refused", async () => {
    const { caller, calls } = failing(["bad_request"]);
    await expect(caller.ask(ASK)).rejects.toMatchObject({ fault: "bad_request" });
    expect(calls()).toBe(1);
  });

  it("ends the run when no call can succeed: key, quota, model, feature, or a wait of hours", async () => {
    const day = new CallError("rate_limited", "come back tomorrow", undefined, 86_400_000);
    for (const fault of ["auth", "quota", "not_found", "unsupported", day] as const) {
      const { caller, calls } = failing([fault]);
      await expect(caller.ask(ASK)).rejects.toBeInstanceOf(RunHalted);
      expect(calls()).toBe(1);
    }
  });

  it("takes a server that answers nobody for down", async () => {
    const { caller } = failing(Array(1000).fill("connection"));
    for (let i = 0; i < 11; i++) await expect(caller.ask(ASK)).rejects.toBeInstanceOf(CallError);
    await expect(caller.ask(ASK)).rejects.toMatchObject({
      name: "RunHalted",
      message: expect.stringMatching(/12 calls in a row got no answer/),
    });
  });

  it("is abandoned at once when asked, even in the middle of a wait", async () => {
    const abandon = new AbortController();
    const { caller } = failing([new CallError("server", "x", undefined, 60_000)], null, abandon);
    const call = caller.ask(ASK);
    setImmediate(() => abandon.abort());
    await expect(call).rejects.toMatchObject({ name: "RunHalted", reason: null });
  });

  it("is not made where the cache has the answer, which then costs nothing", async () => {
    const kept = new Map<string, Generation>();
    const cache = {
      get: async (key: string) => kept.get(key) ?? null,
      put: (key: string, generation: Generation) => void kept.set(key, generation),
    } as unknown as ResponseCache;
    const { caller, calls } = failing([], cache);
    await caller.ask(ASK);
    const again = await caller.ask(ASK);
    expect(again[0]).toMatchObject({ cached: true, generation: { usage: { cost_usd: 0, input_tokens: 0 } } });
    expect(calls()).toBe(1);
    await caller.ask({ ...ASK, wanted: [{ key: "d\u0000\u00000000001", seed: "s" }] });
    await caller.ask({ ...ASK, temperature: 1 });
    expect(calls()).toBe(3);
    expect(kept.size).toBe(3);
  });
});
