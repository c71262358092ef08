import type { Decision } from "../../core/records/decision.js";
import type { Truth } from "../../core/records/label.js";
import type { WorldSettings } from "../../core/results/simulation.js";
import type { Rng } from "../../stats/random/create-rng.js";
import { drawBeta } from "../../stats/random/draw-normal.js";
import {
  type ContentPlan,
  coupleTiers,
  drawContent,
  drawContentOf,
  drawForeign,
  drawText,
  rightSide,
} from "./draw-content.js";
import type { Community } from "./generate-world.js";
import { errorsBySide, onlySide, otherSide, type Side, settlingTier, verdictOf } from "./side-state.js";

export interface SimulatedCase {
  decision: Decision;
  truth: Truth;
}

interface Drawn {
  plan: ContentPlan;
  /** Decides whether the decider errs; within a thread it is shared, like the kind of content. */
  luck: number;
  side: Side | null;
}

/** The decisions of a community in chronological order, each with its truth. */
export function* drawCases(community: Community, settings: WorldSettings, rng: Rng): Generator<SimulatedCase> {
  const { decisions: n, name } = community;
  const start = Date.parse(settings.start);
  const span = settings.days * 86_400_000;
  const digits = Math.max(4, String(n).length);
  let thread = 0;
  let first: Drawn | null = null;
  for (let i = 0; i < n; i += 1) {
    const time = (i + rng.next()) / n;
    if (first === null || rng.next() >= 1 - 1 / settings.threads.size) {
      thread += 1;
      first = null;
    }
    const same: Drawn | null = first !== null && rng.next() < settings.threads.correlation ? first : null;
    const drawn: Drawn = same ?? draw(community, settings, rng);
    first ??= drawn;
    const error = errorAt(time, community, settings);
    const side = drawn.side ?? decide(drawn, error, community, rng);
    const { plan } = drawn;
    const content = drawText(plan, community, drawForeign(community, settings, rng), rng);
    const label = drawLabel(plan, side, community, rng);
    const labelled = rng.next() < settings.labelled;
    const id = `${name}-${String(i + 1).padStart(digits, "0")}`;
    const cited = citedRule(plan, side, community, rng);
    yield {
      decision: {
        id,
        community: name,
        content,
        decision: side,
        ...(labelled ? { human_label: label.side } : {}),
        decider: { kind: "model", id: settings.decider.id, confidence: confidence(plan, settings, rng) },
        ...(cited ? { cited_rule: cited } : {}),
        decided_at: new Date(start + Math.floor(time * span)).toISOString().replace(/\.\d+Z$/, "Z"),
        thread_id: `${name}-t${thread}`,
        tags: [community.cohort.name],
      },
      truth: truthOf(plan, side, community, {
        decision_id: id,
        decision: side,
        decider: settings.decider.id,
        cause: labelled ? label.cause : "none",
        contest: contest(plan, settings, rng),
      }),
    };
  }
}

function draw(community: Community, settings: WorldSettings, rng: Rng): Drawn {
  const { tiers } = community.cohort;
  if (!tiers) return { plan: drawContent(community, settings, rng), luck: rng.next(), side: null };
  const side: Side = rng.next() < tiers.removals ? "remove" : "approve";
  const course = coupleTiers(tiers[side], rng.next());
  return { plan: drawContentOf(course, side, community, settings, rng), luck: 0, side };
}

function errorAt(time: number, community: Community, { drift }: WorldSettings): number {
  return drift && time >= drift.at ? Math.min(1, community.error * drift.error_factor) : community.error;
}

function decide({ plan, luck }: Drawn, error: number, community: Community, rng: Rng): Side {
  const right = rightSide(plan);
  const coin = rng.next();
  if (right === null) return coin < community.deciderRemoves ? "remove" : "approve";
  return luck < errorsBySide(error, community.cohort)[right] ? otherSide(right) : right;
}

/** The rule a removal names: the right one, or any rule if none forbids the content. */
function citedRule(plan: ContentPlan, side: Side, community: Community, rng: Rng): string | null {
  const any = community.rules[rng.int(community.rules.length)]!;
  if (side === "approve") return null;
  return (plan.rule ?? any).rule_id;
}

function confidence(plan: ContentPlan, { decider }: WorldSettings, rng: Rng): number {
  const mean = decider.confidence - (onlySide(plan.states.wiki) === null ? decider.confidence_drop : 0);
  const drawn = mean <= 0 || mean >= 1 ? mean : drawBeta(mean * 80, (1 - mean) * 80, rng);
  return Math.round(drawn * 1000) / 1000;
}

function contest(plan: ContentPlan, { contest: law }: WorldSettings, rng: Rng): number {
  const { wiki } = plan.states;
  const mean =
    wiki === "open" ? law.open : wiki === "void" ? law.void : wiki.endsWith("_implied") ? law.implied : law.settled;
  return Math.round(drawBeta(mean * law.concentration, (1 - mean) * law.concentration, rng) * 1e4) / 1e4;
}

type Own = Pick<Truth, "decision_id" | "decision" | "decider" | "cause" | "contest">;

function truthOf({ relation, states, scopes, rule }: ContentPlan, side: Side, community: Community, own: Own): Truth {
  return {
    ...own,
    community: community.name,
    cohort: community.cohort.name,
    ...verdictOf(states.wiki, side),
    rule: rule && { scope: rule.scope, rule_id: rule.rule_id },
    settled_by: settlingTier(states),
    ambiguity_scope: states.wiki === "open" && rule ? rule.scope : null,
    tiers: {
      title: verdictOf(states.title, side),
      sidebar: verdictOf(states.sidebar, side),
      wiki: verdictOf(states.wiki, side),
    },
    scopes: { platform: verdictOf(scopes.platform, side), community: verdictOf(scopes.community, side) },
    relation,
    state: community.state,
  };
}

interface HumanLabel {
  side: Side;
  cause: Truth["cause"];
}

/** The human label and its cause, where it differs from the decision. */
function drawLabel(plan: ContentPlan, decision: Side, community: Community, rng: Rng): HumanLabel {
  const { cohort } = community;
  const right = rightSide(plan);
  const coin = rng.next();
  const shared = rng.next() < cohort.shared_errors;
  let side: Side;
  if (right === null) side = coin < community.prefersRemoval ? "remove" : "approve";
  else if (decision !== right && shared) side = decision;
  else side = plan.relation === "unwelcome" ? "remove" : right;
  const slipped = rng.next() < cohort.slips;
  if (slipped) side = otherSide(side);
  return { side, cause: side === decision ? "none" : causeOf(plan, decision, right, slipped) };
}

function causeOf(plan: ContentPlan, decision: Side, right: Side | null, slipped: boolean): Truth["cause"] {
  if (plan.states.wiki === "open") return "policy_ambiguity";
  // Where no outcome is derivable, no decision is right.
  if (right !== decision) return "model_error";
  return plan.relation === "unwelcome" && !slipped ? "implicit_norm" : "human_error";
}
