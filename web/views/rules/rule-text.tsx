import type { ReactNode } from "react";
import {
  distinctVersions,
  type RuleReference,
  type RuleVersion,
  ruleKey,
} from "../../../src/present/words/rule-texts.js";
import { wordsOf } from "../../../src/present/words/vocabulary.js";
import { RULE_KIND_WORDS, TIER_WORDS } from "../../../src/present/words/words.js";
import { useRuleRemarks } from "../../data/use-rules.ts";
import { Nothing } from "../../parts/nothing.tsx";
import { ChangedRemark, Section } from "../../parts/text/prose.tsx";
import { capitalised } from "../../parts/text/words.ts";
import { UserText, Visible } from "../../parts/text/written.tsx";

const PARTS = [
  { part: "title", tier: "title", reads: "read at every tier" },
  { part: "description", tier: "sidebar", reads: "read at the tiers sidebar and wiki" },
  { part: "detail", tier: "wiki", reads: "read at the tier wiki only" },
] as const;

/** The rule's wording, part by part, in each distinct version. */
export function RuleText({ rule, versions }: { rule: RuleReference; versions: readonly RuleVersion[] }) {
  const distinct = distinctVersions(versions);
  const newest = versions[0]?.rule;
  return (
    <Section id="text-head" title="What it says">
      {!newest && (
        <Nothing
          why="The report was made without this rule's text: it is not among the workspace's rules, or only audits were given."
          command="defensible import rules.yaml"
        />
      )}
      {newest && <ChangedRemark of="rules" />}
      {newest?.kind && (
        <p>
          <b>{wordsOf(RULE_KIND_WORDS, newest.kind).name}</b>: {wordsOf(RULE_KIND_WORDS, newest.kind).meaning}
        </p>
      )}
      {newest?.never_automate && (
        <p>
          <b>Never automated</b>: decisions under this rule are always seen by a person.
        </p>
      )}
      {distinct.map((version) => (
        <div key={`${version.version} ${version.effective_from}`} className="rule-version">
          <h3>
            Version <UserText text={version.version} max={40} />
            {version.effective_from && `, in force from ${version.effective_from.slice(0, 10)}`}
          </h3>
          <dl className="tier-texts">
            {PARTS.map(({ part, tier, reads }) => (
              <div key={part} className={`tier tier-${tier}`}>
                <dt>
                  {TIER_WORDS[tier].name}
                  <span className="small muted"> {reads}</span>
                </dt>
                <dd>
                  {version.rule[part]?.trim() ? (
                    <Visible text={version.rule[part]!} />
                  ) : (
                    <span className="undefined">has none: this tier reads no more than the one before</span>
                  )}
                </dd>
              </div>
            ))}
          </dl>
        </div>
      ))}
      {versions.length > distinct.length && (
        <p className="muted small">
          {versions.length} versions of the rule set hold this rule; those with the same words are shown once.
        </p>
      )}
      {newest && <RuleLint rule={rule} />}
    </Section>
  );
}

/** Remarks on the wording, by the code of `defensible rules lint`: forms of words, not meanings. */
function RuleLint({ rule }: { rule: RuleReference }) {
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

function withCode(text: string): ReactNode[] {
  return text.split("`").map((part, place) => (place % 2 === 1 ? <code key={part}>{part}</code> : part));
}
