import type { ContentView } from "./content-view.js";

/** What the content shows at a glance, as bits: most checks need not be asked about most content. */
export const FACTS = {
  phone: 1,
  email: 2,
  address: 4,
  link: 8,
  referral: 16,
  amount: 32,
  capitals: 64,
  pointed: 128,
  digit: 256,
} as const;
/** The need of a check that always may bear. */
export const NO_NEED = 512;

type Seen = Pick<ContentView, "contacts" | "links" | "amounts" | "title" | "body">;

export function factsOf(
  { contacts, links, amounts, title, body }: Seen,
  hasDigits: boolean,
  isPointed: boolean,
): number {
  return (
    (contacts.phone !== null ? FACTS.phone : 0) |
    (contacts.email !== null ? FACTS.email : 0) |
    (contacts.address !== null ? FACTS.address : 0) |
    (links.count > links.images ? FACTS.link : 0) |
    (links.referral ? FACTS.referral : 0) |
    (amounts.length > 0 ? FACTS.amount : 0) |
    (title.capitalsRun > 0 || body.capitalsRun > 0 ? FACTS.capitals : 0) |
    (hasDigits ? FACTS.digit : 0) |
    (isPointed ? FACTS.pointed : 0) |
    NO_NEED
  );
}
