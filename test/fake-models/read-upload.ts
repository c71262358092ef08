import type { LoggedRequest } from "./question.js";

export interface Upload {
  purpose: string;
  file: { name: string; content: Buffer } | null;
}

/** The fields of a multipart form; null: it is not one. */
export function readUpload({ headers, text }: LoggedRequest): Upload | null {
  const boundary = /boundary="?([^";]+)"?/.exec(String(headers["content-type"] ?? ""))?.[1];
  if (boundary === undefined) return null;
  const upload: Upload = { purpose: "", file: null };
  for (const part of text.split(`--${boundary}`).slice(1, -1)) {
    const gap = part.indexOf("\r\n\r\n");
    const head = part.slice(0, gap);
    const content = part.slice(gap + 4, -2);
    const name = /name="([^"]*)"/.exec(head)?.[1];
    const filename = /filename="([^"]*)"/.exec(head)?.[1];
    if (name === "purpose") upload.purpose = content;
    if (name === "file") upload.file = { name: filename ?? "upload", content: Buffer.from(content) };
  }
  return upload;
}
