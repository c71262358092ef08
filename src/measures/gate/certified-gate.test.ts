import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { reference } from "../../../test/references/gate.js";
import { InputError } from "../../core/errors.js";
import { createRng } from "../../stats/random/create-rng.js";
import { boundedUpperBound, logBoundedEValue } from "../../stats/tests/bounded-e-value.js";
import { logOneSidedEValue } from "../../stats/tests/mixture-e-value.js";
import { adjustPValues, certifiedMethod, GATE_ADJUSTMENTS, levelToReach, rankPValues } from "./adjustment.js";
import { type CertifiedOptions, certifiedGate, type LabelCounts } from "./certified-gate.js";
import { anyFleet, cohort, drawFleet, limits, trulyGood } from "./fleet.suite.js";
import type { GateCohort, ThreadGroup } from "./gate-input.js";
import { passGate } from "./pass-gate.js";
import { falseCertificates } from "./repeated-looks.suite.js";

/** Decisions without failure whose e-value against 10% first reaches 20. */
const LEAST = (() => {
  let n = 25;
  while (logOneSidedEValue(0, n, 0.1) < Math.log(20)) n += 1;
  return n;
})();

const once: CertifiedOptions = { look: "once" };
const passing = (fleet: Parameters<typeof certifiedGate>[0], options: CertifiedOptions = once) =>
  certifiedGate(fleet, limits(), options).map((verdict) => verdict.passes);

describe("certifiedGate", () => {
  it.each(reference.e_values.filter(({ k, n }) => Number.isInteger(k) && k < n * 0.1))(
    "takes the e-value of the definition, $k of $n against $r",
    ({ k, n, r, log }) => {
      const di = certifiedGate([cohort(n, k)], limits({ di: 1 - r, min_decisions: 1 }), once)[0]!;
      expect(di.ln_e_indefensible).toBeCloseTo(log, 4);
      expect(di.p_indefensible).toBeCloseTo(Math.min(1, Math.exp(-log)), 4);
      const ai = certifiedGate([cohort(n, 0, k)], limits({ ai: r, min_decisions: 1 }), once)[0]!;
      expect(ai.ln_e_ambiguity).toBeCloseTo(log, 4);
      expect(ai.p).toBe(Math.max(ai.p_indefensible, ai.p_ambiguity));
    },
  );

  it("gives the same e-values and passes for one look and for many", () => {
    fc.assert(
      fc.property(anyFleet, (fleet) => {
        const at = (look: "once" | "anytime") => certifiedGate(fleet, limits(), { look });
        expect(at("once")).toEqual(at("anytime"));
      }),
      { numRuns: 20 },
    );
  });

  it("asks for the e-value 20 alone, and for 20 times 270 as the first of 270 communities", () => {
    const needed = (k: number, e: number) => {
      let n = 25;
      while (logOneSidedEValue(k, n, 0.1) < Math.log(e) + 1e-4) n += 1;
      return n;
    };
    const others = Array.from({ length: 269 }, (_, i) => cohort(40, 4, 0, 0, `o${i}`));
    for (const k of [0, 1, 2, 3]) {
      const [alone, first] = [needed(k, 20), needed(k, 20 * 270)];
      expect(passing([cohort(alone, k)])).toEqual([true]);
      expect(passing([cohort(alone - 1, k)])).toEqual([false]);
      expect(passing([cohort(first, k), ...others])[0]).toBe(true);
      expect(passing([cohort(first - 1, k), ...others])[0]).toBe(false);
    }
    expect(passing([cohort(25, 0)])).toEqual([false]);
  });

  it("stops a fixed sequence, ordered by size, at the first failure", () => {
    const fleet = [cohort(80, 0, 0, 0, "small"), cohort(300, 40, 0, 0, "fails"), cohort(500, 10, 0, 0, "large")];
    expect(passing(fleet, { look: "once", adjust: "fixed_sequence" })).toEqual([false, false, true]);
    const better = [fleet[0]!, cohort(300, 10, 0, 0, "passes"), fleet[2]!];
    expect(passing(better, { look: "once", adjust: "fixed_sequence" })).toEqual([true, true, true]);
  });

  it("counts only communities with enough decisions among the tests", () => {
    const few = Array.from({ length: 500 }, (_, i) => cohort(24, 0, 0, 0, `f${i}`));
    const verdicts = certifiedGate([cohort(80, 0), ...few], limits(), once);
    expect(verdicts[0]).toMatchObject({ passes: true, adjusted_p: verdicts[0]!.p });
    expect(verdicts[1]).toMatchObject({ passes: false, adjusted_p: null });
  });
});

