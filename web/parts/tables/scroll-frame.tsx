import type { ReactNode, Ref, RefObject } from "react";
import { whole } from "../../../src/present/words/numbers.js";

interface ScrollFrameProps {
  /** Describes the content to keyboard users. */
  label: string;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

/** A table inside it scrolls, also by keyboard, if it is wider than the screen. */
export function ScrollFrame({ label, ref, children }: ScrollFrameProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what cannot be reached cannot be scrolled by keyboard
    <section className="table-scroll" tabIndex={0} aria-label={label} ref={ref}>
      {children}
    </section>
  );
}

interface MoreRowsProps {
  /** Number of rows. */
  of: number;
  frame: RefObject<HTMLElement | null>;
  onMore: () => void;
}

/** Shows the remaining rows. The button then disappears, so the focus moves to the table. */
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
