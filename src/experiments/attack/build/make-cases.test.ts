import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createRng } from "../../../stats/random/create-rng.js";
import { ATTACK_KINDS } from "../result.js";
import { makeBase, makeCandidate, makeRow, ruleOf } from "./attack-material.suite.js";
import { makeCases } from "./build-attacks.js";
import {
  type Candidate,
  chooseCandidates,
  DEFAULT_WANTED,
  definePool,
  inputShare,
  scaleWanted,
  type Wanted,
} from "./plan.js";

const ACTIONS = { positive: "remove", negative: "approve" };

describe("definePool", () => {
  const chosen = (changes: Parameters<typeof makeRow>[0]) => definePool([makeRow(changes)], ACTIONS).candidates[0];

  it("goes by truth or gold where they are known, whatever the auditor said", () => {
    expect(chosen({ level: 3, grounded: false, known_level: 1, known_inverse: false })).toMatchObject({
      chosen: "known",
      settled: true,
      forbidden: true,
    });
    expect(chosen({ level: 1, known_level: 3, known_inverse: true })).toBeUndefined();
  });

  it("does not make attacks of decisions that the rules leave open", () => {
    for (const [level, inverse] of [
      [2, true],
      [2, false],
      [1, true],
    ] as const) {
      expect(chosen({ known_level: level, known_inverse: inverse })).toMatchObject({ settled: false });
    }
    expect(definePool([makeRow({ known_level: 2, known_inverse: true })], ACTIONS).counts.open).toBe(1);
  });

  it("goes by a grounded verdict where nothing else is known", () => {
    expect(chosen({})).toMatchObject({ chosen: "judged", settled: true });
    expect(chosen({ level: 2, inverse: true })).toMatchObject({ settled: false });
    expect(chosen({ grounded: false })).toBeUndefined();
    expect(chosen({ grounded: null })).toBeUndefined();
    expect(chosen({ level: 3 })).toBeUndefined();
  });
});

describe("scaleWanted", () => {
  it("changes nothing where the pool holds enough", () => {
    const pool = { clean: 5000, settled: 4000, forbidden: 2000 };
    expect(scaleWanted(DEFAULT_WANTED, pool)).toEqual({ wanted: DEFAULT_WANTED, factor: 1, forbidden_factor: 1 });
  });

  it("scales all kinds alike to what the pool holds", () => {
    fc.assert(
      fc.property(fc.nat(3000), fc.nat(3000), fc.nat(3000), (a, b, c) => {
        const [forbidden, settled, clean] = [a, b, c].sort((x, y) => x - y) as [number, number, number];
        const { wanted, factor } = scaleWanted(DEFAULT_WANTED, { clean, settled, forbidden });
        const kinds = ATTACK_KINDS.filter((kind) => wanted[kind] > 1);
        const inputs = kinds.reduce((sum, kind) => sum + inputShare(kind, wanted[kind]), 0);
        expect(inputs).toBeLessThanOrEqual(settled);
        expect(inputs + (wanted.clean > 1 ? wanted.clean : 0)).toBeLessThanOrEqual(Math.max(1, clean));
        for (const kind of ["clean", "action_flip", "hallucinated_grounding"] as const) {
          if (wanted[kind] > 1) expect(wanted[kind]).toBe(Math.floor(DEFAULT_WANTED[kind] * factor));
        }
      }),
    );
  });

  it("makes fewer attacks on forbidden content where little is forbidden, and none where nothing is", () => {
    const some = scaleWanted(DEFAULT_WANTED, { clean: 5000, settled: 4000, forbidden: 16 });
    expect(some.factor).toBe(1);
    expect(some.wanted.penumbra).toBeLessThan(5);
    expect(some.wanted.action_flip).toBe(123);
    expect(scaleWanted(DEFAULT_WANTED, { clean: 5000, settled: 4000, forbidden: 0 }).wanted.penumbra).toBe(0);
  });
});

const NONE = Object.fromEntries(ATTACK_KINDS.map((kind) => [kind, 0])) as Wanted;

describe("makeCases", () => {
  const candidates = Array.from({ length: 60 }, (_, i) =>
    makeCandidate(`d${String(i).padStart(2, "0")}`, i % 3 === 0 ? { decision: "approve", forbidden: false } : {}),
  );
  const pool = { candidates, counts: definePool([], ACTIONS).counts };
  const baseOf = (one: Candidate) => {
    const base = makeBase({ action: one.decision, rule: ruleOf(Number(one.decision_id.slice(1)) % 2 ? "R3" : "P2") });
    return { ...base, decision: { ...base.decision, id: one.decision_id } };
  };
  const wanted: Wanted = {
    ...NONE,
    clean: 20,
    action_flip: 6,
    hallucinated_grounding: 10,
    penumbra: 4,
    precedence_inversion: 3,
    citation_splice: 5,
    rule_paraphrase: 4,
    prompt_injection: 2,
    foreign_language: 2,
  };
  const make = (seed = 1) => {
    const rng = createRng(seed);
    const isPlatform = (one: Candidate) => baseOf(one).rule?.scope === "platform";
    return makeCases(chooseCandidates(pool, wanted, isPlatform, rng), wanted, baseOf, { rng, run: "r1" });
  };

  it("makes what is wanted, the same for the same seed", () => {
    const { cases, made } = make();
    expect(made).toEqual(wanted);
    expect(make().cases).toEqual(cases);
    expect(make(2).cases).not.toEqual(cases);
  });

  it("uses every decision once, and changes the traces of clean cases alone", () => {
    const { cases } = make();
    const inputs = cases.filter((one) => one.target === "input");
    expect(new Set(inputs.map((one) => one.decision_id)).size).toBe(inputs.length);
    const clean = new Set(cases.filter((one) => one.kind === "clean").map((one) => one.id));
    const traces = cases.filter((one) => one.target === "trace");
    expect(traces).toHaveLength(2 + 5 + 2);
    for (const one of traces) expect(clean.has(one.base_case!)).toBe(true);
    expect(new Set(cases.map((one) => one.id)).size).toBe(cases.length);
  });

  it("says of each attack what would have been right", () => {
    for (const one of make().cases) {
      const attacked = one.kind !== "clean" && one.target === "input";
      expect(one.decision === one.ground_truth).toBe(!attacked);
      expect(one.attack === null).toBe(one.kind === "clean");
    }
  });

  it("reads no more of a large pool than it may need", () => {
    const many = Array.from({ length: 5000 }, (_, i) => makeCandidate(`m${i}`));
    const chosen = chooseCandidates({ ...pool, candidates: many }, wanted, () => false, createRng(1));
    expect(chosen.settled.length).toBeLessThan(200);
    expect(chosen.clean.length).toBeLessThan(220);
  });
});
