import type { PageDecision } from "../../../src/measures/report-page.js";
import { useContentShown } from "../../parts/controls/content-shown.tsx";
import { LevelBadge } from "../../parts/gate-parts.tsx";
import { Section } from "../../parts/text/prose.tsx";
import { Visible, Written } from "../../parts/text/written.tsx";

interface Props {
  decision: PageDecision;
  command: string | undefined;
}

const SOURCES = { human: "a person", gold: "gold annotation", auditor: "another auditor" } as const;
const APPEALS = { upheld: "upheld: it stood", overturned: "overturned", pending: "pending" } as const;

/** Statements by people and by the decider itself, none of which the auditor saw. */
export function DecisionPeople({ decision, command }: Props) {
  const { labels, appeal, rationale, cited_rule, gold } = decision;
  const [contentShown] = useContentShown();
  if (labels.length === 0 && !appeal && !rationale && !cited_rule && !gold?.note && !gold?.rule_ids.length) return null;
  return (
    <Section id="decision-people" title="What the auditor was not shown">
      {(rationale || cited_rule) && (
        <div className="said">
          <h3>The decider's own reason</h3>
          {cited_rule && (
            <p>
              Cites rule <Visible text={cited_rule} />
            </p>
          )}
          {rationale && <Written of={rationale} command={command} />}
        </div>
      )}
      {gold && (gold.note || gold.rule_ids.length > 0) && (
        <div className="said">
          <h3>What the gold annotation rests on</h3>
          {gold.rule_ids.length > 0 && (
            <p>
              {gold.rule_ids.length === 1 ? "Rule " : "Rules "}
              {gold.rule_ids.map((id, place) => (
                <span key={id}>
                  {place > 0 && ", "}
                  <Visible text={id} />
                </span>
              ))}
            </p>
          )}
          {gold.note && <Written of={gold.note} command={command} />}
        </div>
      )}
      {labels.length > 0 && (
        <div className="said">
          <h3>Judgements of its defensibility</h3>
          <ul className="judgements">
            {labels.map(({ level, inverse, rater, source }, place) => (
              // Raters may occur twice.
              <li key={String(place)}>
                <LevelBadge level={level} />
                {inverse !== null && `, opposite derivable: ${inverse ? "Yes" : "No"}`}
                <span className="muted">
                  {" "}
                  by {SOURCES[source as keyof typeof SOURCES] ?? <Visible text={source} />}
                  {rater && (
                    <>
                      , <Visible text={rater} />
                    </>
                  )}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {appeal && (
        <div className="said">
          <h3>Appeal</h3>
          <p>
            Outcome:{" "}
            {appeal.outcome
              ? (APPEALS[appeal.outcome as keyof typeof APPEALS] ?? <Visible text={appeal.outcome} />)
              : "not known"}
          </p>
          {appeal.text && <Written of={appeal.text} shown={contentShown} command={command} />}
        </div>
      )}
    </Section>
  );
}
