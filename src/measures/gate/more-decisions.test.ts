import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { logOneSidedEValue } from "../../stats/tests/mixture-e-value.js";
import { certifiedGate } from "./certified-gate.js";
import { evaluateGate } from "./evaluate-gate.js";
import { cohort, limits } from "./fleet.suite.js";
import type { GateOptions } from "./gate-evaluation.js";
import type { GateCohort } from "./gate-input.js";
import { MOST_MORE_DECISIONS, smallestN } from "./more-decisions.js";

const HOPELESS = "no number of decisions helps while the rates stay as observed";
const first = (fleet: readonly GateCohort[], options: GateOptions = {}) =>
  evaluateGate(fleet, { frontier: false, ...options }).communities[0]!;
/** Counts grown in proportion. */
const grown = (one: GateCohort, times: number): GateCohort => ({
  ...one,
  n: one.n * times,
  indefensible: one.indefensible * times,
  inverse_yes: one.inverse_yes * times,
  inverse_yes_pure: one.inverse_yes_pure * times,
});

describe("smallestN", () => {
  it("finds the turn wherever it is, and gives up beyond a million more", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1000 }), fc.integer({ min: 0, max: MOST_MORE_DECISIONS }), (from, more) => {
        expect(smallestN((n) => n >= from + more, from)).toBe(from + more);
      }),
    );
    expect(smallestN((n) => n > 10 + MOST_MORE_DECISIONS, 10)).toBeNull();
    expect(smallestN(() => false, 0)).toBeNull();
  });
});

describe("paper: more decisions", () => {
  const paper = (one: GateCohort) => first([one], { mode: "paper" });

  it("are those missing to the minimum while the rates are good, 0 when it passes", () => {
    expect(paper(cohort(10, 1)).paper).toEqual({ passes: false, more: 15, reason: null });
    expect(paper(cohort(30, 3)).paper).toEqual({ passes: true, more: 0, reason: null });
    expect(paper(cohort(0, 0)).paper.more).toBe(25);
  });

  it("are null while the rates are not", () => {
    expect(paper(cohort(30, 4)).paper).toEqual({ passes: false, more: null, reason: HOPELESS });
    expect(paper(cohort(10, 2)).more_decisions_needed).toBeNull();
  });
});

