export { type BookSide, ownSide, readSide } from "./book-side.js";
export { buildDiff, DIFF_ARMS, type DiffParts } from "./build-diff.js";
export { buildScopes, SCOPE_ARMS, type ScopesInputs } from "./build-scopes.js";
export { buildTiers, type RulesShown, type TiersInputs, TierTexts } from "./build-tiers.js";
export { checkDiff, type DiffLimits } from "./diff-checks.js";
export { diffEffect, type EffectInputs } from "./diff-effect.js";
export { type DiffInputs, type DiffPlan, planDiff } from "./plan-diff.js";
export { KnownRules } from "./rule-gains.js";
export { wordDiff } from "./word-diff.js";
