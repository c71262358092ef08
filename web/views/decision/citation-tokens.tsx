import { type KeyboardEvent, useState } from "react";
import type { PageAudit } from "../../../src/measures/report-page.js";
import { Num } from "../../parts/num.tsx";
import { PlainTable } from "../../parts/plain-table.tsx";
import { Term } from "../../parts/term.tsx";
import { Pieces } from "../../parts/visible.tsx";

/** Lower ends of the shades, in bits: one bit is a coin's toss between two words. */
const SHADES = [0, 0.1, 0.5, 1, 2, 3] as const;

function shadeOf(bits: number): number {
  return SHADES.findLastIndex((least) => bits >= least);
}

/** Tokens stand as the answer has them; a quotation mark inside its JSON carries a stroke that is not the auditor's. */
function unescaped(text: string): string {
  return text.replace(/\\(["\\/])/g, "$1");
}

/** The citation token by token, each on a ground that darkens with how freely it was chosen. */
export function CitationTokens({ audit, at }: { audit: PageAudit; at: string }) {
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
    <div className="said">
      <h3 id="citation-tokens">How freely it chose these words</h3>
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
              // Tokens have no names but their places.
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
    </div>
  );
}

function TokenTable({ spans, at }: { spans: PageAudit["spans"]; at: string }) {
  const [open, setOpen] = useState(false);
  return (
    <details className="on-screen" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Tokens as a table</summary>
      {open && (
        <PlainTable
          caption="The citation, token by token"
          heads={[
            { key: "token", name: "Token" },
            { key: "bits", name: "Bits", align: "right" },
          ]}
          rows={spans.map(([text], place) => ({
            key: String(place),
            cells: [
              <span key="token" className="written">
                {text === null ? "redacted" : <Pieces text={unescaped(text)} />}
              </span>,
              <Num key="bits" at={`${at}/audit/spans/${place}/1`} as="fine" />,
            ],
          }))}
        />
      )}
    </details>
  );
}
