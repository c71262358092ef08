import { describe, expect, it } from "vitest";
import type { Row } from "../../scripts/guarantees.mjs";
import { type CertifiedOptions, certifiedGate } from "../../src/measures/gate/certified-gate.js";
import { drawCohort, drawFleet, limits, trulyGood } from "../../src/measures/gate/fleet.suite.js";
import { type PassOptions, passGate } from "../../src/measures/gate/pass-gate.js";
import { falseCertificates } from "../../src/measures/gate/repeated-looks.suite.js";
import { createRng } from "../../src/stats/random/create-rng.js";
import { atMost } from "./coverage.js";
import { record } from "./record.js";

const MODES: Record<string, PassOptions> = {
  paper: { mode: "paper" },
  "shrunk, q = .05": { mode: "shrunk", q: 0.05 },
  "shrunk, q = .10": { mode: "shrunk", q: 0.1 },
  "certified e-BH": { mode: "certified", adjust: "bh" },
  "certified Holm": { mode: "certified", adjust: "holm" },
  "certified fixed sequence": { mode: "certified", look: "once", adjust: "fixed_sequence" },
};

/** Share of communities passed, of false passes among them (also below 60 decisions), and of the good ones found. Puts them on record. */
function modeTable(seed: string, fleets: number, size: number) {
  const rng = createRng(seed);
  const names = Object.keys(MODES);
  const tally = new Map(names.map((name) => [name, { passed: 0, wrong: 0, small: 0, smallWrong: 0, found: 0 }]));
  const perFleet = new Map(names.map((name) => [name, [] as [wrong: number, passed: number][]]));
  let good = 0;
  for (let run = 0; run < fleets; run += 1) {
    const { cohorts, truth } = drawFleet(rng, size);
    const sound = truth.map((rates) => trulyGood(rates, limits()));
    good += sound.filter(Boolean).length;
    for (const name of names) {
      const row = tally.get(name)!;
      const before = { ...row };
      passGate(cohorts, limits(), MODES[name]).forEach((pass, i) => {
        if (!pass) return;
        const small = cohorts[i]!.n < 60;
        row.passed += 1;
        if (sound[i]) row.found += 1;
        else row.wrong += 1;
        if (small) row.small += 1;
        if (small && !sound[i]) row.smallWrong += 1;
      });
      perFleet.get(name)!.push([row.wrong - before.wrong, row.passed - before.passed]);
    }
  }
  const share = (k: number, n: number) => (n === 0 ? null : Math.round((1000 * k) / n) / 1000);
  const table = Object.fromEntries(
    [...tally].map(([name, row]) => [
      name,
      {
        passed: share(row.passed, fleets * size)!,
        false_share: share(row.wrong, row.passed) ?? 0,
        false_share_below_60: share(row.smallWrong, row.small),
        recall: share(row.found, good)!,
      },
    ]),
  );
  for (const [name, { passed, false_share, false_share_below_60, recall }] of Object.entries(table)) {
    const spread = perFleet.get(name)!.reduce((sum, [wrong, all]) => sum + (wrong - false_share * all) ** 2, 0);
    record({
      topic: "False passes by mode",
      method: name,
      setting: `${size} communities`,
      measure: "share of those passed that are not good",
      promise: promiseOf(name),
      observed: false_share,
      standard_error: Math.sqrt(spread) / Math.max(1, tally.get(name)!.passed),
      beside: {
        ...(false_share_below_60 !== null && { "below 60 decisions": false_share_below_60 }),
        "passed, of all": passed,
        "passed, of the good": recall,
      },
      draws: fleets,
      seed,
    });
  }
  return table;
}

/** The prior of the shrunk gate is fitted, so its share is approximate; a test bounds it whatever the fleet is like. */
function promiseOf(name: string): Row["promise"] {
  if (name === "paper") return null;
  const q = name.includes(".10") ? 0.1 : 0.05;
  return name.startsWith("shrunk") ? { kind: "approximate", nominal: q, at_most: q } : atMost(q);
}

