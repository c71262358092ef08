import type { TextRange } from "../../../src/measures/grounding/cited-passages.js";
import { Pieces } from "../../parts/visible.tsx";

export interface Marks {
  ranges: readonly TextRange[];
  className: string;
  /** What the mark means, said where it is met. */
  meaning: string;
}

/** A text with stretches of it marked. Ranges of several kinds must not overlap. */
export function Marked({ text, marks }: { text: string; marks: readonly Marks[] }) {
  const all = marks
    .flatMap(({ ranges, className, meaning }) => ranges.map(([start, end]) => ({ start, end, className, meaning })))
    .sort((a, b) => a.start - b.start);
  const parts = [];
  let from = 0;
  for (const { start, end, className, meaning } of all) {
    if (start < from) continue;
    if (start > from) parts.push(<Pieces key={from} text={text.slice(from, start)} />);
    parts.push(
      <mark key={start} className={className} title={meaning}>
        <Pieces text={text.slice(start, end)} />
      </mark>,
    );
    from = end;
  }
  if (from < text.length) parts.push(<Pieces key={from} text={text.slice(from)} />);
  return (
    <bdi dir="auto" className="written">
      {parts}
    </bdi>
  );
}
