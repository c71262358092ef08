/**
 * A word's stem, for English and Spanish alike and deliberately light: rules and content go through the same function, so all that
 * matters is that forms of one word meet ("selling", "sells" → "sell"; "vendo", "vender" → "vend"). Accents are dropped.
 */
export function stem(word: string): string {
  let stemmed = ASCII.test(word) ? word : word.normalize("NFD").replace(COMBINING, "");
  if (stemmed.endsWith("'s")) stemmed = stemmed.slice(0, -2);
  if (stemmed.length <= 3) return stemmed;
  stemmed = dropPlural(stemmed);
  for (const ending of ENDINGS) {
    if (
      stemmed.endsWith(ending) &&
      stemmed.length - ending.length >= (ending.length === 2 && ending.endsWith("r") ? 4 : 3)
    ) {
      stemmed = undouble(stemmed.slice(0, -ending.length));
      break;
    }
  }
  if (stemmed.length > 4 && /[eoa]$/.test(stemmed)) stemmed = stemmed.slice(0, -1);
  return stemmed.endsWith("y") ? `${stemmed.slice(0, -1)}i` : stemmed;
}

const ASCII = /^[\x00-\x7f]*$/;
const COMBINING = /[\u0300-\u036f]/g;
/** Longest first. */
const ENDINGS = ["iendo", "ando", "ment", "ing", "ed", "ly", "er", "ar", "ir"];

function dropPlural(word: string): string {
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|x|z|ch|sh)es$/.test(word)) return word.slice(0, -2);
  if (word.endsWith("s") && !/(?:ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

function undouble(word: string): string {
  return /([bdgmnprt])\1$/.test(word) ? word.slice(0, -1) : word;
}
