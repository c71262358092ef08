import type { Decision } from "../domain/decision.js";
import type { RouteReason } from "../domain/route.js";
import type { RuleSet } from "../domain/rule-set.js";
import type { RouteAudit, RouteCitation } from "./route-input.js";

/** The rules marked never_automate; null instead of it: there are none. */
export interface NeverAutomate {
  platform: ReadonlySet<string>;
  byCommunity: ReadonlyMap<string, ReadonlySet<string>>;
  /** Whether a text, such as a citation, names one of the marked rules of the platform or the community. */
  names: (community: string, text: string) => boolean;
}

const NONE: ReadonlySet<string> = new Set();

/**
 * Which rules must never be applied without a person. A rule counts as marked where the newest version of its set marks it, or the version
 * under which the decision was audited: a mark that is new holds for old audits too, and one that was taken back is gone with the next audit.
 */
export function markedRules(sets: readonly RuleSet[], names: NeverAutomate["names"]): NeverAutomate | null {
  const platform = new Set<string>();
  const byCommunity = new Map<string, Set<string>>();
  const newest = newestSets(sets);
  for (const set of sets) {
    for (const rule of set.rules) {
      if (!rule.never_automate) continue;
      const marks = set.scope === "platform" ? platform : marksOf(byCommunity, set.community!);
      marks.add(versioned(set.version, rule.id));
      if (newest.has(set)) marks.add(folded(rule.id));
    }
  }
  return platform.size === 0 && byCommunity.size === 0 ? null : { platform, byCommunity, names };
}

/**
 * What marked rules mean for a decision. `never_automate`: one is cited, by the auditor, by what the opposite would rest on, or by the
 * decider. `unresolved_citation`: it cannot be told. Nothing said of rules is enough for an approval only ("no rule
 * forbids this"), never for an action that restricts: that one was done under some rule.
 */
export function neverAutomateReason(
  marked: NeverAutomate,
  decision: Decision,
  audit: RouteAudit | null,
  restricts: boolean,
): RouteReason | null {
  const { community } = decision;
  const local = marked.byCommunity.get(community) ?? NONE;
  if (marked.platform.size === 0 && local.size === 0) return null;
  if (decision.cited_rule && marked.names(community, decision.cited_rule)) return "never_automate";
  if (audit === null) return null;
  const [platformVersion, localVersion] = versionsOf(audit.ruleset_version);
  const isMarked = ({ scope, rule_id }: RouteCitation) =>
    typeof rule_id === "string" &&
    ((scope !== "community" && has(marked.platform, rule_id, platformVersion)) ||
      (scope !== "platform" && has(local, rule_id, localVersion)));
  const { citation, inverse_citation: inverse, trace } = audit;
  if ((citation && isMarked(citation)) || (inverse && isMarked(inverse))) return "never_automate";
  if (trace?.policy_citation && marked.names(community, trace.policy_citation)) return "never_automate";
  if (trace?.inverse_citation && marked.names(community, trace.inverse_citation)) return "never_automate";
  return isResolved(citation, restricts) ? null : "unresolved_citation";
}

/** A precedent may itself rest on any rule; of rules of both scopes only the first is recorded. */
function isResolved(citation: RouteCitation | null | undefined, restricts: boolean): boolean {
  if (!citation) return false;
  if (citation.scope === "none") return !restricts;
  return (citation.scope === "platform" || citation.scope === "community") && typeof citation.rule_id === "string";
}

function has(marks: ReadonlySet<string>, id: string, version: string | null): boolean {
  return marks.size > 0 && (marks.has(folded(id)) || (version !== null && marks.has(versioned(version, id))));
}

function folded(id: string): string {
  return id.trim().toLowerCase();
}

function versioned(version: string, id: string): string {
  return `${folded(id)}\u0000${version}`;
}

function marksOf(byCommunity: Map<string, Set<string>>, community: string): Set<string> {
  let marks = byCommunity.get(community);
  if (!marks) {
    marks = new Set();
    byCommunity.set(community, marks);
  }
  return marks;
}

/** `<platform>+<community>`, as an audit has it. */
function versionsOf(version: string | null | undefined): [string | null, string | null] {
  if (!version) return [null, null];
  const plus = version.indexOf("+");
  return plus < 0 ? [version, version] : [version.slice(0, plus), version.slice(plus + 1)];
}

/** Of each scope and community the set with the latest `effective_from`; undated ones are the oldest. Of equals all count. */
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
  const [first, second] = [a ? Date.parse(a) : Number.NaN, b ? Date.parse(b) : Number.NaN];
  if (Number.isNaN(first) || Number.isNaN(second)) return Number(Number.isNaN(second)) - Number(Number.isNaN(first));
  return Math.sign(first - second);
}
