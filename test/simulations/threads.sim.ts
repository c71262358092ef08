import { describe, expect, it } from "vitest";
import { certifiedGate } from "../../src/measures/gate/certified-gate.js";
import { limits } from "../../src/measures/gate/fleet.suite.js";
import type { GateCohort, ThreadGroup } from "../../src/measures/gate/gate-input.js";
import { passGate } from "../../src/measures/gate/pass-gate.js";
import { createRng, type Rng } from "../../src/stats/random/create-rng.js";
import { atLeast, atMost, worseLargeThreads } from "./coverage.js";
import { record } from "./record.js";

const FLEETS = 1000;
const CAUTIOUS = 200;
const LOOKS = 20;
const LIMIT = 0.1;

/** The threads of one community as they arrive. */
class Community {
  readonly #groups = new Map<number, ThreadGroup>();
  #n = 0;
  #bad = 0;
  #squares = 0;

  constructor(readonly key: string) {}

  add(n: number, bad: number): void {
    this.#n += n;
    this.#bad += bad;
    this.#squares += n * n;
    const key = n * 1000 + bad;
    const known = this.#groups.get(key);
    if (known) known.threads += 1;
    else this.#groups.set(key, { threads: 1, n, indefensible: bad, inverse_yes: 0, inverse_yes_pure: 0 });
  }

