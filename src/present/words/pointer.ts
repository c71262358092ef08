/** Where the data of a page stand inside it: packed JSON, gzipped, in base64, which has no character that HTML could take for its own. */
export const DATA_ELEMENT = "report-data";

/** The value at a JSON pointer (RFC 6901), or undefined. */
export function valueAt(root: unknown, pointer: string): unknown {
  let value = root;
  for (const part of pointer.split("/").slice(1)) {
    const key = part.replaceAll("~1", "/").replaceAll("~0", "~");
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<string, unknown>)[key];
  }
  return value;
}

/** One part of a pointer, escaped. */
export function pointerPart(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1");
}
