import { describe, expect, it } from "vitest";
import type { GateMode } from "../../src/core/gate.js";
import { certifiedGate } from "../../src/measures/gate/certified-gate.js";
import { type GateCohort, STANDARD_LIMITS } from "../../src/measures/gate/gate-input.js";
import { passGate } from "../../src/measures/gate/pass-gate.js";
import { chooseThresholds } from "../../src/measures/gate/selective/choose-thresholds.js";
import { clopperPearsonBound } from "../../src/stats/intervals/proportion.js";
import { createRng, type Rng } from "../../src/stats/random/create-rng.js";
import { atMost } from "./coverage.js";
import { record } from "./record.js";

const DELTA = 0.05;

/** A fleet of communities of one size, whose scores know nothing: the risk of what is automated is the mean rate of its communities. */
interface World {
  name: string;
  communities: number;
  size: number;
  rate: (rng: Rng) => number;
  mode: GateMode;
  risk: number;
}

function drawGamma(shape: number, rng: Rng): number {
  let sum = 0;
  for (let i = 0; i < shape; i++) sum -= Math.log(1 - rng.next());
  return sum;
}

function drawBeta(a: number, b: number, rng: Rng): number {
  const x = drawGamma(a, rng);
  return x / (x + drawGamma(b, rng));
}

interface Drawn {
  rates: number[];
  score: Float64Array;
  indefensible: Uint8Array;
  community: Int32Array;
  heldOut: Uint8Array;
}

function drawFleet({ communities, size, rate }: World, rng: Rng): Drawn {
  const rates = Array.from({ length: communities }, () => rate(rng));
  const n = communities * size;
  const community = Int32Array.from({ length: n }, (_, i) => Math.floor(i / size));
  const score = Float64Array.from({ length: n }, () => rng.next());
  const indefensible = Uint8Array.from(community, (c) => (rng.next() < rates[c]! ? 1 : 0));
  const heldOut = Uint8Array.from(community, () => rng.int(2));
  return { rates, score, indefensible, community, heldOut };
}

function passing(world: World, drawn: Drawn, counts: (i: number) => boolean, least: number): boolean[] {
  const cohorts = drawn.rates.map((_, c): GateCohort => {
    return { key: `c${c}`, n: 0, indefensible: 0, inverse_yes: 0, inverse_yes_pure: 0, unscored: 0 };
  });
  drawn.community.forEach((c, i) => {
    if (!counts(i)) return;
    cohorts[c]!.n += 1;
    cohorts[c]!.indefensible += drawn.indefensible[i]!;
  });
  return passGate(cohorts, { ...STANDARD_LIMITS, min_decisions: least }, { mode: world.mode, look: "once" });
}

/** Whether the pooled threshold of the rows that `keep` exists. */
function hasThreshold(world: World, drawn: Drawn, keep: (i: number) => boolean): boolean {
  const at = [...drawn.score.keys()].filter(keep);
  const rows = {
    score: Float64Array.from(at, (i) => drawn.score[i]!),
    indefensible: Uint8Array.from(at, (i) => drawn.indefensible[i]!),
    community: Int32Array.from(at, (i) => drawn.community[i]!),
    communities: drawn.rates.map((_, c) => `c${c}`),
  };
  return chooseThresholds(rows, { risk: world.risk, delta: DELTA }).pooled.threshold !== null;
}

interface Found {
  /** Draws whose automated part has a true risk above the limit, and mean share of the communities that pass which may be automated. */
  broken: number;
  open: number;
}

/** What comes of certifying on the half that chose nobody, and on the decisions that chose. */
function tryWorld(world: World, draws: number, seed: string): { apart: Found; together: Found } {
  const rng = createRng(seed);
  const found = { apart: { broken: 0, open: 0 }, together: { broken: 0, open: 0 } };
  for (let draw = 0; draw < draws; draw++) {
    const drawn = drawFleet(world, rng);
    const all = passing(world, drawn, () => true, 25);
    const chosen = passing(world, drawn, (i) => drawn.heldOut[i] === 0, 13);
    const passed = all.filter(Boolean).length;
    if (passed === 0) continue;
    const note = (into: Found, open: readonly boolean[], given: boolean) => {
      const rates = given ? drawn.rates.filter((_, c) => open[c]) : [];
      into.open += rates.length / passed / draws;
      if (rates.length === 0) return;
      if (rates.reduce((sum, rate) => sum + rate, 0) / rates.length > world.risk) into.broken += 1 / draws;
    };
    // Of those that were chosen the gate of all decisions takes some out again: these rows certify, and are not automated.
    const both = all.map((passes, c) => passes && chosen[c]!);
    const certifies = (i: number) => drawn.heldOut[i] === 1 && chosen[drawn.community[i]!]!;
    note(found.apart, both, hasThreshold(world, drawn, certifies));
    note(
      found.together,
      all,
      hasThreshold(world, drawn, (i) => all[drawn.community[i]!]!),
    );
  }
  return found;
}

