import type { NumberForm } from "../../../src/present/words/numbers.js";
import { Fact } from "../text/prose.tsx";
import { Term } from "../text/term.tsx";
import { Est } from "./est.tsx";
import { Num } from "./num.tsx";

interface KeyFigure {
  name: string;
  /** Symbol of its term; without one it is a count. */
  term?: string;
  /** JSON pointer to an estimate or a count. */
  at: string;
  as?: NumberForm;
  /** Its reference or meaning. */
  note?: string;
}

/** The first numbers of a view, each with its interval and counts below. */
export function KeyFigures({ of }: { of: readonly KeyFigure[] }) {
  return (
    <dl className="key-figures">
      {of.map(({ name, term, at, as = "percent", note }) => (
        <Fact key={at} name={term ? <Term symbol={term}>{name}</Term> : name}>
          {term ? <Est at={at} as={as} /> : <Num at={at} as="whole" />}
          {note && <span className="note">{note}</span>}
        </Fact>
      ))}
    </dl>
  );
}
