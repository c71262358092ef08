import type { ReactNode } from "react";
import { type RuleReference, ruleKey } from "../../../src/present/words/rule-texts.js";
import { useRuleRemarks } from "../../data/use-rule-remarks.ts";
import { capitalised } from "../../parts/capitalised.ts";
import { UserText } from "../../parts/user-text.tsx";

/** What can be seen in the words themselves, by the same code as `defensible rules lint`: forms of words, not meanings. */
export function RuleLint({ rule }: { rule: RuleReference }) {
  const findings = useRuleRemarks().get(ruleKey(rule)) ?? [];
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

/** Names between backticks as code. */
function withCode(text: string): ReactNode[] {
  return text.split("`").map((part, place) => (place % 2 === 1 ? <code key={part}>{part}</code> : part));
}
