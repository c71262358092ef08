import { type KeyboardEvent, useState } from "react";
import type { PageAudit, PageDecision } from "../../../src/measures/report-page.js";
import { type Text, table } from "../../../src/present/document/document.js";
import { type DecisionCitation, groundingSentence } from "../../../src/present/words/decision-list.js";
import { numberAt } from "../../../src/present/words/sentence.js";
import { wordsOf } from "../../../src/present/words/vocabulary.js";
import { LEVEL3_REASON_WORDS, OUTCOME_WORDS, WEIGHT_WORDS, weightMeaning } from "../../../src/present/words/words.js";
import { DocumentSections } from "../../parts/document.tsx";
import { Nothing } from "../../parts/nothing.tsx";
import { Num } from "../../parts/numbers/num.tsx";
import { Fact, Section, SentenceText } from "../../parts/text/prose.tsx";
import { Term } from "../../parts/text/term.tsx";
import { Pieces, Visible, Written } from "../../parts/text/written.tsx";
import { Marked } from "./marked.tsx";

interface Props {
  decision: PageDecision;
  citation: DecisionCitation;
  at: string;
  command: string | undefined;
}

/** The auditor's reasoning and citation, in its own words. */
export function DecisionAudit({ decision: { audit, precedents }, citation: { found }, at, command }: Props) {
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
                  { ranges: found.citation.nowhere, className: "nowhere", meaning: "not in what is cited" },
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
            <Fact name={<Term symbol="κ, ω, ι, ξ (trace)">Precedent weight</Term>}>
              <Visible text={wordsOf(WEIGHT_WORDS, precedent_weight).name} />.{" "}
              {weightMeaning(precedent_weight, precedents.shown)}
            </Fact>
          )}
          {level3_reason && (
            <Fact name="Why no rule supports it">
              <Visible text={wordsOf(LEVEL3_REASON_WORDS, level3_reason).name} />.{" "}
              {wordsOf(LEVEL3_REASON_WORDS, level3_reason).meaning}
            </Fact>
          )}
        </dl>
      )}
    </Section>
  );
}

/** Lower ends of the shades, in bits: one bit is a coin toss between two words. */
const SHADES = [0, 0.1, 0.5, 1, 2, 3] as const;

function shadeOf(bits: number): number {
  return SHADES.findLastIndex((least) => bits >= least);
}

/** Tokens are unchanged from the answer; the backslash before a quotation mark is JSON's, not the auditor's. */
function unescaped(text: string): string {
  return text.replace(/\\(["\\/])/g, "$1");
}

/** The citation token by token; the background darkens with the freedom of choice. */
function CitationTokens({ audit, at }: { audit: PageAudit; at: string }) {
  const { spans } = audit;
  const [current, setCurrent] = useState<number | null>(null);
  if (spans.length === 0) return null;
  const move = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    setCurrent((place) => Math.min(spans.length - 1, Math.max(0, place === null ? 0 : place + step)));
  };
  const cut = audit.citation_tokens && audit.citation_tokens > spans.length;
  return (
    <details className="said">
      <summary>
        <h3 id="citation-tokens">Uncertainty of the citation, word by word</h3>
      </summary>
      <p className="muted small">
        <Term symbol="H[κ]">Entropy</Term> of each token in bits: 0 means that no other word was possible, 1 a toss
        between two. <span className="on-screen">Point at a token, or move by the arrow keys.</span>
      </p>
      <section
        className="tokens"
        aria-labelledby="citation-tokens"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: arrow keys move through the tokens
        tabIndex={0}
        onKeyDown={move}
        onFocus={() => setCurrent((place) => place ?? 0)}
      >
        <bdi dir="auto" className="written">
          {spans.map(([text, bits], place) => (
            <span
              // Tokens are identified by position.
              key={String(place)}
              className={`token shade-${shadeOf(bits)}${place === current ? " current" : ""}`}
              onPointerEnter={() => setCurrent(place)}
            >
              {text === null ? <span className="redacted-token">▢</span> : <Pieces text={unescaped(text)} />}
            </span>
          ))}
        </bdi>
      </section>
      <p className="token-value small" aria-live="polite">
        {current === null || !spans[current] ? (
          <span className="muted">No token chosen.</span>
        ) : (
          <>
            Token {current + 1} of {spans.length}:{" "}
            <b className="written">
              {spans[current][0] === null ? "redacted" : <Pieces text={unescaped(spans[current][0])} />}
            </b>{" "}
            <Num at={`${at}/audit/spans/${current}/1`} as="fine" /> bits
          </>
        )}
      </p>
      <ul className="shades" aria-label="Shades, in bits">
        {SHADES.map((least, shade) => (
          <li key={least}>
            <span className={`shade shade-${shade}`} aria-hidden="true" />
            {shade === SHADES.length - 1 ? `${least} and more` : `${least} to ${SHADES[shade + 1]}`}
            {shade === SHADES.length - 1 && " bits"}
          </li>
        ))}
      </ul>
      {cut ? (
        <p className="muted small">
          The first {spans.length} of <Num at={`${at}/audit/citation_tokens`} as="whole" /> tokens.
        </p>
      ) : null}
      <TokenTable spans={spans} at={at} />
    </details>
  );
}

function TokenTable({ spans, at }: { spans: PageAudit["spans"]; at: string }) {
  const [open, setOpen] = useState(false);
  const rows = spans.map(([text], place): Text[] => [
    text === null ? "redacted" : unescaped(text),
    numberAt(`/${place}/1`, "fine"),
  ]);
  return (
    <details className="on-screen" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Tokens as a table</summary>
      {open && (
        <DocumentSections
          blocks={[table(["token", ">bits"], rows, "The citation, token by token")]}
          data={spans}
          at={`${at}/audit/spans`}
        />
      )}
    </details>
  );
}
