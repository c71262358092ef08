/** Memory that waits for the next body: so many buffers of at most so many bytes. */
const KEPT = 64;
const KEPT_BYTES = 1 << 20;
const SMALLEST = 1 << 16;

const waiting: Buffer[] = [];

/**
 * Gathers the pieces of one body. They are copied as they come, into memory that later bodies use again: held as pieces until the last one is
 * there, they outlive the young generation, and collecting them takes longer than reading them.
 */
export class BodyPieces {
  private memory: Buffer | null = null;
  private used = 0;

  get size(): number {
    return this.used;
  }

  add(piece: Uint8Array): void {
    const size = this.used + piece.length;
    this.memory ??= waiting.pop() ?? Buffer.allocUnsafeSlow(SMALLEST);
    if (size > this.memory.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(size, 2 * this.memory.length));
      this.memory.copy(larger, 0, 0, this.used);
      this.memory = larger;
    }
    this.memory.set(piece, this.used);
    this.used = size;
  }

  /** The whole body in memory of its own: a copy, unless it is too large for its memory to be kept. */
  take(): Buffer {
    const { memory, used } = this;
    const large = memory !== null && memory.length > KEPT_BYTES;
    const body = large ? memory.subarray(0, used) : Buffer.allocUnsafeSlow(used);
    if (!large) memory?.copy(body, 0, 0, used);
    this.drop();
    return body;
  }

  /** Leaves the memory to the next body. */
  drop(): void {
    if (this.memory && this.memory.length <= KEPT_BYTES && waiting.length < KEPT) waiting.push(this.memory);
    this.memory = null;
    this.used = 0;
  }
}
