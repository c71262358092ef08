import { describe, expect, it } from "vitest";
import { GATE_MODES } from "../../core/names.js";
import { boundedUpperBound } from "../../stats/tests/bounded-e-value.js";
import { evaluateGate } from "./evaluate-gate.js";
import { limits } from "./fleet.suite.js";
import type { GateCohort } from "./gate-input.js";
import { greatestHarm, harmInterval, harmUnits, meetsHarm } from "./harm.js";
import { fitShrinkage } from "./limits.js";

const HARM = { limit: 0.2, max: 10 };

function cohort(key: string, n: number, harm: GateCohort["harm"], bad = 0): GateCohort {
  return { key, n, indefensible: bad, inverse_yes: 0, inverse_yes_pure: 0, unscored: 0, ...(harm ? { harm } : {}) };
}

/** 20 like communities, so that the cautious gate has a fleet to draw towards. */
const FLEET = Array.from({ length: 20 }, (_, i) => cohort(`calm ${i}`, 400, [{ value: 0.1, count: 4 }], 4));
const HARMFUL = cohort("worst", 400, [{ value: 1, count: 16 }], 16);

describe("the greatest harm", () => {
  it("takes weights by their own names only, and is a finite number above 0", () => {
    expect(greatestHarm(["constructor", "allow"], { constructor: 3 } as never, [])).toBe(3);
    expect(greatestHarm(["constructor", "allow"], {}, [])).toBe(1);
    const rule = { scope: "platform" as const, community: null, rule_id: "P1", harm: 2 };
    expect(() => greatestHarm(["ban"], { ban: 1e308 }, [rule])).toThrow(RangeError);
    expect(() => greatestHarm(["ban"], { ban: 0 }, [rule])).toThrow(RangeError);
  });
});

describe("a limit of expected harm", () => {
  it("keeps out, in every mode, a community whose few errors do much harm, and that passes without the limit", () => {
    const all = [...FLEET, HARMFUL];
    const without = evaluateGate(all, { limits: limits(), mode: "certified" }).communities.at(-1)!;
    const withLimit = evaluateGate(all, { limits: limits({ harm_limit: HARM }), mode: "certified" }).communities.at(
      -1,
    )!;
    expect(without.passes).toEqual({ paper: true, shrunk: true, certified: true });
    expect(withLimit.passes).toEqual({ paper: false, shrunk: false, certified: false });
    expect(withLimit.harm).toMatchObject({
      mean: 0.4,
      limit: 0.2,
      passes: { paper: false, shrunk: false, certified: false },
    });
    expect(withLimit.state).toBe("earned_autonomy");
    expect(withLimit.advice.text).toContain("more harm than the limit");
  });

  it("that nothing can exceed changes no mode's verdict", () => {
    const all = [...FLEET, HARMFUL];
    const loose = evaluateGate(all, { limits: limits({ harm_limit: { limit: 10, max: 10 } }) });
    const none = evaluateGate(all, { limits: limits() });
    expect(loose.communities.map(({ passes }) => passes)).toEqual(none.communities.map(({ passes }) => passes));
  });

  it("leaves everything as it was where it is not given", () => {
    const counted = evaluateGate([...FLEET, HARMFUL], { limits: limits() });
    const plain = evaluateGate(
      [...FLEET, HARMFUL].map(({ harm: _, ...rest }) => rest),
      { limits: limits() },
    );
    expect(counted).toEqual(plain);
    expect(JSON.stringify(plain)).not.toContain("harm");
  });

  it("with weight 1 for everything says the same as the limit of the rate", () => {
    const bad = cohort("c", 300, [{ value: 1, count: 12 }], 12);
    const [one] = evaluateGate([bad], {
      limits: limits({ harm_limit: { limit: 0.1, max: 1 } }),
      mode: "certified",
    }).communities;
    expect(one!.harm!.ln_e).toBeCloseTo(one!.certified.ln_e_indefensible!, 12);
    expect(one!.harm!.mean).toBeCloseTo(1 - one!.di!, 12);
  });

  it("fails closed where harm was not counted", () => {
    const unknown = cohort("c", 400, undefined);
    expect(meetsHarm(unknown, limits({ harm_limit: HARM }))).toBe(false);
    const [one] = evaluateGate([unknown], { limits: limits({ harm_limit: HARM }) }).communities;
    for (const mode of GATE_MODES) expect(one!.passes[mode]).toBe(false);
  });

  it("says how many decisions are missing, and none helps above the limit", () => {
    const few = cohort("few", 30, []);
    const [one] = evaluateGate([few], { limits: limits({ harm_limit: HARM }), mode: "certified" }).communities;
    const needed = one!.more_decisions_needed!;
    expect(needed).toBeGreaterThan(100);
    const enough = cohort("few", 30 + needed, []);
    const proven = evaluateGate([enough], { limits: limits({ harm_limit: HARM }), mode: "certified" }).communities[0]!;
    expect(proven.passes.certified).toBe(true);
    const [above] = evaluateGate([HARMFUL], { limits: limits({ harm_limit: HARM }), mode: "certified" }).communities;
    expect(above!.more_decisions_needed).toBeNull();
  });

  it("refuses an invalid limit", () => {
    expect(() => evaluateGate([], { limits: limits({ harm_limit: { limit: 0, max: 1 } }) })).toThrow(
      "harm: not a limit",
    );
  });
});

