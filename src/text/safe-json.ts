/** C1 controls, bidirectional marks and line separators, which could act on a terminal. */
const ACTING = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
/** To look for one: the other remembers where it was. */
const SOME_ACTING = new RegExp(ACTING.source);

/** JSON of the same value that does nothing to a terminal. Halves of characters, which other readers of JSON refuse, are replaced. */
export function safeJson(json: string): string {
  if (!json.includes("\\ud") && !SOME_ACTING.test(json)) return json;
  return json
    .replace(ACTING, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .replace(/(?<=(?:^|[^\\])(?:\\\\)*)\\ud[89a-f][0-9a-f]{2}/g, "\\ufffd");
}
