import { isWide } from "../../text/display-width.js";
import { wellFormed } from "../../text/utf8.js";

const LETTERS = "nearotisuldcm";

/** Letters that say nothing, in the shape of a text: words and lines are as long, so that a page does not move when the text is revealed. */
export function standIn(text: string): string {
  let place = 0;
  return wellFormed(text)
    .replace(/\r\n?/g, "\n")
    .replace(/\S/gu, (character) => {
      if (/[\p{M}\p{Cf}\p{Cc}]/u.test(character)) return "";
      place += 1;
      if (isWide(character)) return "口";
      return LETTERS[(place * 7) % LETTERS.length]!;
    });
}
