import type { PageDecision } from "../../../src/measures/report-page.js";
import { LEVEL3_REASON_WORDS, OUTCOME_WORDS, WEIGHT_WORDS } from "../../../src/present/words/audit-words.js";
import { type DecisionCitation, groundingSentence } from "../../../src/present/words/decision-citation.js";
import { wordsOf } from "../../../src/present/words/word-table.js";
import { Nothing } from "../../parts/nothing.tsx";
import { Section } from "../../parts/section.tsx";
import { SentenceText } from "../../parts/sentence.tsx";
import { Term } from "../../parts/term.tsx";
import { Visible } from "../../parts/visible.tsx";
import { Written } from "../../parts/written.tsx";
import { CitationTokens } from "./citation-tokens.tsx";
import { Marked } from "./marked.tsx";

interface Props {
  decision: PageDecision;
  citation: DecisionCitation;
  at: string;
  command: string | undefined;
}

/** What the auditor wrote: its reasoning and what it cites, in its own words. */
export function DecisionAudit({ decision: { audit }, citation: { found }, at, command }: Props) {
  const { logic_chain, policy_citation, precedent_weight, level3_reason, error } = audit;
  const nothing = !logic_chain && !policy_citation;
  return (
    <Section id="decision-audit" title="What the auditor says">
      {audit.outcome !== "verdict" && (
        <Nothing why={OUTCOME_WORDS[audit.outcome].meaning}>
          {error && (
            <p>
              <code>
                <Visible text={error.code} />
              </code>{" "}
              <Visible text={error.message} />
            </p>
          )}
        </Nothing>
      )}
      {nothing && audit.outcome === "verdict" && <p className="muted">Its words were not kept, only its verdict.</p>}
      {logic_chain && (
        <div className="said">
          <h3>Reasoning</h3>
          <Written of={logic_chain} command={command} />
        </div>
      )}
      {policy_citation && (
        <div className="said">
          <h3>What it cites</h3>
          <Written of={policy_citation} command={command}>
            {found && policy_citation.text !== null && (
              <Marked
                text={policy_citation.text}
                marks={[
                  { ranges: found.citation.nowhere, className: "nowhere", meaning: "stands nowhere in what is cited" },
                  { ranges: found.citation.name, className: "names", meaning: "names a rule; not counted as cited" },
                ]}
              />
            )}
          </Written>
          <p>
            <SentenceText of={groundingSentence(audit.citation, `${at}/audit/citation`)} />
            {found && found.citation.nowhere.length > 0 && (
              <>
                {" "}
                Words with a <mark className="nowhere">wavy line</mark> do not.
              </>
            )}
          </p>
        </div>
      )}
      <CitationTokens audit={audit} at={at} />
      {(precedent_weight || level3_reason) && (
        <dl className="facts">
          {precedent_weight && (
            <div>
              <dt>
                <Term symbol="κ, ω, ι, ξ (trace)">Precedent weight</Term>
              </dt>
              <dd>
                <Visible text={wordsOf(WEIGHT_WORDS, precedent_weight).name} />.{" "}
                {wordsOf(WEIGHT_WORDS, precedent_weight).meaning}
              </dd>
            </div>
          )}
          {level3_reason && (
            <div>
              <dt>Why nothing carries it</dt>
              <dd>
                <Visible text={wordsOf(LEVEL3_REASON_WORDS, level3_reason).name} />.{" "}
                {wordsOf(LEVEL3_REASON_WORDS, level3_reason).meaning}
              </dd>
            </div>
          )}
        </dl>
      )}
    </Section>
  );
}
