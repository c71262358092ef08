import { describe, expect, it } from "vitest";
import { InputError } from "../../core/errors.js";
import { simulationOf } from "./make-world.js";

const small = { preset: "small", seed: 1 } as const;

describe("simulationOf", () => {
  it.each([
    ["cohorts.main.violatin=1", /no such setting: "cohorts.main.violatin".*violating/s],
    ["cohorts.nobody.violating=1", /no such setting/],
    ["cohorts.main.violating=2", /violating/],
    ["cohorts.main.decisions=5", /too few for the sizes of 12 communities/],
    ["cohorts.main.states.policy_gaps.void=0.99", /open and void exceed 1/],
    ["relations.described=0.95", /described and detailed exceed 1/],
    ["rules.min=12", /min exceeds max/],
    ['draws=[{"name":"a","from":"b","size":3,"where":"any"}]', /no generated cohort called b/],
    ["labelled", /expected key=value/],
    ["labelled=most", /labelled/],
    ["book=nobody", /unknown book "nobody"/],
    ["constructor.name=x", /no such setting/],
    ["world.__proto__.x=1", /no such setting/],
  ])("refuses --set %s with the reason", (set, message) => {
    expect(() => simulationOf({ ...small, set: [set] })).toThrow(message);
    expect(() => simulationOf({ ...small, set: [set] })).toThrow(InputError);
  });

  it("sets numbers, names, lists and nothing", () => {
    const { world, auditor } = simulationOf({
      ...small,
      set: [
        "labelled=0.5",
        "decider.id=oak-1",
        'drift={"at":0.5,"error_factor":2}',
        "auditor.bias=0.3",
        "cohorts.0.states.1.error=0.4",
      ],
    });
    expect(world).toMatchObject({ labelled: 0.5, decider: { id: "oak-1" }, drift: { at: 0.5, error_factor: 2 } });
    expect(world.cohorts[0]!.states[1]!.error).toBe(0.4);
    expect(auditor).toMatchObject({ bias: 0.3 });
  });

  it("has flags for what is changed most", () => {
    const wishes = {
      ...small,
      communities: 40,
      decisions: 900,
      deciderError: 0.2,
      implicitNorms: 0,
      book: "alder",
      decider: "simulated-1",
    };
    const { world } = simulationOf(wishes);
    expect(world).toMatchObject({ book: "alder", decider: { id: "simulated-1" } });
    expect(world.cohorts[0]).toMatchObject({ communities: 40, decisions: 900, implicit_norms: 0 });
    expect(world.cohorts[0]!.states.map(({ error }) => error)).toEqual([0.2, 0.2, 0.2]);
    expect(() => simulationOf({ preset: "paper", seed: 1, decisions: 10 })).toThrow(/cohorts of given sizes/);
  });

  it("leaves the preset as it is for the next", () => {
    simulationOf({ ...small, set: ["cohorts.main.violating=0.9"] });
    expect(simulationOf(small).world.cohorts[0]!.violating).toBe(0.25);
  });
});
