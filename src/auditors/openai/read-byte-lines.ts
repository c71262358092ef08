const NEWLINE = 10;

/** The lines of a stream of bytes, without their ends and without empty ones; no line is ever decoded. */
export async function* readLines(chunks: AsyncIterable<Buffer> | Iterable<Buffer>): AsyncIterable<Buffer> {
  let kept: Buffer[] = [];
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      kept.push(chunk.subarray(from, end));
      const line = kept.length === 1 ? kept[0]! : Buffer.concat(kept);
      kept = [];
      from = end + 1;
      if (line.length > 0) yield line;
    }
    if (from < chunk.length) kept.push(chunk.subarray(from));
  }
  const last = Buffer.concat(kept);
  if (last.length > 0) yield last;
}
