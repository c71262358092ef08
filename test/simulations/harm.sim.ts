import { describe, expect, it } from "vitest";
import type { Row } from "../../scripts/guarantees.mjs";
import { certifiedGate } from "../../src/measures/gate/certified-gate.js";
import { limits } from "../../src/measures/gate/fleet.suite.js";
import type { GateCohort, ThreadGroup } from "../../src/measures/gate/gate-input.js";
import type { HarmCount } from "../../src/measures/gate/harm.js";
import { passGate } from "../../src/measures/gate/pass-gate.js";
import { createRng, type Rng } from "../../src/stats/random/create-rng.js";
import { atMost } from "./coverage.js";
import { record } from "./record.js";

const FLEETS = 600;
const CAUTIOUS = 200;
const LOOKS = 10;
/** Threads between two looks: enough that a tenth of the harm is proven at the last one. */
const EACH = 200;
/** A wrong ban does ten times the harm of a wrong removal. */
const [BAN, REMOVE] = [10, 1];
/** 2% wrong bans and 3% wrong removals: 95% of the decisions are defensible, and the expected harm is exactly at the limit. */
const RATES = { ban: 0.02, remove: 0.03 };
const LIMIT = RATES.ban * BAN + RATES.remove * REMOVE;
const LIMITS = limits({ harm_limit: { limit: LIMIT, max: BAN } });

/** The threads of one community as they arrive. */
class Community {
  readonly #groups = new Map<string, ThreadGroup>();
  readonly #harm = new Map<number, HarmCount>();
  #n = 0;
  #bad = 0;
  #squares = 0;

  constructor(readonly key: string) {}

