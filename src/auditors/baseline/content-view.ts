import type { ContentParts } from "../../core/records/decision.js";
import { wordsOfContent } from "../../measures/grounding/scope/telling-words.js";
import { COMPARED_LENGTH } from "../../text/ranking.js";
import { countCharacters } from "../../text/words.js";

/** A number, with the unit next to it if there is one. */
interface Amount {
  value: number;
  unit: string | null;
}

/** A bound that a clause puts on a number. */
export interface Limit extends Amount {
  sense: "min" | "max" | "above" | "below";
  unit: string;
}

const NUMBER_WORDS: ReadonlyMap<string, number> = new Map(
  [
    "one 1, two 2, three 3, four 4, five 5, six 6, seven 7, eight 8, nine 9, ten 10, twelve 12, fifteen 15, twenty 20, thirty 30, forty 40, fifty 50",
    "hundred 100, dos 2, tres 3, cuatro 4, cinco 5, diez 10, veinte 20, treinta 30, cincuenta 50, cien 100",
  ]
    .flatMap((list) => list.split(", "))
    .map((entry) => [entry.split(" ")[0]!, Number(entry.split(" ")[1])]),
);

const UNITS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    money: "€ $ £ eur euro euros usd dollar dollars gbp pound pounds",
    percent: "% percent",
    minute: "min mins minute minutes minutos",
    hour: "h hr hrs hour hours horas",
    day: "day days días dias",
    week: "week weeks semanas",
    month: "month months meses",
    year: "year years años yr yrs",
    word: "word words palabra palabras",
    character: "character characters letters caracteres",
    emoji: "emoji emojis",
    picture: "photo photos picture pictures image images foto fotos screenshot screenshots",
    link: "link links enlaces",
  }).flatMap(([unit, words]) => words.split(" ").map((word) => [word, unit] as const)),
);

const NUMBER = String.raw`[€$£] ?\d[\d.,]*|\d[\d.,]*|${[...NUMBER_WORDS.keys()].join("|")}`;
const UNIT = String.raw`(?:%|€|\$|£|\p{L}+)`;
const AMOUNT = new RegExp(String.raw`(?<![\p{L}\d.,])(${NUMBER})(?:[ -]?(${UNIT}))?`, "giu");
const SENSES =
  "at least|at most|up to|no more than|not more than|more than|fewer than|less than|a minimum of|a maximum of|over|above|below|under|al menos|como mínimo|como máximo|hasta|más de|menos de";
const BOUND_BEFORE = new RegExp(
  String.raw`\b(${SENSES}) (${NUMBER})(?: and at most (${NUMBER}))?[ -]?(${UNIT})?(?: (${UNIT}))?`,
  "giu",
);
const BOUND_AFTER = new RegExp(
  String.raw`(?<![\p{L}\d])(${NUMBER}) (?:(${UNIT}) )?or (more|less|fewer|earlier|later|older|above)\b(?: (${UNIT}))?`,
  "giu",
);

/** Fast test: a text that does not match has no amounts. */
const HAS_NUMBER = new RegExp(String.raw`\d|\b(?:${[...NUMBER_WORDS.keys()].join("|")})\b`, "i");

/** The numbers in a text, at most 60: a table adds nothing more. */
function findAmounts(text: string): Amount[] {
  const amounts: Amount[] = [];
  if (!HAS_NUMBER.test(text)) return amounts;
  for (const [, digits, unit] of text.matchAll(AMOUNT)) {
    const value = parseNumber(digits!);
    if (value === null) continue;
    amounts.push({ value, unit: /[€$£]/.test(digits!) ? "money" : unitOf(unit) });
    if (amounts.length === 60) break;
  }
  return amounts;
}

/** The bounds in a clause: "at least 80 words", "up to 40 euros", "five or more films", "1980 or earlier". */
export function findLimits(clause: string): Limit[] {
  const limits: Limit[] = [];
  const add = (sense: Limit["sense"], digits: string | undefined, ...units: (string | undefined)[]) => {
    const value = digits === undefined ? null : parseNumber(digits);
    if (value === null) return;
    const named = /[€$£]/.test(digits!) ? "money" : (units.map(unitOf).find((unit) => unit !== null) ?? null);
    const unit = named ?? (value >= 1800 && value <= 2100 ? "calendar year" : null);
    if (unit !== null) limits.push({ sense, value, unit });
  };
  for (const [, words, first, second, unit, next] of clause.matchAll(BOUND_BEFORE)) {
    add(senseOf(words!.toLowerCase()), first, unit, next);
    add("max", second, unit, next);
  }
  for (const [, digits, before, direction, after] of clause.matchAll(BOUND_AFTER)) {
    add(/more|later|above/i.test(direction!) ? "min" : "max", digits, before, after);
  }
  return limits;
}

export function satisfies({ sense, value: bound }: Limit, value: number): boolean {
  if (sense === "min") return value >= bound;
  if (sense === "max") return value <= bound;
  return sense === "above" ? value > bound : value < bound;
}

/** "at least 80 words". */
export function describeLimit({ sense, value, unit }: Limit): string {
  const words = { min: "at least", max: "at most", above: "more than", below: "less than" };
  return unit === "calendar year"
    ? `${words[sense]} ${value}`
    : `${words[sense]} ${value} ${unit}${unit === "money" || value === 1 ? "" : "s"}`;
}

