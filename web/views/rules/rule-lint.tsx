import { type ReactNode, useMemo } from "react";
import type { PageRuleSet } from "../../../src/figures/report-page.js";
import { newestFirst, type RuleReference } from "../../../src/figures/rule-texts.js";
import { lintRules } from "../../../src/grounding/lint/lint-rules.js";
import { usePage } from "../../data/page-context.ts";
import { UserText } from "../../parts/user-text.tsx";

/** What can be seen in the words themselves, by the same code as `defensible rules lint`: forms of words, not meanings. */
export function RuleLint({ rule }: { rule: RuleReference }) {
  const { rule_sets } = usePage();
  const findings = useMemo(() => lintRules(setsFor(rule, rule_sets)).filter(isOf(rule)), [rule, rule_sets]);
  if (findings.length === 0) {
    return (
      <p className="muted">
        <code>defensible rules lint</code> finds nothing in its wording that leaves it open; it sees forms of words, not
        meanings.
      </p>
    );
  }
  return (
    <div className="rule-lint">
      <h3>What its wording leaves open</h3>
      <ul>
        {findings.map(({ check, part, quote, message, remedy }) => (
          <li key={`${check} ${part} ${quote} ${message}`}>
            {quote && (
              <>
                <q>
                  <UserText text={quote} max={200} />
                </q>
                {": "}
              </>
            )}
            <UserText text={quote ? message : capitalised(message)} max={300} />.{" "}
            <span className="muted">{withCode(remedy)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** The newest rules that hold together with this one: the platform's, and those of its community. */
function setsFor({ scope, community }: RuleReference, sets: readonly PageRuleSet[]) {
  const newest = newestFirst(sets);
  const platform = newest.find((set) => set.scope === "platform");
  const own = scope === "platform" ? undefined : newest.find((set) => set.community === community);
  return [platform, own].flatMap((set) => (set ? [{ ...set, rules: set.rules.map((one) => ({ ...one })) }] : []));
}

function isOf({ scope, community, rule_id }: RuleReference) {
  return (finding: { scope: string; community: string | null; rule_id: string }) =>
    finding.rule_id === rule_id &&
    (scope === "platform" ? finding.scope === "platform" : finding.community === community);
}

/** Names between backticks as code. */
function withCode(text: string): ReactNode[] {
  return text.split("`").map((part, place) => (place % 2 === 1 ? <code key={part}>{part}</code> : part));
}

function capitalised(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}
