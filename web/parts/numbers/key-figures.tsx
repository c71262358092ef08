import type { ReactNode } from "react";
import type { NumberForm } from "../../../src/present/words/numbers.js";
import { Est } from "./est.tsx";
import { Num } from "./num.tsx";

export interface KeyFigure {
  key: string;
  /** What it is, in plain words or as a term. */
  name: ReactNode;
  /** JSON pointer to an estimate; or, with `count`, to a number. */
  at: string;
  as?: NumberForm;
  count?: boolean;
  /** What it is held against, or what it means. */
  note?: ReactNode;
}

/** A few numbers that a view begins with, each with its interval and counts below. */
export function KeyFigures({ of }: { of: readonly KeyFigure[] }) {
  return (
    <dl className="key-figures">
      {of.map(({ key, name, at, as = "percent", count = false, note }) => (
        <div key={key}>
          <dt>{name}</dt>
          <dd>
            {count ? <Num at={at} as="whole" /> : <Est at={at} as={as} />}
            {note && <span className="note">{note}</span>}
          </dd>
        </div>
      ))}
    </dl>
  );
}
