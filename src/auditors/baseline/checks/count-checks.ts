import type { Force } from "../../../measures/grounding/scope/read-frame.js";
import {
  type ContentView,
  describeLimit,
  type Field,
  findLimits,
  isPicture,
  type Limit,
  satisfies,
} from "../content-view.js";

/** A property of content that a clause mentions and that can be verified without understanding. */
export interface Check {
  /**
   * Above 0: the content is what the clause forbids or sends elsewhere, or lacks what it demands. Below 0: it has what the clause demands, or is what
   * the clause allows. The size is the certainty; 0 means that the check does not apply. `concern` is how far the clause concerns the content, 0 … 1.
   */
  judge(view: ContentView, concern: number): number;
  /** What was found, as the end of a sentence that begins with "The content". */
  tell(view: ContentView): string;
}

/** What a check is compiled from: a clause in lower case, what it does, and its rule's title and subject. */
export interface CheckSource {
  clause: string;
  force: Force;
  /** Title of the rule, in lower case. */
  title: string;
  /** The rule's title and description mention titles and not bodies. */
  isAboutTitles: boolean;
}

export type CheckCompiler = (source: CheckSource) => Check[];

/** Caches the last lookup in a content, so that it runs once however many clauses ask for it. */
export function once<T>(look: (view: ContentView) => T): (view: ContentView) => T {
  let last: { view: ContentView; found: T } | null = null;
  return (view) => {
    if (last?.view !== view) last = { view, found: look(view) };
    return last.found;
  };
}

/** Absence is weaker evidence than presence: what is demanded may be there in other words. */
export const ABSENCE = 0.5;

const TITLE = /\b(?:titles?|headlines?|títulos?)\b/;
const BODY = /\b(?:body|text|description|comments?|answers?)\b/;

/** The field a clause is about: the one it names, else the one its rule is about, else the body. */
export function fieldName({ clause, isAboutTitles }: CheckSource): "title" | "body" {
  if (TITLE.test(clause)) return "title";
  return isAboutTitles && !BODY.test(clause) ? "title" : "body";
}

/** That field of a content; null if it has none, so that a rule about titles is never applied to a body. */
export function fieldOf(view: ContentView, name: "title" | "body"): Field | null {
  return name === "title" ? headline(view) : view.body;
}

const LONGEST_HEADLINE = 300;

/** The title, or a single line that came without a title and is not known to be a comment. */
function headline({ title, body, kind }: ContentView): Field | null {
  if (title !== null || kind === "comment") return title;
  return body.text.length < LONGEST_HEADLINE && !body.text.trim().includes("\n") ? body : null;
}

/** Whether a rule's title and description, in lower case, are about titles. */
export function isAboutTitles(head: string): boolean {
  return TITLE.test(head) && !/\bbody\b/.test(head);
}

/** Units that are counted in the content; other amounts are read from its text. */
const COUNTED = new Set(["word", "character", "emoji", "picture", "link"]);
const TAGS = /\[(\p{L}[\p{L}\d -]{0,20})\]/gu;

/** Lower-case tags that a clause names. */
export function tagsIn(clause: string): string[] {
  return Array.from(clause.matchAll(TAGS), (match) => match[1]!.trim());
}

/** Compares counts and amounts in the content with a clause's bounds: "at least 80 words", "up to 40 euros", "1980 or earlier". */
export const compileCountChecks: CheckCompiler = (source) => {
  if (/in a row/.test(source.clause)) return [];
  const field = fieldName(source);
  const tags = tagsIn(source.clause);
  return findLimits(source.clause).map((limit): Check => {
    const values = (view: ContentView) => valuesOf(view, limit, field);
    return {
      judge: (view, concern) => {
        if (tags.length > 0 && !tags.some((tag) => view.tags.includes(tag))) return 0;
        const found = values(view);
        if (found.length === 0) return 0;
        const inside = found.every((value) => satisfies(limit, value));
        const certainty = tags.length > 0 || field === "title" ? 1 : concern;
        // "At most 2 emoji are allowed" is a limit; "films from 1980 or earlier need no marks" is an exception.
        const isLimit = COUNTED.has(limit.unit) && limit.sense === "max";
        if (source.force === "allows" && (inside || !isLimit)) return inside ? -0.7 * certainty : 0;
        // "More than 3 links are removed" names the breach; "at most 3 links" and "at least 3" name what is permitted.
        const namesBreach = source.force !== "demands" && (limit.sense === "above" || limit.sense === "below");
        const breaks = namesBreach ? inside : !inside;
        return (breaks ? (COUNTED.has(limit.unit) ? 0.9 : 0.7) : -ABSENCE) * certainty;
      },
      tell: (view) => {
        const found = values(view).join(", ");
        const place = limit.unit === "word" || limit.unit === "character" ? ` in its ${field}` : "";
        const what = COUNTED.has(limit.unit) ? `has ${found} ${limit.unit}s${place}` : `names ${found}`;
        return `${what}; the clause says ${describeLimit(limit)}`;
      },
    };
  });
};

function valuesOf(view: ContentView, { unit }: Limit, name: "title" | "body"): number[] {
  if (unit === "calendar year") {
    const years = view.amounts.filter(({ value, unit }) => unit === null && value >= 1800 && value <= 2100);
    return years.map(({ value }) => value);
  }
  if (!COUNTED.has(unit)) {
    return view.amounts.filter((amount) => amount.unit === unit).map(({ value }) => value);
  }
  const field = fieldOf(view, name);
  if (field === null) return [];
  switch (unit) {
    case "word":
      return [field.words];
    case "character":
      return [field.text.length];
    case "emoji":
      return [field.emoji];
    case "link":
      return [view.links.length];
    default:
      return view.hasMedia ? [Math.max(1, view.links.filter(isPicture).length)] : [];
  }
}

