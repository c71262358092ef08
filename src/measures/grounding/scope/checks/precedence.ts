import { citedClause } from "../cited-clause.js";
import type { ScopeCase } from "../scope-case.js";
import { type Check, type Finding, fail, MET, nameOf, PLAINLY, pass, shortly, skip } from "./finding.js";

/**
 * Platform and community in their order. An approval may not rest on what the community allows where the platform forbids what is nearer; a removal
 * may not pass over what the other scope says of this very content.
 */
export const precedence: Check = (scope) => (scope.restricts ? overPermission(scope) : overPlatform(scope));

function overPlatform(scope: ScopeCase): Finding {
  const community = scope.citedRules.filter(({ reading }) => reading.rule.scope === "community");
  if (community.length === 0 || community.length < scope.citedRules.length) {
    return skip("The approval does not rest on the community's rules alone.");
  }
  const permission = Math.max(
    ...community.map(({ reading, allows }) => (citedClause(scope, reading)?.force === "allows" ? allows.value : 0)),
  );
  const worst = scope.rules
    .filter(({ reading }) => reading.rule.scope === "platform")
    .reduce<(typeof scope.rules)[number] | null>((a, b) => (a && a.unexcused >= b.unexcused ? a : b), null);
  if (!worst || worst.unexcused < MET || worst.unexcused <= permission) {
    return pass("No platform rule comes nearer than what it rests on.");
  }
  return fail(
    `The approval rests on the community, but the content comes nearer to ${nameOf(worst.reading)}: "${shortly(worst.forbids.clause!.text)}".`,
    worst.unexcused / PLAINLY,
  );
}

function overPermission({ citedRules, rules }: ScopeCase): Finding {
  const scopes = new Set(citedRules.map(({ reading }) => reading.rule.scope));
  if (scopes.size !== 1) return skip("The removal does not rest on one scope alone.");
  const ground = Math.max(...citedRules.map(({ unexcused }) => unexcused));
  for (const { reading, allows } of rules) {
    if (scopes.has(reading.rule.scope) || allows.value < MET || allows.value <= ground) continue;
    return fail(
      `The removal rests on the ${[...scopes][0]}, but ${nameOf(reading)} speaks of this content: "${shortly(allows.clause!.text)}".`,
      (allows.value - ground) / PLAINLY,
    );
  }
  return pass("The other scope's rules say nothing nearer to the contrary.");
}