describe("false passes by mode", () => {
  it("are ordered as promised in fleets of 270", () => {
    const table = modeTable("270", 60, 270);
    const at = (name: string) => table[name]!;
    expect(at("paper").false_share).toBeGreaterThan(0.03);
    expect(at("paper").false_share_below_60!).toBeGreaterThan(at("paper").false_share);
    expect(at("shrunk, q = .05").false_share).toBeLessThan(0.05);
    expect(at("shrunk, q = .05").false_share).toBeLessThan(at("paper").false_share / 1.5);
    expect(at("shrunk, q = .10").false_share).toBeLessThan(0.1);
    for (const name of Object.keys(MODES).filter((mode) => mode.startsWith("certified"))) {
      expect(at(name).false_share).toBeLessThan(0.01);
    }
    const recall = ["paper", "shrunk, q = .05", "certified e-BH", "certified Holm"];
    recall.slice(1).forEach((name, i) => {
      expect(at(name).recall).toBeLessThan(at(recall[i]!).recall);
    });
  });

  it("stay at q in small fleets, where the prior is integrated over", () => {
    const table = modeTable("20", 400, 20);
    expect(table["shrunk, q = .05"]!.false_share).toBeLessThan(0.05);
  });
});

describe("fleets at the limit", () => {
  const names = { holm: "Holm", bh: "e-BH", by: "e-BH", fixed_sequence: "fixed sequence" };
  const seedOf = ({ look, adjust }: CertifiedOptions) => `limit ${look} ${adjust}`;
  const anyPass = (options: CertifiedOptions, draws: number) => {
    const rng = createRng(seedOf(options));
    let hit = 0;
    for (let draw = 0; draw < draws; draw += 1) {
      const fleet = Array.from({ length: 50 }, (_, i) => {
        const rates = { indefensible: 0.1, pure: 0, contradiction: 0 };
        return drawCohort(rng, `c${i}`, 40 + rng.int(400), rates);
      });
      if (certifiedGate(fleet, limits(), options).some((verdict) => verdict.passes)) hit += 1;
    }
    return hit / draws;
  };

  it.each([
    { look: "once", adjust: "fixed_sequence" },
    { look: "anytime", adjust: "holm" },
    { look: "anytime", adjust: "bh" },
  ] as CertifiedOptions[])("see any false pass in at most 5%% with $look, $adjust", (options) => {
    const share = anyPass(options, 2000);
    record({
      topic: "A fleet at the limit",
      method: names[options.adjust!],
      setting: "50 communities at exactly 10% indefensible",
      measure: "fleets with any false pass",
      promise: atMost(0.05),
      observed: share,
      draws: 2000,
      seed: seedOf(options),
    });
    // 2,000 draws: three standard errors above 5%.
    expect(share).toBeLessThan(0.065);
  });
});

describe("repeated looks at a true 10%", () => {
  it.each([
    { looks: 20, every: 25, least: 0.12, most: 0.18 },
    { looks: 40, every: 25, least: 0.16, most: 0.24 },
    { looks: 1000, every: 1, least: 0.2, most: 0.3 },
  ])("$looks looks, every $every decisions", (plan) => {
    const found = falseCertificates({ seed: 20, draws: 4000, rate: 0.1, ...plan });
    const row = {
      topic: "Repeated looks",
      setting: `${plan.looks} looks, every ${plan.every === 1 ? "decision" : `${plan.every} decisions`}`,
      measure: "communities at exactly 10% certified at some look",
      draws: 4000,
      seed: 20,
    };
    record({ ...row, method: "test for one look", promise: { kind: "broken", at_most: 0.05 }, observed: found.once });
    record({ ...row, method: "e-values, any time", promise: atMost(0.05), observed: found.anytime });
    expect(found.once).toBeGreaterThan(plan.least);
    expect(found.once).toBeLessThan(plan.most);
    expect(found.anytime).toBeLessThan(0.05);
  });
});
