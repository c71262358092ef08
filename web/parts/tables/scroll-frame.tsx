import type { ReactNode, Ref } from "react";

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