describe("the interval of expected harm", () => {
  it("is that of a bounded mean, in the units of the weights", () => {
    const one = cohort("c", 200, [{ value: 0.5, count: 2 }], 2);
    const interval = harmInterval(one, HARM, 5)!;
    expect(interval.upper).toBeCloseTo(10 * boundedUpperBound(harmUnits(one, 5), 0.025), 12);
    expect(interval.lower).toBeGreaterThanOrEqual(0);
    expect(interval.lower).toBeLessThan(0.05);
    expect(interval.upper).toBeGreaterThan(0.05);
  });

  it("is absent without closed threads", () => {
    const open = { ...cohort("c", 3, []), threads: { groups: [], open: 3, late: 0 } };
    expect(harmInterval(open, HARM, 5)).toBeNull();
  });
});

describe("what the limit of harm alone lacks", () => {
  const harm_limit = { limit: 0.2, max: 20 };
  const OTHERS = [cohort("bad", 30, [{ value: 0.2, count: 3 }], 3), cohort("worse", 30, [{ value: 0.5, count: 3 }], 3)];
  const small = (n: number) => [...OTHERS, cohort("small", n, [])];
  const fit = fitShrinkage(small(30), "ai");

  it.each(["shrunk", "certified"] as const)(
    "is a number of like verdicts that keeps it, the smallest if it is to be proven: %s",
    (mode) => {
      const evaluate = (n: number) =>
        evaluateGate(small(n), { limits: limits({ harm_limit }), mode, fit }).communities.at(-1)!;
      const { harm, advice } = evaluate(30);
      const more = harm!.more as number;
      expect(more).toBeGreaterThan(0);
      expect([0, more].map((k) => evaluate(30 + k).harm!.passes[mode])).toEqual([false, true]);
      // The cautious gate's posterior is a mixture, which `moreForShrunk` replaces by one Beta.
      if (mode === "certified") expect(evaluate(30 + more - 1).harm!.passes[mode]).toBe(false);
      expect(evaluate(30 + more).harm!.more).toBe(0);
      expect(advice.text).toContain(`The limit of harm alone asks for ${more.toLocaleString("en-US")} more verdicts`);
    },
  );

  it("is nothing that more verdicts give where the observed harm is above the limit, whatever else is wrong", () => {
    const worst = cohort("worst", 100, [{ value: 1, count: 30 }], 30);
    const { harm, advice } = evaluateGate([...FLEET, worst], { limits: limits({ harm_limit }) }).communities.at(-1)!;
    expect(harm!.more).toBeNull();
    expect(advice.action).toBe("write_rule");
    expect(advice.text).toContain("The observed harm is above its limit");
  });
});
