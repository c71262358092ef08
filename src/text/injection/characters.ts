import data from "../../../data/injection-forms.json" with { type: "json" };

/** Characters that are invisible or only change how their neighbours look. Marks that are letters of an Indic script are not included. */
const INVISIBLE = /^(?:\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}|\p{Script=Inherited}|\u0640)$/u;
/** Blocks of 26 capitals without compatibility mappings: negative circled, negative squared, regional indicators, squared. */
const PICTURE_CAPITALS = [0x1f150, 0x1f170, 0x1f1e6, 0x1f130];

/** Parses "ab cd" as a → b, c → d. */
function pairs(list: string): ReadonlyMap<string, string> {
  return new Map(list.split(" ").map((pair) => [pair[0]!, pair.slice(1)]));
}

const SPECIAL = pairs(data.letters.special);
const DOUBLES = pairs(data.letters.doubles);
const folded = new Map<number, string>();

/** Folds a character: lower case, no accents, one shape; "" if it is invisible. */
export function foldCharacter(code: number): string {
  let result = folded.get(code);
  if (result === undefined) {
    result = computeFold(code);
    // Honest text uses the characters of a few scripts; hostile text may use all of them.
    if (folded.size > 20_000) folded.clear();
    folded.set(code, result);
  }
  return result;
}

function computeFold(code: number): string {
  const character = String.fromCodePoint(code);
  if (code < 128) return character.toLowerCase();
  if (INVISIBLE.test(character)) return "";
  const small = data.letters.small_capitals.indexOf(character);
  if (small >= 0) return String.fromCharCode(97 + small);
  const block = PICTURE_CAPITALS.find((first) => code >= first && code < first + 26);
  if (block !== undefined) return String.fromCharCode(97 + code - block);
  let result = "";
  for (const part of character.normalize("NFKC").toLowerCase()) {
    // Hangul and Indic letters stay whole: only Latin, Greek and Cyrillic lose their accents.
    const plain = part.codePointAt(0)! < 0x530 || /[\u1e00-\u1fff]/.test(part) ? part.normalize("NFD") : part;
    for (const letter of plain) if (!INVISIBLE.test(letter)) result += SPECIAL.get(letter) ?? letter;
  }
  return result;
}

/** The Latin letter that this one resembles, or undefined. */
export function doubleOf(letter: string): string | undefined {
  return DOUBLES.get(letter);
}
