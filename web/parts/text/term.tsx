import notation from "virtual:notation";
import { type ReactNode, useId, useLayoutEffect, useRef, useState } from "react";
import { KEY_TERMS } from "../../../src/present/words/vocabulary.js";

const MEANINGS = new Map(notation.map(({ symbol, meaning }) => [symbol, meaning]));
const KEYS = new Map(KEY_TERMS.map((term) => [term.symbol, term]));
/** Distance from the word, and from the edges of the window. */
const GAP = 4;
const EDGE = 8;

/** A technical term, explained in plain words and by its definition in docs/notation.md: on hover, on focus and for screen readers. */
export function Term({ symbol, children }: { symbol: string; children?: ReactNode }) {
  const id = useId();
  const [open, setOpen] = useState(false);
  const word = useRef<HTMLSpanElement>(null);
  const tip = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    if (!open) return;
    const place = () => word.current && tip.current && placeBeside(tip.current, word.current);
    const closeByKey = (event: KeyboardEvent) => event.key === "Escape" && setOpen(false);
    place();
    window.addEventListener("scroll", place, { capture: true, passive: true });
    window.addEventListener("keydown", closeByKey);
    return () => {
      window.removeEventListener("scroll", place, { capture: true });
      window.removeEventListener("keydown", closeByKey);
    };
  }, [open]);
  const meaning = MEANINGS.get(symbol);
  if (!meaning) return <>{children ?? symbol}</>;
  const key = KEYS.get(symbol);
  return (
    <span className="term">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it does nothing but show its definition */}
      <span
        ref={word}
        className="term-word"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the definition must be reachable without a mouse
        tabIndex={0}
        aria-describedby={id}
        onMouseEnter={() => setOpen(true)}
        onMouseLeave={() => setOpen(false)}
        onFocus={() => setOpen(true)}
        onBlur={() => setOpen(false)}
      >
        {children ?? symbol}
      </span>
      <span ref={tip} className={open ? "term-meaning open" : "term-meaning"} role="tooltip" id={id}>
        <b>{key?.name ?? symbol}</b> {key?.plain ?? meaning}
        {key && <span className="term-formal">Exactly: {meaning}</span>}
      </span>
    </span>
  );
}

/** Positioned in the window, since a scrolling table would cut it off; above the word if there is room, because its number is below it. */
function placeBeside(tip: HTMLElement, word: HTMLElement): void {
  const { left, top, bottom } = word.getBoundingClientRect();
  const { width, height } = tip.getBoundingClientRect();
  const above = top - GAP - height;
  tip.style.left = `${Math.max(EDGE, Math.min(left, window.innerWidth - width - EDGE))}px`;
  tip.style.top = `${above >= EDGE ? above : bottom + GAP}px`;
}
