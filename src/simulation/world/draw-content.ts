import type { Content } from "../../core/records/decision.js";
import type { SimulatedCohort, WorldSettings } from "../../core/results/simulation.js";
import type { Rng } from "../../stats/random/create-rng.js";
import { type Phrases, pickPhrase, type RuleRelation } from "../books/books.js";
import type { Community, PlacedRule } from "./generate-world.js";
import {
  onlySide,
  otherSide,
  RELATIONS,
  type Relation,
  relationOf,
  type Side,
  type SideState,
  type StatesByTier,
} from "./side-state.js";

/** A piece of content before it is worded: its relation to the rules. */
export interface ContentPlan {
  relation: Relation;
  states: StatesByTier;
  /** The states under one scope's rules alone, with the whole text. */
  scopes: Readonly<Record<"platform" | "community", SideState>>;
  /** The rule that decides it, and by which it is worded; null for content that no rule covers. */
  rule: PlacedRule | null;
}

/** Draws content by the community's rates. */
export function drawContent(community: Community, settings: WorldSettings, rng: Rng): ContentPlan {
  const u = rng.next();
  const { cohort } = community;
  if (u < community.void) return planOf("void", community, settings, rng);
  if (u < community.void + community.open) return planOf("open", community, settings, rng);
  const side: Side = rng.next() < cohort.violating ? "remove" : "approve";
  if (rng.next() < community.implied) {
    return planOf(side === "remove" ? "implied" : "spared", community, settings, rng);
  }
  if (rng.next() < cohort.precedence) {
    return planOf(side === "remove" ? "forbidden" : "protected", community, settings, rng);
  }
  return planOf(
    side === "remove" ? removable(settings, rng) : allowed(community, settings, rng),
    community,
    settings,
    rng,
  );
}

/** Draws content on which a decision has the given verdicts at the three tiers. */
export function drawContentOf(
  course: TierCourse,
  side: Side,
  community: Community,
  settings: WorldSettings,
  rng: Rng,
): ContentPlan {
  const states = {
    title: stateOf(course.title, side),
    sidebar: stateOf(course.sidebar, side),
    wiki: stateOf(course.wiki, side),
  };
  let relation = relationOf(states);
  if (relation === "neutral" && rng.next() < community.implicitNorms) relation = "unwelcome";
  const plan = planOf(relation, community, settings, rng);
  const scopes = plan.rule ? { ...plan.scopes, [plan.rule.scope]: states.wiki } : plan.scopes;
  return { ...plan, states, scopes };
}

const ONE_SIDED = ["remove", "remove_implied"] as const;

/** The state in which a decision for `side` has verdict number 0 to 4: (1, No), (2, No), (2, Yes), (3, Yes), (3, No). */
function stateOf(verdict: number, side: Side): SideState {
  if (verdict === 2) return "open";
  if (verdict === 4) return "void";
  if (verdict === 3) return otherSide(side);
  return side === "remove" ? ONE_SIDED[verdict]! : verdict === 0 ? "approve" : "approve_implied";
}

function removable({ relations }: WorldSettings, rng: Rng): Relation {
  const u = rng.next();
  if (u < relations.described) return "described";
  return u < relations.described + relations.detailed ? "detailed" : "core";
}

function allowed(community: Community, { relations }: WorldSettings, rng: Rng): Relation {
  if (rng.next() < community.implicitNorms) return "unwelcome";
  const u = rng.next();
  if (u < relations.cleared) return "cleared";
  return u < relations.cleared + relations.excepted ? "excepted" : "neutral";
}

function planOf(relation: Relation, community: Community, settings: WorldSettings, rng: Rng): ContentPlan {
  const states = RELATIONS[relation];
  const { book } = community.wording;
  if (relation === "neutral" || relation === "unwelcome") {
    return { relation, states, scopes: { platform: "approve", community: "approve" }, rule: null };
  }
  if (relation === "forbidden" || relation === "protected") {
    const rule = community.platform.find(({ source }) => source.key === book[relation].platform)!;
    const allows = relation === "protected";
    const scopes = { platform: states.wiki, community: allows ? "remove" : "approve" } as const;
    return { relation, states, scopes, rule };
  }
  const rule = chooseRule(relation, community, settings, rng);
  const scopes = { platform: "approve", community: "approve", [rule.scope]: states.wiki } as const;
  return { relation, states, scopes: scopes as ContentPlan["scopes"], rule };
}

