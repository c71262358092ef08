import { useState } from "react";
import type { CitedBy, PageDecision, PagePrecedent } from "../../../src/measures/report-page.js";
import type { DecisionCitation, PartMarks } from "../../../src/present/words/decision-list.js";
import {
  citedByWords,
  notHereWords,
  precedentsSentence,
  type RuleInForce,
} from "../../../src/present/words/decision-rules.js";
import { plural } from "../../../src/present/words/numbers.js";
import { usePage } from "../../data/page-context.ts";
import { HoldButton, useContentShown } from "../../parts/controls/content-shown.tsx";
import { RuleLink } from "../../parts/links.tsx";
import { Section, SentenceText } from "../../parts/text/prose.tsx";
import { dateText } from "../../parts/text/words.ts";
import { Visible, Written } from "../../parts/text/written.tsx";
import { Marked, MarksLegend, marksAt } from "./marked.tsx";

interface Props {
  decision: PageDecision;
  citation: DecisionCitation;
  at: string;
}

/** Earlier decisions shown to the auditor, cited ones first. Their content is hidden until revealed. */
export function DecisionPrecedents({ decision, citation: { precedents, marks, inForce }, at }: Props) {
  const page = usePage();
  const [setting] = useContentShown();
  const [held, setHeld] = useState(false);
  const { cited, others } = precedents;
  const shown = setting || held;
  const some = cited.some(({ precedent }) => precedent !== null) || others.length > 0;
  const own = cited.some(({ by }) => by.includes("audit"));
  const marked = cited.some(({ precedent: one }) => one && marks.has(one) && (shown || one.rationale));
  const notHere = notHereWords(decision.precedents);
  const common = { decision, rules: inForce?.rules ?? [], shown };
  return (
    <Section id="decision-precedents" title="Precedents">
      <p className="muted">
        <SentenceText of={precedentsSentence(page, decision, at)} />
      </p>
      {some && !page.redacted && !setting && (
        <HoldButton held={held} onHold={setHeld}>
          Hold to reveal precedents
        </HoldButton>
      )}
      {cited.map(({ id, precedent, by }) =>
        precedent ? (
          <Precedent key={id} of={precedent} by={by} marks={marks.get(precedent)} {...common} />
        ) : (
          <MissingPrecedent key={id} id={id} by={by} />
        ),
      )}
      {marked && <MarksLegend />}
      {!own && others.length > 0 && <p>The decision's audit cites none of them.</p>}
      {others.length > 0 && (
        <details>
          <summary>
            {plural(others.length, cited.length > 0 ? "other precedent" : "precedent")}
            {others.length > 1 && ", the most like this content first"}
          </summary>
          <div className="rule-list">
            {others.map((precedent) => (
              <Precedent key={precedent.id} of={precedent} by={[]} marks={undefined} {...common} />
            ))}
          </div>
        </details>
      )}
      {notHere && <p className="muted small">{notHere}</p>}
    </Section>
  );
}

interface PrecedentProps {
  of: PagePrecedent;
  by: readonly CitedBy[];
  marks: PartMarks | undefined;
  decision: PageDecision;
  rules: readonly RuleInForce[];
  /** Whether its content is shown. */
  shown: boolean;
}

/** An earlier decision: action, content and reason, with the cited words marked. */
function Precedent({ of, by, marks, decision, rules, shown }: PrecedentProps) {
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

/** Linked if it is one of the applicable rules; of two with the id, the community's. */
function RuleOf({ id, rules }: { id: string; rules: readonly RuleInForce[] }) {
  const found = rules.findLast(({ rule }) => rule.id === id);
  if (!found) return <Visible text={id} />;
  return <RuleLink rule={{ scope: found.scope, community: found.community, rule_id: id }} />;
}

function isLater(a: string, b: string): boolean {
  return Date.parse(a) > Date.parse(b);
}

function MissingPrecedent({ id, by }: { id: string; by: readonly CitedBy[] }) {
  const { rule_sets, changed_since_run } = usePage();
  return (
    <p>
      Precedent <Visible text={id} /> is {citedByWords(by)},{" "}
      {rule_sets.length === 0 ? "and its text is not in this report" : "and is not in the workspace"}
      {changed_since_run?.includes("precedents") && ": it was taken out or renamed after the audit"}.
    </p>
  );
}