  cohort(withThreads = true): GateCohort {
    const counts = { n: this.#n, indefensible: this.#bad, inverse_yes: 0, inverse_yes_pure: 0, unscored: 0 };
    if (!withThreads) return { key: this.key, ...counts };
    const threads = { groups: [...this.#groups.values()], open: 0, late: 0 };
    return { key: this.key, ...counts, design_effect: this.#squares / Math.max(1, this.#n), threads };
  }
}

function binomial(rng: Rng, n: number, rate: number): number {
  let k = 0;
  for (let i = 0; i < n; i += 1) if (rng.next() < rate) k += 1;
  return k;
}

/** A thread of one or two decisions, each bad by itself. */
function calm(rng: Rng, community: Community, rate: number): void {
  const n = rng.next() < 0.5 ? 1 : 2;
  community.add(n, binomial(rng, n, rate));
}

type Draw = (rng: Rng, community: Community) => void;

interface Passes {
  certified: number;
  independent: number;
  shrunk: number;
}

/** Fleets in which a community at the limit passes, at the middle look alone and at any of 20; 19 neighbours are calm and good. */
function falsePasses(seed: string, draw: Draw, threadCap: number, cautious = 0): { one: Passes; twenty: Passes } {
  const rng = createRng(seed);
  const none = (): Passes => ({ certified: 0, independent: 0, shrunk: 0 });
  const [one, twenty] = [none(), none()];
  for (let fleet = 0; fleet < FLEETS; fleet += 1) {
    const communities = Array.from({ length: 20 }, (_, i) => new Community(`c${i}`));
    const any = { certified: false, independent: false, shrunk: false };
    for (let look = 1; look <= LOOKS; look += 1) {
      for (let thread = 0; thread < 50; thread += 1) {
        communities.forEach((community, i) => {
          if (i === 0) draw(rng, community);
          else calm(rng, community, 0.03);
        });
      }
      const threaded = communities.map((community) => community.cohort());
      const now = {
        certified: certifiedGate(threaded, limits(), { threadCap })[0]!.passes,
        // All neighbours pass in time, so that Holm asks no more of it than of one community alone.
        independent: certifiedGate([communities[0]!.cohort(false)], limits(), { threadCap })[0]!.passes,
        // The cautious mode is slow to fit, so it has fewer fleets and looks every fifth time.
        shrunk: fleet < cautious && look % 5 === 0 && passGate(threaded, limits(), { mode: "shrunk" })[0]!,
      };
      for (const name of ["certified", "independent", "shrunk"] as const) {
        any[name] ||= now[name];
        if (look === LOOKS / 2 && now[name]) one[name] += 1 / (name === "shrunk" ? CAUTIOUS : FLEETS);
      }
    }
    if (any.certified) twenty.certified += 1 / FLEETS;
    if (any.independent) twenty.independent += 1 / FLEETS;
    if (any.shrunk) twenty.shrunk += 1 / CAUTIOUS;
  }
  return { one, twenty };
}

describe("waves", () => {
  it.each([10, 20, 40])("of %i posts, wholly bad with the limit's probability", (size) => {
    const seed = `waves ${size}`;
    const draw: Draw = (rng, community) => {
      if (rng.next() < 0.05) community.add(size, rng.next() < LIMIT ? size : 0);
      else calm(rng, community, LIMIT);
    };
    const { one, twenty } = falsePasses(seed, draw, 5, CAUTIOUS);
    const row = {
      topic: "Waves",
      measure: "fleets in which the community at exactly 10% passes",
      draws: FLEETS,
      seed,
    };
    for (const [looks, found] of [
      ["1 look at 500 threads", one],
      ["20 looks, every 50 threads", twenty],
    ] as const) {
      const setting = `5% of the threads have ${size} posts, ${looks}`;
      record({ ...row, setting, method: "threads as units, cap 5", promise: atMost(0.05), observed: found.certified });
      record({ ...row, setting, method: "decisions as independent", promise: null, observed: found.independent });
      const shrunk = setting.replace("20 looks, every 50", "4 looks, every 250");
      record({
        ...row,
        setting: shrunk,
        topic: "Waves, cautious mode",
        method: "shrunk, q = .05",
        promise: null,
        observed: found.shrunk,
        draws: CAUTIOUS,
      });
    }
    expect(twenty.certified).toBeLessThanOrEqual(0.05 + 3 * Math.sqrt((0.05 * 0.95) / FLEETS));
    if (size === 40) expect(twenty.independent).toBeGreaterThan(0.2);
  });
});

describe("threads that are the worse the larger they are", () => {
  it.each([1, 5, 20])("keep the promise at cap %i, whose rate is exactly at the limit", (cap) => {
    const seed = `badness ${cap}`;
    const { rate, drawThread } = worseLargeThreads(LIMIT, cap);
    const draw: Draw = (rng, community) => {
      // Half of the badness is the whole thread's, half is each decision's own.
      const { n, own } = drawThread(rng);
      community.add(n, rng.next() < 0.5 ? (rng.next() < own ? n : 0) : binomial(rng, n, own));
    };
    const { one, twenty } = falsePasses(seed, draw, cap);
    const row = {
      topic: "Threads that are the worse the larger they are",
      measure: "fleets in which the community passes",
      method: `cap ${cap}`,
      promise: atMost(0.05),
      beside: { "rate of all decisions": rate },
      draws: FLEETS,
      seed,
    };
    record({ ...row, setting: "1 look at 500 threads", observed: one.certified });
    record({ ...row, setting: "20 looks, every 50 threads", observed: twenty.certified });
    expect(twenty.certified).toBeLessThanOrEqual(0.071);
  });
});

describe("threads still open at a look", () => {
  it("wait until they are closed", () => {
    const seed = "open threads";
    const rng = createRng(seed);
    const found = { closed: [0, 0], asTheyAre: [0, 0] };
    for (let fleet = 0; fleet < FLEETS; fleet += 1) {
      const neighbours = Array.from({ length: 19 }, (_, i) => new Community(`c${i + 1}`));
      // First decision, posts and days after the first, of each thread: a large one turns bad in its second half, or not.
      const threads: { first: number; bad: boolean[]; last: number }[] = [];
      const any = { closed: false, asTheyAre: false };
      for (let look = 1; look <= LOOKS; look += 1) {
        const now = 7 * look;
        for (let day = now - 7; day < now; day += 1) {
          for (let i = 0; i < 8; i += 1) {
            const large = rng.next() < 0.1;
            const turns = rng.next() < 2 * LIMIT;
            const bad = large
              ? Array.from({ length: 20 }, (_, post) => turns && post >= 10)
              : [rng.next() < LIMIT, ...(rng.next() < 0.5 ? [rng.next() < LIMIT] : [])];
            threads.push({ first: day + rng.next(), bad, last: 6.9 });
            for (const community of neighbours) calm(rng, community, 0.03);
          }
        }
        const others = neighbours.map((community) => community.cohort());
        for (const name of ["closed", "asTheyAre"] as const) {
          const community = new Community("c0");
          for (const { first, bad, last } of threads) {
            if (name === "closed" && first + 7 > now) continue;
            const seen = bad.filter((_, post) => first + (last * post) / bad.length <= now);
            community.add(seen.length, seen.filter(Boolean).length);
          }
          const cohort = community.cohort();
          if (cohort.n === 0) continue;
          const passes = certifiedGate([cohort, ...others], limits())[0]!.passes;
          any[name] ||= passes;
          if (look === LOOKS / 2 && passes) found[name][0]! += 1 / FLEETS;
        }
      }
      for (const name of ["closed", "asTheyAre"] as const) if (any[name]) found[name][1]! += 1 / FLEETS;
    }
    const row = {
      topic: "Threads still open at a look",
      measure: "fleets in which the community at exactly 10% passes",
      draws: FLEETS,
      seed,
    };
    ["1 look in week 10", "20 weekly looks"].forEach((setting, i) => {
      record({ ...row, setting, method: "closed threads only", promise: atMost(0.05), observed: found.closed[i]! });
      record({ ...row, setting, method: "open threads as they are", promise: null, observed: found.asTheyAre[i]! });
    });
    expect(found.closed[1]).toBeLessThanOrEqual(0.071);
  });
});

describe("power", () => {
  it("passes at least 90% of 20 calm communities at 3% with threads of one or two and 600 decisions", () => {
    const seed = "calm fleet";
    const rng = createRng(seed);
    const passed: Record<number, number> = { 1: 0, 5: 0, 10: 0 };
    for (let fleet = 0; fleet < FLEETS; fleet += 1) {
      const communities = Array.from({ length: 20 }, (_, i) => new Community(`c${i}`));
      for (const community of communities) while (community.cohort(false).n < 600) calm(rng, community, 0.03);
      const cohorts = communities.map((community) => community.cohort());
      for (const cap of [1, 5, 10]) {
        const verdicts = certifiedGate(cohorts, limits(), { threadCap: cap });
        passed[cap]! += verdicts.filter((verdict) => verdict.passes).length / 20 / FLEETS;
      }
    }
    for (const cap of [1, 5, 10]) {
      record({
        topic: "Power of the certified gate",
        method: `cap ${cap}`,
        setting: "20 communities at 3%, threads of 1 or 2, 600 decisions each",
        measure: "communities that pass",
        promise: cap === 5 ? atLeast(0.9) : null,
        observed: passed[cap]!,
        draws: FLEETS,
        seed,
      });
    }
    expect(passed[5]).toBeGreaterThanOrEqual(0.9);
  });
});
