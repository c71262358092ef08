import type { Line, UnreadText } from "./draft.js";

/** What would act on a terminal or a file instead of being read. */
const CONTROL = /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f\ufeff]/g;

/** A text without control characters, with one sign for the end of a line. */
export function cleanText(text: string): string {
  return text
    .replace(/^\uFEFF/, "")
    .replace(/\r\n?|[\u2028\u2029\f]/g, "\n")
    .replace(CONTROL, "")
    .replace(/\u00a0/g, " ");
}

/** The lines of Markdown or plain text without comments; a block of settings at the top is set apart. */
export function textLines(text: string): { lines: Line[]; frontMatter: UnreadText | null } {
  const all = withoutComments(cleanText(text)).split("\n");
  const lines = all.map((line, i): Line => ({ number: i + 1, text: line.replace(/\t/g, "    ").trimEnd() }));
  if (lines[0]?.text !== "---") return { lines, frontMatter: null };
  const end = lines.findIndex(({ text: line }, i) => i > 0 && /^(?:---|\.\.\.)$/.test(line));
  if (end < 0) return { lines, frontMatter: null };
  const settings = lines.slice(1, end);
  const written = settings.map(({ text: line }) => line).join("\n");
  // Between two rulers stands a text of its own unless it has keys.
  if (!settings.every(({ text: line }) => line === "" || /^(?:[\w-]+\s*:|\s|#|- )/.test(line)))
    return { lines, frontMatter: null };
  const frontMatter: UnreadText = { line: 1, text: written, reason: "front_matter" };
  return { lines: lines.slice(end + 1), frontMatter: written.trim() === "" ? null : frontMatter };
}

/** Comments of HTML are on no page. One that does not end is text. Lines keep their numbers. */
function withoutComments(text: string): string {
  let clean = "";
  let from = 0;
  for (;;) {
    const start = text.indexOf("<!--", from);
    const end = start < 0 ? -1 : text.indexOf("-->", start + 4);
    if (end < 0) return clean + text.slice(from);
    clean += text.slice(from, start) + text.slice(start, end).replace(/[^\n]+/g, "");
    from = end + 3;
  }
}