/** A rule of the platform or community with texts for this relation; for content that is left open, more often a rule about taste. */
function chooseRule(relation: RuleRelation, community: Community, settings: WorldSettings, rng: Rng): PlacedRule {
  const able = (rules: readonly PlacedRule[]) => rules.filter(({ source }) => source.cases[relation]?.length);
  const own = able(community.rules);
  const general = able(community.platform);
  const fromPlatform = rng.next() < community.cohort.platform;
  const rules = (fromPlatform && general.length > 0) || own.length === 0 ? general : own;
  const weights = rules.map(({ source }) =>
    relation === "open" && source.kind === "subjective_content" ? settings.subjective : 1,
  );
  let u = rng.next() * weights.reduce((sum, weight) => sum + weight, 0);
  for (const [i, rule] of rules.entries()) {
    u -= weights[i]!;
    if (u < 0) return rule;
  }
  return rules.at(-1)!;
}

/** The only outcome derivable from the whole text; null: both or none. */
export function rightSide(plan: ContentPlan): Side | null {
  return onlySide(plan.states.wiki);
}

/** The verdicts (1, No), (2, No), (2, Yes), (3, Yes), (3, No), numbered from most to least favourable. */
export type VerdictNumber = 0 | 1 | 2 | 3 | 4;

/** The verdict on a decision at each tier. */
interface TierCourse {
  title: VerdictNumber;
  sidebar: VerdictNumber;
  wiki: VerdictNumber;
}

type Shares = NonNullable<SimulatedCohort["tiers"]>["remove"];

/**
 * A decision's verdicts at the three tiers, drawn so that each tier has its shares and no decision that is better than another at one tier
 * is worse at the next. The paper prints each tier's totals but no transitions; of all couplings that fit, this one moves the fewest decisions.
 *
 * Formula: verdict at tier t = F_t⁻¹(u), with one u for all tiers and F_t the cumulative shares in the order (1, No) < (2, No) <
 * (2, Yes) < (3, Yes) < (3, No).
 * Range: verdict numbers 0 to 4.
 * Undefined when: never; u lies in [0, 1).
 * Differs from the paper: derived; the paper has no transition table.
 * @see paper §6
 * @example coupleTiers({ title: [0, 0, 1, 0, 0], sidebar: [0.5, 0, 0.5, 0, 0], wiki: [1, 0, 0, 0, 0] }, 0.7).sidebar // => 2
 */
export function coupleTiers(shares: Shares, u: number): TierCourse {
  return { title: at(shares.title, u), sidebar: at(shares.sidebar, u), wiki: at(shares.wiki, u) };
}

function at(shares: readonly number[], u: number): VerdictNumber {
  let sum = 0;
  let last: VerdictNumber = 0;
  for (let i = 0; i < shares.length; i += 1) {
    if (shares[i] === 0) continue;
    last = i as VerdictNumber;
    sum += shares[i]!;
    if (u < sum) return last;
  }
  // Rounding: the shares may sum to slightly less than 1.
  return last;
}

/** Words a piece of content, in the community's second language if requested and the book has the words. */
export function drawText(
  plan: ContentPlan,
  community: Community,
  foreign: boolean,
  rng: Rng,
): Exclude<Content, string> {
  const { wording, secondLanguage } = community;
  const { book } = wording;
  const other = foreign && secondLanguage ? textsOf(plan, community, secondLanguage) : undefined;
  const language = other ? secondLanguage! : "en";
  const talk = language === "en" ? book : book.foreign[language];
  const parts = [pickPhrase(other ?? textsOf(plan, community, null)!, wording, rng)];
  if (rng.next() < 0.5) parts.unshift(pickPhrase(talk.openers, wording, rng));
  if (rng.next() < 0.5) parts.push(pickPhrase(talk.closers, wording, rng));
  const post = language === "en" && rng.next() < 0.5;
  return {
    ...(post ? { title: pickPhrase(book.titles, wording, rng) } : {}),
    body: parts.join(" "),
    kind: post ? "post" : "comment",
    language,
  };
}

function textsOf(
  plan: ContentPlan,
  { wording: { book } }: Community,
  language: Community["secondLanguage"],
): Phrases | undefined {
  const { relation, rule } = plan;
  if (relation === "forbidden" || relation === "protected") return language ? undefined : book[relation].texts;
  if (relation === "neutral" || relation === "unwelcome")
    return language ? book.foreign[language][relation] : book[relation];
  return language ? rule!.source.foreign?.[language]?.[relation] : rule!.source.cases[relation];
}

/** Whether the next content of a community is in its second language. */
export function drawForeign({ secondLanguage }: Community, { languages }: WorldSettings, rng: Rng): boolean {
  return rng.next() < languages.foreign && secondLanguage !== null;
}
