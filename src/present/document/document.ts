import type { Estimate } from "../../core/estimate.js";
import { clusterToShow } from "../../measures/metrics/target.js";
import { printable } from "../../text/printable.js";
import { countText, intervalText, rateText, wideInterval } from "../words/numbers.js";

/** Interval of rows taken as independent. */
export function independentText(estimate: Estimate): string {
  return estimate.estimate === null ? estimate.reason : intervalText(estimate);
}

/** Interval with communities as clusters; a dash where they are too few or all alike. */
export function clusterText(estimate: Estimate): string {
  return estimate.estimate === null ? "" : intervalText(clusterToShow(estimate));
}

/** The interval to rely on, where a table has room for one. */
export function wideText(estimate: Estimate): string {
  return estimate.estimate === null ? estimate.reason : intervalText(wideInterval(estimate));
}

/** A row of a table of rates: label, rate, both intervals, counts. */
export function rateRow(label: string, estimate: Estimate): string[] {
  return [label, rateText(estimate), independentText(estimate), clusterText(estimate), countText(estimate)];
}

/** What must be kept in mind, one remark a paragraph: the end of every page of an experiment. */
export function noteBlocks(warnings: readonly string[]): Block[] {
  return warnings.map((text) => ({ kind: "text", text: `Note: ${printable(text, 400)}.` }));
}

/** A report as blocks, written once and rendered for a terminal or as Markdown. */
export type Block =
  | { kind: "heading"; text: string }
  | { kind: "text"; text: string }
  /** The big numbers: value, what it is, and under it what it means. */
  | { kind: "headline"; value: string; label: string; under: string }
  | { kind: "table"; columns: Column[]; rows: string[][] }
  /** `mark`: another share, shown as a line across the bar. */
  | { kind: "bars"; rows: { label: string; share: number; mark?: number; text: string }[] }
  /** Drawn in characters; only text of our own, since Markdown shows it as it is. */
  | { kind: "picture"; lines: string[] };

export interface Column {
  title: string;
  align: "left" | "right";
  /** Sentences: broken over several lines on a terminal, never cut. */
  wrap?: boolean;
}

export interface Document {
  title: string;
  subtitle: string;
  blocks: Block[];
}

export function table(titles: readonly string[], rows: string[][]): Block {
  // A leading ">" marks a column of numbers, "~" one of sentences.
  const columns = titles.map((title): Column => {
    if (title.startsWith(">")) return { title: title.slice(1), align: "right" };
    return title.startsWith("~") ? { title: title.slice(1), align: "left", wrap: true } : { title, align: "left" };
  });
  return { kind: "table", columns, rows };
}
