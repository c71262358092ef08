import type { TokenCounter } from "../../auditors/output-format.js";

/**
 * Counts tokens as the named tokenizer does. The vocabularies of `o200k` and `cl100k` are loaded when they are asked for: 30 MB on disk and more in
 * memory. Any other name gives an estimate.
 */
export async function createTokenCounter(name: string): Promise<TokenCounter> {
  if (name !== "o200k" && name !== "cl100k") return ESTIMATED;
  const { countTokens } =
    name === "o200k"
      ? await import("gpt-tokenizer/encoding/o200k_base")
      : await import("gpt-tokenizer/encoding/cl100k_base");
  // Otherwise `<|endoftext|>` in a text is an error. As text it is what it is: some characters.
  const asText = { disallowedSpecial: new Set<string>() };
  return { name, exact: true, count: (text) => countInSlices(text, (slice) => countTokens(slice, asText)) };
}

const ESTIMATED: TokenCounter = {
  name: "estimated",
  exact: false,
  count: (text) => Math.ceil(Buffer.byteLength(text) / 4),
};

/**
 * Characters of one word (or one gap between words) that are merged at a time. The tokenizer's time grows with the square of a word's length:
 * 16,000 times one letter take it 190 ms, 100,000 take seconds. Words up to this length, that is all real ones, are counted exactly;
 * a longer one within one token for each slice.
 */
const LONGEST_WORD = 256;
const LONG_RUN = new RegExp(`\\S{${LONGEST_WORD + 1},}|\\s{${LONGEST_WORD + 1},}`, "g");

function countInSlices(text: string, count: (slice: string) => number): number {
  let total = 0;
  let from = 0;
  for (const run of text.matchAll(LONG_RUN)) {
    if (run.index > from) total += count(text.slice(from, run.index));
    from = run.index + run[0].length;
    for (let start = run.index; start < from; ) {
      let end = Math.min(start + LONGEST_WORD, from);
      if (end < from && isHighSurrogate(text.charCodeAt(end - 1))) end--;
      total += count(text.slice(start, end));
      start = end;
    }
  }
  return from === 0 ? count(text) : total + count(text.slice(from));
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
