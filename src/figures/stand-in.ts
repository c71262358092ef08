import { wellFormed } from "../signals/utf8.js";

const LETTERS = "nearotisuldcm";

/** Letters that say nothing, in the shape of a text: words and lines are as long, so that a page does not move when the text is revealed. */
export function standIn(text: string): string {
  let place = 0;
  return wellFormed(text)
    .replace(/\r\n?/g, "\n")
    .replace(/\S/gu, (character) => {
      if (/[\p{M}\p{Cf}\p{Cc}]/u.test(character)) return "";
      place += 1;
      // Wide scripts and emoji take two columns.
      if (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\uff60\u{1f000}-\u{3fffd}]/u.test(character))
        return "口";
      return LETTERS[(place * 7) % LETTERS.length]!;
    });
}
