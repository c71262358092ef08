import type { PartMarks } from "../../../src/present/words/decision-citation.js";
import type { Marks } from "./marked.tsx";

/** What of one part of a rule or precedent is cited. */
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
