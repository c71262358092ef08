import { findLimits } from "../amounts.js";
import { type ContentView, isPicture } from "../content-view.js";
import { type CheckCompiler, once } from "./count-checks.js";

interface Presence {
  property: string;
  /** How a clause names it. */
  named: RegExp;
  /** What was found, or null. */
  find(view: ContentView): string | null;
  /** Named with more words ("links to pirated streams") it is only some of them, and the rest of the clause must fit. */
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

/** A clause with more long words means some links ("links to pirated streams") and not links as such. */
const MANY_WORDS = 4;

/** Things a clause forbids or allows and that are plainly in the content: contact data, links, prices, codes. */
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
        // A title may only name the matter ("Prices").
        if (clause === title && !FORBIDS.test(title)) return 0.4;
        return !(qualifies && isLong) ? 0.9 : named.test(title) ? 0.3 + 0.6 * concern : 0.6 * concern;
      },
      tell: (view) => `contains ${/^[aeiou]/.test(property) ? "an" : "a"} ${property} (${find(view)})`,
    }),
  );
};

const FORBIDS = /\b(?:no|not|never|only|without|sin)\b|n't\b/;
/** An exception usually names further conditions, which its other words must show. */
const ALLOWED = 0.5;
