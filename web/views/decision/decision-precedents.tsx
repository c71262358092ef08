import { useState } from "react";
import type { PageDecision } from "../../../src/measures/report-page.js";
import type { DecisionCitation } from "../../../src/present/words/decision-citation.js";
import { notHereWords, precedentsSentence } from "../../../src/present/words/decision-rules.js";
import { plural } from "../../../src/present/words/numbers.js";
import { usePage } from "../../data/page-context.ts";
import { useContentShown } from "../../parts/content-shown.ts";
import { HoldButton } from "../../parts/hold-button.tsx";
import { Section } from "../../parts/section.tsx";
import { SentenceText } from "../../parts/sentence.tsx";
import { MarksLegend } from "./cited-marks.tsx";
import { MissingPrecedent, Precedent } from "./precedent.tsx";

interface Props {
  decision: PageDecision;
  citation: DecisionCitation;
  at: string;
}

/** Earlier decisions that the auditor was shown, the cited ones first. Their content is hidden until asked for, like all content. */
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
