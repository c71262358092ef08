/** A foreign text fit for a message: on one line, without control characters or what turns writing around, at most `length` long. */
export function printable(text: string, length: number): string {
  const plain = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]+/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim();
  return plain.length <= length ? plain : `${plain.slice(0, length - 1).toWellFormed()}…`;
}
