import type { ReactNode } from "react";
import { changedRemark } from "../../../src/present/words/gate-change.js";
import type { Piece, Sentence } from "../../../src/present/words/sentence.js";
import { printable } from "../../../src/text/printable.js";
import { usePage } from "../../data/page-context.ts";
import { Num } from "../numbers/num.tsx";
import { Term } from "./term.tsx";
import { capitalised } from "./words.ts";

/** A sentence of a command's output: text between backticks is a command or an option. */
export function Prose({ text, max = 600 }: { text: string; max?: number }) {
  const parts = printable(text, max).split("`");
  // An odd number of backticks: the last one is no more than a character.
  const paired = parts.length % 2 === 1;
  if (!paired) return <bdi>{parts.join("`")}</bdi>;
  return (
    <bdi>
      {parts.map((part, place) => {
        const key = String(place);
        return place % 2 === 1 ? <code key={key}>{part}</code> : <span key={key}>{part}</span>;
      })}
    </bdi>
  );
}

/** A sentence that was made from the numbers, with every number marked and every term explained. */
export function SentenceText({ of }: { of: Sentence }) {
  // The parts of a sentence have no names but their places.
  return of.map((part, place) => <Part key={String(place)} part={part} />);
}

function Part({ part }: { part: Piece }) {
  if (typeof part === "string") return <>{part}</>;
  return "term" in part ? <Term symbol={part.term}>{part.text}</Term> : <Num at={part.at} as={part.as} />;
}

/** A part of a view under its own heading, by which screen readers find it. */
export function Section({ id, title, children }: { id: string; title: ReactNode; children: ReactNode }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

/** What must be known before the numbers are believed, each remark once. */
export function Remarks({ of }: { of: readonly string[] }) {
  if (of.length === 0) return null;
  return (
    <ul className="remarks" aria-label="To keep in mind">
      {[...new Set(of)].map((text) => (
        <li key={text}>
          <Prose text={sentenceOf(text)} max={800} />
        </li>
      ))}
    </ul>
  );
}

function sentenceOf(text: string): string {
  const first = capitalised(text);
  return /[.!?]$/.test(first) ? first : `${first}.`;
}

/** Beside a text of the workspace: that it need not be the one that was audited. Nothing where it is. */
export function ChangedRemark({ of }: { of: Parameters<typeof changedRemark>[1] }) {
  const remark = changedRemark(usePage(), of);
  return remark && <Remarks of={[remark]} />;
}