describe("certifiedGate, fleets", () => {
  it("needs less with e-BH than with Holm, and BY is e-BH", () => {
    fc.assert(
      fc.property(anyFleet, (fleet) => {
        const at = (adjust: "holm" | "bh" | "by") => passing(fleet, { adjust });
        const bh = at("bh");
        at("holm").forEach((pass, i) => {
          if (pass) expect(bh[i]).toBe(true);
          if (fleet[i]!.n < 25) expect(pass).toBe(false);
        });
        expect(at("by")).toEqual(bh);
      }),
      { numRuns: 40 },
    );
  });

  it("does not depend on the order of communities", () => {
    fc.assert(
      fc.property(anyFleet, fc.constantFrom(...GATE_ADJUSTMENTS), (fleet, adjust) => {
        const turned = passing([...fleet].reverse(), { look: "once", adjust }).reverse();
        expect(turned).toEqual(passing(fleet, { look: "once", adjust }));
      }),
      { numRuns: 40 },
    );
  });

  it("counts a thread as one unit, with at most the cap of its decisions", () => {
    const threads = (groups: ThreadGroup[]): GateCohort => {
      const sum = (count: (group: ThreadGroup) => number) =>
        groups.reduce((all, one) => all + one.threads * count(one), 0);
      const counts = { n: sum((one) => one.n), indefensible: sum((one) => one.indefensible) };
      return { ...cohort(counts.n, counts.indefensible), threads: { groups, open: 0, late: 0 } };
    };
    const group = (count: number, n: number, indefensible: number): ThreadGroup => ({
      threads: count,
      n,
      indefensible,
      inverse_yes: 0,
      inverse_yes_pure: 0,
    });
    const at = (one: GateCohort, threadCap = 5) => certifiedGate([one], limits(), { threadCap })[0]!;
    // Waves of 40 good posts are 10 units, not 400 decisions.
    expect(at(threads([group(10, 40, 0)])).passes).toBe(false);
    expect(certifiedGate([cohort(400, 0)], limits())[0]!.passes).toBe(true);
    // Single decisions in a community with threads count a fifth each; with a cap of 1 they count wholly.
    expect(at(threads([group(79, 1, 0), group(1, 40, 0)])).passes).toBe(false);
    expect(at(threads([group(79, 1, 0), group(1, 40, 0)]), 1).passes).toBe(true);
    // One bad wave weighs as five bad decisions.
    const wave = at(threads([group(400, 2, 0), group(1, 40, 40)]));
    expect(wave.ln_e_indefensible).toBeCloseTo(
      logBoundedEValue(
        [
          { weight: 0.4, value: 0, count: 400 },
          { weight: 1, value: 1 },
        ],
        0.1,
      ),
      12,
    );
    // A pass also needs the observed rates: a cap must not hide large bad threads.
    const hidden = threads([group(400, 5, 0), group(8, 40, 38)]);
    expect(at(hidden, 1)).toMatchObject({ passes: false });
    expect(at(hidden, 1).adjusted_p).toBeLessThan(0.05);
    expect(() => certifiedGate([], limits(), { threadCap: 0 })).toThrow(RangeError);
  });

  it("asks people's labels to prove the true rate too, and fails closed without", () => {
    const fleet = ["low", "high", "none"].map((key) => cohort(400, 8, 4, 0, key));
    const labels: Record<string, LabelCounts | null> = {
      low: { labels: 300, indefensible: 4 },
      high: { labels: 200, indefensible: 16 },
      none: null,
    };
    const verdicts = certifiedGate(fleet, limits(), { labelCounts: (key) => labels[key]! });
    expect(verdicts.map((verdict) => verdict.passes)).toEqual([true, false, false]);
    const bound = (k: number, n: number) =>
      boundedUpperBound(
        [
          { weight: 1, value: 1, count: k },
          { weight: 1, value: 0, count: n - k },
        ],
        0.05,
      );
    expect(verdicts.map((verdict) => verdict.true_rate_upper)).toEqual([bound(4, 300), bound(16, 200), null]);
    expect(verdicts[2]).toMatchObject({ p: 1, ln_e: 0, p_true_rate: 1, ln_e_true_rate: 0 });
    // As if there were a third limit, on the labels.
    const alike = certifiedGate([{ ...cohort(200, 16), key: "high" }], limits())[0]!;
    expect(verdicts[1]!.p_true_rate).toBe(alike.p_indefensible);
    expect(verdicts[1]!.ln_e_true_rate).toBe(alike.ln_e_indefensible);
    expect(verdicts[1]!.p).toBe(alike.p_indefensible);
    const cells = [{ weight: 0.5, labels: 200, indefensible: 3 }];
    const weighted = certifiedGate([fleet[0]!], limits(), { labelCounts: () => ({ ...labels.low!, cells }) })[0]!;
    expect(weighted.ln_e_true_rate).toBe(
      logBoundedEValue(
        [
          { weight: 0.5, value: 1, count: 3 },
          { weight: 0.5, value: 0, count: 197 },
        ],
        0.1,
      ),
    );
  });

  it("pays for the number of communities in the test of the true rate: one that labels prove alone may fail among many", () => {
    // 0 of so many labels bound the rate below 10% at δ = 0.05, and not at half of it.
    const fleet = (size: number) => Array.from({ length: size }, (_, i) => cohort(400, 0, 0, 0, `c${i}`));
    const labelCounts = () => ({ labels: LEAST, indefensible: 0 });
    const passes = (size: number) => certifiedGate(fleet(size), limits(), { ...once, labelCounts })[0]!.passes;
    expect([passes(1), passes(2)]).toEqual([true, false]);
  });

  it("lets few fleets with a false pass through where the auditor is blind to what people see, at one look or at ten", () => {
    const [draws, communities, truth] = [20, 40, 0.105];
    const fleet = Array.from({ length: communities }, (_, i) => cohort(3000, 0, 0, 0, String(i)));
    const wrong = { once: 0, anytime: 0 };
    const rng = createRng("blind auditor");
    for (let draw = 0; draw < draws; draw++) {
      const found = new Int32Array(communities);
      const any = { once: false, anytime: false };
      for (let look = 1; look <= 10; look++) {
        for (let c = 0; c < communities; c++) {
          for (let i = 0; i < 30; i++) if (rng.next() < truth) found[c]! += 1;
        }
        const labelCounts = (key: string) => ({ labels: 30 * look, indefensible: found[Number(key)]! });
        if (look === 2) any.once = certifiedGate(fleet, limits(), { ...once, labelCounts }).some((one) => one.passes);
        any.anytime ||= certifiedGate(fleet, limits(), { labelCounts }).some((one) => one.passes);
      }
      if (any.once) wrong.once += 1;
      if (any.anytime) wrong.anytime += 1;
    }
    // δ = 0.05: 1 of 20 expected at most, 4 within three standard errors. Bounds at δ for each let a false pass through in 4 of 5.
    expect(wrong.once).toBeLessThanOrEqual(4);
    expect(wrong.anytime).toBeLessThanOrEqual(4);
  });

  it("tests nothing against a limit of 1, and passes nobody at a limit of 0", () => {
    expect(certifiedGate([cohort(40, 0, 40)], limits({ ai: 1 }), once)[0]).toMatchObject({
      passes: true,
      p_ambiguity: 0,
    });
    const strict = certifiedGate([cohort(4000, 0)], limits({ di: 1 }))[0]!;
    expect(strict).toMatchObject({ passes: false, p_indefensible: 1, ln_e_indefensible: 0 });
  });

  it("says what it promises, and refuses a sequence under repeated looks", () => {
    expect(certifiedMethod("holm", "once", 0.05)).toMatch(/^e-values.*at most 5%; for one declared look$/);
    expect(certifiedMethod("bh", "anytime", 0.1)).toMatch(/e-BH.*10%.*may be repeated as data arrive$/);
    expect(certifiedMethod("holm", "anytime", 0.05, true)).toMatch(
      /any false pass is at most 5%.*passes whose true indefensible rate is above the limit are both false/,
    );
    expect(() => certifiedGate([], limits(), { adjust: "fixed_sequence", look: "anytime" })).toThrow(InputError);
    expect(() => certifiedGate([], limits(), { delta: 0 })).toThrow(RangeError);
  });
});

