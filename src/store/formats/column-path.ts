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
  const path: string[] = [];
  let key = "";
  let written = "";
  for (let i = 0; i <= name.length; i++) {
    const character = name[i];
    if (character === undefined || character === ".") {
      if (written === "") return [name];
      path.push(written === "\\0" ? "" : key);
      key = "";
      written = "";
      continue;
    }
    const escapes = character === "\\" && (name[i + 1] === "." || name[i + 1] === "\\");
    written += escapes ? character + name[i + 1] : character;
    key += escapes ? name[++i] : character;
  }
  return path;
}