const WORLDS: (World & { kept: boolean; draws: number })[] = [
  {
    name: "300 × 60 decisions, rates Beta(6, 50), chosen by shrunk, risk 4%",
    communities: 300,
    size: 60,
    rate: (rng) => drawBeta(6, 50, rng),
    mode: "shrunk",
    risk: 0.04,
    kept: false,
    draws: 600,
  },
  {
    name: "300 × 40 decisions, all rates 10.01%, chosen by paper, risk 10%",
    communities: 300,
    size: 40,
    rate: () => 0.1001,
    mode: "paper",
    risk: 0.1,
    kept: false,
    draws: 600,
  },
  {
    name: "300 × 60 decisions, half at 3% and half at 12%, chosen by paper, risk 5%",
    communities: 300,
    size: 60,
    rate: (rng) => (rng.next() < 0.5 ? 0.03 : 0.12),
    mode: "paper",
    risk: 0.05,
    kept: false,
    draws: 600,
  },
  {
    name: "60 × 120 decisions, rates Beta(1, 99), chosen by shrunk, risk 4%",
    communities: 60,
    size: 120,
    rate: (rng) => drawBeta(1, 99, rng),
    mode: "shrunk",
    risk: 0.04,
    kept: true,
    draws: 600,
  },
];

describe("thresholds of communities that a gate chose", () => {
  it.each(WORLDS.map((world, i) => ({ ...world, seed: `chosen ${i + 1}` })))("$name", ({ seed, draws, ...world }) => {
    const { apart, together } = tryWorld(world, draws, seed);
    const row = { setting: world.name, draws, seed };
    const measure = "fleets whose automated part has a true risk above the limit";
    const topic = "Communities chosen on the same rows";
    const open = "share of the communities that pass which may be automated";
    record({
      ...row,
      topic,
      measure,
      method: "certified on the other half",
      promise: atMost(DELTA),
      observed: apart.broken,
      beside: { [open]: apart.open },
    });
    record({
      ...row,
      topic,
      measure,
      method: "certified on the decisions that chose",
      promise: world.kept ? null : { kind: "broken", at_most: DELTA },
      observed: together.broken,
      beside: { [open]: together.open },
    });
    if (world.kept) expect(apart.open).toBeGreaterThan(0.9);
  });
});

/** Fleets with any false pass where the auditor finds nothing and people do, after each of ten batches of labels. */
function blindAuditor(truth: number, draws: number, seed: string) {
  const [communities, batch] = [40, 30];
  const rng = createRng(seed);
  const fleet = Array.from({ length: communities }, (_, c): GateCohort => {
    return { key: String(c), n: 3000, indefensible: 0, inverse_yes: 0, inverse_yes_pure: 0, unscored: 0 };
  });
  const found = { once: 0, anytime: 0, alone: 0 };
  for (let draw = 0; draw < draws; draw++) {
    const bad = new Int32Array(communities);
    const any = { once: false, anytime: false, alone: false };
    for (let look = 1; look <= 10; look++) {
      for (let c = 0; c < communities; c++) for (let i = 0; i < batch; i++) if (rng.next() < truth) bad[c]! += 1;
      const labels = batch * look;
      const labelCounts = (key: string) => ({ labels, indefensible: bad[Number(key)]! });
      const passes = (kind: "once" | "anytime") =>
        certifiedGate(fleet, STANDARD_LIMITS, { look: kind, labelCounts }).some((verdict) => verdict.passes);
      if (look === 4) any.once = passes("once");
      any.anytime ||= passes("anytime");
      if (look === 4) any.alone = bad.some((k) => clopperPearsonBound(k, labels, DELTA) <= 0.1);
    }
    for (const name of ["once", "anytime", "alone"] as const) if (any[name]) found[name] += 1 / draws;
  }
  return found;
}

describe("the true rate as part of the certified gate", () => {
  it.each([0.1, 0.105])("true rate %f, of which the auditor sees nothing", (truth) => {
    const [draws, seed] = [800, `blind auditor ${truth}`];
    const found = blindAuditor(truth, draws, seed);
    const row = {
      topic: "True rate in certified mode",
      setting: `40 communities with a true rate of ${100 * truth}%, none seen by the auditor`,
      measure: "fleets with any false pass",
      draws,
      seed,
    };
    const once = "one look at 120 labels each, Holm";
    const anytime = "ten looks at 30 to 300 labels each, e-values and Holm";
    const alone = "one look at 120 labels each, a bound at δ for each";
    record({ ...row, method: once, promise: atMost(DELTA), observed: found.once });
    record({ ...row, method: anytime, promise: atMost(DELTA), observed: found.anytime });
    record({ ...row, method: alone, promise: { kind: "broken", at_most: DELTA }, observed: found.alone });
  });
});
