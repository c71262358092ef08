import type { Precedent } from "../../core/records/precedent.js";
import type { WorldSettings } from "../../core/results/simulation.js";
import type { Rng } from "../../stats/random/create-rng.js";
import type { RuleRelation } from "../books/book.js";
import type { Community } from "./community.js";
import { drawText } from "./draw-text.js";
import { RELATIONS } from "./relations.js";
import { onlySide } from "./side-state.js";

/** What a precedent can be about: only what the rules settle, so that no precedent closes what they leave open. */
const SETTLED: readonly RuleRelation[] = ["core", "described", "detailed", "cleared", "excepted"];

/** Earlier decisions of a community, all of them right. */
export function drawPrecedents(community: Community, settings: WorldSettings, rng: Rng): Precedent[] {
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
