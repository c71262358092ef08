import { skipSpace, stringEnd } from "./scan-object.js";

const NEEDLE = '"policy_citation"';

/**
 * The paper's way to the citation: the *last* `"policy_citation"` in the text, then the opening quote of its value, then the
 * unescaped closing quote. It takes a later echo of the key for the field, so it is used only where reading the JSON found none.
 * @see paper Appendix B, "Citation span detection"
 */
export function findCitationByName(text: string): { start: number; end: number } | null {
  const at = text.lastIndexOf(NEEDLE);
  if (at < 0) return null;
  const colon = skipSpace(text, at + NEEDLE.length);
  if (text[colon] !== ":") return null;
  const quote = skipSpace(text, colon + 1);
  if (text[quote] !== '"') return null;
  const end = stringEnd(text, quote + 1);
  return end < 0 ? null : { start: quote + 1, end };
}
