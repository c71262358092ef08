import type { RuleSet } from "../../core/records/rule-set.js";
import type { SimulatedCohort, WorldSettings } from "../../core/results/simulation.js";
import type { Rng } from "../../stats/random/create-rng.js";
import { drawBeta } from "../../stats/random/draw-beta.js";
import { shuffle } from "../../stats/random/shuffle.js";
import { type Book, type BookRule, SECOND_LANGUAGES, type SecondLanguage, type Topic } from "../books/book.js";
import { fill, type Wording } from "../books/fill.js";
import type { CommunityPlan } from "./plan-communities.js";

/** A rule of a community's book as it stands in its rule set. */
export interface PlacedRule {
  scope: "platform" | "community";
  rule_id: string;
  source: BookRule;
}

/** Everything about a community that its cases are drawn from. */
export interface Community {
  name: string;
  /** Number among all communities of the world, from 1. */
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
  /** Probability that its people remove what the rules leave open. */
  prefersRemoval: number;
  /** The same of the decider. */
  deciderRemoves: number;
}

export function drawCommunity(
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
  // The rules that the book's conflicts between scopes turn on stand in every community.
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
    // It follows its community half-way.
    deciderRemoves: Math.min(1, Math.max(0, decider + (prefersRemoval - people) / 2)),
  };
}

/** The platform's rule set, in the words of the book alone. */
export function platformRuleSet(settings: WorldSettings, book: Book, rng: Rng): RuleSet {
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
