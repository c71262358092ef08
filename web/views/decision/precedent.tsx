import type { CitedBy, PageDecision, PagePrecedent } from "../../../src/measures/report-page.js";
import type { PartMarks } from "../../../src/present/words/decision-citation.js";
import { citedByWords, type RuleInForce } from "../../../src/present/words/decision-rules.js";
import { usePage } from "../../data/page-context.ts";
import { dateText } from "../../parts/date-text.ts";
import { RuleLink } from "../../parts/links.tsx";
import { Visible } from "../../parts/visible.tsx";
import { Written } from "../../parts/written.tsx";
import { marksAt } from "./cited-marks.tsx";
import { Marked } from "./marked.tsx";

interface PrecedentProps {
  of: PagePrecedent;
  by: readonly CitedBy[];
  marks: PartMarks | undefined;
  decision: PageDecision;
  rules: readonly RuleInForce[];
  /** Whether its content is. */
  shown: boolean;
}

/** An earlier decision: what was decided, about what and why, with the words that are cited marked. */
export function Precedent({ of, by, marks, decision, rules, shown }: PrecedentProps) {
  const { id, community, text, rationale, decided_at } = of;
  const later = decided_at !== null && decision.decided_at !== null && isLater(decided_at, decision.decided_at);
  return (
    <details className="rule" open={by.length > 0}>
      <summary>
        <span className="muted">
          precedent <Visible text={id} />
        </span>{" "}
        <b>
          <Visible text={of.decision} />
        </b>
        {by.length > 0 && <span className="muted"> {citedByWords(by)}</span>}
      </summary>
      <div className="rule-text">
        <Written of={text} shown={shown}>
          {text.text !== null && <Marked text={text.text} marks={marksAt(marks, 0)} />}
        </Written>
      </div>
      {rationale && (
        <div className="rule-text">
          <p className="muted small">The reason given then</p>
          <Written of={rationale}>
            {rationale.text !== null && <Marked text={rationale.text} marks={marksAt(marks, 1)} />}
          </Written>
        </div>
      )}
      <p className="muted small">
        Decided in <Visible text={community} />
        {decided_at !== null && ` on ${dateText(decided_at)}`}
        {later && ", after this decision"}
        {of.rule_id !== null && (
          <>
            , under rule <RuleOf id={of.rule_id} rules={rules} />
          </>
        )}
      </p>
    </details>
  );
}

/** A link where the rule is one of those in force; of two with the id, the community's. */
function RuleOf({ id, rules }: { id: string; rules: readonly RuleInForce[] }) {
  const found = rules.findLast(({ rule }) => rule.id === id);
  if (!found) return <Visible text={id} />;
  return <RuleLink rule={{ scope: found.scope, community: found.community, rule_id: id }} />;
}

function isLater(a: string, b: string): boolean {
  return Date.parse(a) > Date.parse(b);
}

/** A precedent that is cited and cannot be shown. */
export function MissingPrecedent({ id, by }: { id: string; by: readonly CitedBy[] }) {
  const { rule_sets, changed_since_run } = usePage();
  return (
    <p>
      Precedent <Visible text={id} /> is {citedByWords(by)},{" "}
      {rule_sets.length === 0 ? "and its text is not in this report" : "and is not in the workspace"}
      {changed_since_run?.includes("precedents") && ": it was taken out or renamed after the audit"}.
    </p>
  );
}
