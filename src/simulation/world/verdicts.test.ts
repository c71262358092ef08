import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { TIERS } from "../../core/records/rule-set.js";
import { coupleTiers } from "./draw-content.js";
import { oppositeTruth } from "./level-shares.js";
import { presetWorld } from "./presets.js";
import {
  onlySide,
  otherSide,
  RELATIONS,
  type Relation,
  relationOf,
  SIDE_STATES,
  settlingTier,
  verdictOf,
} from "./side-state.js";

const SIDES = ["remove", "approve"] as const;
const ALL = SIDE_STATES.flatMap((state) => SIDES.map((side) => ({ state, side, verdict: verdictOf(state, side) })));

describe("verdicts", () => {
  it.each(ALL)("$side of $state content: level 3 exactly when it is not derivable", ({ state, side, verdict }) => {
    const only = onlySide(state);
    const derivable = state !== "void" && (only === null || only === side);
    expect(verdict.level === 3).toBe(!derivable);
    expect(verdict.inverse).toBe(state !== "void" && only !== side);
    if (verdict.level === 1) expect(verdict.inverse).toBe(false);
  });

  it.each(ALL)(
    "the opposite of $side of $state content is what is true of the other side",
    ({ state, side, verdict }) => {
      const other = verdictOf(state, otherSide(side));
      const opposite = oppositeTruth(verdict);
      expect(opposite.inverse).toBe(other.inverse);
      expect(opposite.level === 3).toBe(other.level === 3);
      if (!state.endsWith("_implied")) expect(opposite).toEqual(other);
    },
  );

  it("satisfy DI(ŷ) + DI(¬ŷ) = 1 + both − void, whatever the mix", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...ALL), { minLength: 1, maxLength: 60 }), (cases) => {
        const share = (test: (one: (typeof ALL)[number]) => boolean) => cases.filter(test).length / cases.length;
        const derivable = share(({ verdict }) => verdict.level !== 3);
        const opposite = share(({ verdict }) => oppositeTruth(verdict).level !== 3);
        const both = share(({ verdict }) => verdict.level !== 3 && verdict.inverse);
        const none = share(({ verdict }) => verdict.level === 3 && !verdict.inverse);
        expect(derivable + opposite).toBeCloseTo(1 + both - none, 12);
      }),
    );
  });
});

describe("relations", () => {
  it.each(Object.entries(RELATIONS))("%s settles where it says", (_, states) => {
    const settled = settlingTier(states);
    const final = onlySide(states.wiki);
    if (settled === null) return expect(final).toBeNull();
    const at = TIERS.indexOf(settled);
    for (const tier of TIERS.slice(at)) expect(onlySide(states[tier])).toBe(final);
    if (at > 0) expect(onlySide(states[TIERS[at - 1]!])).not.toBe(final);
  });

  it("are found again from their course through the tiers, save those that differ in scope or custom alone", () => {
    const twins: Partial<Record<Relation, Relation>> = {
      unwelcome: "neutral",
      forbidden: "core",
      protected: "neutral",
    };
    for (const [name, states] of Object.entries(RELATIONS)) {
      expect(relationOf(states)).toBe(twins[name as Relation] ?? name);
    }
  });
});

describe("coupleTiers", () => {
  const { remove, approve } = presetWorld("paper").cohorts[2]!.tiers!;
  const steps = 20_000;
  const courses = [remove, approve].map((shares) =>
    Array.from({ length: steps }, (_, i) => coupleTiers(shares, (i + 0.5) / steps)),
  );

  it("has each tier's shares", () => {
    for (const tier of TIERS) {
      for (let verdict = 0; verdict < 5; verdict += 1) {
        const share = courses[0]!.filter((course) => course[tier] === verdict).length / steps;
        expect(Math.abs(share - remove[tier][verdict]!)).toBeLessThan(2 / steps);
      }
    }
  });

  it("never lets a decision overtake another", () => {
    for (const list of courses) {
      for (const tier of TIERS) {
        const verdicts = list.map((course) => course[tier]);
        expect([...verdicts].sort((a, b) => a - b)).toEqual(verdicts);
      }
    }
  });

  it("stays in the last verdict that has a share when the shares add up to a little less than 1", () => {
    const all: [number, number, number, number, number] = [0.5, 0.4999999, 0, 0, 0];
    expect(coupleTiers({ title: all, sidebar: all, wiki: all }, 0.99999999).wiki).toBe(1);
  });
});
