import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readLines } from "./raw-response.js";

async function* cut(bytes: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function linesOf(text: string, size: number, most?: number): Promise<string[]> {
  const found: string[] = [];
  for await (const line of readLines(cut(new TextEncoder().encode(text), size), most))
    found.push(line.toString("utf8"));
  return found;
}

describe("readLines", () => {
  it("gives the same lines wherever the bytes are cut, without empty ones", async () => {
    const line = fc.string({ unit: "binary" }).map((text) => text.toWellFormed().replace(/[\n\r\ufeff]/g, ""));
    await fc.assert(
      fc.asyncProperty(fc.array(line), fc.integer({ min: 1, max: 7 }), async (lines, size) => {
        const text = lines.map((one, i) => `${one}${i % 2 ? "\r\n" : "\n"}`).join("");
        expect(await linesOf(text, size)).toEqual(lines.filter((one) => one !== ""));
      }),
    );
  });

  it("gives a last line that does not end", async () => {
    expect(await linesOf("a\nbc", 2)).toEqual(["a", "bc"]);
  });

  it("holds no more of a line than it was told to, and goes on after it", async () => {
    expect(await linesOf(`ab\n${"x".repeat(1000)}\ncd\n`, 7, 10)).toEqual(["ab", "x".repeat(11), "cd"]);
  });
});
