import type { ReactNode } from "react";
import type { PageText } from "../../../src/measures/report-page.js";
import { plural, whole } from "../../../src/present/words/numbers.js";
import { nameText, standIn } from "../../../src/present/words/vocabulary.js";
import { type TextPiece, visibleText } from "../../../src/text/printable.js";

interface WrittenProps {
  of: PageText;
  /** False: shows a placeholder of the same shape; the text is then nowhere in the DOM. */
  shown?: boolean;
  /** Command that shows the whole text if it was cut. */
  command?: string | undefined;
  /** Replaces the plain text, for marked text. */
  children?: ReactNode;
}

/** A text of the page's data: whole, cut with the missing length, redacted, or blurred. */
export function Written({ of: { text, length, hash }, shown = true, command, children }: WrittenProps) {
  if (text === null) {
    return (
      <p className="redacted">
        Redacted: {plural(length, "character")}
        {hash && (
          <>
            , hash <code>{hash}</code>
          </>
        )}
      </p>
    );
  }
  if (length === 0) return <p className="muted">Empty.</p>;
  const missing = length - text.length;
  return (
    <div className="written-text">
      {shown ? <div className="written-body">{children ?? <Visible text={text} />}</div> : <Veil text={text} />}
      {missing > 0 && (
        <p className="muted small">
          {whole(missing)} of {plural(length, "character")} are left out here.
          {command && (
            <>
              {" "}
              The whole: <code>{command}</code>
            </>
          )}
        </p>
      )}
    </div>
  );
}

/** A placeholder of the same shape: the text is nowhere in the DOM. */
export function Veil({ text }: { text: string }) {
  return (
    <span className="written-body">
      <span className="veiled visually-hidden">
        Blurred: {plural(text.length, "character")}. Clear “Blur content” to see and print it.
      </span>
      <span className="veil" aria-hidden="true">
        {standIn(text)}
      </span>
    </span>
  );
}

/** Foreign text, isolated in its own writing direction, with active or hidden characters as numbers. */
export function Visible({ text }: { text: string }) {
  return (
    <bdi dir="auto" className="written">
      <Pieces text={text} />
    </bdi>
  );
}

/** The same for a part of an already isolated text. */
export function Pieces({ text }: { text: string }) {
  return visibleText(text).map((piece, place) => <Piece key={String(place)} piece={piece} />);
}

function Piece({ piece }: { piece: TextPiece }) {
  if (typeof piece === "string") return piece;
  return (
    <span className="acting" title={piece.name}>
      {piece.code}
    </span>
  );
}

/** Foreign text on one line: invisible characters as numbers, and no effect on the surrounding direction. */
export function UserText({ text, max = 200 }: { text: string; max?: number }) {
  return <bdi>{nameText(text, max)}</bdi>;
}
