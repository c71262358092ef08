import type { Decision } from "../../../core/records/decision.js";
import type { RouteReason } from "../../../core/records/route.js";
import type { RuleSet } from "../../../core/records/rule-set.js";
import { isTime } from "../../../core/text-checks.js";
import type { RouteAudit, RouteCitation } from "./input.js";

/** The rules that routing knows, and which of them must never be applied without human review. */
export interface NeverAutomate {
  platform: KnownRules;
  byCommunity: ReadonlyMap<string, KnownRules>;
  /** The rules of the platform or the community that a text, such as a citation, names. */
  read: (community: string, text: string) => RulesRead;
}

/** The rules of the platform, or of a community, in every version. */
export interface KnownRules {
  versions: ReadonlySet<string>;
  ids: ReadonlySet<string>;
  /** Ids marked by the newest version, and ids by version. */
  marked: ReadonlySet<string>;
  /** Ids that any version marks, for an audit that does not record its version. */
  everMarked: ReadonlySet<string>;
}

/** The rules found in a text. */
export interface RulesRead {
  named: readonly RouteCitation[];
  /** Possibly meant: their ids occur, but not clearly as citations. */
  perhaps: readonly RouteCitation[];
  /** Whether the text names a rule, or resembles one. */
  resolved: boolean;
}

const NONE: KnownRules = noRules();

/**
 * Which rules must never be applied without human review. A rule counts as marked if the newest version of its set marks it, or if the version
 * under which the decision was audited does: a new mark applies to old audits too, and a withdrawn mark disappears with the next audit. If an audit
 * does not record its version, a mark of any version counts.
 */
export function markedRules(sets: readonly RuleSet[], read: NeverAutomate["read"]): NeverAutomate {
  const platform = noRules();
  const byCommunity = new Map<string, ReturnType<typeof noRules>>();
  const newest = newestSets(sets);
  for (const set of sets) {
    const known = set.scope === "platform" ? platform : rulesOf(byCommunity, set.community!);
    known.versions.add(set.version);
    for (const rule of set.rules) {
      known.ids.add(folded(rule.id));
      if (!rule.never_automate) continue;
      known.everMarked.add(folded(rule.id));
      known.marked.add(versioned(set.version, rule.id));
      if (newest.has(set)) known.marked.add(folded(rule.id));
    }
  }
  return { platform, byCommunity, read };
}

/**
 * What marked rules mean for a decision. `never_automate`: one is cited by the auditor, by the case for the opposite, or by the decider.
 * `unresolved_citation`: this is unknown, because the rules that the audit names are missing or because nothing says which rules were applied.
 * Citing no rule is enough only for an approval ("no rule forbids this"), never for a restricting action: that was done under some rule.
 */
export function neverAutomateReason(
  rules: NeverAutomate,
  decision: Decision,
  audit: RouteAudit | null,
  restricts: boolean,
): RouteReason | null {
  const { community } = decision;
  const { platform } = rules;
  const local = rules.byCommunity.get(community) ?? NONE;
  const missing = isMissing(platform, local, audit);
  if (platform.marked.size === 0 && local.marked.size === 0) return missing ? "unresolved_citation" : null;
  const versions = versionsOf(audit?.ruleset_version);
  const isMarked = ({ scope, rule_id }: RouteCitation) =>
    typeof rule_id === "string" &&
    ((scope !== "community" && has(platform, rule_id, versions, 0)) ||
      (scope !== "platform" && has(local, rule_id, versions, 1)));
  const { citation, inverse_citation: inverse, trace } = audit ?? {};
  if ((citation && isMarked(citation)) || (inverse && isMarked(inverse))) return "never_automate";
  let unsure = missing || (audit !== null && !isResolved(citation, restricts));
  for (const text of [decision.cited_rule, trace?.policy_citation, trace?.inverse_citation]) {
    if (!text || text.trim() === "") continue;
    const { named, perhaps, resolved } = rules.read(community, text);
    if (named.some(isMarked)) return "never_automate";
    // The auditor's words are resolved in `citation`; the decider's have no such field.
    unsure ||= perhaps.some(isMarked) || (text === decision.cited_rule && !resolved && restricts);
  }
  return unsure ? "unresolved_citation" : null;
}

