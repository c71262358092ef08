/** The three places where a label is one token of a small closed set. */
export type LabelField = "level" | "weight" | "inverse";

/** Surface words by category, lower case. All first letters within a field differ, so any prefix names its one category. */
const WORDS: Record<LabelField, readonly (readonly string[])[]> = {
  level: [["1"], ["2"], ["3"]],
  weight: [["high"], ["medium"], ["low"]],
  inverse: [
    ["yes", "true"],
    ["no", "false"],
  ],
};

/** Number of categories of a field: levels 1, 2, 3; High, Medium, Low; Yes, No, in this order. */
export function categoryCount(field: LabelField): number {
  return WORDS[field].length;
}

/** Normalising costs more than a look-up and a vocabulary is finite; emptied when full so that odd input cannot grow it. */
const CACHE_LIMIT = 20_000;
const caches: Record<LabelField, Map<string, number>> = { level: new Map(), weight: new Map(), inverse: new Map() };

/**
 * The category a candidate token begins, or -1. Spaces, quotes and other delimiters around the word are dropped (` "High",`), case is
 * ignored, a first piece counts for its word (`Med`, `Y`); `2.0` is 2, but `12` is none. `prefix` is what the chosen token holds
 * before its value (`":"`): candidates that share it are read after it.
 */
export function categoryOf(text: string, field: LabelField, prefix = ""): number {
  const value = prefix !== "" && text.startsWith(prefix) ? text.slice(prefix.length) : text;
  const cache = caches[field];
  const known = cache.get(value);
  if (known !== undefined) return known;
  const category = categorise(value, field);
  if (cache.size >= CACHE_LIMIT) cache.clear();
  cache.set(value, category);
  return category;
}

function categorise(text: string, field: LabelField): number {
  let start = 0;
  while (start < text.length && isDelimiter(text[start]!)) start++;
  let end = start;
  while (end < text.length && !isDelimiter(text[end]!)) end++;
  const word = text.slice(start, end).toLowerCase();
  if (word === "") return -1;
  if (field === "level") return /^[123](?:\.0*)?$/.test(word) ? Number(word[0]) - 1 : -1;
  return WORDS[field].findIndex((words) => words.some((full) => full.startsWith(word)));
}

/** Space, JSON and Markdown punctuation, and the space marks of SentencePiece and byte-level BPE. */
const DELIMITERS = new Set([..." \n\r\t\u00a0\"'`:,{}[]()*“”▁Ġ"]);

function isDelimiter(character: string): boolean {
  return DELIMITERS.has(character);
}
