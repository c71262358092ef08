/** Ways to make letters look like others, or vanish, so that a text says something else to a person than to a program. */

/** Each letter that the table has, replaced by its double. */
function exchange(text: string, doubles: Readonly<Record<string, string>>): string {
  return [...text].map((letter) => doubles[letter] ?? letter).join("");
}

const CYRILLIC = {
  a: "а",
  c: "с",
  e: "е",
  i: "і",
  j: "ј",
  o: "о",
  p: "р",
  s: "ѕ",
  x: "х",
  y: "у",
  A: "А",
  E: "Е",
  I: "І",
  O: "О",
};
const GREEK = {
  a: "α",
  e: "ε",
  i: "ι",
  n: "η",
  o: "ο",
  p: "ρ",
  t: "τ",
  u: "υ",
  v: "ν",
  I: "Ι",
  A: "Α",
  D: "Δ",
  E: "Ε",
};
const SMALL_CAPITALS = [..."ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡxʏᴢ"];

export const cyrillic = (text: string): string => exchange(text, CYRILLIC);
export const greek = (text: string): string => exchange(text, GREEK);

export function smallCapitals(text: string): string {
  return text.toLowerCase().replace(/[a-z]/g, (letter) => SMALL_CAPITALS[letter.charCodeAt(0) - 97]!);
}

/** Letters of the blocks that hold a whole alphabet, capitals first: 0x1d400 mathematical bold, 0x1d4d0 bold script, 0x24b6 circled. */
export function alphabetAt(capitalA: number, smallA: number, text: string): string {
  return text
    .replace(/[A-Z]/g, (letter) => String.fromCodePoint(capitalA + letter.charCodeAt(0) - 65))
    .replace(/[a-z]/g, (letter) => String.fromCodePoint(smallA + letter.charCodeAt(0) - 97));
}

export function fullwidth(text: string): string {
  return text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
}

/** Invisible characters after every letter, taken in turn. */
export function between(text: string, invisible: readonly string[]): string {
  let turn = 0;
  return text.replace(/[A-Za-z](?=[A-Za-z_])/g, (letter) => letter + invisible[turn++ % invisible.length]);
}

/** The same text in tag characters, which no screen shows. */
export function tags(text: string): string {
  return text.replace(/[ -~]/g, (sign) => String.fromCodePoint(0xe0000 + sign.charCodeAt(0)));
}

/** Bytes as variation selectors: U+FE00 … for 0–15, U+E0100 … for the rest. */
export function selectors(text: string): string {
  return [...Buffer.from(text, "utf8")]
    .map((byte) => String.fromCodePoint(byte < 16 ? 0xfe00 + byte : 0xe0100 + byte - 16))
    .join("");
}

export const reversed = (text: string): string => [...text].reverse().join("");
export const base64 = (text: string): string => Buffer.from(text, "utf8").toString("base64");
export const percent = (text: string): string =>
  [...Buffer.from(text, "utf8")].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
export const entities = (text: string): string => [...text].map((sign) => `&#${sign.codePointAt(0)};`).join("");
export const escapes = (text: string): string =>
  [...text].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
export const combining = (text: string, mark: string): string => text.replace(/[A-Za-z]/g, (letter) => letter + mark);
