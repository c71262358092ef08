import { closeSync, openSync, readSync } from "node:fs";

export interface CsvHeader {
  delimiter: string;
  names: string[];
}

const DELIMITERS = [",", ";", "\t", "|"];
const LONGEST_HEADER = 1 << 16;

/**
 * Separator and column names of a CSV file, from its first line: the separator is the one that splits it into most names. DuckDB could
 * find out itself, but looks at 20,000 rows for it, twice. An empty file has no names.
 */
export function readCsvHeader(path: string): CsvHeader {
  const buffer = Buffer.alloc(LONGEST_HEADER);
  const file = openSync(path, "r");
  const bytes = readSync(file, buffer, 0, LONGEST_HEADER, 0);
  closeSync(file);
  const text = buffer.toString("utf8", 0, bytes).replace(/^\ufeff/, "");
  const headers = DELIMITERS.map((delimiter) => ({ delimiter, names: firstRecord(text, delimiter) }));
  return headers.reduce((best, header) => (header.names.length > best.names.length ? header : best));
}

function firstRecord(text: string, delimiter: string): string[] {
  const names: string[] = [];
  let name = "";
  let quoted = false;
  for (let i = 0; i < text.length; i++) {
    const character = text[i]!;
    if (character === '"') {
      if (quoted && text[i + 1] === '"') {
        name += '"';
        i++;
      } else quoted = !quoted;
    } else if (!quoted && character === delimiter) {
      names.push(name.trim());
      name = "";
    } else if (!quoted && (character === "\n" || character === "\r")) break;
    else name += character;
  }
  if (name !== "" || names.length > 0) names.push(name.trim());
  return names;
}
