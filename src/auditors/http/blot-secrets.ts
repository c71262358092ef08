import type { Generation } from "../../core/records/case.js";

/** Shorter values are no keys: hiding them in answers would hide ordinary words. */
const SHORTEST_KEY = 8;

const FORMS = new Map<string, RegExp>();

/**
 * Writes stars over every key that a server repeats: as it is, with its characters escaped (`\u0073`, `\/`, `&#115;`, `%73`, any of them escaped
 * again), or as a list of code points. The text is compared after its JSON was decoded; what is decoded later (an answer is itself JSON) is
 * found by its escapes.
 */
export function blotSecrets(
  text: string,
  secrets: readonly string[],
  { shortest = SHORTEST_KEY, mark }: { shortest?: number; mark?: string } = {},
): string {
  let clean = text;
  for (const secret of secrets) {
    if (secret.length < shortest || clean.length < secret.length) continue;
    clean = clean.replace(formOf(secret), () => mark ?? "*".repeat(secret.length));
  }
  return clean;
}

/** True where a text of any size may hold a key; cheap, for bodies that are mostly numbers. */
function mayHold(text: string, secret: string): boolean {
  return text.includes(secret) || text.includes("\\u00") || (secret.includes("/") && text.includes("\\/"));
}

/** A body's JSON with the keys in its strings and names blotted. Its errors quote nothing of the body. */
export function parseWithoutSecrets(text: string, secrets: readonly string[]): unknown {
  const keys = secrets.filter((secret) => secret.length >= SHORTEST_KEY && mayHold(text, secret));
  try {
    return keys.length === 0 ? JSON.parse(text) : JSON.parse(text, (_, value) => blotValue(value, keys));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new SyntaxError(`the body is torn or no JSON; got ${text.length} characters`);
  }
}

function blotValue(value: unknown, keys: readonly string[]): unknown {
  if (typeof value === "string") return blotSecrets(value, keys);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  const names = Object.keys(value);
  if (names.every((name) => blotSecrets(name, keys) === name)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [blotSecrets(name, keys), item]));
}

/** An answer without keys: not in its text, and not spelt by its tokens, which then are left out. */
export function withoutSecrets(generation: Generation, secrets: readonly string[]): Generation {
  if (secrets.length === 0) return generation;
  const { text, model, tokens } = generation;
  const clean = blotSecrets(text, secrets);
  const cleanModel = blotSecrets(model, secrets);
  const spelt = tokens === null || (generation.joined && clean === text) ? "" : tokens.map((one) => one.text).join("");
  const spells = blotSecrets(spelt, secrets) !== spelt;
  if (clean === text && cleanModel === model && !spells) return generation;
  return { ...generation, text: clean, model: cleanModel, tokens: spells ? null : tokens };
}

function formOf(secret: string): RegExp {
  let form = FORMS.get(secret);
  if (!form) {
    const points = [...secret].map((character) => character.codePointAt(0)!);
    const escaped = points.map(escapesOf).join("");
    const listed = points.map(numbersOf).join("[\\s,;\"'\\[\\]]{1,40}");
    form = new RegExp(`${escaped}|(?<![\\w.])(?:${listed})(?![\\w.])`, "g");
    FORMS.set(secret, form);
  }
  return form;
}

/** One character as itself or escaped. Repeats are bounded, so that a long run of backslashes costs no more than its length. */
function escapesOf(point: number): string {
  const literal = String.fromCodePoint(point).replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  const hex = hexOf(point);
  return `(?:${literal}|\\\\{1,8}(?:u\\{?0{0,4}${hex}\\}?|x${hex}|${literal})|&#(?:0{0,5}${point}|[xX]0{0,4}${hex});?|%${hex})`;
}

function numbersOf(point: number): string {
  return `(?:0{0,3}${point}|(?:0x|U\\+)0{0,4}${hexOf(point)})`;
}

function hexOf(point: number): string {
  return point.toString(16).replace(/[a-f]/g, (digit) => `[${digit}${digit.toUpperCase()}]`);
}

/** A foreign text fit for a message: on one line, without control characters or what turns writing around, at most `length` long. */
export function printable(text: string, length: number): string {
  const plain = text
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\ufffd]+/gu, " ")
    .replace(/ {2,}/g, " ")
    .trim();
  return plain.length <= length ? plain : `${plain.slice(0, length - 1).toWellFormed()}…`;
}
