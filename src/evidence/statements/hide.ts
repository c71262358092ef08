import words from "../../../data/statement-words.json" with { type: "json" };
import { locateTokens } from "../../measures/grounding/located-tokens.js";
import { STOP_WORDS } from "../../measures/grounding/scope/telling-words.js";
import { createScrub } from "../../text/scrub/scrub.js";
import { tokenise } from "../../text/words.js";
import { mayIdentify, withoutForms } from "./personal-data.js";

/** What may be repeated in public (rules, names of actions), what may not (content), and names of people and accounts. */
export interface HideRequest {
  content: readonly string[];
  allowed: readonly string[];
  names: readonly string[];
}

const { removed } = words;

/** Consecutive words from which a passage of the content counts as a quotation. */
const QUOTED_WORDS = 3;
/** Lengths are bounded, so that time is linear in the length of the text. */
const QUOTATION =
  /"([^"]{1,500})"|“([^“”]{1,500})”|„([^„“”]{1,500})[“”]|«([^«»]{1,500})»|「([^「」]{1,500})」|(?<![\p{L}\p{N}])['‘]([^'’\n]{1,300})['’](?![\p{L}\p{N}])/gu;
/** What scrubbing leaves, here or before the audit. */
const PLACEHOLDER = /\[(EMAIL|PHONE|HANDLE|NAME)_\d+\]/g;
/** Parts of `Jean-Luc`, `O'Brien` and `Weber's` are words of their own; `Don't` contains no name. */
const CAPITALISED = /\p{Lu}[\p{L}\p{M}\p{N}]*(?![\p{L}\p{M}\p{N}]|['’](?:t|m|ll|re|ve|d)(?!\p{L}))/gu;
const WORD = /\p{L}[\p{L}\p{M}\p{N}]+/gu;
/** Text before the first word of a sentence. After a single letter (`J. Smith`, `e.g. Smith`) the sentence goes on. */
const SENTENCE_BEGINS = /(?:^|(?<!(?<![\p{L}\p{N}])\p{L})[.!?。！？]["'”’)\]]{0,2}\s?)["'“„«([]{0,2}$/u;
/** Capitalised words that are not names. */
const CALENDAR = new Set(
  "monday tuesday wednesday thursday friday saturday sunday january february march april may june july august september october november december"
    .split(" ")
    .map(stem),
);
/** Text joined to a quotation without a space belongs to it; otherwise half an address would be left. */
const JOINED_BEFORE = /(?:(?![()[\]{}"',;!?])[!-~])*$/;
const JOINED_AFTER = /^(?:(?![()[\]{}"',;:!?.])[!-~]|[.:](?=[a-z0-9]))*/i;
const MOST_JOINED = 64;
const ANY_REMOVED = Object.values(removed)
  .map((one) => one.replace(/[[\]]/g, "\\$&"))
  .join("|");
const LISTED_QUOTES = /(\[quote\])(?:[\s,;:…–-]{0,4}(?:(?:and|or)\s)?\[quote\])+/g;
const LEADING_SIGNS = new RegExp(`(?<![+#])[+#]+(?=${ANY_REMOVED})`, "g");
const TRAILING_SIGNS = new RegExp(`(${ANY_REMOVED})[\\s,;:.]{1,3}(?=\\))`, "g");
/** Words of the marks themselves. */
const MARKS = new Set(Object.values(removed).flatMap((mark) => tokenise(mark).map(stem)));
/** Rounds after which a text that is still not clean is given up. */
const ROUNDS = 4;

/**
 * Removes from texts what must not be public: addresses, telephone numbers, accounts, given names, words of the content. Words of the content are
 * three words in a row, anything in quotation marks that is not in a rule, and capitalised words that are in no rule. Recorded names are also removed
 * part by part.
 */
export class Hider {
  private readonly scrub;
  private readonly quoted: Set<string>;
  private readonly allowedPhrase: string;
  private readonly capitals: Set<string>;
  private readonly parts: Set<string>;
  private readonly known: ReadonlySet<string>;

  constructor({ content, allowed, names }: HideRequest) {
    this.scrub = createScrub({ names });
    const { known, runs: allowedRuns, phrase } = preparedOf(allowed);
    this.allowedPhrase = phrase;
    this.known = known;
    this.quoted = new Set(content.flatMap((text) => runsOf(tokenise(text)).filter((run) => !allowedRuns.has(run))));
    const keysOf = (texts: readonly string[], form: RegExp) => {
      const words = texts.flatMap((text) => [...text.matchAll(form)].map(([word]) => nameKey(word)));
      return new Set(words.filter((word) => isName(word, known)));
    };
    this.capitals = keysOf(content, CAPITALISED);
    this.parts = keysOf(
      names.filter((name) => /\S\s+\S/.test(name)),
      WORD,
    );
  }

  /** The text without addresses, numbers, accounts and names: for words of rules, which may be repeated. */
  public(text: string): string {
    return this.scrub
      .begin()
      .text(withoutForms(seen(text)))
      .replace(PLACEHOLDER, (_, kind: keyof typeof removed) => removed[kind])
      .replace(/\s+/g, " ")
      .replace(LISTED_QUOTES, "$1")
      .replace(LEADING_SIGNS, "")
      .replace(TRAILING_SIGNS, "$1")
      .trim();
  }

  /** Whether a cleaned text still has something that may identify a person, so that a person must check it. */
  isDoubtful(text: string): boolean {
    return mayIdentify(text, this.known) || this.mayName(text);
  }

  /** Whether a sentence contains, after its first word, a capitalised word that is in no rule: it may be a name. */
  private mayName(text: string): boolean {
    return [...text.matchAll(CAPITALISED)].some(
      ({ 0: word, index }) =>
        /^\p{L}{2}[\p{L}\p{M}]*$/u.test(word) &&
        isName(nameKey(word), this.known) &&
        !SENTENCE_BEGINS.test(text.slice(Math.max(0, index - 8), index)),
    );
  }

  /** The text without any of it; null: something is left after several rounds. */
  clean(text: string): string | null {
    let left = text;
    for (let round = 0; round < ROUNDS; round++) {
      const next = this.cleanOnce(left);
      if (next === left) return next;
      left = next;
    }
    return this.isClean(left) ? left : null;
  }

  isClean(text: string): boolean {
    return this.cleanOnce(text) === text.replace(/\s+/g, " ").trim();
  }

  /** Forms go first: removing `User` from `User:ann` would leave `ann`. */
  private cleanOnce(text: string): string {
    return this.withoutNames(this.public(this.withoutQuotes(withoutForms(seen(text)))));
  }

  private withoutQuotes(text: string): string {
    const marked = text.replace(QUOTATION, (whole, ...groups: (string | undefined)[]) => {
      const inner = groups.slice(0, 6).find((group) => group !== undefined) ?? "";
      const tokens = tokenise(inner);
      const allowed = tokens.length === 0 || this.allowedPhrase.includes(` ${tokens.join(" ")} `);
      return allowed ? whole : removed.QUOTE;
    });
    const { tokens } = locateTokens(marked);
    const inQuote = new Uint8Array(tokens.length);
    for (let i = 0; i + QUOTED_WORDS <= tokens.length; i++) {
      const run = tokens.slice(i, i + QUOTED_WORDS).map(({ token }) => token);
      if (this.quoted.has(run.join(" "))) inQuote.fill(1, i, i + QUOTED_WORDS);
    }
    let kept = "";
    let from = 0;
    for (let i = 0; i < tokens.length; i++) {
      if (!inQuote[i]) continue;
      let last = i;
      while (inQuote[last + 1]) last++;
      const [{ start }, { end }] = [tokens[i]!, tokens[last]!];
      const before = JOINED_BEFORE.exec(marked.slice(Math.max(from, start - MOST_JOINED), start))![0];
      kept += `${marked.slice(from, start - before.length)}${removed.QUOTE}`;
      from = end + JOINED_AFTER.exec(marked.slice(end, end + MOST_JOINED))![0].length;
      i = last;
    }
    return kept + marked.slice(from);
  }

  private withoutNames(text: string): string {
    const recorded = text.replace(WORD, (word) => (this.parts.has(nameKey(word)) ? removed.NAME : word));
    return recorded.replace(CAPITALISED, (word) => (this.capitals.has(nameKey(word)) ? removed.NAME : word));
  }
}

/** The text without invisible characters and with plain digits: others would hide an address from its form. */
function seen(text: string): string {
  return text
    .replace(/\p{Cf}/gu, "")
    .replace(/\p{Cc}/gu, " ")
    .replace(/[０-９]/g, (digit) => digit.normalize("NFKC"));
}

/** Words are compared without a genitive s: `Webers` and `Weber's` are `Weber`. */
function stem(token: string): string {
  return token.length > 3 ? token.replace(/s$/, "") : token;
}

/** Whether a word may be a name: not a word of a rule, a common word, a day or a month. */
function isName(word: string, known: ReadonlySet<string>): boolean {
  return word !== "" && !known.has(word) && !STOP_WORDS.has(word) && !CALENDAR.has(word) && !MARKS.has(word);
}

const nameKey = (word: string) => stem(tokenise(word).join(" "));

interface Prepared {
  known: Set<string>;
  runs: Set<string>;
  phrase: string;
}

/** Many decisions share their rules, so each list is prepared once. */
const prepared = new WeakMap<readonly string[], Prepared>();

function preparedOf(allowed: readonly string[]): Prepared {
  let found = prepared.get(allowed);
  if (!found) {
    const tokens = allowed.map((text) => tokenise(text));
    const phrase = tokens.map((own) => ` ${own.join(" ")} `).join("\n");
    found = {
      known: new Set(tokens.flat().flatMap((token) => [token, stem(token)])),
      runs: new Set(tokens.flatMap(runsOf)),
      phrase,
    };
    prepared.set(allowed, found);
  }
  return found;
}

/** Runs of words, except those made only of stop words. */
function runsOf(tokens: readonly string[]): string[] {
  const runs: string[] = [];
  for (let i = 0; i + QUOTED_WORDS <= tokens.length; i++) {
    const run = tokens.slice(i, i + QUOTED_WORDS);
    if (run.some((token) => !STOP_WORDS.has(token))) runs.push(run.join(" "));
  }
  return runs;
}
