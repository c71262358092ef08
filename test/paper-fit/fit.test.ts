import { describe, expect, it } from "vitest";
import { caseOf, drawsOf, shareOf, slack, truthOf } from "../../src/simulation/auditor/auditor.suite.js";
import { compileAuditor } from "../../src/simulation/auditor/draw-audit.js";
import { paperAuditor } from "../../src/simulation/auditor/paper-auditor.js";
import { PAPER_RATES } from "../../src/simulation/world/level-shares.js";
import { presetWorld } from "../../src/simulation/world/presets.js";
import { humanTable, outcomes } from "./fit-cohorts.js";
import { fleetNumbers, PRINTED_FLEET } from "./fleet-numbers.js";
import { partsOf, solveShares, writtenRates } from "./paper-noise.js";
import { FITTED_FLEET, fittedFleet, fitWorld, tierParts } from "./paper-world.js";
import { writtenShares } from "./written-shares.js";

describe("solveShares", () => {
  it("finds shares of equations that have some, and says by how much it misses those that have none", () => {
    const [x, y] = solveShares(([a, b]) => [a! * b!, a! + b!], [0.12, 0.7], [0.2, 0.6]);
    expect([x, y].sort()).toEqual([expect.closeTo(0.3, 8), expect.closeTo(0.4, 8)]);
    expect(() => solveShares(([a]) => [a!], [1.2], [0.5])).toThrow(/no shares give the wanted numbers/);
  });
});

describe("writtenShares", () => {
  const auditor = compileAuditor(paperAuditor());

  it.each([
    [1, false, 0.3],
    [2, true, 0.8],
    [2, false, 0.5],
    [3, true, 0.2],
    [3, false, 0.4],
  ] as const)("is what many traces of level %i, inverse %s, contest %f come to", (level, inverse, contest) => {
    for (const temperature of [0.2, 1]) {
      const draws = Array.from({ length: 4000 }, (_, i) =>
        drawsOf(caseOf(`${level} ${inverse} ${i}`, truthOf(level, inverse, contest)), auditor, temperature, 1),
      ).flat();
      const written = writtenShares({ level, inverse }, [contest], auditor, temperature);
      for (const one of [0, 1, 2] as const) {
        const share = written.levels[one];
        expect(Math.abs(shareOf(draws, (draw) => draw.level === one) - share)).toBeLessThan(
          slack(share, draws.length) + 1e-3,
        );
      }
      expect(Math.abs(shareOf(draws, (draw) => draw.inverse) - written.inverse)).toBeLessThan(
        slack(written.inverse, draws.length),
      );
      const mean = draws.reduce((sum, draw) => sum + 1 / (1 + Math.exp(-draw.inverseLogOdds)), 0) / draws.length;
      expect(Math.abs(mean - written.yesProb)).toBeLessThan(4 * (0.5 / Math.sqrt(draws.length)));
    }
  });

  it("needs answers that are what the trace holds", () => {
    const drawn = compileAuditor({ ...paperAuditor(), inverse: { ...paperAuditor().inverse, emission: "signal" } });
    expect(() => writtenShares({ level: 1, inverse: false }, [0], drawn, 0.2)).toThrow(/emission/);
  });
});

describe("the fitted world of the paper", () => {
  it("is the preset, to the tenth digit", () => {
    const rounded = (world: unknown) =>
      JSON.parse(
        JSON.stringify(world, (_, value) => (typeof value === "number" ? Number(value.toPrecision(10)) : value)),
      );
    expect(rounded(presetWorld("paper"))).toEqual(rounded(fitWorld()));
  });

  const cohorts = Object.fromEntries(presetWorld("paper").cohorts.map((cohort) => [cohort.name, cohort]));

  it.each(["random", "balanced"] as const)("has the published DI and AI of %s after the auditor's noise", (name) => {
    const { di, ai } = writtenRates(partsOf(cohorts[name]!.states[0]!));
    expect(di).toBeCloseTo(PAPER_RATES[name].di, 9);
    expect(ai).toBeCloseTo(PAPER_RATES[name].ai, 9);
  });

  it("has the printed agreement of both samples, and what follows from it", () => {
    const of = (name: "random" | "balanced") =>
      outcomes(humanTable(cohorts[name]!.states[0]!, cohorts[name]!, cohorts[name]!.concentration));
    const random = of("random");
    expect(random.f1).toBeCloseTo(0.457, 8);
    expect(random.fnDefensible).toBeCloseTo(0.798, 8);
    expect(random.accurateIndefensible).toBeCloseTo(0.06, 3);
    const balanced = of("balanced");
    expect(balanced.f1).toBeCloseTo(0.543, 8);
    expect(balanced.disagreed * 19_899).toBeCloseTo(6760, 4);
    expect(balanced.disagreedIndefensible * 19_899).toBeCloseTo(1311, 4);
    expect(balanced.yesProbRatio).toBeCloseTo(1.63, 8);
    // 1,216 of docs/paper.md, not the 5.8% that the paper prints.
    expect(balanced.accurateIndefensible * 19_899).toBeCloseTo(1216, -1);
  });

  it("has the totals of the tiers", () => {
    const { removals, remove, approve } = cohorts.underspecification!.tiers!;
    for (const tier of ["title", "sidebar", "wiki"] as const) {
      const printed = PAPER_RATES.tiers[tier];
      const removed = writtenRates(tierParts(remove[tier], remove.wiki));
      const approved = writtenRates(tierParts(approve[tier], approve.wiki));
      const all = (rate: "di" | "ai") => removals * removed[rate] + (1 - removals) * approved[rate];
      expect((1 - all("di")) * 37_286).toBeCloseTo(printed.indefensible, 4);
      expect(all("ai")).toBeCloseTo(printed.ai, 8);
      expect(removed.ai).toBeCloseTo(printed.removal.ai, 8);
      expect(removed.level1).toBeCloseTo(printed.removal.level1, 8);
    }
  });

  it("has a fleet like the printed one, in which that would be no outlier", () => {
    const seeds = Array.from({ length: 12 }, (_, i) => 101 + i);
    const { mean, sd } = fleetNumbers(fittedFleet(FITTED_FLEET), seeds);
    PRINTED_FLEET.forEach(([name, printed], i) => {
      const error = sd[i]! / Math.sqrt(seeds.length);
      expect(Math.abs(mean[i]! - printed), `${name}: ${mean[i]}, printed ${printed}`).toBeLessThan(
        2 * sd[i]! + 3 * error,
      );
    });
  });
});
