import { tokenise } from "../../text/words.js";

/** Characters of the content that are compared: enough to tell what it is about. */
const COMPARED_CHARACTERS = 20_000;

/**
 * Orders texts by how much they have in common with another one: cosine of their words, each weighed by how few of the texts have it
 * (1 + ln count times ln(1 + N / texts with it)). Equals, and those without a common word, keep their order.
 */
export function createRanking(texts: readonly string[]): (text: string) => number[] {
  const counts = texts.map((text) => countWords(text));
  const holders = new Map<string, { text: number; weight: number }[]>();
  for (const words of counts) for (const word of words.keys()) if (!holders.has(word)) holders.set(word, []);
  counts.forEach((words, text) => {
    for (const [word, count] of words) holders.get(word)!.push({ text, weight: 1 + Math.log(count) });
  });
  const rarity = (word: string) => Math.log(1 + texts.length / holders.get(word)!.length);
  const lengths = counts.map((words) => {
    let sum = 0;
    for (const [word, count] of words) sum += ((1 + Math.log(count)) * rarity(word)) ** 2;
    return Math.sqrt(sum) || 1;
  });
  return (text) => {
    const scores = new Float64Array(texts.length);
    for (const [word, count] of countWords(text.slice(0, COMPARED_CHARACTERS))) {
      const weight = holders.has(word) ? (1 + Math.log(count)) * rarity(word) ** 2 : 0;
      for (const holder of holders.get(word) ?? []) scores[holder.text]! += weight * holder.weight;
    }
    // Rounded: the last digit of a logarithm must not decide the order.
    const rounded = scores.map((score, index) => Math.round((score / lengths[index]!) * 1e9));
    return texts.map((_, index) => index).sort((a, b) => rounded[b]! - rounded[a]! || a - b);
  };
}

function countWords(text: string): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of tokenise(text)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
