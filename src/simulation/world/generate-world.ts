import type { Precedent } from "../../core/records/precedent.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import type { WorldSettings } from "../../core/results/simulation.js";
import { createRng } from "../../stats/random/create-rng.js";
import { bookCalled } from "../books/books.js";
import { drawCommunity, platformRuleSet } from "./community.js";
import { drawCases, type SimulatedCase } from "./draw-cases.js";
import { drawPrecedents } from "./draw-precedents.js";
import { type ExpectedRates, expectedRates } from "./expected-rates.js";
import { planCommunities } from "./plan-communities.js";

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
