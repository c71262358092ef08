import { type Check, type CheckCompiler, NO_CHECKS } from "../clause.js";
import type { ContentView } from "../content-view.js";
import { FACTS } from "../facts.js";
import { findLimits } from "./limits.js";

interface Presence {
  property: string;
  needs: number;
  named: RegExp;
  /** What was found, or null. */
  find(view: ContentView): string | null;
}

const COUPON =
  /\b(?:code|type|use|enter|with|código)\b[^.\n]{0,20}?\b([A-Z]{3,}\d{1,3})\b|\b([A-Z]{4,}\d{2})\b[^.\n]{0,30}\b(?:checkout|off|discount|%)/;
const COORDINATES = /-?\d{1,3}\.\d{3,}\s*°?\s*[NS]?,\s*-?\d{1,3}\.\d{3,}|\d{1,3}°\s?\d{1,2}['′]/;
const PLATE = /\b(?:number )?plate\b[^.\n]{0,12}?([A-Z]{1,3}[ -]?\d{2,5}[A-Z]{0,3})/;

const PRESENCES: readonly Presence[] = [
  {
    property: "telephone number",
    needs: FACTS.phone,
    named: /\bphone numbers?\b|\btelephone\b|\bcontact data\b|\bcontact details\b|\btel[eé]fono/,
    find: (view) => view.contacts.phone,
  },
  {
    property: "e-mail address",
    needs: FACTS.email,
    named: /\be-?mail\b|\bcontact data\b|\bcontact details\b|\bcorreo\b/,
    find: (view) => view.contacts.email,
  },
  {
    property: "street address",
    needs: FACTS.address,
    named: /\b(?:street |home )?address(?:es)?\b|\bhouse number\b/,
    find: (view) => view.contacts.address,
  },
  {
    property: "link with a referral code",
    needs: FACTS.referral,
    named: /\breferral\b|\baffiliate\b/,
    find: (view) => (view.links.referral ? view.links.first : null),
  },
  {
    property: "coupon code",
    needs: FACTS.capitals,
    named: /\bcoupon\b|\bdiscount codes?\b|\bpromo codes?\b|\bvoucher/,
    find: couponIn,
  },
  {
    property: "link",
    needs: FACTS.link,
    named: /\blinks?\b|\burls?\b|\benlaces?\b/,
    find: (view) => (view.links.count > view.links.images ? view.links.first : null),
  },
  { property: "price", needs: FACTS.amount, named: /\bprices?\b|\bprecios?\b/, find: priceIn },
  {
    property: "coordinates",
    needs: FACTS.digit,
    named: /\bcoordinates\b|\bgps\b/,
    find: (view) => COORDINATES.exec(view.text)?.[0] ?? null,
  },
  {
    property: "number plate",
    needs: FACTS.digit,
    named: /\bnumber plates?\b/,
    find: (view) => PLATE.exec(view.text)?.[1] ?? null,
  },
];

/** Things a clause forbids (or exempts) and that are plainly in the content: contact data, links, prices, codes. */
export const compilePresenceChecks: CheckCompiler = (clause, rule) => {
  const forbids = clause.role === "prohibition" || (clause.role === "definition" && rule.kind !== "requirement");
  const sign = clause.role === "exemption" ? -1 : forbids ? 1 : 0;
  if (sign === 0) return NO_CHECKS;
  // A bare title names the matter ("Prices"), or forbids it without saying where that ends ("No links").
  const certainty = clause.isTitle ? (clause.role === "prohibition" ? 0.85 : 0.4) : 1;
  const named = PRESENCES.filter((presence) => presence.named.test(clause.lower));
  const special = named.some(({ property }) => property === "bare link" || property === "link with a referral code");
  // "Up to 40 euros" does not forbid prices: the amount is checked elsewhere. Nor does a referral clause forbid links.
  const bounded =
    named.some(({ property }) => property === "price") &&
    rule.clauses.some(
      ({ role, lower }) => role !== "exemption" && findLimits(lower).some(({ unit }) => unit === "money"),
    );
  return named
    .filter(({ property }) => !(property === "price" && bounded) && !(property === "link" && special))
    .map(({ property, needs, find }): Check => {
      // "No links" forbids any; "no links to pirated streams" only those, which the other words of the clause must show.
      const qualified = (property === "link" || property === "price") && qualifiers(clause.lower) > 2;
      return {
        property,
        needs,
        judge: (view, bearing) => {
          if (find(view) === null) return 0;
          if (sign < 0) return -0.5 * bearing.clause;
          return certainty * (qualified ? 0.15 + 0.75 * bearing.clause : 0.95);
        },
        tell: (view) => `contains a ${property} (${find(view)})`,
      };
    });
};

function qualifiers(clause: string): number {
  return (clause.match(/\p{L}{4,}/gu) ?? []).length - 2;
}

function couponIn(view: ContentView): string | null {
  if (view.body.capitalsRun === 0 && view.title.capitalsRun === 0) return null;
  const match = COUPON.exec(view.text);
  return match ? (match[1] ?? match[2] ?? null) : null;
}

function priceIn(view: ContentView): string | null {
  const price = view.amounts.find(({ unit }) => unit === "money");
  return price ? String(price.value) : null;
}
