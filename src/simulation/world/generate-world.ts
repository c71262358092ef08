import type { Precedent } from "../../core/records/decision.js";
import type { RuleSet } from "../../core/records/rule-set.js";
import type { SimulatedCohort, WorldSettings } from "../../core/results/simulation.js";
import { createRng, type Rng, shuffle } from "../../stats/random/create-rng.js";
import { drawBeta } from "../../stats/random/draw-normal.js";
import {
  type Book,
  type BookRule,
  bookCalled,
  fill,
  type RuleRelation,
  SECOND_LANGUAGES,
  type SecondLanguage,
  type Topic,
  type Wording,
} from "../books/books.js";
import { drawCases, type SimulatedCase } from "./draw-cases.js";
import { drawText } from "./draw-content.js";
import { type ExpectedRates, expectedRates } from "./level-shares.js";
import { type CommunityPlan, planCommunities } from "./plan-communities.js";
import { onlySide, RELATIONS } from "./side-state.js";

/** What precedents are about: only what the rules settle, so that no precedent closes what they leave open. */
const SETTLED: readonly RuleRelation[] = ["core", "described", "detailed", "cleared", "excepted"];

/** Earlier decisions of a community, all correct. */
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
  /** The expected rates of its decisions in the long run; not meaningful for a cohort defined by its tiers. */
  expected: ExpectedRates;
  /** Number of decisions that `cases` yields. */
  size: number;
  ruleSet: RuleSet;
  precedents: Precedent[];
  /** Decisions with their truths, generated on demand; every call yields the same. */
  cases(): Generator<SimulatedCase>;
}

/**
 * Generates a governed world with known truth, one community at a time; only the sizes of the current cohort are held in memory.
 * Each community is drawn from its own random stream, so that the same seed gives the same world however it is read.
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

/** The rules that apply in every community of the world. */
export function generatePlatformRules(settings: WorldSettings, seed: number): RuleSet {
  return platformRuleSet(settings, bookCalled(settings.book), createRng(seed).fork("platform"));
}

/** A rule of the book as it appears in a rule set. */
export interface PlacedRule {
  scope: "platform" | "community";
  rule_id: string;
  source: BookRule;
}

/** Everything about a community from which its cases are drawn. */
export interface Community {
  name: string;
  /** Number among all communities of the world, counted from 1. */
  number: number;
  cohort: SimulatedCohort;
  state: string;
  decisions: number;
  wording: Wording;
  ruleSet: RuleSet;
  rules: readonly PlacedRule[];
  platform: readonly PlacedRule[];
  secondLanguage: SecondLanguage | null;
  /** Its own rates, drawn around its state's. */
  open: number;
  void: number;
  implied: number;
  error: number;
  implicitNorms: number;
  /** Probability that its people remove content that the rules leave open. */
  prefersRemoval: number;
  /** The same for the decider. */
  deciderRemoves: number;
}

function drawCommunity(
  plan: CommunityPlan,
  cohort: SimulatedCohort,
  number: number,
  settings: WorldSettings,
  book: Book,
  rng: Rng,
): Community {
  const topic = book.topics[rng.int(book.topics.length)]!;
  const wording = wordingOf(book, topic, rng);
  const name = `${topic.slug}-${String(number).padStart(4, "0")}`;
  const { min, max } = settings.rules;
  const wanted = Math.min(book.rules.length, min + rng.int(Math.max(1, max - min + 1)));
  const chosen = new Set(shuffle(book.rules, rng).slice(0, wanted));
  // Rules on which the book's conflicts between scopes depend are in every community.
  for (const rule of book.rules) {
    if (rule.key === book.forbidden.community || rule.key === book.protected.community) chosen.add(rule);
  }
  const rules = book.rules.filter((rule) => chosen.has(rule));
  const { state, open } = plan;
  const bilingual = rng.next() < settings.languages.bilingual;
  const language = SECOND_LANGUAGES[rng.int(SECOND_LANGUAGES.length)]!;
  const ruleSet = ruleSetOf(rules, wording, { scope: "community", community: name }, settings, rng);
  const { people, decider } = cohort.open_removed;
  const prefersRemoval = drawBeta(settings.preference * people, settings.preference * (1 - people), rng);
  return {
    name,
    number,
    cohort,
    state: state.name,
    decisions: plan.decisions,
    wording,
    ruleSet,
    rules: place(rules, "community"),
    platform: place(book.platform, "platform"),
    secondLanguage: bilingual ? language : null,
    open,
    void: Math.min(state.void, 1 - open),
    implied: state.implied,
    error: plan.error,
    implicitNorms: plan.implicitNorms,
    prefersRemoval,
    // The decider follows its community half-way.
    deciderRemoves: Math.min(1, Math.max(0, decider + (prefersRemoval - people) / 2)),
  };
}

/** The platform's rule set, worded from the book alone. */
function platformRuleSet(settings: WorldSettings, book: Book, rng: Rng): RuleSet {
  const wording = wordingOf(book, { slug: "", words: {}, lists: {} }, rng);
  return ruleSetOf(book.platform, wording, { scope: "platform" }, settings, rng);
}

function wordingOf(book: Book, topic: Topic, rng: Rng): Wording {
  const numbers = Object.fromEntries(
    Object.entries(book.numbers).map(([name, [least, most]]) => [name, least + rng.int(most - least + 1)]),
  );
  return { topic, book, numbers };
}

function place(rules: readonly BookRule[], scope: PlacedRule["scope"]): PlacedRule[] {
  const letter = scope === "platform" ? "P" : "R";
  return rules.map((source, i) => ({ scope, rule_id: `${letter}${i + 1}`, source }));
}

function ruleSetOf(
  rules: readonly BookRule[],
  wording: Wording,
  identity: Pick<RuleSet, "scope" | "community">,
  settings: WorldSettings,
  rng: Rng,
): RuleSet {
  const year = new Date(Date.parse(settings.start) - 365 * 86_400_000).toISOString();
  return {
    ...identity,
    version: "1",
    effective_from: year.slice(0, 10),
    rules: place(rules, identity.scope).map(({ rule_id, source }) => ({
      id: rule_id,
      title: fill(source.titles[rng.int(source.titles.length)]!, wording, rng),
      kind: source.kind,
      description: fill(source.description, wording, rng),
      detail: fill(source.detail, wording, rng),
    })),
  };
}
