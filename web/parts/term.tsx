import notation from "virtual:notation";
import type { ReactNode } from "react";
import { useId } from "react";

const MEANINGS = new Map(notation.map(({ symbol, meaning }) => [symbol, meaning]));

/** A word of the trade with its definition of docs/notation.md, on hover, on focus and for screen readers. */
export function Term({ symbol, children }: { symbol: string; children?: ReactNode }) {
  const id = useId();
  const meaning = MEANINGS.get(symbol);
  if (!meaning) return <>{children ?? symbol}</>;
  return (
    <span className="term">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: the definition must be reachable without a mouse */}
      <span className="term-word" tabIndex={0} aria-describedby={id}>
        {children ?? symbol}
      </span>
      <span className="term-meaning" role="tooltip" id={id}>
        <b>{symbol}</b> {meaning}
      </span>
    </span>
  );
}
