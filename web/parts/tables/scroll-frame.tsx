import type { ReactNode, Ref, RefObject } from "react";
import { whole } from "../../../src/present/words/numbers.js";

interface ScrollFrameProps {
  /** What is inside, for those who come to it by keyboard. */
  label: string;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

/** A table inside it scrolls by itself where it is wider than the screen, by keyboard too. */
export function ScrollFrame({ label, ref, children }: ScrollFrameProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what cannot be reached cannot be scrolled by keyboard
    <section className="table-scroll" tabIndex={0} aria-label={label} ref={ref}>
      {children}
    </section>
  );
}

interface MoreRowsProps {
  /** How many rows there are. */
  of: number;
  frame: RefObject<HTMLElement | null>;
  onMore: () => void;
}

/** Shows the rows that are not shown yet. The button then goes away, so the focus goes to the table. */
export function MoreRows({ of, frame, onMore }: MoreRowsProps) {
  const more = () => {
    onMore();
    frame.current?.focus({ preventScroll: true });
  };
  return (
    <button type="button" className="more" onClick={more}>
      Show all {whole(of)} rows
    </button>
  );
}
