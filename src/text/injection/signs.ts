/** Kinds of code units as the reading of sentences tells them apart. */
export const WORD = 1;
export const STOP = 2;
export const NEW_LINE = 3;
export const QUOTE = 4;
export const DOUBLE_QUOTE = 5;
export const EMOJI = 6;

const OTHER = 7;
/** By code unit; 0 where it was not asked for yet. */
const kinds = new Uint8Array(0x10000);

/** The kind of a code unit of a folded text; 0 for signs that nothing depends on. */
export function kindOf(code: number): number {
  let kind = kinds[code]!;
  if (kind === 0) {
    kind = classify(code);
    kinds[code] = kind;
  }
  return kind === OTHER ? 0 : kind;
}

function classify(code: number): number {
  // The first half of most emoji.
  if (code >= 0xd83c && code <= 0xd83e) return EMOJI;
  const character = String.fromCharCode(code);
  if (character === "\n") return NEW_LINE;
  if (character === "'") return QUOTE;
  if (character === '"') return DOUBLE_QUOTE;
  if (/[.!?;。！？؟।；]/.test(character)) return STOP;
  if (/[\p{L}\p{N}\p{M}]/u.test(character)) return WORD;
  return /\p{Emoji_Presentation}/u.test(character) ? EMOJI : OTHER;
}
