/** A report as blocks, written once and rendered for a terminal or as Markdown. */
export type Block =
  | { kind: "heading"; text: string }
  | { kind: "text"; text: string }
  /** The big numbers: value, what it is, and under it what it means. */
  | { kind: "headline"; value: string; label: string; under: string }
  | { kind: "table"; columns: Column[]; rows: string[][] }
  | { kind: "bars"; rows: { label: string; share: number; text: string }[] };

export interface Column {
  title: string;
  align: "left" | "right";
}

export interface Document {
  title: string;
  subtitle: string;
  blocks: Block[];
}

export function table(titles: readonly string[], rows: string[][]): Block {
  // A leading ">" marks a column of numbers.
  const columns = titles.map(
    (title): Column => (title.startsWith(">") ? { title: title.slice(1), align: "right" } : { title, align: "left" }),
  );
  return { kind: "table", columns, rows };
}
