import type { PageDecision } from "../../../src/measures/report-page.js";
import { type DecisionCitation, type PartMarks, ruleFilter } from "../../../src/present/words/decision-list.js";
import type { RuleInForce } from "../../../src/present/words/decision-rules.js";
import { plural } from "../../../src/present/words/numbers.js";
import { named } from "../../../src/present/words/sentence.js";
import { wordsOf } from "../../../src/present/words/vocabulary.js";
import { RULE_KIND_WORDS, TIER_WORDS } from "../../../src/present/words/words.js";
import { usePage } from "../../data/page-context.ts";
import { ruleAddress } from "../../parts/links.tsx";
import { Nothing } from "../../parts/nothing.tsx";
import { ChangedRemark, Section } from "../../parts/text/prose.tsx";
import { Visible } from "../../parts/text/written.tsx";
import { routeHash } from "../../route/route.ts";
import { Marked, MarksLegend, marksAt } from "./marked.tsx";
import { FILTER_NAMES } from "./use-decision-list.ts";

/** The rules that applied, cited ones first and with the cited words marked. */
export function DecisionRules({ decision, citation }: { decision: PageDecision; citation: DecisionCitation }) {
  const { audit } = decision;
  const { inForce, cited, others, marks } = citation;
  const { rule_sets } = usePage();
  if (!inForce) {
    return (
      <Section id="decision-rules" title="Rules in force">
        <Nothing
          why={
            rule_sets.length === 0
              ? "This report was made from audits alone, which do not hold the rules."
              : audit.ruleset_version
                ? `This report does not have version ${named(audit.ruleset_version)} of the rules, under which the audit was made.`
                : "The audit does not say which version of the rules it was made under."
          }
        />
      </Section>
    );
  }
  return (
    <Section id="decision-rules" title="Rules in force">
      <p className="muted">
        Version <Visible text={audit.ruleset_version ?? ""} /> of the rules. {TIER_WORDS[audit.tier].meaning}
      </p>
      <ChangedRemark of="rules" />
      {cited.map((rule) => (
        <Rule key={`${rule.scope} ${rule.rule.id}`} of={rule} marks={marks.get(rule)} open />
      ))}
      {cited.some((rule) => marks.has(rule)) && <MarksLegend />}
      {cited.length === 0 && inForce.rules.length > 0 && (
        <p>
          {audit.citation?.scope === "precedent"
            ? "A precedent is cited, and no rule."
            : "None of these rules is cited."}
        </p>
      )}
      {inForce.rules.length === 0 && <p>No rules were in force.</p>}
      {others.length > 0 && (
        <details>
          <summary>
            {cited.length > 0 ? plural(others.length, "other rule") : plural(others.length, "rule")} in force
          </summary>
          <div className="rule-list">
            {others.map((rule) => (
              <Rule key={`${rule.scope} ${rule.rule.id}`} of={rule} marks={marks.get(rule)} />
            ))}
          </div>
        </details>
      )}
    </Section>
  );
}

interface RuleProps {
  of: RuleInForce;
  marks: PartMarks | undefined;
  open?: boolean;
}

function Rule({ of: { scope, community, rule, parts }, marks, open = false }: RuleProps) {
  return (
    <details className="rule" open={open}>
      <summary>
        <span className="muted">
          {scope} rule <Visible text={rule.id} />
        </span>{" "}
        <b>
          <Marked text={parts[0]!.text} marks={marksAt(marks, 0)} />
        </b>
      </summary>
      {parts.slice(1).map(({ tier, text }, place) => (
        <div key={tier} className="rule-text">
          <Marked text={text} marks={marksAt(marks, place + 1)} />
        </div>
      ))}
      {parts.length === 1 && <p className="muted small">Nothing but the title was shown to the auditor.</p>}
      {rule.kind && (
        <p className="muted small">
          {wordsOf(RULE_KIND_WORDS, rule.kind).name}: {wordsOf(RULE_KIND_WORDS, rule.kind).meaning}
        </p>
      )}
      <p className="small">
        <a href={ruleAddress({ scope, community, rule_id: rule.id })}>About this rule</a>
        {" · "}
        <a href={routeHash("review", [], { [FILTER_NAMES.rule]: ruleFilter(scope, community, rule.id) })}>
          Decisions that cite it
        </a>
      </p>
      {rule.never_automate && <p className="muted small">Decisions under this rule are never automated.</p>}
    </details>
  );
}
