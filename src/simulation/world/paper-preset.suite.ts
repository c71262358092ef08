import type { Decision } from "../../core/records/decision.js";
import { TIERS, type Tier } from "../../core/records/rule-set.js";
import type { SimulatedCohort } from "../../core/results/simulation.js";
import { createRng } from "../../stats/random/create-rng.js";
import { compileAuditor, drawAudit } from "../auditor/draw-audit.js";
import { paperAuditor } from "../auditor/paper-auditor.js";
import { readCase } from "../auditor/read-case.js";
import type { SimulatedCase } from "./draw-cases.js";
import { generateWorld } from "./generate-world.js";
import { PAPER_RATES } from "./level-shares.js";
import { presetWorld } from "./presets.js";

/** The temperature of the paper's audits. */
const PAPER_TEMPERATURE = 0.2;

/** A rate of the paper's preset: what was published, what came out, and the standard error of that. */
export interface PresetRate {
  name: string;
  published: number;
  observed: number;
  standardError: number;
}

/** A decision as the paper's auditor sees it. */
interface Audited {
  decision: string;
  label: string | null | undefined;
  level: number;
  inverse: boolean;
}

/** Threads of like decisions make a sample say less: 1 + correlation of the sort of content times mates in the thread, generously. */
const DESIGN_EFFECT = 1.5;

const auditor = compileAuditor(paperAuditor());

/** The paper's preset with every cohort cut to a share of its size, as its auditor sees it. */
export function paperPresetRates(scale: number, seed: number): PresetRate[] {
  const world = presetWorld("paper");
  const names = ["random", "balanced", "underspecification"];
  const cohorts = world.cohorts.filter(({ name }) => names.includes(name)).map((cohort) => cut(cohort, scale));
  const cases = new Map(cohorts.map(({ name }): [string, SimulatedCase[]] => [name, []]));
  for (const community of generateWorld({ ...world, cohorts }, seed)) {
    for (const { decision, truth } of community.cases()) {
      const { id, decision: side, human_label } = decision;
      cases.get(community.cohort)!.push({ decision: { id, decision: side, human_label } as Decision, truth });
    }
  }
  const { random, balanced, tiers } = PAPER_RATES;
  const samples = (["random", "balanced"] as const).flatMap((name) => {
    const audited = cases.get(name)!.map((one) => audit(one, "wiki"));
    return [...indices(name, audited, PAPER_RATES[name]), ...agreement(name, audited, PAPER_RATES[name])];
  });
  const [ofRandom, ofBalanced] = ["random", "balanced"].map((name) =>
    cases.get(name)!.map((one) => audit(one, "wiki")),
  );
  const differs = ofBalanced!.filter(disagreed);
  return [
    ...samples,
    share(
      "random: accurate but indefensible",
      random.accurateIndefensible,
      ofRandom!,
      (one) => one.level === 2 && !disagreed(one),
    ),
    share("balanced: disagreements", balanced.disagreements / balanced.decisions, ofBalanced!, disagreed),
    share(
      "balanced: disagreements at level 3",
      balanced.modelErrors / balanced.disagreements,
      differs,
      ({ level }) => level === 2,
    ),
    ...TIERS.flatMap((tier) => {
      const audited = cases.get("underspecification")!.map((one) => audit(one, tier));
      const { indefensible, ai, removal } = tiers[tier];
      const removals = audited.filter(({ decision }) => decision === "remove");
      return [
        ...indices(tier, audited, { di: 1 - indefensible / tiers.decisions, ai }),
        share(`${tier}: ambiguity of removals`, removal.ai, removals, ({ inverse }) => inverse),
        share(`${tier}: level 1 of removals`, removal.level1, removals, ({ level }) => level === 0),
      ];
    }),
  ];
}

const disagreed = ({ decision, label }: Audited) => decision !== label;

function audit({ decision, truth }: SimulatedCase, tier: Tier): Audited {
  const shown = { tier, scopes: "both", opposite: false, precedents: true } as const;
  const reading = readCase({ decisionId: decision.id, truth, sameFamily: false, shown }, auditor, PAPER_TEMPERATURE);
  const { level, inverse } = drawAudit(reading, auditor, createRng(`preset:${tier}:${decision.id}`));
  return { decision: decision.decision, label: decision.human_label, level, inverse };
}

function indices(name: string, audited: readonly Audited[], { di, ai }: { di: number; ai: number }): PresetRate[] {
  return [
    share(`${name}: DI`, di, audited, ({ level }) => level < 2),
    share(`${name}: ambiguity`, ai, audited, ({ inverse }) => inverse),
  ];
}

function agreement(
  name: string,
  audited: readonly Audited[],
  printed: { f1: number; fnDefensible: number },
): PresetRate[] {
  const fn = audited.filter((one) => disagreed(one) && one.decision === "approve");
  const removed = audited.filter(({ decision, label }) => decision === "remove" || label === "remove");
  // F1 = 2p/(1 + p), p the share of agreement where either removes.
  const toF1 = (p: number) => (2 * p) / (1 + p);
  const p = printed.f1 / (2 - printed.f1);
  const both = share("", p, removed, (one) => !disagreed(one));
  return [
    {
      name: `${name}: F1`,
      published: printed.f1,
      observed: toF1(both.observed),
      standardError: (2 / (1 + p) ** 2) * both.standardError,
    },
    share(`${name}: false negatives that are defensible`, printed.fnDefensible, fn, ({ level }) => level < 2),
  ];
}

function share(
  name: string,
  published: number,
  some: readonly Audited[],
  holds: (one: Audited) => boolean,
): PresetRate {
  return {
    name,
    published,
    observed: some.filter(holds).length / some.length,
    standardError: Math.sqrt((DESIGN_EFFECT * published * (1 - published)) / some.length),
  };
}

function cut(cohort: SimulatedCohort, scale: number): SimulatedCohort {
  return {
    ...cohort,
    communities: Math.max(1, Math.round(cohort.communities * scale)),
    decisions: Math.round(cohort.decisions * scale),
  };
}
