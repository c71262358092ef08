import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { caseOf, perfect, SHOWN, shareOf, slack, truthOf } from "./auditor.suite.js";
import { readCase, shownVerdict } from "./read-case.js";

const COUNT = 6_000;

/** What an auditor reads in many cases of the same truth. */
function readings(truth: ReturnType<typeof truthOf>, auditor: ReturnType<typeof perfect>, changes = {}) {
  return Array.from({ length: COUNT }, (_, i) => readCase(caseOf(i, truth, changes), auditor, 0.2));
}

describe("what an auditor is shown", () => {
  const truth = truthOf(1, false, 0.1, {
    tiers: {
      title: { level: 2, inverse: true },
      sidebar: { level: 2, inverse: false },
      wiki: { level: 1, inverse: false },
    },
    scopes: { platform: { level: 3, inverse: false }, community: { level: 1, inverse: false } },
  });

  it("decides under which text the truth is taken", () => {
    expect(shownVerdict(truth, { ...SHOWN, tier: "title" })).toEqual({ level: 2, inverse: true });
    expect(shownVerdict(truth, SHOWN)).toEqual({ level: 1, inverse: false });
    expect(shownVerdict(truth, { ...SHOWN, scopes: "platform" })).toEqual({ level: 3, inverse: false });
    expect(shownVerdict(truth, { ...SHOWN, scopes: "none" })).toEqual({ level: 3, inverse: false });
  });

  it("takes the tier's truth where the scope alone carries the case", () => {
    expect(shownVerdict(truth, { ...SHOWN, scopes: "community", tier: "title" })).toEqual({ level: 2, inverse: true });
    expect(shownVerdict(truth, { ...SHOWN, scopes: "platform", tier: "title" })).toEqual({ level: 3, inverse: false });
  });

  it("turns the truth round for the opposite action", () => {
    expect(shownVerdict(truth, { ...SHOWN, opposite: true })).toEqual({ level: 3, inverse: true });
    expect(shownVerdict(truth, { ...SHOWN, opposite: true, tier: "title" })).toEqual({ level: 2, inverse: true });
  });
});

