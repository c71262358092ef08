import { CHECK_NAMES, CHECKS } from "./checks/index.js";
import { readScopeCase } from "./scope-case.js";
import {
  SCOPE_THRESHOLD,
  SCOPE_WEIGHTS,
  type ScopeCheck,
  type ScopeInput,
  type ScopeVerdict,
  scopeSuspicion,
} from "./scope-verdict.js";

/**
 * Scope verification by structure: does the cited rule, with its scope and exceptions, support the step from citation to verdict? It reads words and
 * forms, not meaning; it sees what the auditor saw and nothing else. `weight` of a check is what it added here, 0 where it did not fail.
 * @see paper §8.2
 */
export function verifyScope(input: ScopeInput): ScopeVerdict {
  const scope = readScopeCase(input);
  const checks = CHECK_NAMES.map((name): ScopeCheck => {
    const { passed, degree, note } = CHECKS[name](scope);
    return { name, passed, weight: SCOPE_WEIGHTS[name] * degree, note };
  });
  const suspicion = scopeSuspicion(checks, scope.restricts);
  return { suspicion, flagged: suspicion >= SCOPE_THRESHOLD, checks };
}