  /** A thread of n decisions with these wrong ones. */
  add(n: number, bans: number, removals: number): void {
    this.#n += n;
    this.#bad += bans + removals;
    this.#squares += n * n;
    for (const [weight, count] of [
      [BAN, bans],
      [REMOVE, removals],
    ] as const) {
      const known = this.#harm.get(weight) ?? { value: weight / BAN, count: 0 };
      known.count += count;
      if (count > 0) this.#harm.set(weight, known);
    }
    const key = `${n}/${bans}/${removals}`;
    const known = this.#groups.get(key);
    if (known) known.threads += 1;
    else {
      const harm = (bans * BAN + removals * REMOVE) / BAN;
      this.#groups.set(key, {
        threads: 1,
        n,
        indefensible: bans + removals,
        inverse_yes: 0,
        inverse_yes_pure: 0,
        harm,
      });
    }
  }

  cohort(withThreads = true): GateCohort {
    const counts = { n: this.#n, indefensible: this.#bad, inverse_yes: 0, inverse_yes_pure: 0, unscored: 0 };
    const own = { key: this.key, ...counts, harm: [...this.#harm.values()].map((one) => ({ ...one })) };
    if (!withThreads) return own;
    const threads = { groups: [...this.#groups.values()], open: 0, late: 0 };
    return { ...own, design_effect: this.#squares / Math.max(1, this.#n), threads };
  }
}

/** A thread of one or two decisions, each wrong by itself. */
function calm(rng: Rng, community: Community, share = 1): void {
  const n = rng.next() < 0.5 ? 1 : 2;
  let [bans, removals] = [0, 0];
  for (let i = 0; i < n; i += 1) {
    const u = rng.next() / share;
    if (u < RATES.ban) bans += 1;
    else if (u < RATES.ban + RATES.remove) removals += 1;
  }
  community.add(n, bans, removals);
}

type Draw = (rng: Rng, community: Community) => void;

interface Passes {
  certified: number;
  independent: number;
  shrunk: number;
}

/** Fleets in which a community at the limit passes, at the middle look alone and at any of 10; 4 neighbours do a tenth of the harm. */
function passes(seed: string, draw: Draw): { one: Passes; any: Passes } {
  const rng = createRng(seed);
  const none = (): Passes => ({ certified: 0, independent: 0, shrunk: 0 });
  const [one, many] = [none(), none()];
  for (let fleet = 0; fleet < FLEETS; fleet += 1) {
    const communities = Array.from({ length: 5 }, (_, i) => new Community(`c${i}`));
    const any = { certified: false, independent: false, shrunk: false };
    for (let look = 1; look <= LOOKS; look += 1) {
      for (let thread = 0; thread < EACH; thread += 1) {
        communities.forEach((community, i) => {
          if (i === 0) draw(rng, community);
          else calm(rng, community, 0.1);
        });
      }
      const threaded = communities.map((community) => community.cohort());
      const now = {
        certified: certifiedGate(threaded, LIMITS, { threadCap: 5 })[0]!.passes,
        independent: certifiedGate([communities[0]!.cohort(false)], LIMITS, { threadCap: 5 })[0]!.passes,
        // The cautious mode is slow to fit, so it has fewer fleets and looks every fifth time.
        shrunk: fleet < CAUTIOUS && look % 5 === 0 && passGate(threaded, LIMITS, { mode: "shrunk" })[0]!,
      };
      for (const name of ["certified", "independent", "shrunk"] as const) {
        any[name] ||= now[name];
        if (look === LOOKS / 2 && now[name]) one[name] += 1 / (name === "shrunk" ? CAUTIOUS : FLEETS);
      }
    }
    if (any.certified) many.certified += 1 / FLEETS;
    if (any.independent) many.independent += 1 / FLEETS;
    if (any.shrunk) many.shrunk += 1 / CAUTIOUS;
  }
  return { one, any: many };
}

function recordAll(
  world: string,
  seed: string,
  independent: Row["promise"],
  { one, any }: ReturnType<typeof passes>,
): void {
  const row = {
    topic: "Expected harm",
    measure: "fleets in which the community passes whose expected harm is exactly the limit",
    draws: FLEETS,
    seed,
  };
  for (const [looks, found] of [
    ["1 look at 1,000 threads", one],
    ["10 looks, every 200 threads", any],
  ] as const) {
    const setting = `${world}, ${looks}`;
    record({ ...row, setting, method: "threads as units, cap 5", promise: atMost(0.05), observed: found.certified });
    record({ ...row, setting, method: "decisions as independent", promise: independent, observed: found.independent });
    const shrunk = setting.replace("10 looks, every 200", "2 looks, every 1,000");
    record({
      ...row,
      setting: shrunk,
      draws: CAUTIOUS,
      method: "cautious mode, n* of the threads",
      promise: null,
      observed: found.shrunk,
    });
  }
}

describe("expected harm", () => {
  it("of independent decisions", () => {
    const seed = "harm independent";
    recordAll(
      "threads of 1 or 2 decisions",
      seed,
      atMost(0.05),
      passes(seed, (rng, community) => calm(rng, community)),
    );
  });

  it.each([10, 40])("of waves of %i wrong bans", (size) => {
    const seed = `harm waves ${size}`;
    const draw: Draw = (rng, community) => {
      if (rng.next() < 0.05) community.add(size, rng.next() < LIMIT / BAN ? size : 0, 0);
      else calm(rng, community);
    };
    recordAll(`5% of the threads have ${size} posts, all wrongly banned or none`, seed, null, passes(seed, draw));
  });

  it("is proven where it is small", () => {
    const seed = "harm small";
    const rng = createRng(seed);
    let proven = 0;
    for (let i = 0; i < FLEETS; i += 1) {
      const community = new Community("c");
      for (let thread = 0; thread < 2000; thread += 1) calm(rng, community, 0.1);
      if (certifiedGate([community.cohort()], LIMITS, { threadCap: 5 })[0]!.passes) proven += 1 / FLEETS;
    }
    expect(proven).toBeGreaterThan(0.2);
    record({
      topic: "Expected harm",
      measure: "communities with a tenth of the limit's harm that are proven",
      setting: "threads of 1 or 2 decisions, 1 look at 2,000 threads",
      method: "threads as units, cap 5",
      draws: FLEETS,
      seed,
      promise: null,
      observed: proven,
    });
  });
});
