/** A number in the very characters that a server writes, as `-9999.0`. */
export class Literal {
  constructor(readonly characters: string) {}
}

/** How a server writes JSON. A reader of raw bytes meets all of these. */
export interface JsonHabits {
  /** `compact`: no spaces; `spaced`: Python's default; `pretty`: indented by two. */
  layout: "compact" | "spaced" | "pretty";
  /** `raw`: UTF-8; `ascii`: \u escapes for the rest (Python's default); `html`: < > & escaped (Go and Google). */
  escape: "raw" | "ascii" | "html";
}

/** A floating-point number as Python and Go print it: `0.0`, `-9999.0`, `-2.4e-07`. */
export function float(value: number): Literal {
  const text = Object.is(value, -0) ? "-0" : String(value);
  if (text.includes("e")) return new Literal(text.replace(/e([+-])(\d)$/, "e$10$2"));
  return new Literal(/^-?\d+$/.test(text) ? `${text}.0` : text);
}

/** Objects, and maps where the order of number-like keys matters. */
export function writeJson(value: unknown, habits: JsonHabits): string {
  return write(value, habits, "\n");
}

function write(value: unknown, habits: JsonHabits, newline: string): string {
  if (value instanceof Literal) return value.characters;
  if (typeof value === "string") return writeString(value, habits.escape);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const pretty = habits.layout === "pretty";
  const inner = pretty ? `${newline}  ` : "";
  const isList = Array.isArray(value);
  const colon = habits.layout === "compact" ? ":" : ": ";
  const items = isList
    ? value.map((item) => write(item, habits, inner))
    : [...(value instanceof Map ? (value as Map<string, unknown>) : Object.entries(value))]
        .filter(([, item]) => item !== undefined)
        .map(([key, item]) => `${writeString(key, habits.escape)}${colon}${write(item, habits, inner)}`);
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (items.length === 0) return open + close;
  if (pretty) return `${open}${inner}${items.join(`,${inner}`)}${newline}${close}`;
  return `${open}${items.join(habits.layout === "spaced" ? ", " : ",")}${close}`;
}

function writeString(text: string, habit: JsonHabits["escape"]): string {
  const json = JSON.stringify(text);
  if (habit === "ascii") return json.replace(/[^\x20-\x7e]/g, unicodeEscape);
  if (habit === "html") return json.replace(/[<>&\u2028\u2029]/g, unicodeEscape);
  return json;
}

function unicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
