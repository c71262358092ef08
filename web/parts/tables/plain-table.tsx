import type { ReactNode, Ref } from "react";

export interface PlainHead {
  key: string;
  name: ReactNode;
  align?: "left" | "right";
}

export interface PlainRow {
  key: string;
  /** One for each head; the first names the row. */
  cells: readonly ReactNode[];
  /** Set apart, as the one that is in use. */
  chosen?: boolean;
}

/** A short table in a fixed order. Long ones, which people sort, are a DataTable. */
export function PlainTable({
  caption,
  heads,
  rows,
}: {
  caption: string;
  heads: readonly PlainHead[];
  rows: readonly PlainRow[];
}) {
  return (
    <div className="table-frame">
      <ScrollFrame label={caption}>
        <table className="plain-table">
          <caption>
            <span>{caption}</span>
          </caption>
          <thead>
            <tr>
              {heads.map(({ key, name, align }) => (
                <th key={key} scope="col" className={align}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, cells, chosen }) => (
              <tr key={key} className={chosen ? "chosen" : undefined} aria-current={chosen ? "true" : undefined}>
                {heads.map((head, i) =>
                  i === 0 ? (
                    <th key={head.key} scope="row">
                      {cells[i]}
                    </th>
                  ) : (
                    <td key={head.key} className={head.align}>
                      {cells[i] ?? <span className="undefined">–</span>}
                    </td>
                  ),
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollFrame>
    </div>
  );
}

interface ScrollFrameProps {
  /** What is inside, for those who come to it by keyboard. */
  label: string;
  ref?: Ref<HTMLElement>;
  children: ReactNode;
}

/** A table inside it scrolls by itself where it is wider than the screen, by keyboard too. */
export function ScrollFrame({ label, ref, children }: ScrollFrameProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what cannot be reached cannot be scrolled by keyboard
    <section className="table-scroll" tabIndex={0} aria-label={label} ref={ref}>
      {children}
    </section>
  );
}
