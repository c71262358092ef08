/**
 * Cuts a piece of JSON text into tokens of its own kind: a word or number with the space before it, a sign, an escape. Together they are the text.
 * Surrogate pairs are never cut.
 */
export function pieces(text: string): string[] {
  const parts: string[] = [];
  let start = 0;
  let i = 0;
  while (i < text.length) {
    start = i;
    if (text.charCodeAt(i) === 32 && i + 1 < text.length && text.charCodeAt(i + 1) !== 32) i++;
    const code = text.charCodeAt(i);
    if (isWord(code)) {
      while (i < text.length && isWord(text.charCodeAt(i))) i++;
    } else if (code === 92) i += text.charCodeAt(i + 1) === 117 ? 6 : 2;
    else i += code >= 0xd800 && code <= 0xdbff ? 2 : 1;
    if (i > text.length) i = text.length;
    parts.push(text.slice(start, i));
  }
  return parts;
}

function isWord(code: number): boolean {
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57);
  return code >= 0xc0 && code < 0x2000;
}
