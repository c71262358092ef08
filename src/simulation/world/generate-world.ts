import type { Precedent } from "../../core/records/decision.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import type { WorldSettings } from "../../core/results/simulation.js";
import { createRng, type Rng } from "../../stats/random/create-rng.js";
import type { RuleRelation } from "../books/book.js";
import { bookCalled } from "../books/books.js";
import { type Community, drawCommunity, platformRuleSet } from "./community.js";
import { drawCases, type SimulatedCase } from "./draw-cases.js";
import { drawText } from "./draw-content.js";
import { planCommunities } from "./plan-communities.js";
import { type ExpectedRates, expectedRates } from "./planted-rates.js";
import { onlySide, RELATIONS } from "./side-state.js";

/** What a precedent can be about: only what the rules settle, so that no precedent closes what they leave open. */
const SETTLED: readonly RuleRelation[] = ["core", "described", "detailed", "cleared", "excepted"];

/** Earlier decisions of a community, all of them right. */
function drawPrecedents(community: Community, settings: WorldSettings, rng: Rng): Precedent[] {
  const mean = settings.precedents.per_community;
  const count = Math.floor(mean) + (rng.next() < mean % 1 ? 1 : 0);
  const before = Date.parse(settings.start) - 86_400_000;
  return Array.from({ length: count }, (_, i) => {
    const rule = community.rules[rng.int(community.rules.length)]!;
    const able = SETTLED.filter((relation) => rule.source.cases[relation]?.length);
    const relation = able[rng.int(able.length)] ?? "core";
    const states = RELATIONS[relation];
    const side = onlySide(states.wiki)!;
    const foreign = community.secondLanguage !== null && rng.next() < settings.precedents.foreign;
    const scopes = { platform: "approve", community: states.wiki } as const;
    const content = drawText({ relation, states, scopes, rule }, community, foreign, rng);
    return {
      id: `${community.name}-p${i + 1}`,
      community: community.name,
      content,
      decision: side,
      rule_id: rule.rule_id,
      decided_at: new Date(before - i * 86_400_000).toISOString().replace(/\.\d+Z$/, "Z"),
      language: content.language ?? "en",
    };
  });
}

/** One community of a world, with everything in it. */
export interface SimulatedCommunity {
  cohort: string;
  community: string;
  state: string;
  /** What its decisions come to in the long run; not meant for a cohort that is given by its tiers. */
  expected: ExpectedRates;
  /** Number of decisions that `cases` will give. */
  size: number;
  ruleSet: RuleSet;
  precedents: Precedent[];
  /** Decisions and their truths, made as they are asked for; asked again, the same. */
  cases(): Generator<SimulatedCase>;
}

/**
 * A governed world with known truth, a community at a time: nothing is held but the sizes of the cohort in hand. Each community is drawn from a
 * stream of its own, so that the same seed gives the same world however it is read.
 */
export function* generateWorld(settings: WorldSettings, seed: number): Generator<SimulatedCommunity> {
  const book = bookCalled(settings.book);
  const root = createRng(seed).fork("world");
  let number = 0;
  for (const cohort of settings.cohorts) {
    const stream = root.fork(cohort.name);
    for (const plan of planCommunities(cohort, stream)) {
      number += 1;
      const own = stream.fork(`community ${number}`);
      const community = drawCommunity(plan, cohort, number, settings, book, own);
      yield {
        cohort: cohort.name,
        community: community.name,
        state: community.state,
        expected: expectedRates(community),
        size: community.decisions,
        ruleSet: community.ruleSet,
        precedents: drawPrecedents(community, settings, own.fork("precedents")),
        cases: () => drawCases(community, settings, own.fork("cases")),
      };
    }
  }
}

/** The rules that hold in all communities of the world. */
export function generatePlatformRules(settings: WorldSettings, seed: number): RuleSet {
  return platformRuleSet(settings, bookCalled(settings.book), createRng(seed).fork("platform"));
}
