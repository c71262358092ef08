import { describe, expect, it } from "vitest";
import { createRng } from "../../stats/random/create-rng.js";
import { analyseCells } from "./analyse-cells.js";
import { decompose } from "./decompose.js";
import { type Condition, crossedDesign } from "./replicates.js";
import { makeReplicates } from "./replicates.suite.js";

const condition = (more: Partial<Condition>): Condition => ({
  arm: "",
  run: "r",
  auditor: "a",
  temperature: 1,
  template: "paper",
  ...more,
});

describe("crossedDesign", () => {
  it("is the largest complete table of temperatures, prompts and auditors", () => {
    const conditions = [
      condition({ temperature: 0.1 }),
      condition({ temperature: 1 }),
      condition({ temperature: 0.1, template: "extended" }),
      condition({ temperature: 1, template: "extended" }),
    ];
    expect(crossedDesign(conditions)).toEqual({
      levels: { temperature: 2, prompt: 2, auditor: 1 },
      conditions: [0, 2, 1, 3],
    });
    // One temperature is missing under the second prompt.
    expect(crossedDesign(conditions.slice(0, 3))).toMatchObject({ levels: { temperature: 1 }, conditions: [0, 2] });
    expect(crossedDesign([condition({ temperature: 0.1 }), condition({ temperature: 1, run: "other" })])).toBeNull();
  });
});

describe("decompose", () => {
  const rng = createRng(3);
  const normal = () => Math.sqrt(-2 * Math.log(1 - rng.next())) * Math.cos(2 * Math.PI * rng.next());

  /** Scores with planted spreads, under two temperatures of two auditors. */
  function planted(cases: number, sd: { case: number; auditor: number; both: number; trace: number }) {
    const shift = [0, sd.auditor * Math.SQRT2];
    const rows = Array.from({ length: cases }, () => {
      const own = sd.case * normal();
      return shift.flatMap((auditor) => {
        const both = sd.both * normal();
        return [0, 1].map(() =>
          Array.from({ length: 8 }, () => ({ level: 1, pds: own + auditor + both + sd.trace * normal() })),
        );
      });
    });
    const replicates = makeReplicates(rows, [0, 1, 2, 3]);
    const conditions = [0, 1].flatMap((run) =>
      [0.1, 1].map((temperature) => condition({ run: `run-${run}`, auditor: `auditor-${run}`, temperature })),
    );
    return { ...replicates, conditions };
  }

  it("finds planted shares of cases, auditors and traces", () => {
    const replicates = planted(400, { case: 0.3, auditor: 0.2, both: 0.15, trace: 0.2 });
    const analysed = analyseCells(
      replicates,
      replicates.decisions.map(() => null),
      { alpha: 0.05, evidence: "labels" },
    );
    const got = decompose(analysed, "pds", { rng: createRng(1), draws: 100 });
    const total = 0.09 + 0.04 + 0.0225 + 0.04;
    const share = (source: string) => got.components.find((one) => one.source === source)!.share.estimate!;
    expect(share("case")).toBeCloseTo(0.09 / total, 1);
    expect(share("auditor")).toBeCloseTo(0.04 / total, 1);
    expect(share("case_by_auditor")).toBeCloseTo(0.0225 / total, 1);
    expect(share("trace")).toBeCloseTo(0.04 / total, 1);
    expect(share("temperature")).toBeLessThan(0.01);
    expect(got.not_estimated).toEqual(["prompt", "case_by_prompt"]);
    expect(got.cases).toBe(400);
  });

  it("counts negative components as 0 and says so", () => {
    const replicates = planted(6, { case: 0, auditor: 0, both: 0, trace: 0.3 });
    const analysed = analyseCells(
      replicates,
      replicates.decisions.map(() => null),
      { alpha: 0.05, evidence: "labels" },
    );
    const { components } = decompose(analysed, "pds", { rng: createRng(1), draws: 50 });
    expect(components.some(({ truncated, variance }) => truncated && variance === 0)).toBe(true);
    expect(components.every(({ variance }) => variance >= 0)).toBe(true);
  });

  it("leaves out cases that lack a condition, and says when none is left", () => {
    const score = (pds: number) => [
      { level: 1, pds },
      { level: 1, pds: pds + 0.1 },
    ];
    const replicates = makeReplicates(
      [
        [score(0.1), score(0.2)],
        [score(0.5), score(0.4)],
        [score(0.9), [{ level: 1, pds: 0.9 }]],
      ],
      [0.1, 1],
    );
    const options = { alpha: 0.05, evidence: "labels" } as const;
    const whole = decompose(analyseCells(replicates, [null, null, null], options), "pds", {
      rng: createRng(1),
      draws: 20,
    });
    expect(whole.cases).toBe(2);
    const none = decompose(analyseCells(replicates, [null, null, null], options), "verdict", {
      rng: createRng(1),
      draws: 20,
    });
    expect(none).toMatchObject({ components: [], total: null, reason: expect.stringMatching(/fewer than two/) });
  });
});
