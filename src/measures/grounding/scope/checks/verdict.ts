import type { RuleReading } from "../read-frame.js";
import { citedClause, type ScopeCase } from "../scope-case.js";

/** Result of a check. `degree` says how clearly it failed, 0 … 1; 0 if it did not fail. */
interface Finding {
  passed: boolean | null;
  degree: number;
  note: string;
}

/** One question about the step from citation to verdict, answered from the case alone. */
export type Check = (scope: ScopeCase) => Finding;

/** Nearness from which content counts as meeting a text, and from which it does so plainly. */
export const MET = 0.3;
export const PLAINLY = 1.5;

export const pass = (note: string): Finding => ({ passed: true, degree: 0, note });
export const fail = (note: string, degree = 1): Finding => ({
  passed: false,
  degree: Math.min(1, Math.max(0, degree)),
  note,
});
/** The check does not apply. */
export const skip = (note: string): Finding => ({ passed: null, degree: 0, note });

export function nameOf({ rule }: RuleReading): string {
  return `${rule.scope} rule ${rule.id}`;
}

const LONGEST_PASSAGE = 80;

/** A passage shortened for a note. */
export function shortly(text: string): string {
  const plain = text.replace(/\s+/g, " ").trim();
  if (plain.length <= LONGEST_PASSAGE) return plain;
  const cut = plain.lastIndexOf(" ", LONGEST_PASSAGE);
  return `${plain.slice(0, cut > 20 ? cut : LONGEST_PASSAGE)} …`;
}

const DENIES =
  /\b(?:does not follow|do not support|does not support|not supported|cannot be derived|is indefensible|no rule authori[sz]es|not authori[sz]ed)\b/i;
const LEAVES_OPEN =
  /\b(?:either decision|both decisions|either way|can be argued|ambiguous|unclear|leaves? (?:it |much |this )?(?:of it )?open|could reasonably|borderline)\b/i;

/** The level agrees with the reasons. */
export const levelFits: Check = (scope) => {
  const { input, chain, citedRules } = scope;
  const { defensibility_level: level, inverse_check: inverse } = input.trace;
  if (level === null) return skip("The trace gives no level.");
  if (level < 3 && DENIES.test(chain))
    return fail(`The reasoning says that the decision does not follow; the level is ${level}.`);
  if (level === 1 && LEAVES_OPEN.test(chain)) return fail("The reasoning leaves it open; the level is 1.", 0.7);
  if (level === 1 && inverse === "Yes")
    return fail("Level 1 says that only this decision follows, the inverse check that its opposite does too.", 0.6);
  if (level === 1 && citedRules.length > 0) {
    const forces = citedRules.map(({ reading }) => citedClause(scope, reading)?.force ?? null);
    if (forces.every((force) => force === "open"))
      return fail("What is cited leaves it to discretion; the level is 1.", 0.5);
  }
  return pass("The level fits the reasons.");
};

/** Words that say that a condition is not met, or that something exempts the content. */
const DENIAL =
  /\b(?:no|not|none|nothing|neither|nor|never|without|lacks?|lacking|absent|complies|compliant|outside|exempt(?:s|ed)?|exception|permit(?:s|ted)?|allow(?:s|ed)?|fine|welcome)\b|n't\b/i;

/** The citation supports the direction of the verdict: a prohibition cited for an approval must be denied, and a permission supports no removal. */
export const polarity: Check = (scope) => {
  const { restricts, citedRules, chain, cited } = scope;
  if (citedRules.length === 0) return skip("No rule is named.");
  const forces = citedRules.map(({ reading }) => citedClause(scope, reading)?.force ?? mainForce(reading.clauses));
  if (restricts) {
    if (forces.every((force) => force === "allows")) {
      return fail(`A permission of ${nameOf(citedRules[0]!.reading)} is cited for a removal.`);
    }
    return pass("What is cited can carry a removal.");
  }
  if (forces.some((force) => force === "allows" || force === "silent"))
    return pass("What is cited can carry an approval.");
  // The rule's own words may contain a "no" without denying anything.
  const own = cited.replace(/"[^"]*"/g, " ").split(/:\s/)[0]!;
  if (DENIAL.test(chain.replace(/"[^"]*"/g, " ")) || DENIAL.test(own)) {
    return pass("The prohibition that is cited is said not to be met.");
  }
  return fail(
    `${nameOf(citedRules[0]!.reading)} forbids or demands something, and nothing says that the content does not break it.`,
  );
};

function mainForce(clauses: readonly { force: string }[]): string {
  return (clauses[1] ?? clauses[0])?.force ?? "silent";
}

/**
 * Precedence of platform and community. An approval may not rest on what the community allows if the platform forbids something nearer; a removal
 * may not ignore what the other scope says about this very content.
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

/** A precedent at least this similar to the content shows how such content is treated. */
const ALIKE = 0.25;

/** The precedent most similar to the content was decided the same way, or the next ones outweigh it. */
export const precedentsAgree: Check = ({ precedents, input }) => {
  const alike = precedents.filter(({ likeness }) => likeness >= ALIKE).slice(0, 3);
  if (alike.length === 0) return skip("No precedent is like the content.");
  let same = 0;
  let other = 0;
  for (const { decision, likeness } of alike) {
    if (decision === input.decision) same += likeness;
    else other += likeness;
  }
  if (other <= same)
    return pass(`Precedent ${alike[0]!.id}, the one most like the content, does not speak against it.`);
  const against = alike.find(({ decision }) => decision !== input.decision)!;
  return fail(`Precedent ${against.id} is like the content and was decided the other way.`, other - same);
};
