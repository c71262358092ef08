/**
 * Dotted column names: `content.body` is the member `body` of `content`. A dot or a backslash in a key itself is written with a
 * backslash before it, and an empty key as `\0`, so that every member of every record has a name of its own.
 */
export function columnName(path: readonly string[]): string {
  return path.map((key) => (key === "" ? "\\0" : key.replace(/[\\.]/g, "\\$&"))).join(".");
}

/** The path a column name stands for. A name with an empty part (`No.`) is nobody's path: it stands for itself. */
export function columnPath(name: string): string[] {
  if (!name.includes(".") && !name.includes("\\")) return [name];
  const parts: string[] = name.match(/(?:\\[\\.0]|[^.])+|(?<=^|\.)(?=\.|$)/g) ?? [];
  if (parts.includes("")) return [name];
  return parts.map((part) => (part === "\\0" ? "" : part.replace(/\\([\\.])/g, "$1")));
}
