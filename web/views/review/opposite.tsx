import type { ReactNode } from "react";
import type { PageAudit, PageDecision } from "../../../src/measures/report-page.js";
import { groundingSentence } from "../../../src/present/words/decision-list.js";
import { oppositeSentence } from "../../../src/present/words/decision-signal.js";
import { LEVEL_WORDS, OUTCOME_WORDS, otherAction } from "../../../src/present/words/words.js";
import { isFromFile, usePage } from "../../data/page-context.ts";
import { LevelBadge } from "../../parts/gate-parts.tsx";
import { Section, SentenceText } from "../../parts/text/prose.tsx";
import { Visible, Written } from "../../parts/text/written.tsx";
import { LevelBars } from "./signals.tsx";

interface Props {
  decision: PageDecision;
  at: string;
  command: string | undefined;
}

/** Support for the alternative: the inverse check, and the audits of other decisions on the same content. */
export function DecisionOpposite({ decision, at, command }: Props) {
  const page = usePage();
  const { audit, human_audit, human_label } = decision;
  // With two actions the person's decision is the opposite; if its audit agrees, it is shown once.
  const same = decision.opposite_audit && human_audit && saysTheSame(decision.opposite_audit, human_audit);
  const opposite_audit = same ? null : decision.opposite_audit;
  const { inverse, inverse_citation_text } = audit;
  const others = human_audit ?? opposite_audit;
  const other = otherAction(page.report);
  const several = other === "another action";
  return (
    <Section id="decision-opposite" title={several ? "Other actions" : "The opposite case"}>
      <p>
        {typeof inverse === "boolean"
          ? `The auditor was asked whether ${other} could be derived. ${oppositeSentence(audit.level ?? 1, inverse, other)}`
          : `The audit does not say whether ${other} could be derived.`}
      </p>
      {inverse_citation_text && (
        <div className="said">
          <h3>What {other} would rest on, in the auditor's words</h3>
          <Written of={inverse_citation_text} command={command} />
          <p>
            <SentenceText of={groundingSentence(audit.inverse_citation, `${at}/audit/inverse_citation`)} />
          </p>
        </div>
      )}
      {human_audit && opposite_audit && human_audit.decision === opposite_audit.decision && (
        <p>
          The opposite was audited twice: because a moderator decided so, and to check the auditor. The two answers were
          drawn apart, so that they may differ.
        </p>
      )}
      {others ? (
        <div className="compared">
          <Case title="This decision" audit={audit} at={`${at}/audit`} />
          {human_audit && (
            <Case
              title={same ? "The moderator's decision: the opposite" : "The moderator's decision"}
              audit={human_audit}
              at={`${at}/human_audit`}
              command={command}
              words
            />
          )}
          {opposite_audit && (
            <Case
              title="The opposite, audited as if decided"
              audit={opposite_audit}
              at={`${at}/opposite_audit`}
              command={command}
              words
            />
          )}
        </div>
      ) : (
        <p className="muted">
          The opposite decision itself was not audited
          {human_label !== null && human_label !== decision.decision ? ", nor was the moderator's" : ""}.
          {!isFromFile(page) && (
            <>
              {" "}
              Run <code>defensible experiment dual</code>
            </>
          )}
        </p>
      )}
    </Section>
  );
}

function saysTheSame(a: PageAudit, b: PageAudit): boolean {
  return (
    a.decision === b.decision &&
    a.level === b.level &&
    a.inverse === b.inverse &&
    JSON.stringify(a.logic_chain) === JSON.stringify(b.logic_chain)
  );
}

interface CaseProps {
  title: string;
  audit: PageAudit;
  at: string;
  command?: string | undefined;
  /** With the auditor's words; those on this decision are above. */
  words?: boolean;
}

function Case({ title, audit, at, command, words = false }: CaseProps) {
  return (
    <div className="case">
      <h3>{title}</h3>
      <p>
        <b>
          <Visible text={audit.decision} />
        </b>{" "}
        <Verdict audit={audit} />
      </p>
      <LevelBars audit={audit} at={at} />
      {words && audit.logic_chain && (
        <Words name="Reasoning">
          <Written of={audit.logic_chain} command={command} />
        </Words>
      )}
      {words && audit.policy_citation && (
        <Words name="What it cites">
          <Written of={audit.policy_citation} command={command} />
          <p className="small">
            <SentenceText of={groundingSentence(audit.citation, `${at}/citation`)} />
          </p>
        </Words>
      )}
    </div>
  );
}

function Verdict({ audit }: { audit: PageAudit }) {
  if (audit.outcome !== "verdict" || !audit.level)
    return <span className="muted">{OUTCOME_WORDS[audit.outcome].name}</span>;
  return (
    <>
      <LevelBadge level={audit.level} />
      <span className="visually-hidden">. {LEVEL_WORDS[audit.level].meaning}</span>
    </>
  );
}

function Words({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <h4>{name}</h4>
      {children}
    </div>
  );
}
