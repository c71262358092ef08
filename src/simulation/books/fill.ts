import type { Rng } from "../../stats/random/create-rng.js";
import type { Book, Phrases, Topic } from "./book.js";

/** What slots of a community's texts stand for. */
export interface Wording {
  topic: Topic;
  book: Book;
  numbers: Readonly<Record<string, number>>;
}

const compiled = new Map<string, readonly string[]>();

/** Literal text at even places, names of slots at odd ones. */
function parts(template: string): readonly string[] {
  let known = compiled.get(template);
  if (!known) {
    known = template.split(/[{}]/);
    compiled.set(template, known);
  }
  return known;
}

/**
 * A text with its slots filled: `{limit}` a number of the community's rules, `{limit+}` one above and `{limit-}` one below it, `{word}` the topic's
 * word or one chosen from its or the book's list, `{Word}` with a capital.
 */
export function fill(template: string, wording: Wording, rng: Pick<Rng, "int">): string {
  const pieces = parts(template);
  let text = pieces[0]!;
  for (let i = 1; i < pieces.length; i += 2) text += slot(pieces[i]!, wording, rng) + pieces[i + 1]!;
  return text;
}

function slot(name: string, { topic, book, numbers }: Wording, rng: Pick<Rng, "int">): string {
  const last = name.charCodeAt(name.length - 1);
  if (last === 43 || last === 45) {
    const bound = numbers[name.slice(0, -1)]!;
    return String(last === 43 ? bound + 1 + rng.int(bound + 2) : 1 + rng.int(Math.max(1, bound - 1)));
  }
  const number = numbers[name];
  if (number !== undefined) return String(number);
  const small = name.charCodeAt(0) < 97 ? name.charAt(0).toLowerCase() + name.slice(1) : name;
  const found = topic.words[small] ?? pick(topic.lists[small] ?? book.lists[small], rng);
  if (found === undefined) throw new RangeError(`phrase book ${book.name}: no slot called ${name}`);
  return small === name ? found : found.charAt(0).toUpperCase() + found.slice(1);
}

function pick<T>(list: readonly T[] | undefined, rng: Pick<Rng, "int">): T | undefined {
  return list && list.length > 0 ? list[rng.int(list.length)] : undefined;
}

export function pickPhrase(phrases: Phrases, wording: Wording, rng: Pick<Rng, "int">): string {
  return fill(phrases[rng.int(phrases.length)]!, wording, rng);
}