describe("a simulated auditor's reading", () => {
  it("is the truth where it has no errors", () => {
    for (const [level, inverse] of [
      [1, false],
      [2, true],
      [2, false],
      [3, true],
      [3, false],
    ] as const) {
      const reading = readCase(caseOf("a", truthOf(level, inverse, 0.5)), perfect(), 0.2);
      expect([reading.level + 1, reading.inverse]).toEqual([level, inverse]);
    }
  });

  it("confuses levels at the stated rates", () => {
    const confusion = [
      [0.7, 0.2, 0.1],
      [0.15, 0.8, 0.05],
      [0.05, 0.35, 0.6],
    ];
    const auditor = perfect({ noise: 1, confusion });
    for (const level of [1, 2, 3] as const) {
      const read = readings(truthOf(level, level === 3), auditor);
      confusion[level - 1]!.forEach((p, to) => {
        expect(Math.abs(shareOf(read, (reading) => reading.level === to) - p)).toBeLessThan(slack(p, COUNT));
      });
    }
  });

  it("has a part of its misreadings with a part of the noise, and no others", () => {
    const settings = {
      confusion: [
        [0.6, 0.3, 0.1],
        [0, 1, 0],
        [0, 0, 1],
      ],
      inverse_invented: [0.4, 0, 0],
    };
    const all = readings(truthOf(1, false), perfect({ ...settings, noise: 1 }));
    const half = readings(truthOf(1, false), perfect({ ...settings, noise: 0.5 }));
    expect(Math.abs(shareOf(half, (reading) => reading.level !== 0) - 0.2)).toBeLessThan(slack(0.2, COUNT));
    half.forEach((reading, i) => {
      if (reading.level !== 0) expect(all[i]!.level).not.toBe(0);
    });
  });

  it("misses and invents the inverse at the stated rates, by temperature", () => {
    const auditor = perfect({
      noise: 1,
      confusion: identity(),
      inverse_missed: [0, [0.1, 0.3], 0],
      inverse_invented: [0.02, 0, 0],
    });
    const missedAt = (temperature: number) =>
      shareOf(
        Array.from({ length: COUNT }, (_, i) => readCase(caseOf(i, truthOf(2, true)), auditor, temperature)),
        (reading) => !reading.inverse,
      );
    expect(Math.abs(missedAt(0.1) - 0.1)).toBeLessThan(slack(0.1, COUNT));
    expect(Math.abs(missedAt(0.55) - 0.2)).toBeLessThan(slack(0.2, COUNT));
    expect(Math.abs(missedAt(1) - 0.3)).toBeLessThan(slack(0.3, COUNT));
    const invented = shareOf(readings(truthOf(1, false), auditor), (reading) => reading.inverse);
    expect(Math.abs(invented - 0.02)).toBeLessThan(slack(0.02, COUNT));
  });

  it("favours deciders of its family at the stated rate, at level 3 only", () => {
    const auditor = perfect({ bias: 0.3 });
    const own = readings(truthOf(3, true), auditor, { sameFamily: true });
    expect(Math.abs(shareOf(own, (reading) => reading.level === 0) - 0.3)).toBeLessThan(slack(0.3, COUNT));
    for (const reading of own) expect(reading.inverse).toBe(reading.level === 2);
    expect(shareOf(readings(truthOf(3, true), auditor), (reading) => reading.level === 0)).toBe(0);
    expect(shareOf(readings(truthOf(2, true), auditor, { sameFamily: true }), (reading) => reading.level === 1)).toBe(
      1,
    );
  });

  it("favours the same decisions when it is asked for the opposite", () => {
    const auditor = perfect({ bias: 0.3 });
    const truth = truthOf(3, true);
    for (let i = 0; i < 500; i++) {
      const taken = readCase(caseOf(i, truth, { sameFamily: true }), auditor, 0.2);
      const opposite = readCase(
        caseOf(i, truth, { sameFamily: true, shown: { ...SHOWN, opposite: true } }),
        auditor,
        0.2,
      );
      expect(opposite.level).toBe(taken.level === 0 ? 2 : 0);
    }
  });

  it("wavers more where a case is more contested, and not at all at temperature 0", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1, noNaN: true }), fc.double({ min: 0, max: 1, noNaN: true }), (a, b) => {
        const stray = (contest: number, temperature: number) => {
          const reading = readCase(caseOf("x", truthOf(2, true, contest)), perfect(), temperature);
          return 1 - reading.leans[reading.level]!;
        };
        const [less, more] = a < b ? [a, b] : [b, a];
        expect(stray(less, 0.5)).toBeLessThanOrEqual(stray(more, 0.5) + 1e-12);
        expect(stray(more, 0.1)).toBeLessThanOrEqual(stray(more, 1) + 1e-12);
        expect(stray(more, 0)).toBe(0);
      }),
    );
  });

  it("wavers where only the text shown leaves it open, and more without precedents", () => {
    const title = { level: 2, inverse: true } as const;
    const truth = truthOf(1, false, 0, { tiers: { ...truthOf(1, false).tiers, title } });
    const stray = (shown: Partial<typeof SHOWN>) => {
      const reading = readCase(caseOf("x", truth, { shown: { ...SHOWN, ...shown } }), perfect(), 1);
      return 1 - reading.leans[reading.level]!;
    };
    expect(stray({})).toBe(0);
    expect(stray({ tier: "title" })).toBeGreaterThan(0);
    expect(stray({ precedents: false })).toBeCloseTo(0.3 * 0.1, 12);
  });

  it("wavers as much about the opposite action, which is the same content", () => {
    const stray = (level: 1 | 2 | 3, inverse: boolean, opposite: boolean) => {
      const reading = readCase(
        caseOf("x", truthOf(level, inverse, 0.4), { shown: { ...SHOWN, opposite } }),
        perfect(),
        1,
      );
      return 1 - reading.leans[reading.level]!;
    };
    for (const [level, inverse] of [
      [1, false],
      [2, true],
      [3, true],
    ] as const) {
      expect(stray(level, inverse, true)).toBeCloseTo(stray(level, inverse, false), 12);
    }
    expect(stray(1, false, false)).toBeCloseTo(0.3 * 0.4, 12);
  });

  it("is the same for the same seed and decision, and another for another", () => {
    const auditor = perfect({ noise: 1 });
    const truth = truthOf(2, true, 0.3);
    expect(readCase(caseOf("a", truth), auditor, 0.2)).toEqual(readCase(caseOf("a", truth), auditor, 0.2));
    expect(readCase(caseOf("a", truth), auditor, 0.2)).not.toEqual(readCase(caseOf("b", truth), auditor, 0.2));
    expect(readCase(caseOf("a", truth), auditor, 0.2)).not.toEqual(
      readCase(caseOf("a", truth), perfect({ noise: 1, seed: 2 }), 0.2),
    );
  });
});

function identity() {
  return [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
}