function senseOf(words: string): Limit["sense"] {
  if (/^(?:at least|a minimum|al menos|como mín)/.test(words)) return "min";
  if (/^(?:more|over|above|más)/.test(words)) return "above";
  return /^(?:fewer|less|below|under|menos)/.test(words) ? "below" : "max";
}

function unitOf(word: string | undefined): string | null {
  return word === undefined ? null : (UNITS.get(word.toLowerCase()) ?? null);
}

/** "1,412.50", "4,20" and "three" as numbers; null for anything else. */
function parseNumber(text: string): number | null {
  const word = NUMBER_WORDS.get(text.toLowerCase());
  if (word !== undefined) return word;
  const digits = text.replace(/[€$£ ]|[.,]$/g, "");
  const value = Number(
    /,\d{1,2}$/.test(digits) ? digits.replaceAll(".", "").replace(",", ".") : digits.replaceAll(",", ""),
  );
  return digits !== "" && Number.isFinite(value) ? value : null;
}

/** Properties of the title or the body. */
export interface Field {
  text: string;
  words: number;
  /** Most words in a row in capitals. */
  capitalsRun: number;
  emoji: number;
}

/** A piece of content with the properties that rules mention. */
export interface ContentView {
  /** Title and body as read, with links replaced by spaces. */
  text: string;
  /** The same with its links, in the form compared with precedents. */
  whole: string;
  /** Characters that were left out because they seem to address the auditor, and those at the end of content that is too long. */
  skipped: number;
  beyond: number;
  kind: string | null;
  language: string | null;
  /** null: no title. */
  title: Field | null;
  body: Field;
  /** Lower-case words in square brackets: at the start, and anywhere in the content or its context. */
  leadingTags: readonly string[];
  tags: readonly string[];
  links: readonly string[];
  hasMedia: boolean;
  amounts: readonly Amount[];
  /** Distinctive words of title and body, and the concepts they express. */
  words: ReadonlyMap<string, number>;
  /** It states something verifiable: a number of at least two digits, a link, a tag, an address. */
  isCheckable: boolean;
}

const LINK = /!?\[[^\]\n]{0,80}\]\((?:https?:\/\/|www\.)[^\s)]{1,2000}\)|(?:https?:\/\/|\bwww\.)[^\s<>")\]]{1,2000}/gi;
const TAG = /\[([^[\]\n]{1,30})\]/g;
const LEADING_TAGS = /^\s*(?:\[[^[\]\n]{1,30}\]\s*)+/;
const IMAGE = /\.(?:png|jpe?g|gif|webp|mp4|webm)\b|^!/i;

export function isPicture(link: string): boolean {
  return IMAGE.test(link);
}

/** Reads a piece of content from which `leftOut` characters were removed before. */
export function viewContent(parts: ContentParts, leftOut = 0): ContentView {
  const title = parts.title.slice(0, COMPARED_LENGTH);
  const body = parts.body.slice(0, COMPARED_LENGTH - title.length);
  const links: string[] = parts.url ? [parts.url] : [];
  const masked = (text: string) =>
    text.includes("://") || text.includes("www.")
      ? text.replace(LINK, (link) => {
          links.push(link);
          return " ";
        })
      : text;
  const maskedTitle = masked(title);
  const maskedBody = masked(body);
  const text = maskedTitle === "" ? maskedBody : `${maskedTitle}\n${maskedBody}`;
  const context = parts.context.join("\n").slice(0, COMPARED_LENGTH);
  const leading = text.trimStart().startsWith("[") ? (LEADING_TAGS.exec(text)?.[0] ?? "") : "";
  return {
    text,
    whole: title === "" ? body : `${title}\n${body}`,
    skipped: leftOut,
    beyond: countCharacters(parts.title.slice(title.length) + parts.body.slice(body.length)),
    kind: parts.kind,
    language: parts.language,
    title: title === "" ? null : readField(maskedTitle),
    body: readField(maskedBody),
    leadingTags: tagsIn(leading),
    tags: tagsIn(text.includes("[") || context.includes("[") ? `${text}\n${context}` : ""),
    links,
    hasMedia: parts.hasMedia || links.some(isPicture),
    amounts: findAmounts(text),
    words: wordsOfContent(parts.body === body && parts.title === title ? parts : { ...parts, title, body }),
    isCheckable: links.length > 0 || isCheckable(text),
  };
}

/** A single digit is seldom a fact, and a lone bracket is not a tag: neither may change a verdict. */
const CHECKABLE = /\d\d|:\/\/|\[[^[\]\n]{1,30}\]|\w@\w/;

export function isCheckable(text: string): boolean {
  return CHECKABLE.test(text);
}

function tagsIn(text: string): string[] {
  return text === "" ? [] : Array.from(text.matchAll(TAG), (match) => match[1]!.trim().toLowerCase());
}

const WORD = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’-]*/gu;
const CAPITALS = /^\P{Ll}*\p{Lu}\P{Ll}*\p{Lu}\P{Ll}*$/u;
const EMOJI = /\p{Extended_Pictographic}/gu;

function readField(text: string): Field {
  const bare = text.includes("[") ? text.replace(LEADING_TAGS, "") : text;
  const words = bare.match(WORD) ?? [];
  let run = 0;
  let capitalsRun = 0;
  for (const word of words) {
    run = CAPITALS.test(word) ? run + 1 : word.length === 1 ? run : 0;
    if (run > capitalsRun) capitalsRun = run;
  }
  return { text, words: words.length, capitalsRun, emoji: text.match(EMOJI)?.length ?? 0 };
}