/** Whether a community has rules that must never be applied without human review, or no known rules at all: missing rules may be lost ones. */
export function mayBeMarked({ platform, byCommunity }: NeverAutomate, community: string): boolean {
  const local = byCommunity.get(community) ?? NONE;
  return platform.marked.size + local.marked.size > 0 || platform.versions.size + local.versions.size === 0;
}

/** Whether the rules that an audit rests on are unknown, so that they may include a marked one. */
function isMissing(platform: KnownRules, local: KnownRules, audit: RouteAudit | null): boolean {
  if (audit === null) return false;
  if (platform.versions.size === 0 && local.versions.size === 0) return true;
  const isKnown = (known: KnownRules, version: string) => version === NO_RULES || known.versions.has(version);
  const { ruleset_version: version, citation, inverse_citation: inverse } = audit;
  if (version && !version.includes("+")) {
    if (!platform.versions.has(version) && !local.versions.has(version)) return true;
  } else if (version && !versionsOf(version).some(([p, c]) => isKnown(platform, p) && isKnown(local, c))) return true;
  const lacks = ({ scope, rule_id }: RouteCitation) => {
    if (typeof rule_id !== "string" || scope === "precedent") return false;
    const id = folded(rule_id);
    return !(scope !== "community" && platform.ids.has(id)) && !(scope !== "platform" && local.ids.has(id));
  };
  return (citation ? lacks(citation) : false) || (inverse ? lacks(inverse) : false);
}

/** A precedent may itself rest on any rule, and if rules of both scopes are cited only the first is recorded. */
function isResolved(citation: RouteCitation | null | undefined, restricts: boolean): boolean {
  if (!citation) return false;
  if (citation.scope === "none") return !restricts;
  return (citation.scope === "platform" || citation.scope === "community") && typeof citation.rule_id === "string";
}

function has(rules: KnownRules, id: string, versions: readonly [string, string][], side: 0 | 1): boolean {
  const { marked, everMarked } = rules;
  if (everMarked.size === 0) return false;
  if (versions.length === 0) return everMarked.has(folded(id));
  return marked.has(folded(id)) || versions.some((version) => marked.has(versioned(version[side], id)));
}

/** Normalises ids as citations are read: one spelling for compatible characters, any case. */
function folded(id: string): string {
  return id.trim().normalize("NFKC").toLowerCase();
}

function versioned(version: string, id: string): string {
  return `${folded(id)}\u0000${version}`;
}

function noRules() {
  const [versions, ids, marked, everMarked] = [
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
    new Set<string>(),
  ];
  return { versions, ids, marked, everMarked };
}

function rulesOf(byCommunity: Map<string, ReturnType<typeof noRules>>, community: string) {
  let known = byCommunity.get(community);
  if (!known) {
    known = noRules();
    byCommunity.set(community, known);
  }
  return known;
}

/** How an audit records that a side had no rules. */
const NO_RULES = "-";

/** `<platform>+<community>`, as in an audit. A version may contain a plus itself, so each split is tried. */
function versionsOf(version: string | null | undefined): [string, string][] {
  if (!version) return [];
  const pairs: [string, string][] = [];
  for (let plus = version.indexOf("+"); plus >= 0; plus = version.indexOf("+", plus + 1)) {
    pairs.push([version.slice(0, plus), version.slice(plus + 1)]);
  }
  return pairs.length > 0 ? pairs : [[version, version]];
}

/** For each scope and community, the sets with the latest `effective_from`; undated ones count as oldest. Ties are all kept. */
function newestSets(sets: readonly RuleSet[]): Set<RuleSet> {
  const newest = new Map<string, RuleSet[]>();
  for (const set of sets) {
    const key = set.scope === "platform" ? "" : set.community!;
    const known = newest.get(key);
    const order = known ? compareDates(set.effective_from, known[0]!.effective_from) : 1;
    if (order > 0) newest.set(key, [set]);
    else if (order === 0) known!.push(set);
  }
  return new Set([...newest.values()].flat());
}

function compareDates(a: string | null | undefined, b: string | null | undefined): number {
  const [first, second] = [isTime(a) ? Date.parse(a) : Number.NaN, isTime(b) ? Date.parse(b) : Number.NaN];
  if (Number.isNaN(first) || Number.isNaN(second)) return Number(Number.isNaN(second)) - Number(Number.isNaN(first));
  return Math.sign(first - second);
}
