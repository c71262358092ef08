import { Fragment, type ReactNode } from "react";
import type { Estimate } from "../../../src/core/estimate.js";
import type { Text } from "../../../src/present/document/document.js";
import { isSilent } from "../../../src/present/words/numbers.js";
import {
  type EstimatePiece,
  finerForm,
  type Piece,
  type RangePiece,
  rangeIn,
  type Sentence,
  valueAt,
} from "../../../src/present/words/sentence.js";
import { changedRemark } from "../../../src/present/words/words.js";
import { printable } from "../../../src/text/printable.js";
import { useMaybePage, usePage } from "../../data/page-context.ts";
import { routeHash } from "../../route/route.ts";
import { CohortName } from "../links.tsx";
import { Bounds, Counts, Ends } from "../numbers/est.tsx";
import { Shown } from "../numbers/num.tsx";
import { Term } from "./term.tsx";
import { capitalised } from "./words.ts";

/** A sentence of a command's output; text between backticks is a command or an option. */
export function Prose({ text, max = 600 }: { text: string; max?: number }) {
  const parts = printable(text, max).split("`");
  // With an odd number of backticks, none marks code.
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

export interface TextSource {
  /** What pointers refer to. */
  data: unknown;
  /** Pointer to `data` in the page. */
  at: string;
}

/** A sentence about the page, with every number marked and every term explained. */
export function SentenceText({ of }: { of: Sentence }) {
  return <TextParts of={of} source={{ data: usePage(), at: "" }} />;
}

export function TextParts({ of, source }: { of: Text; source: TextSource }) {
  const parts: Sentence = Array.isArray(of) ? (of as Sentence) : [of as Piece];
  return parts.map((part, place) => (
    <Fragment key={String(place)}>
      <Part of={part} source={source} />
    </Fragment>
  ));
}

function Part({ of: part, source }: { of: Piece; source: TextSource }) {
  if (typeof part === "string") return <Prose text={part} max={2000} />;
  if ("term" in part) return <Term symbol={part.term}>{part.text}</Term>;
  if ("to" in part) {
    const [view, ...about] = part.to;
    if (view === "automation" && about.length === 2) return <Community name={about[1]!} text={part.text} />;
    return <PlaceLink to={routeHash(view, about)} text={part.text} />;
  }
  if ("at" in part) return <Shown value={valueAt(source.data, part.at)} as={part.as} mark={source.at + part.at} />;
  return "range" in part ? (
    <RangeInText piece={part} source={source} />
  ) : (
    <EstimateInText piece={part} source={source} />
  );
}

function RangeInText({ piece, source: { data, at } }: { piece: RangePiece; source: TextSource }) {
  const { value, bounds } = rangeIn(data, piece);
  const ends = bounds && <Ends of={bounds} as={piece.as} at={{ lower: at + piece.lower, upper: at + piece.upper }} />;
  if (piece.with === "bounds") return ends ?? <span className="undefined">–</span>;
  const number = (
    <Shown value={value} as={value === null ? piece.as : finerForm(value, piece.as)} mark={at + piece.range} />
  );
  return ends ? (
    <>
      {number} ({ends})
    </>
  ) : (
    number
  );
}

/** A link into the report; a standalone document has no other places. */
function PlaceLink({ to, text }: { to: string; text: string }) {
  const name = <bdi>{text}</bdi>;
  return useMaybePage() ? <a href={to}>{name}</a> : name;
}

function Community({ name, text }: { name: string; text: string }) {
  return useMaybePage() ? <CohortName name={name} /> : <bdi>{text}</bdi>;
}

/** An estimate in a sentence, with its interval in brackets for copying and reading aloud. */
function EstimateInText({ piece, source }: { piece: EstimatePiece; source: TextSource }) {
  const estimate = valueAt(source.data, piece.est) as Estimate | undefined;
  if (!estimate || estimate.estimate === null) return <span className="undefined">–</span>;
  const mark = source.at + piece.est;
  if (piece.with === "counts") return <Counts of={estimate} mark={mark} />;
  const { as } = piece;
  const value = <Shown value={estimate.estimate} as={finerForm(estimate.estimate, as)} mark={`${mark}/estimate`} />;
  if (piece.with === "value") return value;
  return (
    <>
      {value} ({isSilent(estimate) ? "no interval" : <Bounds of={estimate} as={as} mark={mark} />}
      {piece.with === "all" && (
        <>
          , <Counts of={estimate} mark={mark} />
        </>
      )}
      )
    </>
  );
}

/** A part of a view under its own heading, which screen readers find. */
export function Section({ id, title, children }: { id: string; title: ReactNode; children: ReactNode }) {
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      {children}
    </section>
  );
}

export function Fact({ name, children }: { name: ReactNode; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** Remarks on how far to trust the numbers, each once. */
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

/** For a text of the workspace that may differ from the audited one; empty if it does not. */
export function ChangedRemark({ of }: { of: Parameters<typeof changedRemark>[1] }) {
  const remark = changedRemark(usePage(), of);
  return remark && <Remarks of={[remark]} />;
}
