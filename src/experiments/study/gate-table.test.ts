import { describe, expect, it } from "vitest";
import { figureSchema } from "../../core/figure.js";
import type { GateCohort } from "../../measures/gate/gate-input.js";
import { gateTable } from "./gate-table.js";

const cohort = (key: string, n: number, indefensible: number, yes: number): GateCohort => ({
  key,
  n,
  indefensible,
  inverse_yes: yes,
  inverse_yes_pure: Math.max(0, yes - indefensible),
  unscored: 0,
});

/** Two that may be automated, one with policy gaps, one with ambiguous rules, one too small. */
const FLEET = [
  cohort("a", 100, 2, 5),
  cohort("b", 50, 1, 5),
  cohort("c", 40, 12, 16),
  cohort("d", 40, 2, 12),
  cohort("e", 10, 5, 5),
];

describe("gateTable", () => {
  it("counts communities, decisions and states", () => {
    const table = gateTable(FLEET);
    expect(table).toMatchObject({ communities: 5, eligible: 4, decisions: 240 });
    expect(table.states.map(({ state, communities }) => [state, communities])).toEqual([
      ["earned_autonomy", 2],
      ["policy_gaps", 1],
      ["normative_complexity", 1],
    ]);
    // (0.98 + 0.98) / 2, each community counting once.
    expect(table.states[0]!.di.estimate).toBeCloseTo(0.98, 12);
    expect(table.states[0]!.ai.estimate).toBeCloseTo((0.05 + 0.1) / 2, 12);
    expect(table.states[1]!.di).toMatchObject({ estimate: 0.7, n: 1, warnings: ["one value has no interval"] });
  });

  it("has the data of the fleet's picture and of coverage against risk", () => {
    const [fleet, frontier] = gateTable(FLEET).figures.map((figure) => figureSchema.parse(figure));
    expect(fleet!.title).toMatch(/^2 of 4 communities/);
    expect(fleet!.rows).toHaveLength(4);
    expect(fleet!.rows[0]).toMatchObject({
      community: "a",
      state: "earned_autonomy",
      di: 0.98,
      ai: 0.05,
      decisions: 100,
    });
    expect(frontier!.rows.some(({ coverage }) => coverage === 1)).toBe(true);
    expect(gateTable([]).figures).toEqual([]);
  });

  it("has the paper's four scenarios with risk reduction in an interval", () => {
    const { scenarios } = gateTable(FLEET);
    expect(scenarios.map(({ name }) => name)).toEqual(["Lenient", "Moderate", "Standard", "Strict"]);
    // 3 of the 17 indefensible decisions are automated.
    const { reduction } = scenarios[2]!;
    expect(reduction.estimate).toBeCloseTo(14 / 17, 12);
    expect(reduction).toMatchObject({ n: 4 });
    // All indefensible decisions are in one community.
    const alone = gateTable([...["a", "b"].map((key) => cohort(key, 40, 0, 0)), cohort("c", 40, 9, 0)]).scenarios[2]!;
    expect(alone.reduction).toMatchObject({
      ...{ estimate: 1, lower: 1, upper: 1, n: 3 },
      warnings: ["no interval: the value is undefined when one community is left out"],
    });
  });

  it("says what is undefined without communities of 25 decisions", () => {
    const { states, scenarios } = gateTable([cohort("e", 10, 5, 5)]);
    expect(states[0]!.share).toMatchObject({ estimate: null, reason: "no community has 25 decisions" });
    expect(scenarios[0]!.reduction).toMatchObject({ estimate: null, reason: "no community has 25 decisions" });
  });
});
