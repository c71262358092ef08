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
