import { hashText } from "../../audit/identity.js";
import type { SheetCase } from "./sheet.js";

/** The content of a case as it stands in the sheet's cell. */
export function contentCell({ content, media }: Pick<SheetCase, "content" | "media">): string {
  return plainCell(media ? `${content}\n[with media that is not shown]` : content);
}

/** Text without control characters: spreadsheets end a cell or a file at NUL, and some refuse the others. */
export function plainCell(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, "");
}

/** What a content is known again by, after a spreadsheet has changed its line breaks, spaces and quotes or cut its end. */
export function contentMark(text: string): string {
  const letters = text
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
  return hashText(letters.slice(0, 500));
}