describe("levelToReach", () => {
  const values = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 12 });

  it.each(["holm", "bh"] as const)("is where %s turns, the others staying as they are", (adjust) => {
    fc.assert(
      fc.property(values, fc.nat(11), (p, pick) => {
        const delta = 0.2;
        const index = pick % p.length;
        if (adjustPValues(p, adjust)[index]! <= delta) return;
        const { sorted, rank } = rankPValues(p);
        const level = levelToReach(sorted, rank[index]!, adjust, delta);
        const at = (value: number) => adjustPValues(p.with(index, value), adjust)[index]!;
        expect(at(level * (1 - 1e-9))).toBeLessThanOrEqual(delta);
        expect(at(level * (1 + 1e-9))).toBeGreaterThan(delta);
        // One that is not among the tests yet joins them.
        const joining = levelToReach(sorted, null, adjust, delta);
        const joined = (value: number) => adjustPValues([...p, value], adjust)[p.length]!;
        expect(joined(joining * (1 - 1e-9))).toBeLessThanOrEqual(delta);
        expect(joined(joining * (1 + 1e-9))).toBeGreaterThan(delta);
      }),
    );
  });
});

// Long versions: test/simulations/certified-gate.sim.ts.
describe("promises, by a small simulation", () => {
  it("one look repeated certifies a true 10% far too often; e-values keep their 5%", () => {
    const found = falseCertificates({ seed: 4, draws: 250, rate: 0.1, looks: 40, every: 25 });
    expect(found.once).toBeGreaterThan(0.14);
    expect(found.anytime).toBeLessThan(0.05);
  });

  it("false passes fall from the paper's gate to the shrunk one to the certified one", () => {
    const rng = createRng("gate modes");
    const share = { paper: [0, 0], shrunk: [0, 0], certified: [0, 0] };
    for (let run = 0; run < 4; run += 1) {
      const { cohorts, truth } = drawFleet(rng);
      for (const mode of ["paper", "shrunk", "certified"] as const) {
        passGate(cohorts, limits(), { mode, look: "once" }).forEach((pass, i) => {
          if (!pass) return;
          share[mode][1]! += 1;
          if (!trulyGood(truth[i]!, limits())) share[mode][0]! += 1;
        });
      }
    }
    const rate = ([wrong, all]: number[]) => wrong! / all!;
    expect(rate(share.shrunk)).toBeLessThan(rate(share.paper));
    expect(rate(share.shrunk)).toBeLessThan(0.05);
    expect(share.certified[0]).toBe(0);
    expect(share.paper[1]).toBeGreaterThan(share.shrunk[1]!);
    expect(share.shrunk[1]).toBeGreaterThan(share.certified[1]!);
  });
});
