/** Letters that stand for others: what a reader takes them for, whatever their number. */

/** Seen by nobody, or changing only how their neighbours look. Marks that are letters of an Indic script are none of these. */
const INVISIBLE = /^(?:\p{Default_Ignorable_Code_Point}|\p{Bidi_Control}|\p{Script=Inherited}|\u0640)$/u;

const SMALL_CAPITALS = "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡ\u0000ʏᴢ";
/** Blocks of 26 capitals that no normal form takes for letters: negative circled, negative squared, regional indicators, and squared ones. */
const PICTURE_CAPITALS = [0x1f150, 0x1f170, 0x1f1e6, 0x1f130];
const SPECIAL: Readonly<Record<string, string>> = {
  ı: "i",
  ø: "o",
  ł: "l",
  đ: "d",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ɑ: "a",
  ɡ: "g",
  ɩ: "i",
  ʋ: "v",
  "’": "'",
  "‘": "'",
  ʼ: "'",
  "“": '"',
  "”": '"',
  "„": '"',
  "«": '"',
  "»": '"',
  "‐": "-",
  "‑": "-",
  "–": "-",
  "—": "-",
  أ: "ا",
  إ: "ا",
  آ: "ا",
};

/** Cyrillic, Greek and Armenian letters that look like a Latin one. */
const DOUBLES: Readonly<Record<string, string>> = Object.fromEntries(
  [
    "аa вb еe ёe ѕs іi їi јj кk мm нh оo рp сc тt уy хx ԁd ԛq ԝw һh ӏl гr пn иu ьb",
    "αa βb γy εe ζz ηn ιi κk νv οo ρp σo τt υu χx ωw μu δd θo λa",
    "օo սu ոn հh ցg զq",
  ]
    .join(" ")
    .split(" ")
    .map((pair) => [pair[0]!, pair[1]!]),
);

const folded = new Map<number, string>();

/** What a character beyond ASCII is read as: lower case, no accents, one shape; "" for what nobody sees. */
export function foldCharacter(code: number): string {
  const known = folded.get(code);
  if (known !== undefined) return known;
  const result = computeFold(code);
  // Never more than the characters of a few scripts in honest text; hostile text may use all of them.
  if (folded.size > 20_000) folded.clear();
  folded.set(code, result);
  return result;
}

function computeFold(code: number): string {
  const character = String.fromCodePoint(code);
  if (INVISIBLE.test(character)) return "";
  const small = SMALL_CAPITALS.indexOf(character);
  if (small >= 0) return String.fromCharCode(97 + small);
  for (const first of PICTURE_CAPITALS) {
    if (code >= first && code < first + 26) return String.fromCharCode(97 + code - first);
  }
  let result = "";
  for (const part of character.normalize("NFKC").toLowerCase()) {
    // Hangul and Indic letters are kept whole: only Latin, Greek and Cyrillic lose their accents.
    const plain = part.codePointAt(0)! < 0x530 || /[\u1e00-\u1fff]/.test(part) ? part.normalize("NFD") : part;
    for (const letter of plain) if (!INVISIBLE.test(letter)) result += SPECIAL[letter] ?? letter;
  }
  return result;
}

/** Letters that nobody could tell from their double: a whole word of them may be meant as Latin. */
const PERFECT = new Set("аеорсхуіјѕԁһӏοανι");

export function isPerfectDouble(letter: string): boolean {
  return PERFECT.has(letter);
}

/** The Latin letter that this one passes for, or undefined. */
export function doubleOf(letter: string): string | undefined {
  return DOUBLES[letter];
}

const LEET: Readonly<Record<string, string>> = {
  0: "o",
  1: "i",
  3: "e",
  4: "a",
  5: "s",
  7: "t",
  "@": "a",
  $: "s",
  "!": "i",
};

/** A word with its digits read as the letters they resemble; `one` says what 1 stands for. */
export function withoutDigits(word: string, one: "i" | "l"): string {
  return word.replace(/[013457@$!]/g, (sign) => (sign === "1" ? one : LEET[sign]!));
}