interface Presence {
  property: string;
  /** How a clause refers to it. */
  named: RegExp;
  /** What was found, or null. */
  find(view: ContentView): string | null;
  /** With more words ("links to pirated streams") the clause means only some of them, and its other words must fit too. */
  qualifies?: boolean;
}

const PHONE =
  /(?<![\d.,/:-])(?:\+?\d{1,3}[ .-]?)?(?:\(\d{2,5}\)[ .-]?)?\d{3,4}[ .-]\d{3,4}(?:[ .-]?\d{2,4})?(?![\d/:]|[.,]\d| ?[€$£%])|(?<![\d.,])\+?\d{9,12}(?![\d.,])/;
const YEARS = /^(?:19|20)\d\d[ .-](?:19|20)\d\d$/;
const EMAIL =
  /[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,4}|\b[a-z0-9]+(?: dot [a-z0-9]+)? at [a-z0-9]+ dot [a-z]+\b/i;
const STREET =
  /\b\d{1,4}[a-z]? (?:[A-Z][\p{L}']+ ){1,3}(?:Street|St|Road|Rd|Lane|Avenue|Ave|Row|Close|Drive|Way|Square|Court|Terrace|Hill|Yard|Place)\b|\b(?:[Cc]alle|[Aa]venida|[Pp]laza|[Rr]ue|[Vv]ia) \p{Lu}[\p{L} ]{2,30},? \d{1,4}\b|\p{Lu}\p{L}+(?:straße|strasse|weg|gasse) \d{1,4}\b/u;
const REFERRAL = /[?&](?:ref|referral|aff|affiliate|partner|invite|utm_source|code)=|\/(?:ref|aff|invite)\//i;
const COUPON =
  /\b(?:code|type|use|enter|with)\b[^.\n]{0,20}?\b([A-Z]{3,}\d{1,3})\b|\b[A-Z]{4,}\d{2}\b(?=[^.\n]{0,30}\b(?:checkout|off|discount|%))/;

const find = (pattern: RegExp) => (view: ContentView) => pattern.exec(view.text)?.[0] ?? null;

const SOUGHT: readonly Presence[] = [
  {
    property: "telephone number",
    named: /\b(?:tele)?phone\b|\bcontact (?:data|details)\b|\btel[eé]fono/,
    find: (view) => {
      const found = /\d{3}/.test(view.text) ? find(PHONE)(view) : null;
      return found !== null && YEARS.test(found) ? null : found;
    },
  },
  {
    property: "e-mail address",
    named: /\be-?mail\b|\bcontact (?:data|details)\b|\bcorreo\b/,
    find: (view) => (view.text.includes("@") || view.text.includes(" dot ") ? find(EMAIL)(view) : null),
  },
  { property: "street address", named: /\baddress(?:es)?\b|\bhouse number\b/, find: find(STREET) },
  {
    property: "link with a referral code",
    named: /\breferral\b|\baffiliate\b/,
    find: (view) => view.links.find((link) => REFERRAL.test(link)) ?? null,
  },
  { property: "coupon code", named: /\bcoupon\b|\b(?:discount|promo) codes?\b|\bvoucher/, find: find(COUPON) },
  {
    property: "link",
    named: /^(?!.*\b(?:referral|affiliate)\b).*(?:\blinks?\b|\burls?\b|\benlaces?\b)/,
    find: (view) => view.links.find((link) => !isPicture(link)) ?? null,
    qualifies: true,
  },
  {
    property: "price",
    named: /\bprices?\b|\bprecios?\b/,
    find: (view) => view.amounts.find(({ unit }) => unit === "money")?.value.toString() ?? null,
    qualifies: true,
  },
];

const PRESENCES = SOUGHT.map((presence): Presence => ({ ...presence, find: once(presence.find) }));

/** A clause with more long words than this means some links ("links to pirated streams"), not links as such. */
const MANY_WORDS = 4;

/** Things a clause forbids or allows that are easily detected in content: contact data, links, prices, codes. */
export const compilePresenceChecks: CheckCompiler = ({ clause, force, title }) => {
  if (force !== "forbids" && force !== "allows") return [];
  // "Up to 40 euros" does not forbid prices: the amount is compared.
  const bounded = findLimits(clause).some(({ unit }) => unit === "money");
  const isLong = (clause.match(/\p{L}{4,}/gu) ?? []).length > MANY_WORDS;
  return PRESENCES.filter(({ property, named }) => named.test(clause) && !(property === "price" && bounded)).map(
    ({ property, named, find, qualifies }) => ({
      judge: (view, concern) => {
        if (find(view) === null) return 0;
        if (force === "allows") return -ALLOWED * (isLong ? concern : 1);
        // A title may only name the topic ("Prices").
        if (clause === title && !FORBIDS.test(title)) return 0.4;
        return !(qualifies && isLong) ? 0.9 : named.test(title) ? 0.3 + 0.6 * concern : 0.6 * concern;
      },
      tell: (view) => `contains ${/^[aeiou]/.test(property) ? "an" : "a"} ${property} (${find(view)})`,
    }),
  );
};

const FORBIDS = /\b(?:no|not|never|only|without|sin)\b|n't\b/;
/** An exception usually has further conditions, which its other words must show. */
const ALLOWED = 0.5;
