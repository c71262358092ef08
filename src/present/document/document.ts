import type { Estimate } from "../../core/estimate.js";
import type { Figure } from "../../core/figure.js";
import type { ExperimentResults } from "../../core/results/experiment.js";
import type { ReportPage } from "../../measures/report-page.js";
import { printable } from "../../text/printable.js";
import { isClusterWider, type NumberForm } from "../words/numbers.js";
import { numberAt, type Piece, type Sentence, sentence, sentenceText, valueAt } from "../words/sentence.js";

/** Warnings at the end of every experiment page, one per paragraph. */
export function noteBlocks(warnings: readonly string[]): Block[] {
  return [...new Set(warnings)].map((text) => ({ kind: "text", as: "note", text: `Note: ${printable(text, 600)}.` }));
}

/** The bounds of an interval by their pointers; for an estimate, the wider of its intervals if communities are also clusters. */
export function boundsAt(at: string, of?: Estimate, as: NumberForm = "points"): Sentence {
  const place = of && isClusterWider(of) ? `${at}/cluster` : at;
  return sentence`${numberAt(`${place}/lower`, as)} to ${numberAt(`${place}/upper`, as)}`;
}

/** Text, numbers by their pointers into `Document.data`, or both. */
export type Text = Piece | Sentence;

/** A report as blocks, written once. Terminal and Markdown show everything; a page folds what is below a heading and draws figures and intervals. */
export type Block<Words = Text> =
  | { kind: "heading"; text: string }
  /** `lead`: the conclusion; `quote`: text by people, with its line breaks. */
  | { kind: "text"; text: Words; as?: "lead" | "note" | "quote" }
  /** A key figure: value, label, and its meaning below. */
  | { kind: "headline"; value: Words; label: Words; under: Words }
  | { kind: "table"; caption?: string; columns: Column[]; rows: Words[][] }
  /** A figure of the data by its id; only on a page. */
  | { kind: "figure"; id: string }
  /** Why there is no data, and the command that creates it. */
  | { kind: "empty"; why: string; command?: string }
  /** `mark`: another share, shown as a line across the bar. Not on a page, which has figures. */
  | { kind: "bars"; rows: { label: string; share: number; mark?: number; text: string }[] }
  /** Drawn in characters. Only for text of our own, since Markdown shows it unescaped. */
  | { kind: "picture"; lines: string[] };

export interface Column {
  title: string;
  align: "left" | "right";
  /** Sentences: wrapped on a terminal, never cut. */
  wrap?: boolean;
}

export interface Document<Words = Text> {
  title: string;
  subtitle: string;
  blocks: Block<Words>[];
  /** In a terminal: no empty line below a heading, between key figures or below bars. */
  dense?: boolean;
  /** What pointers refer to. */
  data?: unknown;
}

/** A document as a standalone HTML file. */
export interface DocumentPage {
  format: 1;
  made_by: string;
  document: Document;
  figures: readonly Figure[];
}

export function table<Words extends Text>(titles: readonly string[], rows: Words[][], caption?: string): Block<Words> {
  // A leading ">" marks a column of numbers, "~" a column of sentences.
  const columns = titles.map((title): Column => {
    if (title.startsWith(">")) return { title: title.slice(1), align: "right" };
    return title.startsWith("~") ? { title: title.slice(1), align: "left", wrap: true } : { title, align: "left" };
  });
  return { kind: "table", columns, rows, ...(caption ? { caption } : {}) };
}

/** Blocks about a file that another version may have written: a missing part removes only its own section. */
export function readableBlocks(...sections: readonly (() => Block[])[]): Block[] {
  return sections.flatMap((make): Block[] => {
    try {
      return make();
    } catch {
      return [{ kind: "empty", why: "This section cannot be shown from these data." }];
    }
  });
}

/** The document with its pointers resolved, for plain-text renderers. */
export function resolved({ data, blocks, ...document }: Document): Document<string> {
  const text = (of: Text) => sentenceText(data, Array.isArray(of) ? (of as Sentence) : [of as Piece]);
  return {
    ...document,
    blocks: blocks.flatMap((block): Block<string>[] => {
      switch (block.kind) {
        case "text":
          return [{ ...block, text: text(block.text) }];
        case "headline":
          return [{ ...block, value: text(block.value), label: text(block.label), under: text(block.under) }];
        case "table": {
          const reasons = dashReasons(data, block.rows);
          return [
            ...(block.caption ? [{ kind: "text" as const, text: `${block.caption}:` }] : []),
            { ...block, rows: block.rows.map((row) => row.map(text)) },
            ...(reasons ? [{ kind: "text" as const, text: reasons }] : []),
          ];
        }
        case "figure":
          return [];
        case "empty":
          return [{ kind: "text", text: block.command ? `${block.why} Run \`${block.command}\`.` : block.why }];
        default:
          return [block];
      }
    }),
  };
}

/** The reasons for the dashes in a table, each once, as a sentence; empty if there are no dashes. */
export function dashReasons(data: unknown, rows: readonly (readonly Text[])[]): string {
  const reasons = new Set<string>();
  for (const piece of rows.flat(2)) {
    if (typeof piece === "string" || !("est" in piece)) continue;
    const estimate = valueAt(data, piece.est) as Estimate | undefined;
    if (estimate?.estimate === null) reasons.add(printable(estimate.reason, 200));
  }
  return reasons.size === 0 ? "" : `A dash: ${[...reasons].slice(0, 6).join("; ")}.`;
}

/** An experiment's screen in the report: the default export of `document.ts` in the experiment's folder. */
export interface Screen<Kind extends keyof ExperimentResults = keyof ExperimentResults> {
  kind: Kind;
  /** Where its tab is: under rules, under trust, or below "More evidence" of trust. */
  view: "rules" | "trust" | "more";
  /** Second part of its address. */
  id: string;
  /** Position among the tabs of the view. */
  place: number;
  tab: string;
  heading: string;
  /** Shown in place of a result. */
  purpose: string;
  /** The command that creates a result. */
  command: string;
  document(result: ExperimentResults[Kind]): Document;
  /** A more specific reason for the missing result, if the report has one. */
  missing?(report: ReportPage): string | null;
}
