import { type ReactNode, useRef, useState } from "react";
import type { Estimate } from "../../src/core/estimate.js";
import type { Figure } from "../../src/core/figure.js";
import { type Block, type Column, type Document, dashReasons, type Text } from "../../src/present/document/document.js";
import { type Bounds, formatNumber, isSilent, type NumberForm, wideInterval } from "../../src/present/words/numbers.js";
import { type EstimatePiece, finerForm, type RangePiece, rangeIn, valueAt } from "../../src/present/words/sentence.js";
import { Chart } from "./chart/chart.tsx";
import { Nothing } from "./nothing.tsx";
import { Counts, Ends, endsOf, IntervalBar } from "./numbers/est.tsx";
import { Shown } from "./numbers/num.tsx";
import { ScrollFrame } from "./tables/scroll-frame.tsx";
import { Prose, Section, TextParts, type TextSource } from "./text/prose.tsx";
import { capitalised } from "./text/words.ts";

interface Source extends TextSource {
  figures: readonly Figure[];
}

interface DocumentViewProps {
  of: Document;
  at: string;
  figures: readonly Figure[];
  /** Nothing is folded: the document is the whole page. */
  open?: boolean;
}

/** A document on a page: the conclusion, one figure and one table are visible, text below a heading is folded. */
export function DocumentView({ of: { title, data, blocks }, at, figures, open = false }: DocumentViewProps) {
  const source = { data, at, figures };
  const { top, sections, notes } = partsOf(blocks);
  const named = new Set(blocks.flatMap((block) => (block.kind === "figure" ? [block.id] : [])));
  const others = figures.filter(({ id, rows }) => !named.has(id) && rows.length > 0);
  return (
    <>
      <Blocks of={top} source={source} title={title} />
      {notes.length > 0 && (
        <ul className="remarks" aria-label="To keep in mind">
          {notes.map((text, place) => (
            <li key={String(place)}>
              <TextParts of={text} source={source} />
            </li>
          ))}
        </ul>
      )}
      <div className="folds">
        {sections.map(({ title: name, blocks: inside }) => (
          <Fold key={name} title={name} open={open}>
            <Blocks of={inside} source={source} title={name} />
          </Fold>
        ))}
        {others.length > 0 && (
          <Fold title="More figures" open={open}>
            {others.map((figure) => (
              <Chart key={figure.id} figure={figure} />
            ))}
          </Fold>
        )}
      </div>
    </>
  );
}

interface SectionsProps {
  blocks: readonly Block[];
  data: unknown;
  /** Pointer to `data` in the page. */
  at: string;
  /** Headings of secondary sections, folded at first. */
  folded?: RegExp;
  /** At the end of the last section. */
  children?: ReactNode;
}

/** A document in a view: each heading becomes a section. */
export function DocumentSections({ blocks, data, at, folded, children }: SectionsProps) {
  const source = { data, at, figures: [] };
  const { top, sections } = partsOf(blocks, false);
  return (
    <>
      <Blocks of={top} source={source} title="" />
      {sections.map(({ title, blocks: inside }, place) => {
        const content = (
          <>
            <Blocks of={inside} source={source} title={title} />
            {place === sections.length - 1 && children}
          </>
        );
        return folded?.test(title) ? (
          <Fold key={title} title={title}>
            {content}
          </Fold>
        ) : (
          <Section key={title} id={title.toLowerCase().replace(/[^a-z]+/g, "-")} title={title}>
            {content}
          </Section>
        );
      })}
    </>
  );
}

export function Fold({ title, open = false, children }: { title: string; open?: boolean; children: ReactNode }) {
  return (
    <details className="fold" open={open}>
      <summary>
        <h2>
          <Prose text={title} />
        </h2>
      </summary>
      {children}
    </details>
  );
}

interface Parts {
  top: Block[];
  sections: { title: string; blocks: Block[] }[];
  notes: Text[];
}

/** Blocks before the first heading, the sections, and the notes of all collected. */
function partsOf(blocks: readonly Block[], gatherNotes = true): Parts {
  const parts: Parts = { top: [], sections: [], notes: [] };
  for (const block of blocks) {
    if (block.kind === "heading") parts.sections.push({ title: block.text, blocks: [] });
    else if (gatherNotes && block.kind === "text" && block.as === "note") parts.notes.push(block.text);
    else (parts.sections.at(-1)?.blocks ?? parts.top).push(block);
  }
  return parts;
}

interface BlockProps {
  source: Source;
  title: string;
}

function Blocks({ of: blocks, ...props }: BlockProps & { of: readonly Block[] }) {
  // Blocks are identified by position.
  return blocks.map((block, place) => <BlockView key={String(place)} of={block} {...props} />);
}

function BlockView({ of: block, source, title }: BlockProps & { of: Block }) {
  switch (block.kind) {
    case "text":
      return (
        <p className={block.as === "note" ? "muted small" : block.as}>
          <TextParts of={block.text} source={source} />
        </p>
      );
    case "headline":
      return (
        <p className="lead">
          <b>
            <TextParts of={block.value} source={source} />
          </b>{" "}
          <TextParts of={block.label} source={source} />. <TextParts of={block.under} source={source} />
        </p>
      );
    case "table":
      return <TableView of={block} source={source} title={title} />;
    case "figure": {
      const figure = source.figures.find(({ id }) => id === block.id);
      if (!figure) return null;
      return figure.rows.length > 0 ? <Chart figure={figure} /> : <Nothing why={`${figure.title}.`} />;
    }
    case "empty":
      return <Nothing why={block.why} command={block.command} />;
    default:
      return null;
  }
}

