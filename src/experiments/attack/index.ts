export { type AttackBuild, buildAttacks } from "./build/build-attacks.js";
export { DEFAULT_WANTED as DEFAULT_ATTACKS, type Wanted as AttackWanted } from "./build/plan.js";
export { type RuleAmbiguity, ruleAmbiguity } from "./run/ambiguous-rules.js";
export {
  type AnalysisOptions,
  analyseAttacks,
  type CaseAudits,
  type ScoredSet,
  scoreCases,
} from "./run/analyse-attacks.js";
export { type AttackInputs, attackInputs, readAttackCases } from "./run/read-cases.js";
export { type ScoredCase, scoreCase } from "./run/score-case.js";
