/** Bytes of each fixed-size type of the format, by its number. 8 is a string, 9 an array. */
const SIZES = [1, 1, 2, 2, 4, 4, 4, 1, null, null, 8, 8, 8] as const;
const STRING = 8;
const ARRAY = 9;

/**
 * Texts and numbers of a GGUF file's metadata, as far as its beginning holds them: writers put them before the vocabulary. Lists are passed
 * over. The file is a stranger's: a length that points beyond the end ends the reading, with what was read so far.
 * @see https://github.com/ggml-org/ggml/blob/master/docs/gguf.md
 */
export function readGgufMetadata(head: Buffer): Map<string, string | number> {
  const found = new Map<string, string | number>();
  const reader = new Reader(head);
  try {
    reader.skip(8 + 8);
    const count = reader.length();
    for (let i = 0; i < count; i++) {
      const key = reader.text();
      const value = reader.value(reader.u32());
      if (value !== null) found.set(key, value);
    }
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return found;
}

class Reader {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  skip(count: number): number {
    const from = this.at;
    if (!(count >= 0) || from + count > this.bytes.length) throw new RangeError("the end");
    this.at = from + count;
    return from;
  }

  u32(): number {
    return this.bytes.readUInt32LE(this.skip(4));
  }

  length(): number {
    return Number(this.bytes.readBigUInt64LE(this.skip(8)));
  }

  text(): string {
    const length = this.length();
    const from = this.skip(length);
    return this.bytes.toString("utf8", from, from + length);
  }

  /** A text or a number; null for what is passed over. */
  value(type: number): string | number | null {
    if (type === STRING) return this.text();
    if (type === ARRAY) {
      this.skipArray();
      return null;
    }
    const size = SIZES[type];
    if (size === undefined || size === null) throw new RangeError("an unknown type");
    const from = this.skip(size);
    if (type === 4) return this.bytes.readUInt32LE(from);
    if (type === 5) return this.bytes.readInt32LE(from);
    if (type === 6) return this.bytes.readFloatLE(from);
    if (type === 10) return Number(this.bytes.readBigUInt64LE(from));
    return null;
  }

  private skipArray(): void {
    const type = this.u32();
    const count = this.length();
    const size = SIZES[type];
    if (type === STRING) for (let i = 0; i < count; i++) this.skip(this.length());
    else if (typeof size === "number") this.skip(count * size);
    else throw new RangeError("a list of lists");
  }
}
