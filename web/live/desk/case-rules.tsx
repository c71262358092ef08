import { useMemo } from "react";
import type { PageDecision } from "../../../src/measures/report-page.js";
import { decisionCitation } from "../../../src/present/words/decision-list.js";
import type { RuleInForce } from "../../../src/present/words/decision-rules.js";
import { usePage } from "../../data/page-context.ts";
import { UserText } from "../../parts/text/written.tsx";
import { Marked, MarksLegend, marksAt } from "../../views/review/marked.tsx";
import { Empty } from "../parts.tsx";

const idOf = ({ scope, rule }: RuleInForce) => `${scope} ${rule.id}`;

interface CaseRulesProps {
  decision: PageDecision;
  picked: readonly string[];
  onPick: ((ids: string[]) => void) | null;
}

/** The current rules. After the answer the cited ones come first, with the cited words marked. */
export function CaseRules({ decision, picked, onPick }: CaseRulesProps) {
  const page = usePage();
  const { cited, others, marks, inForce } = useMemo(() => decisionCitation(page, decision), [page, decision]);
  const given = decision.cited_rule;
  // The rule that the decider named comes first.
  const rest = [...others].sort((a, b) => Number(b.rule.id === given) - Number(a.rule.id === given));
  return (
    <section className="case-panel" aria-labelledby="case-rules">
      <div className="live-panel-head">
        <h2 id="case-rules">Rules in force</h2>
        {onPick && <span className="muted small">Tick the rules that decide it</span>}
      </div>
      {!inForce || inForce.rules.length === 0 ? (
        <Empty title="No rules were in force." />
      ) : (
        <ul className="case-rules">
          {[...cited, ...rest].map((one) => {
            const id = idOf(one);
            const isPicked = picked.includes(id);
            const title = (
              <>
                <span className="muted small">
                  {one.scope === "platform" ? "Platform" : "Community"} rule <UserText text={one.rule.id} max={40} />
                  {cited.includes(one) && <b className="case-cited"> cited by the audit</b>}
                  {one.rule.id === given && <b> named by the decider</b>}
                </span>
                <span className="case-rule-title">
                  <Marked text={one.parts[0]!.text} marks={marksAt(marks.get(one), 0)} />
                </span>
              </>
            );
            return (
              <li key={id} className={isPicked ? "picked" : undefined}>
                {onPick ? (
                  <label className="case-rule-head">
                    <input
                      type="checkbox"
                      checked={isPicked}
                      onChange={() => onPick(isPicked ? picked.filter((other) => other !== id) : [...picked, id])}
                    />
                    <span>{title}</span>
                  </label>
                ) : (
                  <div className="case-rule-head">
                    <span>{title}</span>
                  </div>
                )}
                {one.parts.slice(1).map(({ tier, text }, place) => (
                  <div key={tier} className="case-rule-text">
                    <Marked text={text} marks={marksAt(marks.get(one), place + 1)} />
                  </div>
                ))}
              </li>
            );
          })}
        </ul>
      )}
      {cited.some((rule) => marks.has(rule)) && <MarksLegend />}
    </section>
  );
}
