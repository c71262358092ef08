/**
 * @deprecated Import from "defensible/experiments" instead.
 * @packageDocumentation
 */

export { auditorPreset } from "../simulation/auditor/auditor-presets.js";
export { citationProfile, citationSignals } from "../simulation/auditor/citation-profile.js";
export { type CompiledAuditor, compileAuditor, type Rates } from "../simulation/auditor/compile-auditor.js";
export { drawAudit, type SimulatedDraw } from "../simulation/auditor/draw-audit.js";
export { drawTempered } from "../simulation/auditor/draw-tempered.js";
export { PAPER_AUDITOR, paperAuditor } from "../simulation/auditor/paper-auditor.js";
export { type AuditedCase, type CaseReading, readCase } from "../simulation/auditor/read-case.js";
export { type CaseTruth, type Shown, shownVerdict } from "../simulation/auditor/shown-verdict.js";
export { type TokenLaw, tokenLaw } from "../simulation/auditor/token-entropies.js";
export { type Book, RULE_RELATIONS, type RuleRelation, SECOND_LANGUAGES } from "../simulation/books/book.js";
export { BOOKS, bookCalled } from "../simulation/books/books.js";
export { communitySizes, shareOut } from "../simulation/world/community-sizes.js";
export type { SimulatedCase } from "../simulation/world/draw-cases.js";
export { generatePlatformRules, generateWorld, type SimulatedCommunity } from "../simulation/world/generate-world.js";
export { type LatentRates, latentRates } from "../simulation/world/latent-rates.js";
export { type LevelShares, levelShares, type PublishedRates } from "../simulation/world/level-shares.js";
export { oppositeTruth } from "../simulation/world/opposite-truth.js";
export { PAPER_RATES } from "../simulation/world/paper-rates.js";
export { PlantedTally } from "../simulation/world/planted-rates.js";
export { PRESETS, type Preset, presetWorld } from "../simulation/world/presets.js";
export { RELATIONS, type Relation, settlingTier } from "../simulation/world/relations.js";
export { combineScopes, SIDE_STATES, type Side, type SideState, verdictOf } from "../simulation/world/side-state.js";
export { coupleTiers } from "../simulation/world/tier-coupling.js";
export { tierShares } from "../simulation/world/tier-shares.js";
