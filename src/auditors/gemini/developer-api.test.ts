import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { linesOf } from "./developer-api.js";

async function* cut(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe("linesOf", () => {
  it("gives the same lines wherever the bytes are cut", async () => {
    const line = fc.string({ unit: "binary" }).map((text) => text.replaceAll("\n", "").replaceAll("\ufeff", ""));
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 7 }), async (lines, size) => {
        const found: string[] = [];
        const bytes = new TextEncoder().encode(lines.map((text) => `${text}\n`).join(""));
        for await (const text of linesOf(cut(bytes, size))) found.push(text);
        expect(found).toEqual(lines);
      }),
    );
  });

  it("gives a last line that does not end", async () => {
    const found: string[] = [];
    for await (const text of linesOf(cut(new TextEncoder().encode("a\nbc"), 2))) found.push(text);
    expect(found).toEqual(["a", "bc"]);
  });
});
