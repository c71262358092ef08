import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { inputLines, MAX_LINE_BYTES } from "./stream.js";

async function linesOf(chunks: readonly Buffer[]) {
  const found = [];
  for await (const lines of inputLines(
    (async function* () {
      yield* chunks;
    })(),
  ))
    found.push(...lines);
  return found.map(({ text, number }) => ({ text, number }));
}
const ofText = async (...chunks: string[]) => linesOf(chunks.map((chunk) => Buffer.from(chunk)));

describe("the lines of a stream", () => {
  it("are the same however the bytes are cut into chunks", async () => {
    const text = fc.string({ unit: fc.constantFrom("a", "\n", "\r\n", " ", "é", "😀", "{", '"'), maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(text, fc.array(fc.integer({ min: 1, max: 9 })), async (content, sizes) => {
        const bytes = Buffer.from(content);
        const chunks: Buffer[] = [];
        let at = 0;
        for (const size of [...sizes, bytes.length]) {
          if (at < bytes.length) chunks.push(bytes.subarray(at, at + size));
          at += size;
        }
        const expected = content
          .split("\n")
          .map((line, index) => ({ text: line.replace(/\r$/, ""), number: index + 1 }))
          .filter((line) => line.text.trim() !== "");
        expect(await linesOf(chunks)).toEqual(expected);
      }),
    );
  });

  it("lose a BOM at the start, and nowhere else", async () => {
    expect(await ofText("\ufeff{}\n\ufeff{}\n")).toEqual([
      { text: "{}", number: 1 },
      { text: "\ufeff{}", number: 2 },
    ]);
    expect(await ofText("\ufeff\n{}")).toEqual([{ text: "{}", number: 2 }]);
  });

  it("are given as soon as they are whole", async () => {
    const batches = [];
    const chunks = ["a\nb", "\nc", "\n", "d"].map((chunk) => Buffer.from(chunk));
    for await (const lines of inputLines(
      (async function* () {
        yield* chunks;
      })(),
    ))
      batches.push(lines.map((line) => line.text));
    expect(batches).toEqual([["a"], ["b"], ["c"], ["d"]]);
  });

  it("are whole where every chunk is read into the same buffer", async () => {
    const bytes = Buffer.from('{"a":"é"}\n{"b":1}\n{"c":[1,2,3]}');
    const chunk = Buffer.alloc(4);
    async function* chunks() {
      for (let at = 0; at < bytes.length; at += chunk.length) yield chunk.subarray(0, bytes.copy(chunk, 0, at));
    }
    const found = [];
    for await (const lines of inputLines(chunks())) found.push(...lines.map(({ text }) => text));
    expect(found).toEqual(bytes.toString().split("\n"));
  });

  it("that are not UTF-8 are there, without a text", async () => {
    const bytes = Buffer.concat([Buffer.from('{"a":"'), Buffer.of(0xff), Buffer.from('"}\n{}\n')]);
    expect(await linesOf([bytes])).toEqual([
      { text: null, number: 1 },
      { text: "{}", number: 2 },
    ]);
  });

  it("that are too long are there, without a text, and are not held in memory", async () => {
    const piece = Buffer.alloc(1 << 20, "x");
    async function* chunks() {
      yield Buffer.from("{}\n");
      for (let i = 0; i <= MAX_LINE_BYTES / piece.length; i++) yield piece;
      yield Buffer.from("end\n{}");
    }
    const found = [];
    for await (const lines of inputLines(chunks())) found.push(...lines);
    expect(found.map(({ text, number }) => ({ text, number }))).toEqual([
      { text: "{}", number: 1 },
      { text: null, number: 2 },
      { text: "{}", number: 3 },
    ]);
  });
});
