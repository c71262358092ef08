/** East Asian scripts and full-width forms; emoji that are pictures without being asked to. Half of a flag takes one column. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f200}-\u{1f2ff}\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]|(?!\p{Regional_Indicator})\p{Emoji_Presentation}/u;

/** Whether a character takes two columns. */
export function isWide(character: string): boolean {
  return WIDE.test(character);
}

/** Columns a text takes on a terminal: wide East Asian characters and emoji take two, combining marks none. */
export function displayWidth(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) {
    if (!/\p{M}/u.test(character)) width += isWide(character) ? 2 : 1;
  }
  return width;
}
