/**
 * @deprecated Import from "defensible/experiments" instead.
 * @packageDocumentation
 */

export {
  type CompiledAuditor,
  compileAuditor,
  drawAudit,
  drawTempered,
  type Rates,
  type SimulatedDraw,
} from "../simulation/auditor/draw-audit.js";
export { auditorPreset, PAPER_AUDITOR, paperAuditor } from "../simulation/auditor/paper-auditor.js";
export * from "../simulation/auditor/read-case.js";
export { citationProfile, citationSignals, type TokenLaw } from "../simulation/auditor/token-entropies.js";
export {
  BOOKS,
  type Book,
  bookCalled,
  RULE_RELATIONS,
  type RuleRelation,
  SECOND_LANGUAGES,
} from "../simulation/books/books.js";
export type { SimulatedCase } from "../simulation/world/draw-cases.js";
export { coupleTiers } from "../simulation/world/draw-content.js";
export { generatePlatformRules, generateWorld, type SimulatedCommunity } from "../simulation/world/generate-world.js";
export * from "../simulation/world/level-shares.js";
export { oppositeTruth, PlantedTally } from "../simulation/world/level-shares.js";
export { communitySizes, shareOut } from "../simulation/world/plan-communities.js";
export { PRESETS, type Preset, presetWorld } from "../simulation/world/presets.js";
export {
  RELATIONS,
  type Relation,
  SIDE_STATES,
  type Side,
  type SideState,
  settlingTier,
  verdictOf,
} from "../simulation/world/side-state.js";