/** Rows visible until the reader asks for all. */
const FIRST_ROWS = 15;

function TableView({ of, source, title }: { of: Extract<Block, { kind: "table" }>; source: Source; title: string }) {
  const { columns, rows, caption } = of;
  const [all, setAll] = useState(false);
  const frame = useRef<HTMLElement>(null);
  const reasons = dashReasons(source.data, rows);
  const scales = columns.map((_, place) => scalesOf(rows.flatMap((row) => drawnOf(row[place], source) ?? [])));
  return (
    <div className="table-frame">
      <ScrollFrame label={caption ?? title} ref={frame}>
        <table className="plain-table">
          {caption && (
            <caption>
              <span>{caption}</span>
            </caption>
          )}
          <thead>
            <tr>
              {columns.map((column) => (
                <th key={column.title} scope="col" className={column.align === "right" ? "right" : undefined}>
                  <Head of={column} />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {(all ? rows : rows.slice(0, FIRST_ROWS)).map((row, place) => (
              <tr key={String(place)}>
                {columns.map((column, i) => {
                  const Cell = i === 0 ? "th" : "td";
                  return (
                    <Cell
                      key={column.title}
                      scope={i === 0 ? "row" : undefined}
                      className={column.align === "right" ? "right" : undefined}
                    >
                      <CellView of={row[i] ?? ""} source={source} scales={scales[i]!} />
                    </Cell>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </ScrollFrame>
      {rows.length > FIRST_ROWS && !all && (
        <button
          type="button"
          className="more"
          onClick={() => {
            setAll(true);
            frame.current?.focus();
          }}
        >
          Show all {rows.length}
        </button>
      )}
      {reasons && (
        <p className="small muted">
          <Prose text={reasons} />
        </p>
      )}
    </div>
  );
}

function Head({ of: { title } }: { of: Column }) {
  if (title === "") return <span className="visually-hidden">Row</span>;
  // Statistics keep their lower case: p, ρ.
  return <>{/^[pqραβγσ](?:\P{L}|$)/u.test(title) ? title : capitalised(title)}</>;
}

type Scale = readonly [low: number, high: number];

/** An interval to draw, and the pointers to its number and ends. */
interface Drawn {
  value: number | null;
  bounds: Bounds;
  as: NumberForm;
  at: { value: string; lower: string; upper: string };
}

const isInterval = (cell: Text | undefined): cell is EstimatePiece | RangePiece =>
  typeof cell === "object" && ("est" in cell || "range" in cell);

/** What to draw in a cell that is only one number. */
function drawnOf(cell: Text | undefined, { data, at }: Source): Drawn | null {
  if (!isInterval(cell)) return null;
  const { as } = cell;
  if ("range" in cell) {
    const { value, bounds } = rangeIn(data, cell);
    return (
      bounds && { value, bounds, as, at: { value: at + cell.range, lower: at + cell.lower, upper: at + cell.upper } }
    );
  }
  const estimate = valueAt(data, cell.est) as Estimate | undefined;
  const bounds = estimate ? wideInterval(estimate) : null;
  if (!estimate || !bounds) return null;
  const mark = at + cell.est;
  return { value: estimate.estimate, bounds, as, at: { value: `${mark}/estimate`, ...endsOf(estimate, mark) } };
}

/** Range of a column's bars, for each number form: shares from 0 to 1, others by their data. */
function scalesOf(all: readonly Drawn[]): Map<NumberForm, Scale> {
  const scales = new Map<NumberForm, Scale>();
  for (const { as } of all) {
    const ends = all.filter((one) => one.as === as).flatMap(({ bounds }) => [bounds.lower, bounds.upper]);
    const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
    scales.set(as, [low, low >= 0 && high <= 1 ? 1 : high]);
  }
  return scales;
}

function CellView({ of: cell, source, scales }: { of: Text; source: Source; scales: Map<NumberForm, Scale> }) {
  const drawn = drawnOf(cell, source);
  if (!drawn || !isInterval(cell)) return <TextParts of={cell} source={source} />;
  return <NumberCell of={drawn} piece={cell} source={source} scale={scales.get(drawn.as)!} />;
}

interface NumberCellProps {
  of: Drawn;
  piece: EstimatePiece | RangePiece;
  source: Source;
  scale: Scale;
}

/** A value, and its interval as a bar on the column's scale. */
function NumberCell({ of: { value, bounds, as, at }, piece, source, scale: [low, high] }: NumberCellProps) {
  const estimate = "est" in piece ? (valueAt(source.data, piece.est) as Estimate) : null;
  const counts = "est" in piece && <Counts of={estimate!} mark={source.at + piece.est} alone="" />;
  if (piece.with === "counts") return counts;
  const place = (end: number) => (end - low) / (high - low || 1);
  return (
    <>
      {value !== null && piece.with !== "bounds" && <Shown value={value} as={finerForm(value, as)} mark={at.value} />}
      {piece.with !== "value" && !(estimate && isSilent(estimate)) && (
        <IntervalBar
          value={place(value ?? bounds.lower)}
          lower={place(bounds.lower)}
          upper={place(bounds.upper)}
          title={`${formatNumber(bounds.lower, as)} to ${formatNumber(bounds.upper, as)}`}
        >
          {" "}
          (<Ends of={bounds} as={as} at={at} />)
        </IntervalBar>
      )}
      {piece.with === "all" && <span className="of"> {counts}</span>}
    </>
  );
}
