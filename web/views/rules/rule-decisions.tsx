import { useMemo } from "react";
import type { PageDecision } from "../../../src/measures/report-page.js";
import { inverseOf, levelOf, levelsOf, ruleFilter } from "../../../src/present/words/decision-list.js";
import { plural, whole } from "../../../src/present/words/numbers.js";
import type { RuleReference } from "../../../src/present/words/rule-texts.js";
import { usePage } from "../../data/page-context.ts";
import { NoDecisions } from "../../parts/nothing.tsx";
import { Section } from "../../parts/text/prose.tsx";
import { DecisionTable } from "../review/decision-table.tsx";

const COLUMNS = ["reason", "decision", "human", "level", "inverse", "p_defensible", "overlap"];

/** The decisions that made it ambiguous, and those that no rule supports. */
export function RuleDecisions({ rule }: { rule: RuleReference & { cited: number } }) {
  const { decisions: all } = usePage();
  const citing = useMemo(() => all.filter((decision) => citesRule(decision, rule)), [all, rule]);
  const open = useMemo(
    () => citing.filter((one) => levelsOf(one).includes("defensible") && inverseOf(one) === "yes"),
    [citing],
  );
  const wrong = useMemo(() => citing.filter((one) => levelOf(one) === "3"), [citing]);
  if (rule.cited === 0) return null;
  const key = ruleFilter(rule.scope, rule.scope === "platform" ? null : rule.community, rule.rule_id);
  return (
    <>
      <Section id="open-head" title="Decisions that made it ambiguous">
        {citing.length === 0 && <NoDecisions of="those that cite this rule" />}
        {citing.length > 0 && citing.length < rule.cited && (
          <p className="muted">
            {`This report lists ${whole(citing.length)} of the ${plural(rule.cited, "verdict")} that cite it: the most urgent.`}
          </p>
        )}
        {open.length > 0 && (
          <DecisionTable
            id="open"
            caption="Decisions that cite the rule and follow, and whose opposite follows too"
            decisions={open}
            list={{ rule: key, inverse: "yes", level: "defensible" }}
            columns={COLUMNS}
          />
        )}
        {citing.length > 0 && open.length === 0 && <p>None of those listed could have gone either way.</p>}
      </Section>
      {wrong.length > 0 && (
        <Section id="wrong-head" title="Decisions under it that no rule supports">
          <p>
            These are the decider's errors, or ask for a rule that is not written. Where the opposite follows, the rule
            is clear and was not kept.
          </p>
          <DecisionTable
            id="wrong"
            caption="Decisions that cite the rule and are indefensible"
            decisions={wrong}
            list={{ rule: key, level: "3" }}
            columns={COLUMNS}
          />
        </Section>
      )}
    </>
  );
}

export function citesRule({ community, audit: { citation } }: PageDecision, rule: RuleReference): boolean {
  if (!citation || citation.rule_id !== rule.rule_id || citation.scope !== rule.scope) return false;
  return rule.scope === "platform" || community === rule.community;
}