describe("certified: more decisions", () => {
  it("are those to the e-value that is asked for, alone and among 270", () => {
    const needed = (e: number) => {
      let n = 25;
      while (logOneSidedEValue(0, n, 0.1) < Math.log(e) + 1e-4) n += 1;
      return n - 25;
    };
    expect(first([cohort(25, 0)], { mode: "certified" }).more_decisions_needed).toBe(needed(20));
    const others = Array.from({ length: 269 }, (_, i) => cohort(40, 4, 0, 0, `o${i}`));
    expect(first([cohort(25, 0), ...others], { mode: "certified" }).more_decisions_needed).toBe(needed(20 * 270));
  });

  it("wait for threads that are open, and grow threads in proportion", () => {
    const group = { threads: 20, n: 2, indefensible: 0, inverse_yes: 0, inverse_yes_pure: 0 };
    const closed: GateCohort = { ...cohort(40, 0), threads: { groups: [group], open: 0, late: 0 } };
    const need = first([closed], { mode: "certified" }).certified.more!;
    // A thread of two counts two fifths: more decisions than if each were independent.
    expect(need).toBeGreaterThan(2 * first([cohort(40, 0)], { mode: "certified" }).certified.more!);
    const grown = (threads: number): GateCohort => ({
      ...cohort(2 * threads, 0),
      threads: { groups: [{ ...group, threads }], open: 0, late: 0 },
    });
    const passes = (n: number) => certifiedGate([grown(n)], limits())[0]!.passes;
    expect([passes(Math.ceil((40 + need) / 2)), passes(Math.floor((40 + need) / 2) - 1)]).toEqual([true, false]);
    const half: GateCohort = { ...cohort(400, 0), threads: { groups: [group], open: 360, late: 0 } };
    expect(first([half], { mode: "certified" }).certified).toMatchObject({
      passes: false,
      more: 0,
      reason: "enough decisions, of threads that are still open: wait until they are closed",
    });
  });

  it.each(["holm", "bh", "by"] as const)("are enough and not one too many with %s, at either look", (adjust) => {
    const others = [cohort(300, 3, 0, 0, "b"), cohort(200, 30, 0, 0, "c"), cohort(90, 1, 0, 0, "d")];
    for (const look of ["once", "anytime"] as const) {
      // A rate of 0 stays whole at every n.
      const one = cohort(26, 0);
      const { more } = first([one, ...others], { mode: "certified", adjust, look }).certified;
      expect(more).toBeGreaterThan(0);
      const passes = (n: number) => certifiedGate([{ ...one, n }, ...others], limits(), { adjust, look })[0]!.passes;
      expect(passes(26 + more!)).toBe(true);
      expect(passes(26 + more! - 1)).toBe(false);
    }
  });

  it("are more for a rate nearer the limit", () => {
    const need = (one: GateCohort) => first([one], { mode: "certified" }).certified.more!;
    expect(need(cohort(25, 2))).toBeGreaterThan(need(cohort(25, 1)));
  });

  it("are null at or above a limit, and for a rate a hair below it", () => {
    const at = first([cohort(30, 3)], { mode: "certified" });
    expect(at).toMatchObject({ passes: { paper: true, certified: false }, more_decisions_needed: null });
    expect(at.certified.reason).toBe(HOPELESS);
    const hair = first([cohort(1_000_000, 99_990)], { mode: "certified" }).certified;
    expect(hair).toMatchObject({ more: null, reason: "more than 1,000,000 decisions" });
  });

  it("have no number behind the failure of a sequence, nor where the true rate is not bounded", () => {
    const options: GateOptions = { mode: "certified", look: "once", adjust: "fixed_sequence" };
    const fleet = [cohort(40, 1, 0, 0, "small"), cohort(300, 29, 0, 0, "large")];
    expect(first(fleet, options).certified).toMatchObject({
      more: null,
      reason: "the sequence stops before it, at large",
    });
    expect(first([...fleet].reverse(), options).certified.more).toBeGreaterThan(0);
    const unbound = first([cohort(400, 4)], {
      mode: "certified",
      labelCounts: () => ({ labels: 40, indefensible: 4 }),
    });
    expect(unbound.certified.reason).toBe("the true rate has to be proven by labels, not by more decisions");
  });

  it("join the tests as one more below the minimum", () => {
    const one = cohort(10, 0);
    const { more } = first([one, cohort(60, 6, 0, 0, "b")], { mode: "certified", look: "once" }).certified;
    const passes = (n: number) =>
      certifiedGate([{ ...one, n }, cohort(60, 6, 0, 0, "b")], limits(), { look: "once" })[0]!.passes;
    expect(passes(10 + more!)).toBe(true);
    expect(passes(10 + more! - 1)).toBe(false);
  });
});

describe("shrunk: more decisions", () => {
  const others = [3, 5, 8, 12, 20, 40, 60].map((k, i) => cohort(200, k, 2 * k, 0, `o${i}`));

  it("lead to a pass when that many arrive at the same rates", () => {
    const one = cohort(30, 2, 2);
    const { more, passes } = first([one, ...others]).shrunk;
    expect(passes).toBe(false);
    expect(more).toBeGreaterThan(0);
    // The figure holds the prior; with the counts themselves grown the prior moves a little, so twice as many must do.
    const times = Math.ceil((2 * (30 + more!)) / 30);
    expect(first([grown(one, times), ...others]).shrunk.passes).toBe(true);
  });

  it("are 0 when it passes, null when the rates are beyond the limits, the minimum without a verdict", () => {
    expect(first([cohort(400, 4, 4), ...others]).shrunk).toMatchObject({ passes: true, more: 0, reason: null });
    expect(first([cohort(100, 30), ...others]).shrunk).toMatchObject({ more: null, reason: HOPELESS });
    expect(first([cohort(0, 0), ...others]).shrunk.more).toBe(25);
    expect(first([cohort(5, 0), ...others]).shrunk.more).toBeGreaterThanOrEqual(20);
  });
});
