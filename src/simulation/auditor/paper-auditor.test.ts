import { beforeAll, describe, expect, it } from "vitest";
import type { Truth } from "../../core/records/label.js";
import { atTemperature, simulatedAuditorSchema } from "../../core/results/simulated-auditor.js";
import { createRng } from "../../stats/random/create-rng.js";
import { generateWorld } from "../world/generate-world.js";
import { presetWorld } from "../world/presets.js";
import { caseOf, shareOf, slack } from "./auditor.suite.js";
import { compileAuditor, drawAudit, type SimulatedDraw } from "./draw-audit.js";
import { auditorPreset, PAPER_AUDITOR, paperAuditor } from "./paper-auditor.js";
import { readCase } from "./read-case.js";

const LEVELS = [0, 1, 2] as const;

describe("the auditor of the paper", () => {
  const auditor = compileAuditor(paperAuditor());
  const truths: Truth[] = [];

  beforeAll(() => {
    const world = presetWorld("paper");
    const random = world.cohorts.filter(({ name }) => name === "random");
    for (const community of generateWorld({ ...world, cohorts: random, draws: [] }, 5)) {
      for (const { truth } of community.cases()) truths.push(truth);
    }
  });

  const known = new Map<number, SimulatedDraw[]>();

  function audits(temperature: number): SimulatedDraw[] {
    const draws = known.get(temperature) ?? drawn(temperature);
    known.set(temperature, draws);
    return draws;
  }

  function drawn(temperature: number): SimulatedDraw[] {
    return truths.map((truth) => {
      const reading = readCase(caseOf(truth.decision_id, truth), auditor, temperature);
      return drawAudit(reading, auditor, createRng(`paper:${temperature}:${truth.decision_id}`));
    });
  }

  it("is made of valid settings, and is the preset", () => {
    expect(simulatedAuditorSchema.parse(paperAuditor())).toEqual(paperAuditor());
    expect(auditorPreset("paper")).toEqual(paperAuditor());
    expect(auditorPreset("default")).toEqual(simulatedAuditorSchema.parse({}));
  });

  it("writes Yes as often as published at each level and temperature, with the published mean σ(ρ)", () => {
    for (const temperature of [0.1, 1]) {
      const draws = audits(temperature);
      for (const level of LEVELS) {
        const own = draws.filter((draw) => draw.level === level);
        const yes = atTemperature(PAPER_AUDITOR.inverse[level], temperature);
        // The solution is good to half a point, the world to its own sampling error.
        expect(Math.abs(shareOf(own, (draw) => draw.inverse) - yes)).toBeLessThan(0.005 + slack(yes, own.length));
        const sigma = own.reduce((sum, draw) => sum + 1 / (1 + Math.exp(-draw.inverseLogOdds)), 0) / own.length;
        const published = atTemperature(PAPER_AUDITOR.yesProb[level], temperature);
        expect(Math.abs(sigma - published)).toBeLessThan(0.005 + 4 * (0.35 / Math.sqrt(own.length)));
      }
    }
  });

  it("leaves the shares of levels as planted", () => {
    const draws = audits(0.2);
    for (const level of LEVELS) {
      const planted = shareOf(truths, (truth) => truth.level === level + 1);
      const written = shareOf(draws, (draw) => draw.level === level);
      expect(Math.abs(written - planted)).toBeLessThan(0.005 + slack(planted, truths.length));
    }
  });

  it("loses as many answers and signals as published", () => {
    for (const [end, temperature] of [0.1, 1].entries()) {
      const draws = audits(temperature);
      const unanswered = PAPER_AUDITOR.unanswered[end]!;
      const lost = shareOf(draws, (draw) => draw.fault === "truncation");
      expect(Math.abs(lost - unanswered)).toBeLessThan(slack(unanswered, draws.length));
      const skipped = PAPER_AUDITOR.skipped[end]!;
      const without = shareOf(draws, (draw) => draw.fault !== null);
      expect(Math.abs(without - skipped)).toBeLessThan(slack(skipped, draws.length));
    }
  });
});
