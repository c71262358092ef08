import { hash } from "node:crypto";

/** 64 bits of a text's SHA-256, as two halves. Two of a million texts share them with probability 3e-8. */
export function fingerprint(text: string): [high: number, low: number] {
  const hex = hash("sha256", text);
  return [Number.parseInt(hex.slice(0, 8), 16), Number.parseInt(hex.slice(8, 16), 16)];
}

/**
 * A growing table from 64-bit keys to 64-bit values in typed arrays (open addressing, linear probing): 32 bytes an entry at
 * most, where a Map of strings needs 150 and slows down the collector.
 */
export class HashTable {
  private capacity = 1 << 12;
  private cells = new Uint32Array(4 * this.capacity);
  private used = new Uint8Array(this.capacity);
  private count = 0;

  get size(): number {
    return this.count;
  }

  /** Puts a value unless the key is there; then gives the value that is there. */
  put(key: readonly [number, number], value: readonly [number, number]): [number, number] | null {
    if (this.count * 2 >= this.capacity) this.grow();
    const slot = this.find(key[0], key[1]);
    if (this.used[slot]) return [this.cells[4 * slot + 2]!, this.cells[4 * slot + 3]!];
    this.write(slot, key[0], key[1], value[0], value[1]);
    return null;
  }

  private find(high: number, low: number): number {
    const mask = this.capacity - 1;
    for (let slot = (high ^ low) & mask; ; slot = (slot + 1) & mask) {
      if (!this.used[slot] || (this.cells[4 * slot] === high && this.cells[4 * slot + 1] === low)) return slot;
    }
  }

  private write(slot: number, high: number, low: number, valueHigh: number, valueLow: number): void {
    this.used[slot] = 1;
    this.cells[4 * slot] = high;
    this.cells[4 * slot + 1] = low;
    this.cells[4 * slot + 2] = valueHigh;
    this.cells[4 * slot + 3] = valueLow;
    this.count++;
  }

  private grow(): void {
    const { cells, used } = this;
    this.capacity *= 2;
    this.cells = new Uint32Array(4 * this.capacity);
    this.used = new Uint8Array(this.capacity);
    this.count = 0;
    for (let slot = 0; slot < used.length; slot++) {
      if (!used[slot]) continue;
      const at = 4 * slot;
      this.write(this.find(cells[at]!, cells[at + 1]!), cells[at]!, cells[at + 1]!, cells[at + 2]!, cells[at + 3]!);
    }
  }
}
