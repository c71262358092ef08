import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fingerprint, HashTable } from "./machine.js";

describe("HashTable", () => {
  it("does what a Map does, also with keys that collide in every part of their hash but one", () => {
    const word = fc.constantFrom(0, 1, 2, 64, 0x40000000, 0xffffffff);
    fc.assert(
      fc.property(fc.array(fc.tuple(word, word, word, word), { maxLength: 500 }), (entries) => {
        const table = new HashTable();
        const map = new Map<string, [number, number]>();
        for (const [high, low, valueHigh, valueLow] of entries) {
          const key = `${high}:${low}`;
          expect(table.put([high, low], [valueHigh, valueLow])).toEqual(map.get(key) ?? null);
          if (!map.has(key)) map.set(key, [valueHigh, valueLow]);
        }
        expect(table.size).toBe(map.size);
      }),
    );
  });

  it("keeps 200,000 entries through all its growing", () => {
    const table = new HashTable();
    // Not an expectation for each: two hundred thousand take seconds.
    let known = 0;
    for (let n = 0; n < 200_000; n++) if (table.put(fingerprint(`id-${n}`), [0, n]) !== null) known++;
    expect(known).toBe(0);
    expect(table.size).toBe(200_000);
    for (let n = 0; n < 200_000; n += 997) expect(table.put(fingerprint(`id-${n}`), [9, 9])).toEqual([0, n]);
  });
});

describe("fingerprint", () => {
  it("is the first 64 bits of SHA-256", () => {
    const digest = createHash("sha256").update("é😀").digest();
    expect(fingerprint("é😀")).toEqual([digest.readUInt32BE(0), digest.readUInt32BE(4)]);
  });
});
