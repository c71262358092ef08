import type { TextRange } from "../../../src/measures/grounding/cited-passages.js";
import type { PartMarks } from "../../../src/present/words/decision-list.js";
import { Pieces } from "../../parts/text/written.tsx";

export interface Marks {
  ranges: readonly TextRange[];
  className: string;
  /** What the mark means, explained in place. */
  meaning: string;
}

/** A text with marked ranges. Ranges of different kinds must not overlap. */
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

/** The cited ranges of one part of a rule or precedent. */
export function marksAt(marks: PartMarks | undefined, part: number): Marks[] {
  if (!marks) return [];
  return [
    { ranges: marks.passages[part] ?? [], className: "passage", meaning: "cited word for word" },
    { ranges: marks.words[part] ?? [], className: "word", meaning: "a cited word" },
  ];
}

export function MarksLegend() {
  return (
    <p className="muted small">
      <mark className="passage">Marked</mark> is what the citation has word for word, and{" "}
      <mark className="word">underlined</mark> are single words of it.
    </p>
  );
}
