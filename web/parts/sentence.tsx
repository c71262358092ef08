import type { Piece, Sentence } from "../../src/present/words/sentence.js";
import { Num } from "./num.tsx";
import { Term } from "./term.tsx";

/** A sentence that was made from the numbers, with every number marked and every term explained. */
export function SentenceText({ of }: { of: Sentence }) {
  // The parts of a sentence have no names but their places.
  return of.map((part, place) => <Part key={String(place)} part={part} />);
}

function Part({ part }: { part: Piece }) {
  if (typeof part === "string") return <>{part}</>;
  return "term" in part ? <Term symbol={part.term}>{part.text}</Term> : <Num at={part.at} as={part.as} />;
}
