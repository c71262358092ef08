/** Where a value stands in a text, in UTF-8 bytes; of a string, what is between its quotes. */
export interface ValueSpan {
  field: string;
  start: number;
  end: number;
}

/** The values of a flat JSON object, in order, as far as the text goes; none where it is something else. */
export function valueSpans(text: string): ValueSpan[] {
  const spans: ValueSpan[] = [];
  if (!text.trimStart().startsWith("{")) return spans;
  const pair = /"((?:[^"\\]|\\.)*)"\s*:\s*(?:"((?:[^"\\]|\\.)*)(?:"|$)|([^\s,}"]+))/dgs;
  for (const match of text.matchAll(pair)) {
    const [start, end] = (match.indices![2] ?? match.indices![3])!;
    spans.push({
      field: match[1]!,
      start: Buffer.byteLength(text.slice(0, start)),
      end: Buffer.byteLength(text.slice(0, end)),
    });
  }
  return spans;
}
