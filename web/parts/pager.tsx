import { whole } from "../../src/present/words/numbers.js";

interface PagerProps {
  /** First and last row shown, from 1, of how many. */
  first: number;
  last: number;
  of: number;
  onTurn: (by: 1 | -1) => void;
}

/** Which part of a long table is shown, and the way to the next. A button at its end stays a button: one that was disabled would lose the focus. */
export function Pager({ first, last, of, onTurn }: PagerProps) {
  return (
    <nav className="pager" aria-label="Pages of the table">
      <button type="button" aria-disabled={first <= 1} onClick={() => first > 1 && onTurn(-1)}>
        Previous rows
      </button>
      <span aria-live="polite">
        rows {whole(first)} to {whole(last)} of {whole(of)}
      </span>
      <button type="button" aria-disabled={last >= of} onClick={() => last < of && onTurn(1)}>
        Next rows
      </button>
    </nav>
  );
}
