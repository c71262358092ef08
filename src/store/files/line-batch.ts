import { RECORD, writeRecord } from "./segment-files.js";

/** Lines that are written together, in memory that the next batch uses again. */
export class LineBatch {
  private memory = Buffer.allocUnsafeSlow(1 << 18);
  private used = 0;
  private readonly keys: Buffer[] = [];
  private readonly starts: number[] = [];
  private readonly waiting: (() => void)[] = [];

  /** Bytes of all lines. */
  get size(): number {
    return this.used;
  }

  get lines(): Buffer {
    return this.memory.subarray(0, this.used);
  }

  /** Adds a line, and tells when the batch is done with. */
  add(key: Buffer, line: string): Promise<void> {
    // Three bytes a UTF-16 unit at the most.
    const room = this.used + 3 * line.length;
    if (room > this.memory.length) this.memory = Buffer.concat([this.lines], 2 * room);
    this.keys.push(key);
    this.starts.push(this.used);
    this.used += this.memory.write(line, this.used);
    return new Promise((done) => this.waiting.push(done));
  }

  /** Index records of lines that begin at `offset`. */
  records(offset: number): Buffer {
    const records = Buffer.alloc(this.keys.length * RECORD);
    this.each((key, start, i) => writeRecord(records, i * RECORD, key, offset + start));
    return records;
  }

  each(visit: (key: Buffer, start: number, index: number) => void): void {
    for (let i = 0; i < this.keys.length; i++) visit(this.keys[i]!, this.starts[i]!, i);
  }

  /** Empties the batch, whether it was written or not. */
  finish(): void {
    this.used = 0;
    this.keys.length = 0;
    this.starts.length = 0;
    for (const done of this.waiting.splice(0)) done();
  }
}
