import { type TextPiece, visibleText } from "../../src/text/visible-text.js";

/** What somebody wrote, isolated in its own direction of writing, with characters that act or hide shown by their numbers. */
export function Visible({ text }: { text: string }) {
  return (
    <bdi dir="auto" className="written">
      <Pieces text={text} />
    </bdi>
  );
}

/** The same for a part of a text that is isolated already. */
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
