import type { ContentParts } from "../../domain/content.js";
import { type Amount, findAmounts } from "./amounts.js";
import { type Aim, POINTED } from "./checks/conduct-check.js";
import { findContacts } from "./contacts.js";
import { factsOf } from "./facts.js";
import { findLinks, type Links } from "./links.js";
import { LONGEST_TEXT, scanWords, type Words } from "./scan-words.js";
import type { Zone } from "./zone.js";

/** Characters of a post that are read; what lies beyond is counted and said in the trace, never read. */
const ANALYSED_LENGTH = LONGEST_TEXT - 1;
const CONTEXT_LENGTH = 600;

/** A piece of content with everything about it that can be checked, found in a few linear passes. */
export interface ContentView {
  /** Title and body as analysed, links blanked out: same length as what was read. */
  text: string;
  bodyStart: number;
  /** Characters that were not read. */
  unread: number;
  kind: "post" | "comment" | null;
  language: string | null;
  /** The title, or the whole of a single line that came without a title and is not known to be a comment. */
  headline: string;
  hasTitle: boolean;
  title: Zone;
  body: Zone;
  words: Words;
  /** Tags in square brackets, lower case: at the very start, and anywhere. */
  leadingTags: readonly string[];
  tags: readonly string[];
  context: string;
  contextTags: readonly string[];
  links: Links;
  hasMedia: boolean;
  contacts: { phone: string | null; email: string | null; address: string | null };
  amounts: readonly Amount[];
  /** It has something that can be verified: a number, a link, a tag, an address. */
  checkable: boolean;
  /** What it shows at a glance: bits of `facts.ts`. */
  facts: number;
  /** Whom degrading words are aimed at; found when first asked for. */
  aim: Aim | null;
  /** Languages of the paragraphs; found when first asked for. */
  languages: readonly string[] | null;
}

/** Reads a piece of content of which `leftOut` characters were left out before. `numberWords` gives its words their numbers in the frame's vocabulary. Good until the next is read. */
export function viewContent(parts: ContentParts, numberWords: (words: Words) => void, leftOut = 0): ContentView {
  const title = parts.title.length > ANALYSED_LENGTH ? parts.title.slice(0, ANALYSED_LENGTH) : parts.title;
  const room = ANALYSED_LENGTH - title.length;
  const body = parts.body.length > room ? parts.body.slice(0, room) : parts.body;
  const raw = title === "" ? body : `${title}\n${body}`;
  const bodyStart = raw.length - body.length;
  const links = findLinks(raw, parts.url);
  const text = links.masked;
  const { words, titleZone, bodyZone, digits, hasNumbers, hasAt } = scanWords(text, bodyStart);
  numberWords(words);
  const kind = parts.kind === "post" || parts.kind === "comment" ? parts.kind : null;
  const context = parts.context.length === 0 ? "" : parts.context.join("\n").slice(0, CONTEXT_LENGTH);
  const oneLine = title === "" && kind !== "comment" && body.length < 300 && !body.trim().includes("\n");
  const contacts = digits > 0 || hasAt || links.obscured ? findContacts(text, words, digits, hasAt) : NO_CONTACTS;
  const amounts = findAmounts(text, words, digits > 0);
  const seen = { contacts, links, amounts, title: titleZone, body: bodyZone };
  return {
    text,
    bodyStart,
    unread: leftOut + parts.title.length + parts.body.length - title.length - body.length,
    kind,
    language: parts.language,
    headline: title === "" ? (oneLine ? body.trim() : "") : title.trim(),
    hasTitle: title !== "",
    title: titleZone,
    body: bodyZone,
    words,
    leadingTags: leadingTags(title === "" ? body : title),
    tags: text.includes("[") ? tagsIn(text) : NO_TAGS,
    context,
    contextTags: context.includes("[") ? tagsIn(context) : NO_TAGS,
    links,
    hasMedia: parts.hasMedia || links.images > 0,
    contacts,
    amounts,
    facts: factsOf(seen, digits > 0, (words.traits & POINTED) !== 0),
    aim: null,
    languages: null,
    checkable: hasNumbers || hasAt || links.count > 0 || text.includes("["),
  };
}

const NO_TAGS: readonly string[] = [];
const NO_CONTACTS = { phone: null, email: null, address: null };

const TAG = /\[([^[\]\n]{1,30})\]/g;

function tagsIn(text: string): string[] {
  const tags: string[] = [];
  for (const match of text.matchAll(TAG)) tags.push(match[1]!.toLowerCase().trim());
  return tags;
}

function leadingTags(text: string): readonly string[] {
  let at = skipSpace(text, 0);
  if (text[at] !== "[") return NO_TAGS;
  const tags: string[] = [];
  while (text[at] === "[") {
    const end = text.indexOf("]", at);
    if (end < 0 || end - at > 31) break;
    tags.push(
      text
        .slice(at + 1, end)
        .toLowerCase()
        .trim(),
    );
    at = skipSpace(text, end + 1);
  }
  return tags;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= 32) at++;
  return at;
}
