const NEWLINE = 10;

/** The lines of a stream of bytes, without their ends and without empty ones; none is decoded. A longer line than `most` is cut to `most` + 1 bytes. */
export async function* readLines(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  most = Number.POSITIVE_INFINITY,
): AsyncIterable<Buffer> {
  let kept: Buffer[] = [];
  let size = 0;
  const keep = (piece: Buffer): void => {
    const part = piece.length > most + 1 - size ? piece.subarray(0, most + 1 - size) : piece;
    if (part.length > 0) kept.push(part);
    size += part.length;
  };
  const take = (): Buffer => {
    const line = kept.length === 1 ? kept[0]! : Buffer.concat(kept);
    kept = [];
    size = 0;
    return line;
  };
  for await (const bytes of chunks) {
    const chunk = Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      keep(chunk.subarray(from, end));
      from = end + 1;
      if (size > 0) yield take();
    }
    keep(chunk.subarray(from));
  }
  if (size > 0) yield take();
}
