/** A cell of a record; null is an empty cell, "" one that was written as two quotes. */
export type Cell = string | null;

/**
 * The cells of one CSV record, or what is wrong with it.
 * @param trim drop space around cells that are not quoted, as people put it into headers
 */
export function csvCells(text: string, delimiter: string, trim = false): Cell[] | string {
  const cells: Cell[] = [];
  for (let i = 0; ; ) {
    if (text.charCodeAt(i) === 0x22) {
      let cell = "";
      let from = i + 1;
      for (;;) {
        const quote = text.indexOf('"', from);
        if (quote < 0) return "a quote is opened and never closed";
        if (text.charCodeAt(quote + 1) !== 0x22) {
          cell += text.slice(from, quote);
          i = quote + 1;
          break;
        }
        cell += text.slice(from, quote + 1);
        from = quote + 2;
      }
      if (i < text.length && text[i] !== delimiter) return "there is text after a closing quote";
      cells.push(cell);
    } else {
      const end = text.indexOf(delimiter, i);
      const stop = end < 0 ? text.length : end;
      cells.push(stop === i ? null : trim ? text.slice(i, stop).trim() : text.slice(i, stop));
      i = stop;
    }
    if (i >= text.length) return cells;
    i++;
  }
}

/** Of comma, semicolon and tab the one that the first line has most of, outside quotes. */
export function sniffDelimiter(head: string): string {
  const counts = new Map([",", ";", "\t"].map((mark) => [mark, 0]));
  let quoted = false;
  for (const character of head) {
    if (character === '"') quoted = !quoted;
    else if (!quoted && (character === "\n" || character === "\r")) break;
    else if (!quoted && counts.has(character)) counts.set(character, counts.get(character)! + 1);
  }
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0];
}
