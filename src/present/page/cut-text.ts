/** The beginning of a text, cut between two characters and not inside one. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  const before = text.charCodeAt(most - 1);
  const end = before >= 0xd800 && before <= 0xdbff ? most - 1 : most;
  // By way of a buffer: a slice would keep the whole text in memory.
  return Buffer.from(text.slice(0, Math.max(0, end)), "utf16le").toString("utf16le");
}
