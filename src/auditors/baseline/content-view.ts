import type { ContentParts } from "../../core/records/decision.js";
import { wordsOfContent } from "../../measures/grounding/scope/telling-words.js";
import { COMPARED_LENGTH } from "../../text/ranking.js";
import { type Amount, findAmounts } from "./amounts.js";

/** Counts over the title or the body. */
export interface Field {
  text: string;
  words: number;
  /** Most words in a row in capitals. */
  capitalsRun: number;
  emoji: number;
}

/** A piece of content with the properties that rules speak of. */
export interface ContentView {
  /** Title and body as read, links replaced by spaces. */
  text: string;
  /** The same with its links, in the form that is compared with precedents. */
  whole: string;
  /** Characters that were not read. */
  unread: number;
  kind: string | null;
  language: string | null;
  /** null: it has none. */
  title: Field | null;
  body: Field;
  /** Lower-case words in square brackets at the start, and anywhere in it or in its context. */
  leadingTags: readonly string[];
  tags: readonly string[];
  links: readonly string[];
  hasMedia: boolean;
  amounts: readonly Amount[];
  /** Telling words of title and body, and concepts they stand for. */
  words: ReadonlyMap<string, number>;
  /** It states something that can be verified: a number of two digits, a link, a tag, an address. */
  isCheckable: boolean;
}

const LINK = /!?\[[^\]\n]{0,80}\]\((?:https?:\/\/|www\.)[^\s)]{1,2000}\)|(?:https?:\/\/|\bwww\.)[^\s<>")\]]{1,2000}/gi;
const TAG = /\[([^[\]\n]{1,30})\]/g;
const LEADING_TAGS = /^\s*(?:\[[^[\]\n]{1,30}\]\s*)+/;
const IMAGE = /\.(?:png|jpe?g|gif|webp|mp4|webm)\b|^!/i;

export function isPicture(link: string): boolean {
  return IMAGE.test(link);
}

/** Reads a piece of content of which `leftOut` characters were left out before. */
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
    unread: leftOut + parts.title.length + parts.body.length - title.length - body.length,
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

/** A single digit is seldom a fact, and one bracket no tag: neither may turn a verdict. */
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
