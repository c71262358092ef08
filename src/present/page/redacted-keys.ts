import type { GateKey } from "../../core/gate.js";
import type { Report } from "../../core/results/report.js";
import { joinKey, splitKey } from "../../measures/gate/cohort-key.js";
import type { KeyedHash } from "../../store/files/redaction-key.js";
import { redactedName } from "./own-words.js";
import { isLanguageCode } from "./plain-codes.js";
import { plainRuleId } from "./redacted-writing.js";

/** The code of a language as it is, whatever else stands in its place by its hash. */
export function shownLanguage(name: string, hashOf: KeyedHash): string {
  return isLanguageCode(name) ? name : redactedName(name, hashOf, "language");
}

/**
 * Names of a gate's cohorts without anybody's own words: communities, actions and rules of the workspace are names and stay; a language, or a
 * rule that only audits name, may be a sentence and is then hashed, as everywhere in a redacted report.
 */
export function redactedKeys(
  { communities, rules }: Pick<Report, "communities" | "rules">,
  by: readonly GateKey[],
  hashOf: KeyedHash,
): (key: string) => string {
  const names = communities.map(({ community }) => community);
  // A rule with a title is one of the workspace's.
  const known = new Set(
    rules.flatMap(({ community, rule_id, title }) => (title === null ? [] : [ruleName(community, rule_id)])),
  );
  const rulePart = (part: string, community: string | undefined): string => {
    if (part === "no rule") return part;
    const owners = ["platform", ...(community === undefined ? names : [])].filter((name) =>
      part.startsWith(`${name} `),
    );
    const isKnown =
      known.has(part) ||
      (community !== undefined && (known.has(ruleName(community, part)) || known.has(ruleName(null, part))));
    if (isKnown) return part;
    const owner = owners.sort((a, b) => b.length - a.length)[0];
    // Cited together with the platform's rule of the same id, it stands under the community's name.
    if (owner !== undefined && known.has(ruleName(null, part.slice(owner.length + 1)))) return part;
    return owner === undefined
      ? plainRuleId(part, hashOf)
      : ruleName(owner, plainRuleId(part.slice(owner.length + 1), hashOf));
  };
  return (key) => {
    const parts = splitKey(by, key);
    // Of a gate by other keys: a community, or nobody knows what.
    if (parts === null) return names.includes(key) ? key : redactedName(key, hashOf, "name");
    const community = by.includes("community") ? parts[by.indexOf("community")] : undefined;
    return joinKey(
      parts.map((part, i) => {
        if (by[i] === "language") return shownLanguage(part, hashOf);
        return by[i] === "rule" ? rulePart(part, community) : part;
      }),
    );
  };
}

/** As a key by rule alone names it. */
function ruleName(community: string | null, ruleId: string): string {
  return `${community ?? "platform"} ${ruleId}`;
}
